// What an agent was told, and what it is to be told besides.
import { call } from "../ipc/client";
import type { Call } from "./view-types";
import { isStored, unwrapped } from "./value";

export type AgentInstruction = {
  agent: string;
  said: string;
  /** The last event before the call that is to be made anew. */
  at: number;
};

/** The instruction that a call gave its model; empty when it asked none. */
export async function instructionOf(run: string, { instruction }: Call): Promise<string> {
  if (!instruction) return "";
  const { seq, value } = instruction;
  const whole = isStored(value) ? (await call("read_value", { hash: value.$stored, run, seq })).value : value;
  return String(unwrapped(whole) ?? "");
}
