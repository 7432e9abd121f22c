// What a review came to, as a sentence of the journal: for every role that judges a text.
import { decimal, t } from "../i18n";
import type { Review, Role } from "../ipc/bindings";
import { judgedIn, reviewIn } from "./role-values";
import { scoreOf } from "./rounds";
import { isStored } from "./value";
import { valueLine } from "./value-line";

/** So many characters of a reason stand in a sentence. */
const LINE = 80;

/**
 * The verdict in the value of a key with this role; null where it has none, or stands by its hash. `draft` is the
 * number of
 * the draft that was judged, where that is known.
 */
export function verdictSentence(
  role: Role | undefined,
  value: unknown,
  who: string,
  draft: number | null,
): string | null {
  if (role === undefined || isStored(value)) return null;
  if (role.kind === "rounds") {
    const last = judgedIn(value)?.at(-1);
    const score = last ? scoreOf(last) : null;
    const words = [last?.verdict ?? "", score === null ? "" : decimal(score)].filter((part) => part !== "").join(" · ");
    return last && words !== "" ? t("told.judged", { who, n: last.round, verdict: words }) : null;
  }
  const review = role.kind === "review" ? reviewIn(role, value) : null;
  if (!review) return null;
  if (review.ready) return t("told.ready", { who, n: review.issues.length });
  const why = whyNot(review);
  if (why === "") return draft === null ? t("told.not_ready", { who }) : t("told.not_ready_draft", { who, draft });
  return draft === null ? t("told.rejected", { who, why }) : t("told.rejected_draft", { who, draft, why });
}

/** The first issue and how many more there are, or what the review says. */
function whyNot({ issues, notes }: Review): string {
  const [first, ...more] = issues.map((issue) => (typeof issue === "string" ? issue : issue.text));
  if (first === undefined) return valueLine(notes, LINE);
  const line = valueLine(first, LINE).replace(/[.。]$/, "");
  return more.length === 0 ? line : t("told.and_more", { what: line, n: more.length });
}
