// Values as they stand in events: whole, by content hash when large, or wrapped when they only look like a hash.
import type { Gist } from "../ipc/bindings";

export type Stored = { $stored: string; bytes: number };

/** Whether a value is there only by its hash. */
export function isStored(value: unknown): value is Stored {
  return typeof value === "object" && value !== null && typeof (value as Stored).$stored === "string";
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

/** What a tool says of its result, also where the result itself is too long for its event; empty when it says nothing. */
export function summaryIn(result: unknown, gist: Gist | undefined): string {
  return gist?.summary ?? textOf(result, "summary");
}
