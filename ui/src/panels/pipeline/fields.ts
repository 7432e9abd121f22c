// What the form of a pipeline shows of each of its tables. What is not listed here stays in the text alone.
import type { Path, TomlDocument } from "../../kit/toml-document";
import type { NameKind } from "./names";
import { PARTS, stepKind, stepsOf, type StepKind } from "./steps";

export type FieldKind = "line" | "text" | "number" | "yes_no" | "choice" | "names" | "lines" | "amount";
export type Field = {
  /** The key, or the keys of a table within a table. */
  at: readonly string[];
  kind: FieldKind;
  choices?: readonly string[];
  names?: NameKind;
  /** Whether it is folded away until it is asked for. */
  isMore?: boolean;
  /** Whether its key stays when it is empty; that of any other goes. */
  isNeeded?: boolean;
};
export type Section = "input" | "key" | "tool" | "agent";
export const SECTIONS: readonly Section[] = ["input", "key", "tool", "agent"];

export const INPUT_KINDS = [
  "line",
  "long_text",
  "document",
  "number",
  "choice",
  "date",
  "time",
  "yes_no",
  "list",
  "session",
  "run",
] as const;
export const ROLES = [
  "data",
  "draft",
  "review",
  "checks",
  "sources",
  "plan",
  "rounds",
  "places",
  "remark",
  "final",
] as const;
export const TOOL_KINDS = [
  "search",
  "title_search",
  "station_search",
  "point_search",
  "place_details",
  "weather",
  "routing",
] as const;
export const OUTPUTS = ["text", "draft", "role"] as const;
export const MODEL_ROLES = ["search", "write", "review"] as const;
/** What an agent does, by what is written of it. */
export type AgentKind = "model" | "tool" | "tool_model" | "question" | "function" | "code" | "none";

const line = (...at: string[]): Field => ({ at, kind: "line" });
const text = (...at: string[]): Field => ({ at, kind: "text" });
const choice = (choices: readonly string[], ...at: string[]): Field => ({ at, kind: "choice", choices });
const keys = (...at: string[]): Field => ({ at, kind: "names", names: "keys" });
const needed = (field: Field): Field => ({ ...field, isNeeded: true });
const more = (field: Field): Field => ({ ...field, isMore: true });
const LIMITS: readonly Field[] = [
  "max_llm_calls",
  "max_output_tokens",
  "max_execution_time_s",
  "max_total_tokens",
  "max_tool_calls",
  "max_cost",
].map((name) => ({ at: [name], kind: "number" }));

const TOP = [needed(line("id")), needed(line("title")), text("purpose"), line("run_title")];
const INPUT = [
  needed(line("title")),
  text("help"),
  choice(INPUT_KINDS, "kind"),
  { at: ["choices"], kind: "lines" } as Field,
  text("example"),
  { at: ["optional"], kind: "yes_no" } as Field,
];
const KEY = [line("title"), choice(ROLES, "role")];
const TOOL = [
  line("title"),
  needed(choice(TOOL_KINDS, "kind")),
  line("default"),
  { at: ["days"], kind: "number" } as Field,
];
const MODEL = [
  needed(text("instruction")),
  text("prompt"),
  choice(OUTPUTS, "output"),
  choice(MODEL_ROLES, "model_role"),
  { at: ["tools"], kind: "names", names: "slots" } as Field,
  more({ at: ["checks"], kind: "names" }),
  more(line("without_model")),
  more({ at: ["temperature"], kind: "number" }),
  ...LIMITS.map(more),
];
const CALL: readonly Field[] = [{ at: ["call", "tool"], kind: "line", names: "slots", isNeeded: true }];
const QUESTION: readonly Field[] = [
  needed(text("question", "text")),
  { at: ["question", "choices"], kind: "lines" },
  line("question", "default"),
];
const AGENT = [line("title"), keys("reads"), keys("may_read"), keys("writes")];
const WORKER = line("worker");
const TITLE = line("title");
const AT_MOST: Field = { at: ["at_most"], kind: "number" };
const key = (name: string): Field => ({ ...line(name), names: "keys" });
const BY_STEP: Partial<Record<StepKind, readonly Field[]>> = {
  sequence: [TITLE],
  parallel: [TITLE, AT_MOST],
  loop: [TITLE, { at: ["rounds"], kind: "amount" }, line("until")],
  for_each: [
    TITLE,
    needed(line("for_each")),
    needed({ ...line("run"), names: "on_demand" }),
    AT_MOST,
    key("collect"),
    key("failures"),
    { at: ["queue"], kind: "yes_no" },
  ],
  when: [needed(line("when"))],
  run: [needed(line("run")), keys("reads"), keys("writes")],
  note: [needed({ ...line("note"), names: "notes" })],
};
const BY_KIND: Record<AgentKind, readonly Field[]> = {
  model: MODEL,
  tool: CALL,
  tool_model: [...CALL, ...MODEL],
  question: QUESTION,
  function: [needed(line("run"))],
  code: [needed(line("custom"))],
  none: MODEL,
};

