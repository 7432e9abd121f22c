// What the page knows about errors: one entry for every code, so that a new code does not compile until it has a card.
// The words are in the catalogue; here is which action helps.
import type { Code, ApiError, ToolFailure } from "./bindings";
import type { Words } from "../i18n";
import { verbatim } from "../i18n/phrase";

/** What the page can offer besides advice. */
export type Remedy = "retry" | "resume" | "profiles" | "doctor" | "correct" | "answer" | "reload" | "fork" | "switch";

/** Its remedies, the likeliest first: a place offers those that it can do. */
export type Card = { title: Words; advice: Words; remedies: readonly Remedy[] };

/** Total over `Code`. */
export const CARDS: Record<Code, Card> = {
  bad_input: { title: "error.bad_input", advice: "error.bad_input.advice", remedies: ["fork", "retry"] },
  not_found: { title: "error.not_found", advice: "error.not_found.advice", remedies: ["reload", "doctor"] },
  key_refused: { title: "error.key_refused", advice: "error.key_refused.advice", remedies: ["profiles", "resume"] },
  key_unavailable: {
    title: "error.key_unavailable",
    advice: "error.key_unavailable.advice",
    remedies: ["profiles", "resume", "retry", "doctor"],
  },
  quota_exhausted: {
    title: "error.quota_exhausted",
    advice: "error.quota_exhausted.advice",
    remedies: ["switch", "profiles"],
  },
  rate_limited: {
    title: "error.rate_limited",
    advice: "error.rate_limited.advice",
    remedies: ["resume", "retry", "switch", "profiles"],
  },
  overloaded: {
    title: "error.overloaded",
    advice: "error.overloaded.advice",
    remedies: ["resume", "retry", "switch", "profiles"],
  },
  timeout: { title: "error.timeout", advice: "error.timeout.advice", remedies: ["resume", "retry", "profiles"] },
  network: {
    title: "error.network",
    advice: "error.network.advice",
    remedies: ["resume", "retry", "reload", "profiles"],
  },
  content_refused: {
    title: "error.content_refused",
    advice: "error.content_refused.advice",
    remedies: ["fork", "resume"],
  },
  request_refused: {
    title: "error.request_refused",
    advice: "error.request_refused.advice",
    remedies: ["profiles", "resume"],
  },
  malformed_answer: {
    title: "error.malformed_answer",
    advice: "error.malformed_answer.advice",
    remedies: ["correct", "resume", "fork"],
  },
  limit_reached: { title: "error.limit_reached", advice: "error.limit_reached.advice", remedies: ["fork"] },
  tool_failed: { title: "error.tool_failed", advice: "error.tool_failed.advice", remedies: ["resume", "retry"] },
  permission_needed: {
    title: "error.permission_needed",
    advice: "error.permission_needed.advice",
    remedies: ["resume", "fork"],
  },
  contract_broken: {
    title: "error.contract_broken",
    advice: "error.contract_broken.advice",
    remedies: ["fork", "doctor"],
  },
  replay_differs: { title: "error.replay_differs", advice: "error.replay_differs.advice", remedies: ["fork"] },
  cancelled: { title: "error.cancelled", advice: "error.cancelled.advice", remedies: ["resume"] },
  waiting: { title: "error.waiting", advice: "error.waiting.advice", remedies: ["answer"] },
  busy: { title: "error.busy", advice: "error.busy.advice", remedies: ["retry", "reload"] },
  database_newer: { title: "error.database_newer", advice: "error.database_newer.advice", remedies: ["doctor"] },
  database_corrupt: { title: "error.database_corrupt", advice: "error.database_corrupt.advice", remedies: ["doctor"] },
  database_missing: {
    title: "error.database_missing",
    advice: "error.database_missing.advice",
    remedies: ["reload", "doctor"],
  },
  database_locked: {
    title: "error.database_locked",
    advice: "error.database_locked.advice",
    remedies: ["retry", "reload"],
  },
  disk_full: { title: "error.disk_full", advice: "error.disk_full.advice", remedies: ["retry", "resume", "doctor"] },
  read_only: { title: "error.read_only", advice: "error.read_only.advice", remedies: ["retry", "doctor"] },
  internal: { title: "error.internal", advice: "error.internal.advice", remedies: ["retry", "doctor"] },
};

/** Whether a value is an error of the program. */
export function isApiError(value: unknown): value is ApiError {
  if (typeof value !== "object" || value === null) return false;
  const { code, message } = value as Record<string, unknown>;
  return typeof message === "string" && typeof code === "string" && Object.hasOwn(CARDS, code);
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
