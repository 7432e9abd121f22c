// What is marked in the text: the passages of open issues, the sentences that are the person's, and the passage that is
// pointed at.
import type { Marking } from "../../kit/passage-marks";
import { reviewsOf } from "../../run/issues";
import { cardOf, cardsOf, ownOf } from "../../run/review-desk";
import type { Resolve, View } from "../../run/view-types";

export function markingsOf(view: View, resolve: Resolve, text: string, pointed: { text: string } | null): Marking[] {
  const cards = cardsOf(view, resolve, text) ?? reviewsOf(view, resolve, text).at(-1)?.issues.map(cardOf) ?? [];
  const open = cards.filter(({ standing, decision }) => standing !== "resolved" && decision !== "dismissed");
  const concerns = open.flatMap(({ id, passages }) =>
    passages.map((passage): Marking => ({
      text: passage.text,
      kind: "concern",
      ...(id === null ? {} : { issue: id }),
    })),
  );
  const own = ownOf(view, resolve)?.sentences.map(({ anchor, is_locked }): Marking => ({
    text: anchor.exact,
    kind: is_locked ? "locked" : "own",
  }));
  return [...(own ?? []), ...concerns, ...(pointed ? [{ text: pointed.text, kind: "pointed" } as const] : [])];
}
