// What the picture of a run is drawn from, handed down from the whole tree to what lies within an instance.
import type { Present } from "../../run/liveness";
import type { Call, Resolve, View } from "../../run/view-types";

export type StageContext = {
  view: View;
  isHalted: boolean;
  /** Whether this is how it stands now, not at a moment gone by. */
  isNow: boolean;
  /** Streaming text by path. */
  text: ReadonlyMap<string, string>;
  present: Omit<Present, "nowMs">;
  resolve: Resolve;
  onGo: (seq: number) => void;
  /** Shows what a call asked and was answered. */
  onRead: (call: Call) => void;
  /** Runs a stage again that read what has changed since. */
  onRerun: (call: Call) => void;
};
