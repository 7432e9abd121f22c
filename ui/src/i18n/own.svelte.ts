// What pipelines say of themselves (titles of stages and keys, helps, purposes) in the reader's language. They bring their
// words along; what they do not bring is read in English.
import { speech } from "./language.svelte";

type Catalogues = Readonly<Record<string, Readonly<Record<string, string>>>>;

let known = $state.raw<readonly Catalogues[]>([]);

/** Takes the catalogues of pipelines. */
export function learn(catalogues: readonly Catalogues[]): void {
  known = catalogues;
}

/** The words of a pipeline in the reader's language. */
export function own(english: string): string {
  for (const catalogues of known) {
    const words = catalogues[speech.current];
    // Words come from the program, names of properties from nowhere else.
    if (words && Object.hasOwn(words, english)) return words[english] ?? english;
  }
  return english;
}
