// What a fork changed where it begins: told by its first events of its own, in a few words.
import type { RunPage } from "../ipc/bindings";
import { call } from "../ipc/client";
import { Teller } from "./sentence";

/** The changes of a fork, one each; null for a run that is none. */
export async function changesOf({ card, outline, keys }: RunPage): Promise<string[] | null> {
  if (!card.origin) return null;
  // It goes on, and with that other instructions and limits hold; what was set comes right behind.
  const { entries } = await call("read_events", { run: card.run, from_seq: card.origin.seq + 1, limit: 2 });
  const teller = new Teller(outline, keys);
  return entries.flatMap(({ event }) => teller.changed(event));
}
