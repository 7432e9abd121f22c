// The issues that reviews raised and what became of each: still open, raised again, resolved in which draft, dismissed or
// replied to by the person. Pure.
//
// What a person makes of a review stands in the state, where the agents that read the review find it: a dismissed issue is
// no longer in its list, a reply stands behind its text or in its field `reply`. So it is no review of its own here.
import type { Issue as Given } from "../ipc/bindings";
import { USER } from "../ipc/names";
import type { View } from "./view-types";
import type { Resolve } from "./texts";
import { textIn } from "./texts";
import { lastWhere } from "./last-where";
import { citationsIn, contains, quotesIn } from "./passages";
import { reviewIn } from "./role-values";

export type Issue = {
  text: string;
  severity: string;
  /** Passages it quotes, and whether they stand in the text that is shown. */
  passages: { text: string; isThere: boolean }[];
  citations: number[];
  /** The number of the draft that resolved it; null while it is open. */
  resolvedIn: number | null;
  isRepeated: boolean;
  isDismissed: boolean;
  reply: string;
};

export type ReadReview = {
  seq: number;
  number: number;
  author: string;
  notes: string;
  issues: Issue[];
  isReady: boolean | null;
  holds: boolean;
  draft: number | null;
  key: string;
  field: string;
  /** The list of issues as the review gave it, and as it stands now. */ given: readonly Given[];
  standing: readonly Given[];
  /** The value, where it has not the shape of a review. */ raw: unknown;
};

/** Every review, oldest first. `shown` is the text beside which they are read. */
export function reviewsOf(view: View, resolve: Resolve, shown: string): ReadReview[] {
  const own = view.reviews.filter((review, index) => review.author !== USER || !view.reviews.slice(0, index).some(({ key }) => key === review.key));
  /** What a person made of reviews is counted among them, and is none. */
  const amendments = (seq: number) => view.reviews.filter((review) => review.seq < seq && !own.includes(review)).length;
  const raw = own.map((review) => {
    const role = view.roles.get(review.key);
    const value = resolve(review.key, review.seq, review.value);
    const read = (value: unknown) => (role?.kind === "review" ? reviewIn(role, value) : null);
    const given = read(value);
    const next = own.find((other) => other.key === review.key && other.seq > review.seq);
    const amended = lastWhere(
      view.reviews,
      (other) => other.key === review.key && other.author === USER && other.holds && other.seq > review.seq && other.seq < (next?.seq ?? Infinity),
    );
    const issues = given?.issues ?? [];
    const standing = (amended && read(resolve(amended.key, amended.seq, amended.value))?.issues) ?? issues;
    const raw = given === null && value !== null ? value : undefined;
    return {
      given: issues,
      standing,
      field: role?.kind === "review" ? role.issues : "",
      review,
      number: review.number - amendments(review.seq),
      notes: given?.notes ?? "",
      issues: issues.map(issueOf),
      isReady: given?.ready ?? null,
      raw,
    };
  });
  return raw.map((one, index) => {
    const later = raw.slice(index + 1).filter(({ review }) => review.holds);
    const earlier = raw.slice(0, index);
    return {
      seq: one.review.seq,
      number: one.number,
      author: one.review.author,
      notes: one.notes,
      isReady: one.isReady,
      holds: one.review.holds,
      key: one.review.key,
      field: one.field,
      given: one.given,
      standing: one.standing,
      raw: one.raw,
      draft: draftBefore(view, one.review.seq),
      issues: one.issues.map(({ text, passage, severity }) => {
        const now = one.standing.map(issueOf).find((other) => other.text === text);
        const silent = later.find(({ issues }) => !issues.some((other) => other.text === text));
        return {
          text,
          severity,
          passages: [...(passage === "" ? [] : [passage]), ...quotesIn(text)].map((quote) => ({ text: quote, isThere: contains(shown, quote) })),
          citations: citationsIn(text),
          isDismissed: now === undefined,
          reply: now?.reply ?? "",
          resolvedIn: now && silent ? draftBefore(view, silent.review.seq) : null,
          isRepeated: earlier.some(({ issues }) => issues.some((other) => other.text === text)),
        };
      }),
    };
  });
}

const REPLY = "\n\nReply: ";

/** An issue is a sentence, or a thing with one. */
function issueOf(value: Given): { text: string; passage: string; severity: string; reply: string } {
  if (typeof value === "string") {
    const [text = "", ...reply] = value.split(REPLY);
    return { text, passage: "", severity: "", reply: reply.join(REPLY) };
  }
  return value;
}

/** The standing list without an issue, or with it again where it stood among the others. */
export function dismissed(review: ReadReview, issue: Issue): Given[] {
  if (!issue.isDismissed) return review.standing.filter((value) => issueOf(value).text !== issue.text);
  const kept = new Map(review.standing.map((value) => [issueOf(value).text, value]));
  return review.given.flatMap((value) => {
    const { text } = issueOf(value);
    return text === issue.text ? [value] : [kept.get(text) ?? []].flat();
  });
}

/** The standing list with a reply to an issue; an empty one takes the reply away. */
export function replied(review: ReadReview, issue: Issue, reply: string): Given[] {
  return review.standing.map((value) => {
    if (issueOf(value).text !== issue.text) return value;
    if (typeof value === "string") return reply === "" ? issue.text : `${issue.text}${REPLY}${reply}`;
    return { ...value, reply };
  });
}

/** The number of the last draft written before an event. */
function draftBefore(view: View, seq: number): number | null {
  let number: number | null = null;
  for (const version of view.versions) if (!version.isFinal && version.seq < seq) number = version.number;
  return number;
}

/** The text that stands at this moment; empty while it is being fetched. */
export function standing(view: View, resolve: Resolve): string {
  const version = [...view.versions].reverse().find((one) => one.holds) ?? view.versions.at(-1);
  return version ? (textIn(view, version, resolve) ?? "") : "";
}
