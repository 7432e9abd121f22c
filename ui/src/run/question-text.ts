// What the engine asks, in the reader's language. The program's own sentences are English and say more, so that whoever
// reads English gets those; what an agent asks is worded by its pipeline and stays as it is.
import { money, t, type Words } from "../i18n";
import { translateProgramText } from "../i18n/program-text.svelte";
import { speech } from "../i18n/language.svelte";
import type { Choice, Code, LimitName, Question, Reached } from "../ipc/bindings";
import { BUILT_IN } from "../ipc/names";

const LIMITS: Record<LimitName, Words> = {
  max_llm_calls: "question.limit.max_llm_calls",
  max_output_tokens: "question.limit.max_output_tokens",
  max_execution_time_s: "question.limit.max_execution_time_s",
  max_total_tokens: "question.limit.max_total_tokens",
  max_tool_calls: "question.limit.max_tool_calls",
  max_cost: "question.limit.max_cost",
};
const LABELS: Record<string, Words> = {
  retry: "question.retry",
  finish: "question.finish",
  stop: "question.stop",
  allow: "question.allow",
  refuse: "question.refuse",
  repeat: "question.repeat",
  reuse: "question.reuse",
  skip: "question.skip",
  not_needed: "question.not_needed",
  lift: "question.lift",
  built_in: "question.built_in",
};
const ANOTHER = "profile:";
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
};

const OTHER_TITLES: Record<Exclude<Question["kind"]["kind"], "profile">, Words> = {
  agent: "question.title",
  repeat: "question.title",
  limit: "question.limit",
  permission: "question.permission",
  malformed: "question.malformed",
};

/** That a limit was reached, or that it stands before a call of unknown price, as a sentence. */
export function limitText({ name, unpriced }: Pick<Reached, "name" | "unpriced">): string {
  return unpriced === undefined ? t(LIMITS[name]) : t("question.limit.unpriced", { model: unpriced });
}

/** The title of a question's card. */
export function titleOf({ kind }: Question): string {
  if (kind.kind !== "profile") return t(OTHER_TITLES[kind.kind]);
  return t(TITLES[kind.code] ?? "question.rate", { name: kind.profile });
}

/** The question itself; empty where the title says all of it. */
export function textOf({ kind, text, choices, details }: Question): string {
  if (speech.current === "en" || kind.kind === "agent") return translateProgramText(text);
  const title = typeof details === "object" && details !== null ? String((details as { title?: unknown }).title ?? "") : "";
  switch (kind.kind) {
    case "limit": {
      const { unpriced } = (details ?? {}) as Partial<Reached>;
      const what = limitText(unpriced === undefined ? { name: kind.limit } : { name: kind.limit, unpriced });
      return t(unpriced === undefined ? "question.limit.text" : "question.limit.unpriced.text", { what });
    }
    case "profile":
      return "";
    case "malformed":
      return t("question.malformed.text");
    case "permission":
      return t("question.wants_to_act", { tool: kind.tool, what: title });
    case "repeat":
      return t(choices.some(({ value }) => value === "reuse") ? "question.done_before" : "question.in_flight", { what: title });
  }
}

/** The question in one line, where it has no card of its own. */
export function lineOf(question: Question): string {
  return textOf(question) || titleOf(question);
}

/** A choice in the reader's words, where the program itself made it. */
export function labelOf({ kind }: Question, { value, label }: Choice): string {
  if (kind.kind === "agent") return label;
  if (value === ANOTHER + BUILT_IN) return t("question.without_model");
  if (value.startsWith(ANOTHER)) return t("question.another", { name: value.slice(ANOTHER.length) });
  if (kind.kind === "limit" && value === "add") {
    const more = Number(/[\d.]+/.exec(label)?.[0] ?? 0);
    return t(`question.add.${kind.limit}`, { n: more, more: money(more) });
  }
  const words = LABELS[value];
  return words === undefined ? label : t(words);
}
