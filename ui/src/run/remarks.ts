// Notes of the journal and reasons of failures in the reader's language.
import { seconds, t } from "../i18n";
import { phraseText } from "../i18n/phrase";
import { noteText } from "../i18n/pipeline-text.svelte";
import type { ApiError, LoopExit, Note, Phrase } from "../ipc/bindings";
import { PARTS } from "../i18n/finding-text";
import { limitText } from "./question-text";
import type { RequestFact, RoundEnd } from "./view-types";

function listOf(phrases: readonly Phrase[]): string {
  return phrases.map(phraseText).join(t("remark.and"));
}

/** Why something failed. */
export function whyOf({
  code,
  phrase,
  limit,
}: Pick<ApiError, "code" | "phrase"> & { limit?: ApiError["limit"] }): string {
  return code === "limit_reached" && limit ? limitText(limit) : phraseText(phrase);
}

/** What to say of a run that a limit ended. */
export function limitedBy(error: ApiError): string {
  return t(error.limit?.unpriced === undefined ? "run.limited" : "run.unpriced", { why: whyOf(error) });
}

/** Why a loop went on or ended, in words; `name` gives the title of an agent. */
export function exitOf(exit: LoopExit, name: (of: string) => string): string {
  return t(`exit.${exit.why}`, "agent" in exit ? { agent: name(exit.agent) } : {});
}

/** The end of a round in words; `who` is the loop. */
export function roundEndOf(
  { round, exit, best }: Pick<RoundEnd, "round" | "exit" | "best">,
  who: string,
  name: (of: string) => string,
): string {
  const { number: n, checks, issues, words } = round;
  const measures = [
    ...(checks ? [t("round.checks", { passed: checks.passed, all: checks.passed + checks.failed })] : []),
    ...(issues === null ? [] : [t("round.issues", { n: issues })]),
    ...(words === null ? [] : [t("round.words", { n: words })]),
    ...(best === n ? [t("round.best")] : []),
  ];
  const told = { n, who, exit: exitOf(exit, name) };
  return measures.length === 0
    ? t("round.ended", told)
    : t("round.ended_measured", { ...told, measures: measures.join(t("remark.and")) });
}

/** A note, or what became of a request, in words; `name` gives the title of an agent or a key. */
export function noteOf(note: Note | RequestFact, author: string, name: (of: string) => string): string {
  const who = name(author);
  switch (note.kind) {
    case "request_failed": {
      const { retry_after_ms: after } = note.error;
      const why = whyOf(note.error);
      return after === null
        ? t("request.failed", { who, why })
        : t("request.failed_in", { who, s: seconds(after), why });
    }
    case "request_sent":
      return t("request.sent", { who, n: note.attempt });
    case "fell_back":
      return t("request.fell_back", { who, from: note.from, to: note.to, why: whyOf(note.error) });
    case "skipped":
      return t("note.skipped", { agents: note.agents.map(name).join(t("remark.and")) });
    case "repair":
      return t("note.repair", { who, rungs: listOf(note.rungs) });
    case "asked_again":
      return t("note.asked_again", { who, flaws: listOf(note.flaws) });
    case "malformed":
      return t("note.malformed", { who, flaws: listOf(note.flaws) });
    case "without_model":
      return t("note.without_model", { who });
    case "instruction_unread":
      return t("note.instruction_unread", { who });
    case "refused":
      return t("note.refused", { who, key: name(note.key) });
    case "kept":
      return t("note.kept", { key: name(note.key) });
    case "remark":
      return remarkOf(note);
    case "decision":
      return noteText(note);
  }
}

/** What a model's client did on the way to an answer. */
function remarkOf(note: Extract<Note, { kind: "remark" }>): string {
  switch (note.remark) {
    case "left_out":
      return t("note.left_out", { profile: note.profile, model: note.model, part: t(PARTS[note.part]) });
    case "unended_streams":
      return t("note.unended_streams", { profile: note.profile, model: note.model });
    case "pieces_skipped":
      return t("note.pieces_skipped", { n: note.count });
  }
}
