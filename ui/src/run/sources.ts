// The stored words of a source, cut around what is looked for.
/** Without a space in so many characters there is no word to cut at: Japanese has none. */
const LONGEST_WORD = 20;

/**
 * The last characters of a text, from the beginning of a word on where there is one near; the whole text where it is
 * no longer.
 */
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

/** A text around the first place where a passage stands in it; null where it does not. */
export function around(text: string, passage: string): { before: string; passage: string; after: string } | null {
  const at = passage === "" ? -1 : text.indexOf(passage);
  return at < 0 ? null : { before: text.slice(0, at), passage, after: text.slice(at + passage.length) };
}

/**
 * A citation that was followed: the number of its source, and which of the citations of it in the text it is, from 0.
 */
export type FollowedCitation = { number: number; nth: number | undefined };
