// Finding words in a text: what is compared, and what every place that can be searched offers.

/** A text that can be searched. Nothing in it is changed by that. */
export type TextSearch = {
  /** Highlights every match and gives their number. */
  find(query: string): number;
  /** The first match that stands in sight or behind it; 0 where none does. */
  nearest(): number;
  /** Highlights one of the matches above the others, and brings it into sight where `isSought`. */
  show(index: number, isSought: boolean): void;
  /** The text may have changed: it is read again for the next search. */
  forget(): void;
  /** Takes all highlights away. */
  clear(): void;
};

/** Editors by their elements, with the search of each. */
export const editorSearches = new WeakMap<Element, TextSearch>();

/**
 * A text as it is compared: without case, with one kind of space and of quotation marks, wide letters as narrow ones.
 * It is
 * as long as the text, so that a match has its place in both.
 */
export function fold(text: string): string {
  const plain = text
    .replace(/\s/g, " ")
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0))
    .replace(/[‘’]/g, "'")
    .replace(/[“”]/g, '"');
  const small = plain.toLowerCase();
  const same = small.length === plain.length ? small : Array.from(plain, smallOf).join("");
  return same.replace(/ς/g, "σ");
}

function smallOf(letter: string): string {
  const small = letter.toLowerCase();
  return small.length === letter.length ? small : letter;
}

/** Where a query stands in a folded text; matches do not overlap. */
export function offsetsOf(folded: string, query: string): number[] {
  const wanted = fold(query);
  const found: number[] = [];
  if (wanted === "") return found;
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + wanted.length)) found.push(at);
  return found;
}

/** The first index whose number is not below another; the length where all are below it. */
export function firstFrom(numbers: ArrayLike<number>, least: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}
