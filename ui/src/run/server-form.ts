// What the server of a tool asks for, as fields of a form, and what was filled in as its answer. The words are the
// server's.
import type { Json, Question, ServerQuestion } from "../ipc/bindings";
import { isStored, unwrapped, type Stored } from "./value";

export type ServerField = {
  name: string;
  title: string;
  help: string;
  kind: "text" | "number" | "date" | "yes_no" | "choice" | "choices";
  choices: readonly { value: string; label: string }[];
  isRequired: boolean;
  /** What stands in the field before anybody typed: of several choices those that are set. */
  initial: string | boolean | readonly string[];
};

type Part = {
  type?: unknown;
  title?: unknown;
  description?: unknown;
  default?: unknown;
  items?: unknown;
  [word: string]: unknown;
};

/** What a question of a server asks; nothing of another question, or as long as it is not here. */
export function askedByServer(
  { kind, details }: Question,
  resolve: (stored: Stored) => unknown,
): ServerQuestion | null {
  if (kind.kind !== "tool_server") return null;
  const asked = (isStored(details) ? resolve(details) : unwrapped(details)) as ServerQuestion | null | undefined;
  return typeof asked === "object" && asked !== null && "asks_for" in asked ? asked : null;
}

const words = (value: unknown) => (typeof value === "string" ? value : "");

function choicesOf(part: Part): ServerField["choices"] {
  const titled = (part["oneOf"] ?? part["anyOf"]) as readonly { const?: unknown; title?: unknown }[] | undefined;
  if (Array.isArray(titled))
    return titled.map((one) => ({ value: words(one.const), label: words(one.title) || words(one.const) }));
  const names = (part["enumNames"] ?? []) as readonly unknown[];
  return ((part["enum"] ?? []) as readonly unknown[]).map((value, at) => ({
    value: words(value),
    label: words(names[at]) || words(value),
  }));
}

function fieldOf(name: string, part: Part, isRequired: boolean): ServerField {
  const { default: given } = part;
  const base = { name, title: words(part.title) || name, help: words(part.description), isRequired };
  if (part.type === "boolean") return { ...base, kind: "yes_no", choices: [], initial: given === true };
  if (part.type === "number" || part.type === "integer")
    return { ...base, kind: "number", choices: [], initial: given === undefined ? "" : String(given) };
  if (part.type === "array") {
    const set = Array.isArray(given) ? given.map(words) : [];
    return { ...base, kind: "choices", choices: choicesOf((part.items ?? {}) as Part), initial: set };
  }
  const choices = choicesOf(part);
  const kind = choices.length > 0 ? "choice" : part["format"] === "date" ? "date" : "text";
  return { ...base, kind, choices, initial: words(given) };
}

/** The fields of a form, in the order of the server. */
export function serverFields(schema: unknown): ServerField[] {
  const { properties, required } = (schema ?? {}) as {
    properties?: Record<string, Part>;
    required?: readonly string[];
  };
  return Object.entries(properties ?? {}).map(([name, part]) => fieldOf(name, part, (required ?? []).includes(name)));
}

export type Filled = Record<string, ServerField["initial"]>;

/** The answer with what was filled in; what was left empty is not told. The program checks it against the schema. */
export function filledAnswer(fields: readonly ServerField[], filled: Filled): { accept: Json } {
  const told = fields.flatMap(({ name, kind, isRequired }): [string, unknown][] => {
    const value = filled[name];
    if (kind === "number") return String(value).trim() === "" ? [] : [[name, Number(value)]];
    const isEmpty = value === "" || (Array.isArray(value) && value.length === 0);
    return isEmpty && !isRequired ? [] : [[name, value]];
  });
  return { accept: Object.fromEntries(told) };
}

/** The required fields that are empty. */
export function missingFields(fields: readonly ServerField[], filled: Filled): ServerField[] {
  const isEmpty = (value: Filled[string] | undefined) =>
    typeof value === "string" ? value.trim() === "" : Array.isArray(value) && value.length === 0;
  return fields.filter(({ name, isRequired }) => isRequired && isEmpty(filled[name]));
}

/** Whether something else than a number stands where one is asked for. */
export const isWrong = ({ name, kind }: ServerField, filled: Filled): boolean =>
  kind === "number" && !Number.isFinite(Number(filled[name]));
