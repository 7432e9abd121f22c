// Remarks of the engine and reasons of failures in the reader's language, as far as their kind says all that matters. The
// program's own sentences are English and say more, so that whoever reads English gets those; remarks of a kind that is
// not known here stay as they were worded.
import { seconds, t, type Words } from "../i18n";
import { translateProgramText } from "../i18n/program-text.svelte";
import { speech } from "../i18n/language.svelte";
import type { ApiError, Note } from "../ipc/bindings";
import { CARDS } from "../ipc/errors";
import { isPart, PARTS } from "../ipc/finding-text";
import { LIMITS } from "./question-text";

/** What was done to an answer, by the name under which the program notes it. */
const RUNGS: Record<string, Words> = {
  thinking: "remark.rung.thinking",
  from_thinking: "remark.rung.from_thinking",
  from_tool_call: "remark.rung.from_tool_call",
  fence: "remark.rung.fence",
  talk: "remark.rung.talk",
  drafts: "remark.rung.drafts",
  lenient: "remark.rung.lenient",
  labelled: "remark.rung.labelled",
  closed: "remark.rung.closed",
  json_in_text: "remark.rung.json_in_text",
  unwrapped: "remark.rung.unwrapped",
  plain_text: "remark.rung.plain_text",
  partial: "remark.rung.partial",
  bare_list: "remark.rung.bare_list",
  renamed: "remark.rung.renamed",
  dropped: "remark.rung.dropped",
  filled: "remark.rung.filled",
  retyped: "remark.rung.retyped",
  listed: "remark.rung.listed",
  joined: "remark.rung.joined",
};

/** A rung in words, with the fields it was about; nothing for one that only a newer program knows. */
function rungOf(rung: unknown): string[] {
  if (typeof rung !== "object" || rung === null) return [];
  const { rung: name, fields, field } = rung as { rung?: unknown; fields?: unknown; field?: unknown };
  const words = typeof name === "string" ? RUNGS[name] : undefined;
  if (words === undefined) return [];
  const about = (Array.isArray(fields) ? fields : [field]).filter((one) => typeof one === "string");
  return [about.length > 0 ? `${t(words)} (${about.join(", ")})` : t(words)];
}

/** Why something failed: by its code, with the provider's own words where it has some. */
export function whyOf(error: Pick<ApiError, "code" | "message" | "provider_words"> & { limit?: ApiError["limit"] }): string {
  const { code, message, provider_words: words, limit } = error;
  if (code === "limit_reached" && limit) return t(LIMITS[limit.name]);
  const card = (CARDS as Partial<typeof CARDS>)[code];
  if (speech.current === "en" || !card) return translateProgramText(message);
  return words ? `${t(card.title)} (${words})` : t(card.title);
}

/** What to say of a run that a limit ended. */
export function limitedBy(error: ApiError): string {
  return t("run.limited", { why: whyOf(error) });
}

/** A remark in words; `name` gives the title of an agent. */
export function remarkOf({ kind, sentence, parameters }: Note, author: string, name: (agent: string) => string): string {
  const who = name(author);
  const told = typeof parameters === "object" && parameters !== null ? (parameters as Record<string, unknown>) : {};
  const texts = (field: string) => (Array.isArray(told[field]) ? told[field].filter((one) => typeof one === "string") : []);
  // The program knows agents by their names only; titles are the page's.
  if (kind === "skipped" && texts("agents").length > 0) return t("remark.skipped", { what: texts("agents").map(name).join(t("remark.and")) });
  // Its sentences begin with a capital, names among them.
  if (speech.current === "en") return sentence.toLowerCase().startsWith(`${author.toLowerCase()} `) ? who + sentence.slice(author.length) : sentence;
  const { code, from, to, key, tried, retry_after_ms: after } = told;
  const why = typeof code === "string" ? whyOf({ code: code as ApiError["code"], message: "", provider_words: null }) : "";
  switch (kind) {
    case "retry":
      return why === "" ? sentence : typeof after === "number" ? t("remark.retry_in", { who, s: seconds(after), why }) : t("remark.retry", { who, why });
    case "sent":
      return typeof tried === "number" ? t("remark.sent", { who, n: tried }) : sentence;
    case "switch":
      return typeof from === "string" && typeof to === "string" ? t("remark.switch", { from, to, why }) : sentence;
    case "without_model":
      return t("remark.without_model", { who });
    case "left_out": {
      const { profile, model, part } = told;
      return typeof profile === "string" && typeof model === "string" && isPart(part) ? t("remark.left_out", { profile, model, part: t(PARTS[part]) }) : sentence;
    }
    case "pieces_skipped":
      return typeof told.count === "number" ? t("remark.pieces_skipped", { n: told.count }) : sentence;
    case "kept":
      return t("remark.kept");
    case "malformed":
      return t("remark.malformed", { who });
    case "contract":
      return typeof key === "string" ? t("remark.contract", { who, key }) : sentence;
    case "repair": {
      if (told.asked_again === true) return t("remark.asked_again", { who });
      const rungs = Array.isArray(told.rungs) ? told.rungs : [];
      const words = rungs.flatMap(rungOf);
      return words.length > 0 && words.length === rungs.length ? t("remark.repair", { who, what: words.join(t("remark.and")) }) : sentence;
    }
    default:
      return translateProgramText(sentence);
  }
}
