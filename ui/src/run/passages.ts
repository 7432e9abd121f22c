// Where remarks and texts point: passages that a remark quotes, sentences that cite a source, and the place in a source
// that carries them. Pure text; what cannot be found is not guessed.

const QUOTED = /“([^”]{3,})”|"([^"\n]{3,})"|«([^»]{3,})»|「([^」]{2,})」|『([^』]{2,})』/g;
const CITED = /\[(\d{1,3}(?:,\s?\d{1,3})*)\]/g;

/** The passages that a remark quotes. */
export function quotesIn(remark: string): string[] {
  return [...remark.matchAll(QUOTED)].map((match) => (match.slice(1).find((group) => group !== undefined) ?? "").trim()).filter((quote) => quote !== "");
}

/** The numbers that a text cites, each once, in their order. */
export function citationsIn(text: string): number[] {
  return [...new Set([...text.matchAll(CITED)].flatMap((match) => (match[1] ?? "").split(/,\s?/).map(Number)))];
}

const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter(undefined, { granularity: "sentence" }) : undefined;

/** A text as sentences; where the web view cannot tell them apart, as lines. */
export function sentencesOf(text: string): string[] {
  return plain(text)
    .split("\n")
    .flatMap((line) => {
      const sentences: string[] = [];
      for (const piece of segmenter ? [...segmenter.segment(line)].map(({ segment }) => segment.trim()) : [line.trim()]) {
        // A citation behind a full stop belongs to the sentence before it.
        const behind = sentences.length > 0 ? (/^(?:\[[\d,\s]+\][.,]?\s*)+/.exec(piece)?.[0] ?? "") : "";
        if (behind !== "") sentences[sentences.length - 1] += ` ${behind.trim()}`;
        const rest = piece.slice(behind.length);
        if (rest !== "") sentences.push(rest);
      }
      return sentences;
    });
}

/** Markdown without its marks, as it is read. */
export function plain(markdown: string): string {
  return markdown
    .replace(/^[ \t]*(?:#{1,6}|[-*+]|\d+[.)]|>)[ \t]+/gm, "")
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[*_`]+/g, "");
}

/** The sentences that cite each source, by its number. */
export function citedBy(text: string): Map<number, string[]> {
  const found = new Map<number, string[]>();
  for (const sentence of sentencesOf(text)) for (const number of citationsIn(sentence)) found.set(number, [...(found.get(number) ?? []), sentence]);
  return found;
}

/** The sentence of a source that shares most with what is claimed, with what surrounds it; null when nothing does. */
export function support(source: string, claim: string): { before: string; passage: string; after: string } | null {
  const wanted = tokens(claim.replace(CITED, ""));
  let best: { passage: string; score: number } | null = null;
  for (const passage of sentencesOf(source)) {
    const score = [...tokens(passage)].reduce((sum, token) => sum + (wanted.has(token) ? (/\d/.test(token) ? 3 : 1) : 0), 0);
    if (score > (best?.score ?? 2)) best = { passage, score };
  }
  const text = plain(source);
  const at = best ? text.indexOf(best.passage) : -1;
  return best && at >= 0 ? { before: text.slice(0, at), passage: best.passage, after: text.slice(at + best.passage.length) } : null;
}

/** What two texts may share: longer words, figures, pairs of ideographs. */
function tokens(text: string): Set<string> {
  const lower = text.toLowerCase();
  const words = lower.match(/\d+(?:[.,]\d+)*|[\p{L}]{4,}/gu) ?? [];
  const pairs = [...(lower.match(/[\u3040-\u30ff\u4e00-\u9fff]{2,}/g) ?? [])].flatMap((run) =>
    Array.from({ length: run.length - 1 }, (_, index) => run.slice(index, index + 2)),
  );
  return new Set([...words, ...pairs]);
}

/** Whether a text contains a passage, whatever their marks and spaces. */
export function contains(text: string, passage: string): boolean {
  const flat = (one: string) => plain(one).replace(/\s+/g, " ").toLowerCase().trim();
  const wanted = flat(passage);
  return wanted !== "" && flat(text).includes(wanted);
}
