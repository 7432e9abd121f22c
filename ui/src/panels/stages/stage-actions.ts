// What the details of a stage can do with the run: handed down from the whole picture, as it concerns no box between.
import { getContext, setContext } from "svelte";
import type { Gate } from "../../ipc/bindings";
import type { SlowActions } from "../../run/slow";
import type { Call } from "../../run/view-types";

const KEY = Symbol("stage actions");

/** The gates in force now, whatever moment is looked at, and what sets the one around an agent. */
export type GateSetter = { gates: ReadonlyMap<string, Gate>; set: (agent: string, gate: Gate) => void };

export type StageActions = {
  /** Null where the run does not go on. */
  gates: GateSetter | null;
  /** What can be done about a request that takes longer than usual; null where nothing can. */
  slow: SlowActions | null;
  /** What a fork before a call asks again, in a line. */
  askedAgain: (call: Call) => string;
};

export function provideStageActions(actions: () => StageActions): void {
  setContext(KEY, actions);
}

const NONE: StageActions = { gates: null, slow: null, askedAgain: () => "" };

export function stageActions(): () => StageActions {
  return getContext<(() => StageActions) | undefined>(KEY) ?? (() => NONE);
}
