// The tabs beside the draft, and when a plan in one of them can be changed.
import type { LiveRun } from "../run/live-run.svelte";

export type Tab =
  "review" | "checks" | "sources" | "state" | "journal" | "plan" | "files" | "rounds" | "places" | "family";

/** Whether a plan can be changed: at the end of a run that has not ended. */
export const canEditPlan = ({ isAtEnd, shown }: LiveRun) =>
  isAtEnd && (shown.outcome === null || shown.outcome === "waiting");
