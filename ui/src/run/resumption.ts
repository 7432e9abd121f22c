// What it means for a picture that its run goes on: after a pause, as a fork with something changed, or with the
// person's answer.
import type { Event, Fact } from "../ipc/bindings";
import { restart } from "./calls";
import { setLimits } from "./budgets";
import { change, setAside } from "./changes";
import type { Fold } from "./fold";
import { setGates } from "./gate";
import { isWithin } from "./place";

export function goOn(
  fold: Fold,
  event: Event,
  { drops, delta, overrides }: Extract<Fact, { kind: "run_resumed" }>,
): void {
  fold.typed = new Set();
  fold.inFlight.clear();
  for (const path of fold.calls.keys()) restart(fold, path, event.at_ms - fold.lastAtMs);
  for (const [agent, { profile }] of Object.entries(overrides.agents))
    if (profile !== null) fold.profiles.set(agent, profile);
  setLimits(fold, overrides.agents);
  setGates(fold, overrides.gates ?? {});
  fold.pieces = [...fold.pieces, { seq: event.seq, atMs: event.at_ms }];
  fold.countedToMs = event.at_ms;
  fold.countedRanMs = event.ran_ms;
  fold.outcome = null;
  fold.error = null;
  setAside(fold, new Set(drops));
  change(fold, event, delta, true);
}

/** The person has answered what was asked at `askedMs`: until then nobody worked at that place. */
export function waitOver(fold: Fold, event: Event, askedMs: number): void {
  // Of a wait that outlived a pause of the run, what lay before it went on is that pause.
  const since = Math.max(askedMs, fold.pieces.at(-1)?.atMs ?? 0);
  for (const path of fold.calls.keys()) if (isWithin(event.path, path)) restart(fold, path, event.at_ms - since);
}
