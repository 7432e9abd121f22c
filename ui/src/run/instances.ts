// The instances of an agent on demand as they are drawn: how each stands, in which order, and how many of them. Pure.
import { t, type Words } from "../i18n";
import type { Outline } from "../ipc/bindings";
import { callsOfInstance, outputOf } from "./calls";
import { askedAtGate, isBeforeInstance } from "./gate";
import { instancesAbove, numberOf, ownInstance } from "./place";
import { questions, stateOf, type StageState } from "./stages";
import { valueLine } from "./value-line";
import type { Call, Resolve, View, Waiting } from "./view-types";

export type InstanceState = Extract<StageState, "needs_you" | "failed" | "running" | "stopped" | "done">;
export type Instance = {
  path: string;
  /** Of the item that it works on, from 1. */
  number: number;
  /** The call with which it began: its item stands there. None while the person is asked before it begins. */
  call: Call | null;
  /** The call in which it worked last: the same, or one for which the person asked for changes. */
  last: Call | null;
  /** What it came to last. */
  output: Call["output"];
  /** How long it worked in all of its calls that ended, in milliseconds. */
  tookMs: number;
  state: InstanceState;
  /** What it waits for, or something within it: the person before anything else. */
  waiting: Waiting | null;
  /** What it cost so far, with all within it, in US dollars, as far as that is known. */
  cost: number | null;
};

/** The order in which they are shown: what the person may have to look at first. */
const ORDER: readonly InstanceState[] = ["needs_you", "failed", "running", "stopped", "done"];
const COUNTED: Record<InstanceState, Words> = {
  done: "each.done",
  running: "each.running",
  needs_you: "each.waits",
  failed: "each.failed",
  stopped: "each.stopped",
};

/**
 * The instances of an agent that its parent's call started, or asks about before it does, in the order of their
 * numbers.
 */
export function instancesOf(view: View, agent: Outline, parent: Call | null, isHalted: boolean): Instance[] {
  if (parent === null) return [];
  const list = `${parent.path}*${agent.name}`;
  const paths = new Set(view.instances.get(list));
  for (const { path } of questions(view))
    if (path.startsWith(`${list}#`) && isBeforeInstance(path)) paths.add(ownInstance(path) ?? path);
  if (paths.size === 0) return [];
  const waits = new Map<string, Waiting>();
  for (const waiting of view.waiting.values()) {
    for (const instance of instancesAbove(waiting.path)) {
      const known = waits.get(instance);
      const isFirst =
        waiting.for === "person" && known?.for === "person"
          ? waiting.seq < known.seq
          : waiting.for === "person" || known?.for !== "person";
      if (!known || isFirst) waits.set(instance, waiting);
    }
  }
  const costs = new Map<string, number>();
  for (const {
    path,
    used: { cost },
  } of view.calls.values()) {
    if (cost !== null)
      for (const instance of instancesAbove(path)) costs.set(instance, (costs.get(instance) ?? 0) + cost);
  }
  const found = [...paths].flatMap((path): Instance[] => {
    const call = view.calls.get(path) ?? null;
    const waiting = waits.get(path) ?? null;
    const known = { path, number: numberOf(path), waiting, cost: costs.get(path) ?? null };
    if (!call) return waiting ? [{ ...known, call, last: null, output: null, tookMs: 0, state: "needs_you" }] : [];
    const calls = callsOfInstance(view, path);
    const last = calls.at(-1) ?? call;
    const state = stateOf(view, last, waiting, isHalted) as InstanceState;
    const tookMs = calls.reduce((sum, one) => sum + one.tookMs, 0);
    return [{ ...known, call, last, output: outputOf(view, path), tookMs, state }];
  });
  return found.sort((one, other) => one.number - other.number);
}

/**
 * As many as there is room for: those that wait for the person, failed or run in front, then those that ended last.
 * Half of
 * the room is kept for those that go on, however many failed.
 */
export function inFront(instances: readonly Instance[], room = instances.length): Instance[] {
  const sorted = [...instances].sort(
    (one, other) =>
      ORDER.indexOf(one.state) - ORDER.indexOf(other.state) ||
      (one.state === "done" ? (other.last?.endedSeq ?? 0) - (one.last?.endedSeq ?? 0) : one.number - other.number),
  );
  if (sorted.length <= room) return sorted;
  const going = sorted
    .filter(({ state }) => state === "needs_you" || state === "running")
    .slice(0, Math.ceil(room / 2));
  const chosen = new Set([...going, ...sorted.filter((one) => !going.includes(one)).slice(0, room - going.length)]);
  return sorted.filter((one) => chosen.has(one));
}

/** What an instance works on, or is to work on; undefined while it is being fetched. */
export function inputOf({ call, waiting }: Pick<Instance, "call" | "waiting">, resolve: Resolve): unknown {
  if (call) return call.input && resolve("", call.input.seq, call.input.value);
  return waiting?.question ? askedAtGate({ seq: waiting.seq, question: waiting.question }, resolve).item : null;
}

export type Counts = Record<InstanceState, number> & {
  /** How many items there are, as far as that is known. */ all: number;
  /** How many of them were not started yet; they never will be where the run has ended. */ left: number;
};

/** How many instances stand how, of so many items; null where nobody knows how many there are. */
export function countsOf(instances: readonly Instance[], items: number | null): Counts {
  const counts = { done: 0, running: 0, needs_you: 0, failed: 0, stopped: 0 };
  for (const { state } of instances) counts[state] += 1;
  const all = Math.max(instances.length, items ?? 0);
  return { ...counts, all, left: all - instances.length };
}

/** How many stand how, in words, without those of which there are none. */
export function countsIn(counts: Counts, isOver: boolean): { state: InstanceState | null; words: string }[] {
  const states = (Object.keys(COUNTED) as InstanceState[]).filter((state) => counts[state] > 0);
  return [
    ...states.map((state) => ({ state, words: t(COUNTED[state], { n: counts[state] }) })),
    ...(counts.left > 0
      ? [{ state: null, words: t(isOver ? "each.unreached" : "each.to_come", { n: counts.left }) }]
      : []),
  ];
}

/** How many items a call runs over, where its list stands in the state as it began; null where that is not known. */
export function itemCount(view: View, agent: Outline, call: Call | null, resolve: Resolve): number | null {
  const [key] = agent.contract.reads;
  const held = key === undefined ? undefined : view.state.get(key);
  if (
    agent.agent.kind !== "for_each" ||
    call === null ||
    ownInstance(call.path) !== null ||
    !held ||
    held.seq > call.startedSeq
  )
    return null;
  const value = resolve(key ?? "", held.seq, held.value);
  if (Array.isArray(value)) return value.length;
  // The list may be a field of the key: where there is one only, it is that.
  const lists = typeof value === "object" && value !== null ? Object.values(value).filter(Array.isArray) : [];
  return lists.length === 1 ? (lists[0]?.length ?? null) : null;
}

/** What a place works on, in a line: the number and the item of its innermost instance; empty where it lies in none. */
export function itemOf(view: View, path: string, resolve: Resolve): string {
  const own = ownInstance(path);
  if (own === null) return "";
  const call = view.calls.get(own) ?? null;
  const waiting = call ? null : (questions(view).find((asked) => asked.path === path) ?? null);
  const line = valueLine(inputOf({ call, waiting }, resolve), 60);
  return line === "" ? t("each.item", { n: numberOf(own) }) : t("each.item_line", { n: numberOf(own), line });
}
