// Errors as the program sends them.
import type { ApiError, Code } from "../ipc/bindings";
import { verbatim } from "../ipc/verbatim";

export function apiError(code: Code, message: string): ApiError {
  return { code, message, phrase: verbatim(message), provider_words: null, retry_after_ms: null, limit: null };
}
