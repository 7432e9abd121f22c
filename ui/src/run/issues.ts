// The reviews of a run: their notes, and the issues that each raised with what became of them: still open, raised
// again, or resolved in which draft. Pure.
//
// What the person decides about issues is not here (`review-desk`).
import type { RaisedIssue as Given } from "../ipc/bindings";
import { USER } from "../ipc/names";
import type { Resolve, View } from "./view-types";
import { textIn } from "./texts";
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
  /** The value, where it has not the shape of a review. */ raw: unknown;
};

/** The reviews with their numbers, oldest first: what a person made of one is counted among them, and is none. */
export function numberedReviews(view: View): { review: View["reviews"][number]; number: number }[] {
  const own = view.reviews.filter(
    (review, index) => review.author !== USER || !view.reviews.slice(0, index).some(({ key }) => key === review.key),
  );
  const amendments = (seq: number) => view.reviews.filter((review) => review.seq < seq && !own.includes(review)).length;
  return own.map((review) => ({ review, number: review.number - amendments(review.seq) }));
}

/** Every review, oldest first. `shown` is the text beside which they are read. */
export function reviewsOf(view: View, resolve: Resolve, shown: string): ReadReview[] {
  const raw = numberedReviews(view).map(({ review, number }) => {
    const role = view.roles.get(review.key);
    const value = resolve(review.key, review.seq, review.value);
    const given = role?.kind === "review" ? reviewIn(role, value) : null;
    return {
      review,
      number,
      notes: given?.notes ?? "",
      issues: (given?.issues ?? []).map(issueOf),
      isReady: given?.ready ?? null,
      raw: given === null && value !== null ? value : undefined,
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
      raw: one.raw,
      draft: draftBefore(view, one.review.seq),
      issues: one.issues.map(({ text, passage, severity }) => {
        const silent = later.find(({ issues }) => !issues.some((other) => other.text === text));
        return {
          text,
          severity,
          passages: [...(passage === "" ? [] : [passage]), ...quotesIn(text)].map((quote) => ({
            text: quote,
            isThere: contains(shown, quote),
          })),
          citations: citationsIn(text),
          resolvedIn: silent ? draftBefore(view, silent.review.seq) : null,
          isRepeated: earlier.some(({ issues }) => issues.some((other) => other.text === text)),
        };
      }),
    };
  });
}

/** An issue is a sentence, or a thing with one. */
function issueOf(value: Given): { text: string; passage: string; severity: string } {
  return typeof value === "string" ? { text: value, passage: "", severity: "" } : value;
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
