// What it means for a picture that its run goes on: after a pause, or as a fork with something changed.
import type { Event, Fact } from "../ipc/bindings";
import { restart } from "./calls";
import { change, setAside, type Fold } from "./changes";

export function goOn(fold: Fold, event: Event, { drops, delta, overrides }: Extract<Fact, { kind: "run_resumed" }>): void {
  fold.typed = new Set();
  fold.inFlight.clear();
  for (const path of fold.calls.keys()) restart(fold, path, event.at_ms - fold.lastAtMs);
  for (const [agent, { profile }] of Object.entries(overrides.agents)) if (profile !== null) fold.profiles.set(agent, profile);
  fold.pieces = [...fold.pieces, { seq: event.seq, atMs: event.at_ms }];
  fold.countedToMs = event.at_ms;
  fold.outcome = null;
  fold.fault = null;
  setAside(fold, new Set(drops));
  change(fold, event, delta, true);
}
