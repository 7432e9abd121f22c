// Two texts compared word by word. Long or very different texts are compared line by line, so that nobody waits.
import { diffArrays, diffLines, diffWordsWithSpace } from "diff";

export type Piece = { kind: "same" | "added" | "removed"; text: string };

const MOST_WORDS_CHARACTERS = 60_000;
const MOST_EDITS = 4_000;

// Texts without spaces between words are taken apart by the language's own rules, where the web view knows them.
const segmenter = typeof Intl.Segmenter === "function" ? new Intl.Segmenter(undefined, { granularity: "word" }) : undefined;
const UNSPACED = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/;

/** What leads from one text to the other; joined without what was added it is the first, without what was removed the second. */
export function compare(before: string, after: string): Piece[] {
  if (before === after) return before === "" ? [] : [{ kind: "same", text: before }];
  const isShort = before.length + after.length < MOST_WORDS_CHARACTERS;
  const words = isShort ? byWords(before, after) : undefined;
  const changes = words ?? diffLines(before, after, { maxEditLength: MOST_EDITS });
  if (!changes) return [{ kind: "removed", text: before }, { kind: "added", text: after }];
  return changes.map((change) => ({ kind: change.added ? "added" : change.removed ? "removed" : "same", text: change.value }));
}

function byWords(before: string, after: string) {
  if (segmenter && UNSPACED.test(before + after)) {
    const [left, right] = [before, after].map((text) => [...segmenter.segment(text)].map(({ segment }) => segment)) as [string[], string[]];
    return pieces(left, right);
  }
  return diffWordsWithSpace(before, after, { maxEditLength: MOST_EDITS });
}

/** The comparison of words that are already apart. */
function pieces(left: string[], right: string[]) {
  const found = diffArrays(left, right, { maxEditLength: MOST_EDITS });
  return found?.map((change) => ({ added: change.added, removed: change.removed, value: change.value.join("") }));
}

/** How many words were added and removed. */
export function weigh(found: readonly Piece[]): { added: number; removed: number } {
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== "").length;
  const sum = (kind: Piece["kind"]) => found.reduce((count, piece) => count + (piece.kind === kind ? words(piece.text) : 0), 0);
  return { added: sum("added"), removed: sum("removed") };
}
