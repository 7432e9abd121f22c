// What a fork changed where it begins: told by its first events of its own.
import type { Event, RunCard } from "../ipc/bindings";
import { call } from "../ipc/client";

/** The events that changed something where a fork begins; null for a run that is none. */
export async function changesOf({ run, origin }: RunCard): Promise<Event[] | null> {
  if (!origin) return null;
  // It goes on, and with that other instructions and limits hold; what was set comes right behind.
  const { entries } = await call("read_events", { run, from_seq: origin.seq + 1, limit: 2 });
  return entries.map(({ event }) => event);
}
