// The calls of agents, as far back as anybody looks: a loop may make any number. What is counted over all of them is counted
// beside.
import type { Event } from "../ipc/bindings";
import type { Fold } from "./changes";
import { segments } from "./place";
import type { Call } from "./view-types";

/** So many calls of an agent are kept that have ended; the program remembers as many. */
const CALLS = 6;

export function begin(fold: Fold, event: Event): void {
  const { path } = event;
  const way = segments(path);
  for (const { agent, round } of way) if (round !== null) fold.rounds.set(agent, round);
  const agent = way.at(-1)?.agent ?? event.author;
  fold.skipped.delete(agent);
  fold.times.set(agent, (fold.times.get(agent) ?? 0) + 1);
  fold.callsOf.set(agent, [...room(fold, agent).filter((other) => other !== path), path]);
  fold.calls.set(path, {
    path,
    agent,
    startedSeq: event.seq,
    startedAtMs: event.at_ms,
    endedSeq: null,
    tookMs: 0,
    error: null,
    retries: 0,
    repairs: 0,
    model: "",
    reads: [],
    wrote: [],
    shape: null,
    tried: [],
    says: null,
    reply: null,
    answerSeq: null,
    instruction: null,
  });
}

/** The paths of an agent's calls, the oldest that ended let go where there are too many. */
function room(fold: Fold, agent: string): readonly string[] {
  const paths = fold.callsOf.get(agent) ?? [];
  const ended = paths.filter((path) => fold.calls.get(path)?.endedSeq !== null);
  const oldest = ended[0];
  if (ended.length < CALLS || oldest === undefined) return paths;
  fold.calls.delete(oldest);
  return paths.filter((path) => path !== oldest);
}

export function touch(fold: Fold, agent: string, reads: readonly string[], wrote: readonly string[]): void {
  const known = fold.touched.get(agent);
  if (reads.length + wrote.length === 0) return;
  if (known && reads.every((key) => known.reads.has(key)) && wrote.every((key) => known.wrote.has(key))) return;
  fold.touched.set(agent, { reads: new Set([...(known?.reads ?? []), ...reads]), wrote: new Set([...(known?.wrote ?? []), ...wrote]) });
}

export function joined(known: readonly string[], more: readonly string[]): readonly string[] {
  return more.every((key) => known.includes(key)) ? known : [...new Set([...known, ...more])];
}

/** Lets the time of a call that has not ended begin later: for so long nobody worked on it. */
export function restart(fold: Fold, path: string, pausedMs: number): void {
  update(fold, path, (call) => (call.endedSeq === null ? { ...call, startedAtMs: call.startedAtMs + Math.max(0, pausedMs) } : call));
}

export function update(fold: Fold, path: string, change: (call: Call) => Call): void {
  const call = fold.calls.get(path);
  if (call) fold.calls.set(path, change(call));
}
