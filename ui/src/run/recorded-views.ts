// For tests: what recorded runs look like at a moment, and events that might have followed.
import type { Event, Fact, Gate, JournalEntry, Limits, RunPage } from "../ipc/bindings";
import { empty } from "./empty-view";
import { countsIn, countsOf, instancesOf, itemCount } from "./instances";
import { agents, stageOf } from "./stages";
import { applyAll } from "./view";

type Recording = {
  page: RunPage;
  entries: JournalEntry[];
  gates?: Record<string, Gate>;
  limits?: Record<string, Limits>;
};

export const whole = (run: Recording) =>
  applyAll(
    empty(run.page.keys, run.gates, run.limits),
    run.entries.map(({ event }) => event),
  );
export const until = (run: Recording, seq: number) =>
  applyAll(
    empty(run.page.keys, run.gates, run.limits),
    run.entries.slice(0, seq).map(({ event }) => event),
  );
export const here = (_key: string, _seq: number, value: unknown) => value;
export const stages = (run: Recording, view = whole(run), isHalted = false) =>
  Object.fromEntries(
    [...agents(run.page.outline).values()].map((agent) => [agent.name, stageOf(view, agent, isHalted).state]),
  );

/** The instances that the first `for_each` of a run starts, and how many of them stand how. */
export function instancesIn(run: Recording, view = whole(run), isHalted = false) {
  const parent = [...agents(run.page.outline).values()].find(({ agent }) => agent.kind === "for_each")!;
  const agent = parent.children[0]!;
  const stage = stageOf(view, parent, isHalted);
  const found = instancesOf(view, agent, stage.call, isHalted);
  return { found, stage, agent, counts: countsOf(found, itemCount(view, parent, stage.call, here)) };
}
export const countsInWords = (run: Recording, view = whole(run), isOver = false) =>
  countsIn(instancesIn(run, view).counts, isOver).map((count) => count.words);

export function happened(run: Recording, fact: Fact, author: string, path = author): Event {
  return {
    v: 1,
    seq: run.entries.length + 1,
    at_ms: run.page.card.last_at_ms + 1000,
    ran_ms: (run.entries.at(-1)?.event.ran_ms ?? 0) + 1000,
    author,
    path,
    n: 90,
    surface: false,
    fact,
  };
}
