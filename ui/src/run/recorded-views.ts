// For tests: what recorded runs look like at a moment, and events that might have followed.
import type { Event, Fact, Gate, JournalEntry, Limits, RunPage } from "../ipc/bindings";
import { empty } from "./empty-view";
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
