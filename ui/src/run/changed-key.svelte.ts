// A key's value as text that a person may change, and back: a draft by the field that is edited, a text as it is,
// everything else as JSON that must keep to the key's schema.
import { Validator, type Schema } from "@cfworker/json-schema";
import type { KeyDeclaration } from "../ipc/bindings";
import { call } from "../ipc/client";
import { field } from "./value";

export type Editing = { key: string; text: string; isText: boolean };

/** The editable text of a key. */
export function editing({ name, role, schema }: KeyDeclaration, value: unknown): Editing {
  const edited = role.kind === "draft" ? field(value, role.edit) : value;
  if (typeof edited === "string") return { key: name, text: edited, isText: true };
  // Nothing yet: what will be a text is written as one.
  const isAbsent = value === null || value === undefined;
  if (isAbsent && (role.kind === "draft" || (schema as { type?: unknown } | null)?.type === "string"))
    return { key: name, text: "", isText: true };
  return { key: name, text: isAbsent ? "" : JSON.stringify(value, null, 2), isText: false };
}

/** The value that a changed text stands for, or what is wrong with it. */
export function edited(
  declaration: KeyDeclaration,
  before: unknown,
  { text, isText }: Editing,
): { value: unknown } | { wrong: string } {
  if (isText) {
    const { role } = declaration;
    return {
      value:
        role.kind === "draft" && role.edit !== ""
          ? { ...(typeof before === "object" ? before : {}), [role.edit]: text }
          : text,
    };
  }
  const read = readJson(text, declaration.schema);
  return read.wrong.length > 0 ? { wrong: read.wrong.join("\n") } : { value: read.value };
}

/** What a person makes of one key of a run: its value at the moment looked at, until something else is written. */
export class ChangedKey {
  key = $state("");
  /** Null while it is not read. */
  editing = $state<Editing | null>(null);
  #asRead = $state("");
  #asked = 0;

  constructor(readonly run: string) {}

  /** Chooses another key; none when it is empty. */
  choose(key: string): void {
    this.key = key;
    this.editing = null;
    this.#asked += 1;
  }

  get isWritten(): boolean {
    return this.editing !== null && this.editing.text !== this.#asRead;
  }

  /** Reads the value after event `at`; what was written stands. */
  async read(declaration: KeyDeclaration, at: number): Promise<void> {
    const asked = ++this.#asked;
    const fresh = editing(declaration, (await call("state_at", { run: this.run, seq: at })).state[declaration.name]);
    if (asked !== this.#asked) return;
    if (!this.isWritten) this.editing = fresh;
    this.#asRead = fresh.text;
  }

  /** What is wrong with what was written; empty when nothing is. */
  wrong(declaration: KeyDeclaration): string {
    const made = this.editing && this.isWritten ? edited(declaration, null, this.editing) : null;
    return made && "wrong" in made ? made.wrong : "";
  }

  /** The key with its new value, made of what it was after event `at`; nothing where nothing was written. */
  async set(declaration: KeyDeclaration, at: number): Promise<Record<string, unknown>> {
    if (!this.editing || !this.isWritten) return {};
    const { key, text, isText } = this.editing;
    const made = edited(declaration, (await call("state_at", { run: this.run, seq: at })).state[key], {
      key,
      text,
      isText,
    });
    return "value" in made ? { [key]: made.value } : {};
  }
}

/** Text as JSON of a shape: the value, and everything that is wrong, each with its place. */
export function readJson(text: string, schema: unknown): { value: unknown; wrong: string[] } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { value: null, wrong: [error instanceof Error ? error.message : String(error)] };
  }
  if (typeof schema !== "object" || schema === null) return { value, wrong: [] };
  try {
    const { errors } = new Validator(schema as Schema, "2020-12", false).validate(value);
    // The innermost complaint says what is wrong; those around it only that something is.
    const inner = errors.filter(
      (error) =>
        !errors.some((other) => other !== error && other.instanceLocation.startsWith(`${error.instanceLocation}/`)),
    );
    return {
      value,
      wrong: inner.map((error) => `${error.instanceLocation.replace(/^#\/?/, "") || "·"}: ${error.error}`),
    };
  } catch {
    // A schema that cannot be read is no reason to refuse; the program checks again.
    return { value, wrong: [] };
  }
}
