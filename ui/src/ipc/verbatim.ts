// Words that the program does not translate, in the shape of a phrase.
import type { Phrase } from "./bindings";

/** The phrase that shows these words unchanged in every language. */
export function verbatim(words: string): Phrase {
  return { id: "{words}", parameters: { words } };
}
