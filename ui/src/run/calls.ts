// The calls of agents, as far back as anybody looks: a loop may make any number. What is counted over all of them is
// counted beside. Of the instances of an agent on demand all stay that were started together, with what happened
// within each.
import type { Event, Instance } from "../ipc/bindings";
import type { Fold } from "./fold";
import { lastWhere } from "../platform/last-where";
import { agentAt, countedAt, instancesAbove, isInstance, ownInstance, segments } from "./place";
import type { Call, CallUsage, View } from "./view-types";
import { unwrapped } from "./value";

/** So many calls of an agent are kept that have ended; the program remembers as many. */
const CALLS = 6;
const NOTHING_USED: CallUsage = { requests: 0, builtIn: 0, tokens: 0, cost: null, unpriced: 0 };
/** So many lists of instances of an agent are kept: that of this call, and of the one before. */
const LISTS = 2;

export function begin(fold: Fold, event: Event, instance: Instance | undefined): void {
  const { path } = event;
  const way = segments(path);
  for (const { agent, round, place } of way) if (round !== null) fold.rounds.set(countedAt(place, agent), round);
  const agent = way.at(-1)?.agent ?? event.author;
  const place = countedAt(path, agent);
  fold.skipped.delete(place);
  // The program counts by the agent alone.
  for (const counted of new Set([agent, place])) fold.times.set(counted, (fold.times.get(counted) ?? 0) + 1);
  fold.callsOf.set(place, [...room(fold, place).filter((other) => other !== path), path]);
  if (isInstance(path)) list(fold, path);
  fold.calls.set(path, {
    path,
    agent,
    startedSeq: event.seq,
    startedAtMs: waitsForTurn(fold, path) ? null : event.at_ms,
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
    answered: null,
    instruction: null,
    used: NOTHING_USED,
    input: instance ? { seq: event.seq, value: unwrapped(instance.input) } : null,
    output: null,
    edited: null,
  });
}

/** Whether a place lies in an instance in which nothing was asked yet. */
function waitsForTurn({ calls }: Fold, path: string): boolean {
  const own = ownInstance(path);
  return own !== null && (calls.get(own)?.startedAtMs ?? null) === null;
}

/** Something is asked: every call that it lies in has its turn. */
export function hasTurn(fold: Fold, { path, at_ms: startedAtMs }: Event): void {
  if (!waitsForTurn(fold, path)) return;
  for (const { place } of segments(path))
    update(fold, place, (call) => ({ ...call, startedAtMs: call.startedAtMs ?? startedAtMs }));
}

/** Takes a call back that no longer holds. */
export function takeBack(fold: Fold, { path, agent }: Call): void {
  const place = countedAt(path, agent);
  fold.calls.delete(path);
  for (const counted of new Set([agent, place]))
    fold.times.set(counted, Math.max(0, (fold.times.get(counted) ?? 0) - 1));
  without(fold.callsOf, place, path);
  if (isInstance(path)) without(fold.instances, listOf(path), path);
}

function without(paths: Map<string, readonly string[]>, place: string, path: string): void {
  paths.set(
    place,
    (paths.get(place) ?? []).filter((other) => other !== path),
  );
}

/**
 * The paths of an agent's calls, the oldest that ended let go where there are too many. An instance itself stays as
 * long as
 * its list, however often it works again.
 */
function room(fold: Fold, place: string): readonly string[] {
  const paths = fold.callsOf.get(place) ?? [];
  const ended = paths.filter((path) => !isInstance(path) && fold.calls.get(path)?.endedSeq !== null);
  const oldest = ended[0];
  if (ended.length < CALLS || oldest === undefined) return paths;
  fold.calls.delete(oldest);
  return paths.filter((path) => path !== oldest);
}

/** The list that an instance stands in: where it was started, and of which agent. */
export function listOf(instance: string): string {
  return instance.slice(0, instance.lastIndexOf("#"));
}

/** Puts an instance into its list; older lists of its agent are let go. */
function list(fold: Fold, instance: string): void {
  const name = listOf(instance);
  const known = fold.instances.get(name);
  fold.instances.set(name, [...(known ?? []).filter((other) => other !== instance), instance]);
  if (known) return;
  const agentOf = (other: string) => other.slice(other.lastIndexOf("*"));
  const within = (other: string) => ownInstance(other.slice(0, other.lastIndexOf("*")));
  const alike = [...fold.instances.keys()].filter(
    (other) => agentOf(other) === agentOf(name) && within(other) === within(name),
  );
  for (const old of alike.slice(0, -LISTS)) forget(fold, old);
}

/** Lets a list of instances go, with all that is known of what happened within. */
function forget(fold: Fold, name: string): void {
  fold.instances.delete(name);
  for (const known of [fold.calls, fold.callsOf, fold.times, fold.rounds, fold.skipped, fold.instances])
    for (const place of known.keys()) if (place.startsWith(`${name}#`)) known.delete(place);
}

/** The calls of an instance: its own, and below it one for each time that the person asked for changes. */
export function callsOfInstance({ calls, callsOf }: Pick<View, "calls" | "callsOf">, instance: string): Call[] {
  return (callsOf.get(countedAt(instance, agentAt(instance))) ?? []).flatMap((path) => calls.get(path) ?? []);
}

/** What an instance came to last, in any of its calls or by the person's edit. */
export function outputOf(view: View, instance: string): Call["output"] {
  const call = lastWhere(callsOfInstance(view, instance), ({ output, edited }) => (edited ?? output) !== null);
  return call?.edited ?? call?.output ?? null;
}

/**
 * The call with which the last work of an agent began: its last one, or its first in the instances that were started
 * together.
 */
export function workOf(view: View, agent: string): Call | undefined {
  const path = view.callsOf.get(agent)?.at(-1);
  if (path !== undefined) return view.calls.get(path);
  const calls = [...view.calls.values()].filter((call) => call.agent === agent);
  const started = listOf(instancesAbove(calls.at(-1)?.path ?? "").at(-1) ?? "");
  return calls.find((call) => call.path.startsWith(started));
}

export function touch(fold: Fold, agent: string, reads: readonly string[], wrote: readonly string[]): void {
  const known = fold.touched.get(agent);
  if (reads.length + wrote.length === 0) return;
  if (known && reads.every((key) => known.reads.has(key)) && wrote.every((key) => known.wrote.has(key))) return;
  fold.touched.set(agent, {
    reads: new Set([...(known?.reads ?? []), ...reads]),
    wrote: new Set([...(known?.wrote ?? []), ...wrote]),
  });
}

export function joined(known: readonly string[], more: readonly string[]): readonly string[] {
  return more.every((key) => known.includes(key)) ? known : [...new Set([...known, ...more])];
}

/** Lets the time of a call that has not ended begin later: for so long nobody worked on it. */
export function restart(fold: Fold, path: string, pausedMs: number): void {
  update(fold, path, (call) => {
    const { endedSeq, startedAtMs } = call;
    return endedSeq !== null || startedAtMs === null
      ? call
      : { ...call, startedAtMs: startedAtMs + Math.max(0, pausedMs) };
  });
}

export function update(fold: Fold, path: string, change: (call: Call) => Call): void {
  const call = fold.calls.get(path);
  if (call) fold.calls.set(path, change(call));
}
