// The review desk at a moment: the issues of all reviews with what the person decided, and the sentences of the draft
// that are the person's. Pure; where a passage stands after edits the program has found already.
import type { Collision, Issue, IssueDecision, OwnSentence } from "../ipc/bindings";
import { numberedReviews, type Issue as ReadIssue } from "./issues";
import { contains } from "./passages";
import { heldBy, issuesIn, ownTextIn } from "./role-values";
import type { Resolve, View } from "./view-types";

export type Card = {
  /** The number of the issue; null where the pipeline keeps none, and nothing can be decided. */
  id: number | null;
  text: string;
  severity: string;
  /** The passage in its surroundings. */
  quote: { prefix: string; exact: string; suffix: string } | null;
  passages: readonly { text: string; isThere: boolean }[];
  standing: Issue["standing"];
  /** The review or the draft that resolved it, by its number. */
  resolvedBy: number;
  decision: IssueDecision | null;
  reply: string;
};

/** The issues at this moment, what is open first and each in the order of the text; null where none are kept. */
export function cardsOf(view: View, resolve: Resolve, shown: string): Card[] | null {
  const [held] = heldBy("issues", view, resolve);
  const issues = held && issuesIn(held.value);
  if (!issues) return null;
  // A fork may have been given issues with the count of reviews that its own events do not have.
  const elsewhere = Math.max(0, issues.reviews - (numberedReviews(view).at(-1)?.number ?? issues.reviews));
  const place = ({ anchor }: Issue) => (anchor ? shown.indexOf(anchor.exact) : -1);
  const rank = (issue: Issue) => (issue.standing === "resolved" ? 2 : issue.decision === "dismissed" ? 1 : 0);
  const sorted = [...issues.issues].sort((a, b) => rank(a) - rank(b) || place(a) - place(b) || a.id - b.id);
  return sorted.map((issue) => ({
    id: issue.id,
    text: issue.text,
    severity: issue.severity ?? "",
    quote: issue.anchor ?? null,
    passages: issue.anchor ? [{ text: issue.anchor.exact, isThere: contains(shown, issue.anchor.exact) }] : [],
    standing: issue.standing,
    resolvedBy: issue.last_review + 1 - elsewhere,
    decision: issue.decision ?? null,
    reply: issue.reply ?? "",
  }));
}

/** An issue of a review of a pipeline that keeps no issues. */
export function cardOf({ text, severity, passages, resolvedIn, isRepeated }: ReadIssue): Card {
  const standing = resolvedIn !== null ? "resolved" : isRepeated ? "came_back" : "open";
  return {
    id: null,
    text,
    severity,
    quote: null,
    passages,
    standing,
    resolvedBy: resolvedIn ?? 0,
    decision: null,
    reply: "",
  };
}

/** How many issues are open and not dismissed; undefined where none are kept. */
export function openIssues(view: View, resolve: Resolve): number | undefined {
  return cardsOf(view, resolve, "")?.filter(
    ({ standing, decision }) => standing !== "resolved" && decision !== "dismissed",
  ).length;
}

/** The person's sentences in the draft, and what collided with an agent's. Null where none are kept. */
export function ownOf(view: View, resolve: Resolve): { sentences: OwnSentence[]; collisions: Collision[] } | null {
  if (!view.declarations.some(({ role }) => role.kind === "own_text")) return null;
  const [held] = heldBy("own_text", view, resolve);
  const own = held && ownTextIn(held.value);
  return { sentences: own?.sentences ?? [], collisions: own?.collisions ?? [] };
}
