// What a fork changed where it begins: told by its first events of its own, in a few words.
import type { RunCard } from "../ipc/bindings";
import { call } from "../ipc/client";
import type { Teller } from "./sentence";

/** The changes of a fork, one each; null for a run that is none. */
export async function changesOf({ run, origin }: RunCard, teller: Teller): Promise<string[] | null> {
  if (!origin) return null;
  // It goes on, and with that other instructions and limits hold; what was set comes right behind.
  const { entries } = await call("read_events", { run, from_seq: origin.seq + 1, limit: 2 });
  return entries.flatMap(({ event }) => teller.changed(event));
}
