// Text that a model, a page or a server chose, shown exactly: what cannot be seen, or turns the order of what can, is
// named.

/** Controls, formats and separators, without line breaks, tabs and what joins letters and signs of emoji. */
const HIDDEN = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

/** A stretch of a text: as it is, or the name of a character that cannot be seen. */
export type Stretch = { text: string; isHidden: boolean };

/** A text by stretches; line breaks of Windows are line breaks. */
export function stretches(text: string): Stretch[] {
  const parts = text.replace(/\r\n/g, "\n").split(new RegExp(`(${HIDDEN.source})`, "u"));
  return parts
    .map((part, index) => ({ text: index % 2 === 1 ? nameOf(part) : part, isHidden: index % 2 === 1 }))
    .filter(({ text: shown }) => shown !== "");
}

/** A text in which names stand for hidden characters, for where there is no markup. */
export const shownText = (text: string): string =>
  stretches(text)
    .map((stretch) => stretch.text)
    .join("");

/** JSON in which every hidden character stands as its escape; it means the same. */
export function exactJson(value: unknown): string {
  const escaped = (found: string) =>
    [...Array(found.length).keys()].map((at) => `\\u${hex(found.charCodeAt(at))}`).join("");
  return (JSON.stringify(value, null, 2) ?? "null").replace(new RegExp(HIDDEN.source, "gu"), escaped);
}

const hex = (code: number) => code.toString(16).padStart(4, "0");
const nameOf = (character: string) => `U+${hex(character.codePointAt(0) ?? 0).toUpperCase()}`;
