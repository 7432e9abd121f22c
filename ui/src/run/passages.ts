// Where remarks and texts point: passages that a remark quotes, and numbers that a text cites. Pure text; what cannot
// be found is not guessed.

const QUOTED = /“([^”]{3,})”|"([^"\n]{3,})"|«([^»]{3,})»|「([^」]{2,})」|『([^』]{2,})』/g;
const CITED = /\[(\d{1,3}(?:,\s?\d{1,3})*)\]/g;

/** The passages that a remark quotes, each once; what it quotes of another of them as well is no passage of its own. */
export function quotesIn(remark: string): string[] {
  const quotes = [...remark.matchAll(QUOTED)]
    // A long passage is quoted as far as its first words.
    .map((match) =>
      (match.slice(1).find((group) => group !== undefined) ?? "").replace(/\s*(?:…|\.\.\.)\s*$/, "").trim(),
    )
    .filter((quote) => quote !== "");
  return quotes.filter(
    (quote, at) =>
      !quotes.some((other, place) => place !== at && contains(other, quote) && (place < at || !contains(quote, other))),
  );
}

/** The numbers that a text cites, each once, in their order. */
export function citationsIn(text: string): number[] {
  return [...new Set([...text.matchAll(CITED)].flatMap((match) => (match[1] ?? "").split(/,\s?/).map(Number)))];
}

/** Markdown without its marks, as it is read. */
export function plain(markdown: string): string {
  return markdown
    .replace(/^[ \t]*(?:#{1,6}|[-*+]|\d+[.)]|>)[ \t]+/gm, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`]+/g, "");
}

/** Whether a text contains a passage, whatever their marks and spaces. */
export function contains(text: string, passage: string): boolean {
  const flat = (one: string) => plain(one).replace(/\s+/g, " ").toLowerCase().trim();
  const wanted = flat(passage);
  return wanted !== "" && flat(text).includes(wanted);
}
