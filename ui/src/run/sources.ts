// What the state holds of a source: what an agent chose of it, and perhaps the whole text that it chose from.
import { textOf } from "./value";

/** Fields of a source that say where it is from, not what it says. */
const NAMED = new Set(["title", "url", "source", "published", "id"]);

/** The longest of a source's words: a summary, an excerpt, the whole text. */
export function longestOf(source: unknown): string {
  return Object.entries(source ?? {})
    .flatMap(([name, value]) => (typeof value === "string" && !NAMED.has(name) ? [value] : []))
    .reduce((longest, text) => (text.length > longest.length ? text : longest), "");
}

/** The longest text of each source by its address, wherever among these values a list of sources holds it. */
export function wholeTexts(values: readonly unknown[]): Map<string, string> {
  const found = new Map<string, string>();
  const lists = values.flatMap((value) => (typeof value === "object" && value !== null ? [value, ...Object.values(value)] : [])).filter(Array.isArray);
  for (const source of lists.flat()) {
    const url = textOf(source, "url");
    if (url === "") continue;
    const text = longestOf(source);
    if (text.length > (found.get(url)?.length ?? 0)) found.set(url, text);
  }
  return found;
}

/** A text around a passage, cut to what is read at a glance; `room` is how many characters stay on each side. */
export function around({ before, passage, after }: { before: string; passage: string; after: string }, room: number): { before: string; passage: string; after: string } {
  return {
    before: before.length > room ? `…${before.slice(-room)}` : before,
    passage,
    after: after.length > room ? `${after.slice(0, room)}…` : after,
  };
}
