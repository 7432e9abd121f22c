// Answers in effects: what was asked earlier and is answered later does not take the place of what was asked last.
import type { Fault } from "./bindings";
import { toFault } from "./errors";

/** Hears an answer until the returned function is called, as an effect does before it asks again and when it ends. */
export function heard<T>(answer: Promise<T>, take: (answer: T) => void, fail: (fault: Fault) => void): () => void {
  let isWanted = true;
  void answer.then(
    (got) => isWanted && take(got),
    (error: unknown) => isWanted && fail(toFault(error)),
  );
  return () => {
    isWanted = false;
  };
}
