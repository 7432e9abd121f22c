// How the details of a stage set where the run stops: handed down from the whole picture, as it concerns no box between.
import { getContext, setContext } from "svelte";
import type { Gate } from "../../ipc/bindings";

const KEY = Symbol("gate setter");

/** The gates in force now, whatever moment is looked at, and what sets the one around an agent. */
export type GateSetter = { gates: ReadonlyMap<string, Gate>; set: (agent: string, gate: Gate) => void };

/** Gives the setter to every stage below; it gives nothing where the run does not go on. */
export function provideGateSetter(setter: () => GateSetter | null): void {
  setContext(KEY, setter);
}

export function gateSetter(): () => GateSetter | null {
  return getContext<(() => GateSetter | null) | undefined>(KEY) ?? (() => null);
}
