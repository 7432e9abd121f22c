// What the fold of a run does with notes, and with what became of a request before it was answered.
import type { Event, Note } from "../ipc/bindings";
import { update } from "./calls";
import type { Fold } from "./fold";
import { refuse } from "./in-flight";
import { countedAt } from "./place";
import type { RequestFact, Waiting } from "./view-types";

export function retry(fold: Fold, event: Event, place: string, fact: NonNullable<Waiting["retrying"]>): void {
  refuse(fold.inFlight, place, true);
  update(fold, event.path, (call) => ({ ...call, retries: call.retries + 1 }));
  const asked = fold.waiting.get(place);
  if (asked)
    fold.waiting.set(place, {
      ...asked,
      retries: asked.retries + 1,
      retrying: fact,
      retrySeq: event.seq,
      retryAfterMs: fact.error.retry_after_ms,
    });
}

export function note(fold: Fold, event: Event, note: Note): void {
  if (note.kind === "skipped") for (const agent of note.agents) fold.skipped.add(countedAt(event.path, agent));
  if (note.kind === "repair" || note.kind === "asked_again")
    update(fold, event.path, (call) => ({ ...call, repairs: call.repairs + 1, tried: [...call.tried, note] }));
  remark(fold, event, note);
}

export function remark(fold: Fold, event: Event, note: Note | RequestFact): void {
  update(fold, event.path, (call) => ({ ...call, says: note }));
  if (event.surface) fold.remarks.push({ seq: event.seq, author: event.author, path: event.path, note });
}
