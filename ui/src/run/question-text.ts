// What the engine and agents ask, in the reader's language. What an agent asks is worded by its pipeline.
import { t, type Words } from "../i18n";
import { phraseText } from "../i18n/phrase";
import { pipelineText } from "../i18n/pipeline-text.svelte";
import { titleOf as titleByName } from "../i18n/titles";
import type { Choice, Code, LimitName, Question, Reached } from "../ipc/bindings";

const LIMITS: Record<LimitName, Words> = {
  max_llm_calls: "question.limit.max_llm_calls",
  max_output_tokens: "question.limit.max_output_tokens",
  max_execution_time_s: "question.limit.max_execution_time_s",
  max_total_tokens: "question.limit.max_total_tokens",
  max_tool_calls: "question.limit.max_tool_calls",
  max_cost: "question.limit.max_cost",
};
/** Of a profile that failed, by what it failed of. */
const TITLES: Partial<Record<Code, Words>> = {
  key_refused: "question.key_refused",
  key_unavailable: "question.key_unavailable",
  quota_exhausted: "question.quota",
  network: "question.network",
  overloaded: "question.down",
  timeout: "question.down",
  not_found: "question.refused",
  request_refused: "question.refused",
  content_refused: "question.refused",
  context_exceeded: "question.window",
};

const OTHER_TITLES: Record<Exclude<Question["kind"]["kind"], "profile" | "gate" | "tool_server">, Words> = {
  agent: "question.title",
  repeat: "question.title",
  limit: "question.limit",
  permission: "question.permission",
  malformed: "question.malformed",
  issues: "question.issues",
};

/** That a limit was reached, or that it stands before a call of unknown price, as a sentence. */
export function limitText({ name, unpriced }: Pick<Reached, "name" | "unpriced">): string {
  return unpriced === undefined ? t(LIMITS[name]) : t("question.limit.unpriced", { model: unpriced });
}

/** The title of a question's card. */
export function titleOf({ kind }: Question): string {
  if (kind.kind === "gate") return t(`gate.${kind.side}`, { who: titleByName(kind.agent) });
  if (kind.kind === "tool_server") return t("question.tool_server", { tool: kind.tool });
  if (kind.kind !== "profile") return t(OTHER_TITLES[kind.kind]);
  return t(TITLES[kind.code] ?? "question.rate", { name: kind.profile });
}

/** The question itself. */
export function textOf({ kind, text }: Question): string {
  return kind.kind === "agent" ? pipelineText(phraseText(text)) : phraseText(text);
}

/** The question in one line, where it has no card of its own. */
export function lineOf(question: Question): string {
  return textOf(question) || titleOf(question);
}

/** A choice in the reader's words. */
export function labelOf({ kind }: Question, { label }: Choice): string {
  return kind.kind === "agent" ? pipelineText(phraseText(label)) : phraseText(label);
}
