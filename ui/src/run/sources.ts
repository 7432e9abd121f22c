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

/** Without a space in so many characters there is no word to cut at: Japanese has none. */
const LONGEST_WORD = 20;

/** The last characters of a text, from the beginning of a word on where there is one near; the whole text where it is no longer. */
export function endOf(text: string, room: number): string {
  if (text.length <= room) return text;
  const kept = text.slice(-room);
  const word = /\s/.test(text.charAt(text.length - room - 1)) ? 0 : kept.search(/\s/) + 1;
  return `…${kept.slice(word <= LONGEST_WORD ? word : 0).trimStart()}`;
}

/** The first characters of a text, up to the end of a word. */
function startOf(text: string, room: number): string {
  if (text.length <= room) return text;
  const kept = text.slice(0, room);
  const word = kept.search(/\s\S*$/);
  return `${/\s/.test(text.charAt(room)) || word < room - LONGEST_WORD ? kept.trimEnd() : kept.slice(0, word)}…`;
}

/** A text around a passage, cut to what is read at a glance; `room` is how many characters stay on each side. */
export function excerptAround(
  { before, passage, after }: { before: string; passage: string; after: string },
  room: number,
): { before: string; passage: string; after: string } {
  return { before: endOf(before, room), passage, after: startOf(after, room) };
}
