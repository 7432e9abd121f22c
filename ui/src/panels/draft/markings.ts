// What is marked in the text: the passages that the last review still asks about, and the one that is pointed at.
import type { Marking } from "../../kit/passage-marks";
import { reviewsOf } from "../../run/issues";
import type { Resolve } from "../../run/texts";
import type { View } from "../../run/view-types";

export function markingsOf(view: View, resolve: Resolve, text: string, pointed: { text: string } | null): Marking[] {
  const review = reviewsOf(view, resolve, text).at(-1);
  const concerns = (review?.issues ?? [])
    .flatMap((issue) => (issue.resolvedIn === null ? issue.passages : []))
    .map((passage): Marking => ({ text: passage.text, kind: "concern" }));
  return pointed ? [...concerns, { text: pointed.text, kind: "pointed" }] : concerns;
}
