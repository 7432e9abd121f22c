// The issues that reviews raised and what became of each: still open, raised again, resolved in which draft. Pure.
import type { View } from "./shape";
import type { Resolve } from "./texts";
import { textIn } from "./texts";
import { citationsIn, contains, quotesIn } from "./passages";
import { field, listOf, textOf } from "./value";

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

export type ReadReview = { seq: number; number: number; author: string; notes: string; issues: Issue[]; isReady: boolean | null; holds: boolean; draft: number | null };

/** Every review, oldest first. `shown` is the text beside which they are read. */
export function reviewsOf(view: View, resolve: Resolve, shown: string): ReadReview[] {
  const raw = view.reviews.map((review) => {
    const role = view.roles.get(review.key);
    const value = resolve(review.key, review.seq, review.value);
    const names = role?.kind === "review" ? role : { notes: "", issues: "", ready: "" };
    const ready = names.ready === "" ? null : field(value, names.ready);
    const issues = listOf(value, names.issues).map(issueOf);
    return { review, number: review.number, notes: textOf(value, names.notes), issues, isReady: typeof ready === "boolean" ? ready : null };
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
      draft: draftBefore(view, one.review.seq),
      issues: one.issues.map(({ text, passage, severity }) => {
        const silent = later.find(({ issues }) => !issues.some((other) => other.text === text));
        return {
          text,
          severity,
          passages: [...(passage === "" ? [] : [passage]), ...quotesIn(text)].map((quote) => ({ text: quote, isThere: contains(shown, quote) })),
          citations: citationsIn(text),
          resolvedIn: silent ? draftBefore(view, silent.review.seq) : null,
          isRepeated: earlier.some(({ issues }) => issues.some((other) => other.text === text)),
        };
      }),
    };
  });
}

/** An issue is a sentence, or a thing with one. */
function issueOf(value: unknown): { text: string; passage: string; severity: string } {
  if (typeof value === "string") return { text: value, passage: "", severity: "" };
  const first = (...names: string[]) => names.map((name) => textOf(value, name)).find((found) => found !== "") ?? "";
  return { text: first("text", "issue", "description", "message"), passage: first("passage", "quote", "excerpt"), severity: first("severity", "kind") };
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
