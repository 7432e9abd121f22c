// A key's value as text that a person may change, and back: a draft by the field that is edited, a text as it is,
// everything else as JSON that must keep to the key's schema.
import { Validator, type Schema } from "@cfworker/json-schema";
import type { KeyDeclaration } from "../ipc/bindings";
import { field } from "./value";

export type Editing = { key: string; text: string; isText: boolean };

/** The editable text of a key. */
export function editing({ name, role }: KeyDeclaration, value: unknown): Editing {
  const edited = role.kind === "draft" ? field(value, role.edit) : value;
  if (typeof edited === "string") return { key: name, text: edited, isText: true };
  return { key: name, text: value === null || value === undefined ? "" : JSON.stringify(value, null, 2), isText: false };
}

/** The value that a changed text stands for, or what is wrong with it. */
export function edited(declaration: KeyDeclaration, before: unknown, { text, isText }: Editing): { value: unknown } | { wrong: string } {
  if (isText) {
    const { role } = declaration;
    return { value: role.kind === "draft" && role.edit !== "" && typeof before === "object" && before !== null ? { ...before, [role.edit]: text } : text };
  }
  const read = readJson(text, declaration.schema);
  return read.wrong.length > 0 ? { wrong: read.wrong.join("\n") } : { value: read.value };
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
    const inner = errors.filter((error) => !errors.some((other) => other !== error && other.instanceLocation.startsWith(`${error.instanceLocation}/`)));
    return { value, wrong: inner.map((error) => `${error.instanceLocation.replace(/^#\/?/, "") || "·"}: ${error.error}`) };
  } catch {
    // A schema that cannot be read is no reason to refuse; the program checks again.
    return { value, wrong: [] };
  }
}
