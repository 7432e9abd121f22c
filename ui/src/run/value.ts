// Values as they stand in events: whole, by content hash when large, or wrapped when they only look like a hash.
import type { AnswerSummary, Phrase } from "../ipc/bindings";

export type Stored = { $stored: string; bytes: number };

/** Whether a value is there only by its hash. */
export function isStored(value: unknown): value is Stored {
  return typeof value === "object" && value !== null && typeof (value as Stored).$stored === "string";
}

/** A value with everything in its place that it carries by hash alone; what has not been fetched yet stays as it is. */
export function filled(value: unknown, resolve: (stored: Stored) => unknown): unknown {
  if (isStored(value)) return resolve(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => filled(one, resolve));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner, resolve)]));
}

/** The texts of several lines in a value, by where they stand: as JSON they cannot be read. */
export function textsIn(value: unknown, path = ""): { path: string; text: string }[] {
  if (typeof value === "string") return value.includes("\n") ? [{ path, text: value }] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, path === "" ? name : `${path}.${name}`));
}

/** A value as the person's data, without the wrapping. */
export function unwrapped(value: unknown): unknown {
  const wrapped = value as { $whole?: unknown } | null;
  return typeof value === "object" && wrapped !== null && "$whole" in wrapped ? wrapped.$whole : value;
}

/** A field of a value; an empty name is the value itself. */
export function field(value: unknown, name: string): unknown {
  if (name === "") return value;
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** A field as text; what is no text becomes none. */
export function textOf(value: unknown, name: string): string {
  const found = field(value, name);
  return typeof found === "string" ? found : "";
}

/** A field as a list of things; what is no list becomes an empty one. */
export function listOf(value: unknown, name: string): unknown[] {
  const found = field(value, name);
  return Array.isArray(found) ? found : [];
}

/**
 * What a tool says of its result, also where the result itself is too long for its event; empty when it says nothing.
 */
export function summaryIn(answerSummary: AnswerSummary | undefined): Phrase | null {
  return answerSummary?.tool_summary ?? null;
}

/** Whether a tool that answered so changed files of the run. */
export function changesFiles(result: unknown): boolean {
  const files = field(unwrapped(result), "files");
  return Array.isArray(files) && files.length > 0;
}
