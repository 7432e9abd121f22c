// Remarks of the engine and reasons of failures in the reader's language, as far as their kind says all that matters. The
// program's own sentences are English and say more, so that whoever reads English gets those; remarks of a kind that is
// not known here stay as they were worded.
import { seconds, t, type Words } from "../i18n";
import { own } from "../i18n/own.svelte";
import { speech } from "../i18n/language.svelte";
import type { Fault, Note } from "../ipc/bindings";
import { CARDS } from "../ipc/errors";

const RUNGS: Record<string, Words> = {
  "thinking left out": "remark.rung.thinking",
  "fence stripped": "remark.rung.fence",
  "read leniently": "remark.rung.lenient",
};

/** Why something failed: by its code, with the provider's own words where it has some. */
export function whyOf({ code, message, provider_words: words }: Pick<Fault, "code" | "message" | "provider_words">): string {
  const card = (CARDS as Partial<typeof CARDS>)[code];
  if (speech.current === "en" || !card) return message;
  return words ? `${t(card.title)} (${words})` : t(card.title);
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
  const why = typeof code === "string" ? whyOf({ code: code as Fault["code"], message: "", provider_words: null }) : "";
  switch (kind) {
    case "retry":
      return why === "" ? sentence : typeof after === "number" ? t("remark.retry_in", { who, s: seconds(after), why }) : t("remark.retry", { who, why });
    case "sent":
      return typeof tried === "number" ? t("remark.sent", { who, n: tried }) : sentence;
    case "switch":
      return typeof from === "string" && typeof to === "string" ? t("remark.switch", { from, to, why }) : sentence;
    case "kept":
      return t("remark.kept");
    case "malformed":
      return t("remark.malformed", { who });
    case "contract":
      return typeof key === "string" ? t("remark.contract", { who, key }) : sentence;
    case "repair": {
      const rungs = texts("rungs");
      if (rungs.includes("asked again")) return t("remark.asked_again", { who });
      const words = rungs.flatMap((rung) => RUNGS[rung] ?? []);
      return words.length > 0 && words.length === rungs.length ? t("remark.repair", { who, what: words.map((word) => t(word)).join(t("remark.and")) }) : sentence;
    }
    default:
      return own(sentence);
  }
}
