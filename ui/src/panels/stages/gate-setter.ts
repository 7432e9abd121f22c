// How the details of a stage set where the run stops: handed down from the whole picture, as it concerns no box between.
import { getContext, setContext } from "svelte";
import type { Gate } from "../../ipc/bindings";

const KEY = Symbol("gate setter");

/** Sets the gate around an agent. */
export type SetGate = (agent: string, gate: Gate) => void;

/** Gives the setter to every stage below; it gives nothing where the run does not go on. */
export function provideGateSetter(setter: () => SetGate | null): void {
  setContext(KEY, setter);
}

export function gateSetter(): () => SetGate | null {
  return getContext<(() => SetGate | null) | undefined>(KEY) ?? (() => null);
}
