// What helps against an error: an entry for every code, so that a new code does not compile until it has one.
import type { Code, ApiError, ToolFailure } from "./bindings";
import { verbatim } from "./verbatim";

/** What the page can offer besides advice. */
export type Remedy = "retry" | "resume" | "profiles" | "doctor" | "correct" | "answer" | "reload" | "fork" | "switch";

/** The remedies of each code, the likeliest first: a place offers those that it can do. */
export const REMEDIES: Record<Code, readonly Remedy[]> = {
  bad_input: ["fork", "retry"],
  not_found: ["reload", "doctor"],
  key_refused: ["profiles", "resume"],
  key_unavailable: ["profiles", "resume", "retry", "doctor"],
  quota_exhausted: ["switch", "profiles"],
  rate_limited: ["resume", "retry", "switch", "profiles"],
  overloaded: ["resume", "retry", "switch", "profiles"],
  timeout: ["resume", "retry", "profiles"],
  network: ["resume", "retry", "reload", "profiles"],
  content_refused: ["fork", "resume"],
  request_refused: ["profiles", "resume"],
  context_exceeded: ["switch", "profiles", "fork", "resume"],
  malformed_answer: ["correct", "resume", "fork"],
  limit_reached: ["fork"],
  tool_failed: ["resume", "retry"],
  permission_needed: ["resume", "fork"],
  contract_broken: ["fork", "doctor"],
  replay_differs: ["fork"],
  cancelled: ["resume"],
  waiting: ["answer"],
  busy: ["retry", "reload"],
  database_newer: ["doctor"],
  database_corrupt: ["doctor"],
  database_missing: ["reload", "doctor"],
  database_locked: ["retry", "reload"],
  disk_full: ["retry", "resume", "doctor"],
  read_only: ["retry", "doctor"],
  internal: ["retry", "doctor"],
};

/** Whether a value is an error of the program. */
export function isApiError(value: unknown): value is ApiError {
  if (typeof value !== "object" || value === null) return false;
  const { code, message } = value as Record<string, unknown>;
  return typeof message === "string" && typeof code === "string" && Object.hasOwn(REMEDIES, code);
}

/**
 * The server of a tool that asks for a sign-in, and the scopes that it asks for; null where that is not what went
 * wrong.
 */
export function signInNeeded(
  error: ApiError | null | undefined,
): Extract<ToolFailure, { failure: "sign_in_needed" }> | null {
  const failure = error?.tool_failure;
  return failure?.failure === "sign_in_needed" ? failure : null;
}

/** Whatever was thrown, as a `ApiError`; what is none of the program's becomes an internal or a network error. */
export function toApiError(thrown: unknown): ApiError {
  if (isApiError(thrown)) {
    return {
      code: thrown.code,
      message: thrown.message,
      phrase: thrown.phrase ?? verbatim(thrown.message),
      provider_words: thrown.provider_words ?? null,
      retry_after_ms: thrown.retry_after_ms ?? null,
      limit: thrown.limit ?? null,
      ...(thrown.profile === undefined ? {} : { profile: thrown.profile }),
      ...(thrown.tool_failure === undefined ? {} : { tool_failure: thrown.tool_failure }),
    };
  }
  const said = thrown as { message?: unknown } | null | undefined;
  const message =
    typeof thrown === "string" ? thrown : typeof said?.message === "string" ? said.message : String(thrown);
  // A fetch that reaches nobody is a TypeError in every browser.
  const code: Code = thrown instanceof TypeError ? "network" : "internal";
  return { code, message, phrase: verbatim(message), provider_words: null, retry_after_ms: null, limit: null };
}