export function agentKind(value: unknown): AgentKind {
  const has = (name: string) => typeof value === "object" && value !== null && name in value;
  if (has("custom")) return "code";
  if (has("run")) return "function";
  if (has("question")) return "question";
  if (has("call")) return has("instruction") ? "tool_model" : "tool";
  return has("instruction") ? "model" : "none";
}

export const topFields = (): readonly Field[] => TOP;
export const limitFields = (): readonly Field[] => LIMITS;
/** The fields of a step. */
export const stepFields = (value: unknown): readonly Field[] => BY_STEP[stepKind(value)] ?? [];
const EXAMPLES: Field = { at: ["examples"], kind: "lines" };

/** The fields of an input, a key, a tool or an agent: those of what it is, where they make sense or are written. */
export function entryFields(document: TomlDocument, section: Section, name: string): readonly Field[] {
  if (section === "key") return KEY;
  if (section === "tool") return TOOL;
  if (section === "agent") {
    const agent = document.data([section, name]) as Record<string, unknown> | undefined;
    // Only what an agent on demand asks for can be done by workers of a role.
    const worker = agent?.["on_demand"] === true || agent?.["worker"] !== undefined ? [WORKER] : [];
    return [...AGENT, ...worker, ...BY_KIND[agentKind(agent)]];
  }
  const input = document.data([section, name]);
  const hasChoices =
    typeof input === "object" &&
    input !== null &&
    ("choices" in input || (input as Record<string, unknown>)["kind"] === "choice");
  return INPUT.filter(({ at: [first] }) => first !== "choices" || hasChoices);
}

/** Whether a field can show what is written there; what it cannot show is changed in the text alone. */
export function canShow({ kind }: Field, value: unknown): boolean {
  if (value === undefined) return true;
  if (kind === "number") return typeof value === "number";
  if (kind === "yes_no") return typeof value === "boolean";
  if (kind === "amount") return typeof value === "number" || typeof value === "string";
  if (kind !== "names" && kind !== "lines")
    return typeof value === "string" && (kind !== "line" || !value.includes("\n"));
  if (kind === "names" && typeof value === "string") return true;
  return (
    Array.isArray(value) &&
    value.every((item) => typeof item === "string" && (kind === "names" || !item.includes("\n")))
  );
}

export type PlacedField = { table: Path; field: Field; fields: readonly Field[] };

/** The requests that lead to a pipeline: at its end, or above everything else as older files have them. */
export function requestsField(document: TomlDocument): PlacedField {
  if (document.data(["examples"]) !== undefined) return { table: [], field: EXAMPLES, fields: [...TOP, EXAMPLES] };
  return { table: ["routing"], field: EXAMPLES, fields: [EXAMPLES] };
}

/** Every field that the form shows, by its path, with those of its table. */
export function allFields(document: TomlDocument): PlacedField[] {
  const under = (table: Path, fields: readonly Field[]) => fields.map((field) => ({ table, field, fields }));
  return [
    ...under([], TOP),
    ...SECTIONS.flatMap((section) =>
      document.names([section]).flatMap((name) => under([section, name], entryFields(document, section, name))),
    ),
    ...stepsOf(document, ["flow", "steps"]).flatMap(function within(path): PlacedField[] {
      const nested = PARTS.flatMap((part) => stepsOf(document, [...path, part]));
      return [...under(path, stepFields(document.data(path))), ...nested.flatMap(within)];
    }),
    ...under(["limits"], LIMITS),
    requestsField(document),
  ];
}
