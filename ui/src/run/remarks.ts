// Notes of the journal and reasons of failures in the reader's language. The program's own sentences about errors are
// English and say more, so that whoever reads English gets those.
import { seconds, t } from "../i18n";
import { noteText, translateProgramText } from "../i18n/program-text.svelte";
import { speech } from "../i18n/language.svelte";
import { ENGLISH, type ApiError, type Note, type Phrase } from "../ipc/bindings";
import { CARDS } from "../ipc/errors";
import { PARTS } from "../ipc/finding-text";
import { limitText } from "./question-text";

/** What fills a text, as the reader reads it. */
function fillingsOf(parameters: Phrase["parameters"]): Record<string, string | number> {
  const written = (value: unknown): string | number => (typeof value === "number" ? value : Array.isArray(value) ? value.map(written).join(", ") : translateProgramText(String(value)));
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, written(value)]));
}

/** Phrases in words; one whose id has no text stands by its id. */
function listOf(phrases: readonly Phrase[]): string {
  const isKnown = (id: string): id is keyof typeof ENGLISH => Object.hasOwn(ENGLISH, id);
  return phrases.map(({ id, parameters }) => (isKnown(id) ? t(id, fillingsOf(parameters)) : id)).join(t("remark.and"));
}

/** Why something failed: by its code, with the provider's own words where it has some. */
export function whyOf(error: Pick<ApiError, "code" | "message" | "provider_words"> & { limit?: ApiError["limit"] }): string {
  const { code, message, provider_words: words, limit } = error;
  if (code === "limit_reached" && limit) return limitText(limit);
  const card = (CARDS as Partial<typeof CARDS>)[code];
  if (speech.current === "en" || !card) return translateProgramText(message);
  return words ? `${t(card.title)} (${words})` : t(card.title);
}

/** What to say of a run that a limit ended. */
export function limitedBy(error: ApiError): string {
  return t(error.limit?.unpriced === undefined ? "run.limited" : "run.unpriced", { why: whyOf(error) });
}

/** A note in words; `name` gives the title of an agent or a key. */
export function noteOf(note: Note, author: string, name: (of: string) => string): string {
  const who = name(author);
  switch (note.kind) {
    case "retry": {
      const { retry_after_ms: after } = note.error;
      const why = whyOf(note.error);
      return after === null ? t("note.retry", { who, why }) : t("note.retry_in", { who, s: seconds(after), why });
    }
    case "sent":
      return t("note.sent", { who, n: note.attempt });
    case "skipped":
      return t("note.skipped", { agents: note.agents.map(name).join(t("remark.and")) });
    case "repair":
      return t("note.repair", { who, rungs: listOf(note.rungs) });
    case "asked_again":
      return t("note.asked_again", { who, flaws: listOf(note.flaws) });
    case "malformed":
      return t("note.malformed", { who, flaws: listOf(note.flaws) });
    case "fallback":
      return t("note.fallback", { who, from: note.from, to: note.to, why: whyOf(note.error) });
    case "without_model":
      return t("note.without_model", { who });
    case "refused":
      return t("note.refused", { who, key: name(note.key) });
    case "found":
      return t("note.found", { n: note.count });
    case "kept":
      return t("note.kept", { key: name(note.key) });
    case "remark":
      return note.remark === "left_out"
        ? t("note.left_out", { profile: note.profile, model: note.model, part: t(PARTS[note.part]) })
        : t("note.pieces_skipped", { n: note.count });
    case "decision":
      return noteText(note.id, fillingsOf(note.parameters));
  }
}
