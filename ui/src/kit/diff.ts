// Two texts compared: paragraph by paragraph, and word by word in those that are still the same one. Where little is
// left of a paragraph the old and the new one stand whole: words picked out of both would be read by nobody.
import { diffArrays, diffWordsWithSpace } from "diff";

export type Piece = { kind: "same" | "added" | "removed"; text: string };

/** Longer texts are compared by whole paragraphs alone, and very different ones not at all, so that nobody waits. */
const MOST_WORDS_CHARACTERS = 60_000;
const MOST_EDITS = 4_000;
/** The part of two paragraphs' words that is in both, from which on the one is the other, changed. */
const AKIN = 0.5;

// Texts without spaces between words are taken apart by the language's own rules, where the web view knows them.
const segmenter =
  typeof Intl.Segmenter === "function" ? new Intl.Segmenter(undefined, { granularity: "word" }) : undefined;
const UNSPACED = /[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af\u0e00-\u0e7f]/;

/**
 * What leads from one text to the other; joined without what was added it is the first, without what was removed the
 * second.
 */
export function compare(before: string, after: string): Piece[] {
  if (before === after) return before === "" ? [] : [{ kind: "same", text: before }];
  const [left, right] = [paragraphs(before), paragraphs(after)];
  const pairs = aligned(left, right);
  if (!pairs)
    return joined([
      { kind: "removed", text: before },
      { kind: "added", text: after },
    ]);
  return joined(
    pairs.flatMap(([one, other]): Piece[] => {
      const [was, is] = [one === null ? "" : (left[one] ?? ""), other === null ? "" : (right[other] ?? "")];
      if (one !== null && other !== null) return byWords(was, is);
      return [one === null ? { kind: "added", text: is } : { kind: "removed", text: was }];
    }),
  );
}

/**
 * The parts of two texts by their places, in order: those that are the same one, perhaps changed, stand together.
 * Null where too little is the same to tell.
 */
export function aligned(left: readonly string[], right: readonly string[]): [number | null, number | null][] | null {
  const length = [...left, ...right].reduce((sum, part) => sum + part.length, 0);
  const comparator = length < MOST_WORDS_CHARACTERS ? akin() : (one: string, other: string) => one === other;
  const changes = diffArrays([...left], [...right], { maxEditLength: MOST_EDITS, comparator });
  if (!changes) return null;
  let [at, to] = [0, 0];
  return changes.flatMap(({ added, removed, count }) =>
    Array.from({ length: count }, (): [number | null, number | null] => [added ? null : at++, removed ? null : to++]),
  );
}

/** A text's paragraphs, each with what ends it. */
const paragraphs = (text: string): string[] => text.match(/[^\n]*\n+|[^\n]+/g) ?? [];

function wordsOf(text: string): string[] {
  const parts =
    segmenter && UNSPACED.test(text) ? [...segmenter.segment(text)].map(({ segment }) => segment) : text.split(/\s+/);
  return parts.filter((part) => /[\p{L}\p{N}]/u.test(part));
}

/** Whether two paragraphs have most of their words in common; each is taken apart once. */
function akin(): (one: string, other: string) => boolean {
  const known = new Map<string, string[]>();
  const sorted = (text: string): string[] => {
    const words = known.get(text) ?? wordsOf(text).sort();
    known.set(text, words);
    return words;
  };
  return (one, other) => {
    if (one === other) return true;
    const [left, right] = [sorted(one), sorted(other)];
    let [shared, a, b] = [0, 0, 0];
    for (let [x, y] = [left[a], right[b]]; x !== undefined && y !== undefined; [x, y] = [left[a], right[b]]) {
      if (x === y) shared += 1;
      if (x <= y) a += 1;
      if (x >= y) b += 1;
    }
    return shared > 0 && (2 * shared) / (left.length + right.length) >= AKIN;
  };
}

/** Two parts that are the same one, word by word; whole where little of it is left. */
export function byWords(before: string, after: string): Piece[] {
  if (before === after) return [{ kind: "same", text: before }];
  const whole: Piece[] = [
    { kind: "removed", text: before },
    { kind: "added", text: after },
  ];
  const options = { maxEditLength: MOST_EDITS };
  const isUnspaced = segmenter !== undefined && UNSPACED.test(before + after);
  const [left, right] = [before, after].map((text) =>
    isUnspaced ? [...segmenter.segment(text)].map(({ segment }) => segment) : [],
  );
  const changes = isUnspaced
    ? diffArrays(left ?? [], right ?? [], options)
    : diffWordsWithSpace(before, after, options);
  if (!changes) return whole;
  const pieces = changes.map(({ added, removed, value }): Piece => ({
    kind: added ? "added" : removed ? "removed" : "same",
    text: typeof value === "string" ? value : value.join(""),
  }));
  const tidy = joined(islandsTaken(pieces));
  // The same words in another order are not the same text.
  const shared = tidy.reduce((sum, { kind, text }) => sum + (kind === "same" ? text.length : 0), 0);
  return (2 * shared) / (before.length + after.length) >= AKIN ? tidy : whole;
}

/** Without the few words that happen to stand on both sides amid more that does not: they are changed with the rest. */
function islandsTaken(pieces: readonly Piece[]): Piece[] {
  /** The most that was added or removed, from a piece on to the next that is the same. */
  const changed = (from: number, step: 1 | -1): number => {
    let most = 0;
    for (let at = from + step, piece = pieces[at]; piece && piece.kind !== "same"; at += step, piece = pieces[at])
      most = Math.max(most, piece.text.length);
    return most;
  };
  return pieces.flatMap((piece, index): Piece[] => {
    const isIsland = piece.kind === "same" && piece.text.length <= Math.min(changed(index, -1), changed(index, 1));
    return isIsland
      ? [
          { kind: "removed", text: piece.text },
          { kind: "added", text: piece.text },
        ]
      : [piece];
  });
}

/**
 * Neighbours of one kind as one piece, and between two that are the same all that was removed before all that was
 * added.
 */
function joined(pieces: readonly Piece[]): Piece[] {
  const found: Piece[] = [];
  let held = { removed: "", added: "" };
  const put = (kind: Piece["kind"], text: string) => {
    if (text !== "") found.push({ kind, text });
  };
  const release = () => {
    put("removed", held.removed);
    put("added", held.added);
    held = { removed: "", added: "" };
  };
  let same = "";
  for (const { kind, text } of pieces) {
    if (kind === "same") {
      release();
      same += text;
    } else {
      put("same", same);
      same = "";
      held[kind] += text;
    }
  }
  release();
  put("same", same);
  return found;
}

/** How many words were added and removed. */
export function weigh(found: readonly Piece[]): { added: number; removed: number } {
  const sum = (kind: Piece["kind"]) =>
    found.reduce((count, piece) => count + (piece.kind === kind ? wordsOf(piece.text).length : 0), 0);
  return { added: sum("added"), removed: sum("removed") };
}
