// What the page knows about errors: one entry for every code, so that a new code does not compile until it has a card.
// The words are in the catalogue; here is which action helps.
import type { Code, Fault } from "./bindings";
import type { Words } from "../i18n";

/** What the page can offer besides advice. */
export type Remedy = "none" | "retry" | "resume" | "profiles" | "doctor" | "correct" | "answer" | "raise" | "reload";

export type Card = { title: Words; advice: Words; remedy: Remedy };

/** Total over `Code`. */
export const CARDS: Record<Code, Card> = {
  bad_input: { title: "error.bad_input", advice: "error.bad_input.advice", remedy: "none" },
  not_found: { title: "error.not_found", advice: "error.not_found.advice", remedy: "none" },
  key_refused: { title: "error.key_refused", advice: "error.key_refused.advice", remedy: "profiles" },
  quota_exhausted: { title: "error.quota_exhausted", advice: "error.quota_exhausted.advice", remedy: "profiles" },
  rate_limited: { title: "error.rate_limited", advice: "error.rate_limited.advice", remedy: "resume" },
  overloaded: { title: "error.overloaded", advice: "error.overloaded.advice", remedy: "resume" },
  timeout: { title: "error.timeout", advice: "error.timeout.advice", remedy: "resume" },
  network: { title: "error.network", advice: "error.network.advice", remedy: "resume" },
  content_refused: { title: "error.content_refused", advice: "error.content_refused.advice", remedy: "none" },
  request_refused: { title: "error.request_refused", advice: "error.request_refused.advice", remedy: "profiles" },
  malformed_answer: { title: "error.malformed_answer", advice: "error.malformed_answer.advice", remedy: "correct" },
  limit_reached: { title: "error.limit_reached", advice: "error.limit_reached.advice", remedy: "raise" },
  tool_failed: { title: "error.tool_failed", advice: "error.tool_failed.advice", remedy: "resume" },
  permission_needed: { title: "error.permission_needed", advice: "error.permission_needed.advice", remedy: "none" },
  contract_broken: { title: "error.contract_broken", advice: "error.contract_broken.advice", remedy: "none" },
  replay_differs: { title: "error.replay_differs", advice: "error.replay_differs.advice", remedy: "none" },
  cancelled: { title: "error.cancelled", advice: "error.cancelled.advice", remedy: "resume" },
  waiting: { title: "error.waiting", advice: "error.waiting.advice", remedy: "answer" },
  busy: { title: "error.busy", advice: "error.busy.advice", remedy: "none" },
  database_newer: { title: "error.database_newer", advice: "error.database_newer.advice", remedy: "doctor" },
  database_corrupt: { title: "error.database_corrupt", advice: "error.database_corrupt.advice", remedy: "doctor" },
  database_locked: { title: "error.database_locked", advice: "error.database_locked.advice", remedy: "retry" },
  disk_full: { title: "error.disk_full", advice: "error.disk_full.advice", remedy: "retry" },
  read_only: { title: "error.read_only", advice: "error.read_only.advice", remedy: "doctor" },
  internal: { title: "error.internal", advice: "error.internal.advice", remedy: "doctor" },
};

/** Whether a value is an error of the program. */
export function isFault(value: unknown): value is Fault {
  if (typeof value !== "object" || value === null) return false;
  const { code, message } = value as Record<string, unknown>;
  return typeof message === "string" && typeof code === "string" && Object.hasOwn(CARDS, code);
}

/** Whatever was thrown, as a `Fault`; what is none of the program's becomes an internal or a network error. */
export function toFault(error: unknown): Fault {
  if (isFault(error)) {
    return {
      code: error.code,
      message: error.message,
      provider_words: error.provider_words ?? null,
      retry_after_ms: error.retry_after_ms ?? null,
      limit: error.limit ?? null,
    };
  }
  const said = error as { message?: unknown } | null | undefined;
  const message = typeof error === "string" ? error : typeof said?.message === "string" ? said.message : String(error);
  // A fetch that reaches nobody is a TypeError in every browser.
  const code: Code = error instanceof TypeError ? "network" : "internal";
  return { code, message, provider_words: null, retry_after_ms: null, limit: null };
}
