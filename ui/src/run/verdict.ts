// A run whose text needs a decision, by its roles and signals: its search brought nothing, or its last draft was put
// before the person because no review let it pass.
import type { ApiError } from "../ipc/bindings";
import { USER } from "../ipc/names";
import { foundNothing } from "./follow-up";
import { reviewsOf, type ReadReview } from "./issues";
import { lastWhere } from "../platform/last-where";
import type { Resolve, Version, View } from "./view-types";
import { latest } from "./texts";

export type Verdict =
  /** Nothing was found; `draft` is the text that was written all the same. */
  | { kind: "nothing"; draft: Version | undefined }
  | { kind: "rejected"; draft: Version; final: Version; review: ReadReview | undefined };

export function verdictOf(view: View, resolve: Resolve): Verdict | null {
  if (view.outcome !== "finished") return null;
  const final = latest(view);
  if (!final?.isFinal || final.author === USER) return null;
  const draft = lastWhere(view.versions, ({ isFinal, holds }) => !isFinal && holds);
  if (foundNothing(view)) return { kind: "nothing", draft };
  if (!final.isRaised || !draft) return null;
  const review = lastWhere(reviewsOf(view, resolve, ""), ({ holds }) => holds);
  return review?.isReady === true ? null : { kind: "rejected", draft, final, review };
}

/** Why a run found nothing, where nothing could be reached: that stands beside what can be done about it. */
export function unreached(view: View, resolve: Resolve): ApiError | null {
  const isOfNetwork = view.error?.code === "network" || view.error?.code === "timeout";
  return isOfNetwork && verdictOf(view, resolve)?.kind === "nothing" ? view.error : null;
}
