// Answers in effects: what was asked earlier and is answered later does not take the place of what was asked last.
import type { ApiError } from "./bindings";
import { toApiError } from "./errors";

/** Hears an answer until the returned function is called, as an effect does before it asks again and when it ends. */
export function latestOnly<T>(
  answer: Promise<T>,
  take: (answer: T) => void,
  fail: (error: ApiError) => void,
): () => void {
  let isWanted = true;
  void answer.then(
    (got) => isWanted && take(got),
    (thrown: unknown) => isWanted && fail(toApiError(thrown)),
  );
  return () => {
    isWanted = false;
  };
}
