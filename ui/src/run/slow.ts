// Requests that take longer than usual, and what can be done about one.
import { t } from "../i18n";
import { titleOf } from "../i18n/titles";
import { livenessOf, type Present } from "./liveness";
import type { View, Waiting } from "./view-types";

export type SlowActions = {
  /** Says no more that it is slow. */
  wait: (waiting: Waiting) => void;
  /** Makes the request again: the run stops and goes on. */
  retry: () => void;
  /** Lets another profile answer: the run stops, and a fork before the stage is prepared. */
  changeProfile: (waiting: Waiting) => void;
};

/** The requests that take longer than usual at this moment, each in a line. */
export function slowRequests(view: View, present: Present): { waiting: Waiting; line: string }[] {
  if (view.outcome !== null) return [];
  return [...view.waiting.values()].flatMap((waiting) => {
    const liveness = livenessOf({ waiting }, present);
    return liveness?.isSlow
      ? [{ waiting, line: t("slow.line", { who: titleOf(waiting.agent), words: liveness.words }) }]
      : [];
  });
}
