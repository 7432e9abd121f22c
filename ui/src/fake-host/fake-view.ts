// What a program answers about a run at a moment, made from recorded events. Unlike the program it picks every event:
// the page must draw the same from all of them as from a part.
import { empty } from "../run/empty-view";
import { setGates } from "../run/gate";
import { applyAll } from "../run/view";
import type {
  Event,
  EventIndex,
  EventKind,
  Fact,
  Gate,
  HeldValue,
  JournalEntry,
  Limits,
  RunPage,
  RunView,
  Touched,
} from "../ipc/bindings";

/** A run as it is kept here; `gates` and `limits` of its agents are those that it began with. */
export type Recorded = {
  page: RunPage;
  entries: JournalEntry[];
  gates?: Record<string, Gate>;
  limits?: Record<string, Limits>;
};

const KINDS: Record<Fact["kind"], EventKind> = {
  run_started: "run",
  run_resumed: "run",
  run_ended: "run",
  gates_set: "stage",
  agent_started: "stage",
  agent_ended: "stage",
  round_ended: "stage",
  state_changed: "state",
  effect_asked: "asked",
  effect_answered: "answered",
  request_failed: "note",
  request_sent: "note",
  fell_back: "note",
  noted: "note",
};

/** An event as an entry of the journal. */
export function journalEntry(event: Event): JournalEntry {
  return { event, kind: KINDS[event.fact.kind], is_trouble: isTrouble(event.fact) };
}

function isTrouble(fact: Fact): boolean {
  if (fact.kind === "agent_ended") return fact.ended === "failed";
  if (fact.kind === "effect_answered") return fact.answer.status === "failed";
  if (fact.kind === "noted") return ["malformed", "without_model"].includes(fact.note.kind);
  if (fact.kind === "request_failed" || fact.kind === "fell_back") return true;
  return fact.kind === "run_ended" && fact.outcome === "failed";
}

export function indexed(entries: readonly JournalEntry[]): EventIndex {
  const kinds = [...new Set(Object.values(KINDS))];
  const authors = [...new Set(entries.map(({ event }) => event.author))];
  return {
    authors,
    kinds,
    marks: entries.map(({ kind, is_trouble: trouble }) => kinds.indexOf(kind) + (trouble ? 128 : 0)),
    by: entries.map(({ event }) => authors.indexOf(event.author)),
  };
}

export function viewed({ page, entries, gates = {}, limits = {} }: Recorded, seq: number): RunView {
  const shown = entries.slice(0, seq);
  const state: Record<string, HeldValue> = {};
  const touched: Record<string, { reads: Set<string>; wrote: Set<string> }> = {};
  const times: Record<string, number> = {};
  const inForce = new Map(Object.entries(gates));
  for (const { event } of shown) {
    const { fact, author } = event;
    const of = () => (touched[author] ??= { reads: new Set(), wrote: new Set() });
    if (fact.kind === "gates_set") setGates({ gates: inForce }, fact.gates);
    if (fact.kind === "run_resumed") setGates({ gates: inForce }, fact.overrides.gates ?? {});
    if (fact.kind === "agent_started") times[author] = (times[author] ?? 0) + 1;
    if ((fact.kind === "effect_asked" || fact.kind === "agent_ended") && fact.reads.length > 0)
      for (const key of fact.reads) of().reads.add(key);
    if (fact.kind !== "state_changed" || event.path.includes("*")) continue;
    for (const [key, value] of Object.entries(fact.delta.set)) {
      state[key] = { value: value ?? null, seq: event.seq, author };
      if (author !== "user") of().wrote.add(key);
    }
    for (const key of fact.delta.removed) delete state[key];
  }
  const lists = Object.entries(touched).map(([agent, { reads, wrote }]): [string, Touched] => [
    agent,
    { reads: [...reads], wrote: [...wrote] },
  ]);
  const { budgets } = applyAll(
    empty(page.keys, gates, limits),
    shown.map(({ event }) => event),
  );
  return {
    seq: shown.length,
    at_ms: shown.at(-1)?.event.at_ms ?? 0,
    entries: shown,
    whole_from: 1,
    state,
    usage: page.usage,
    profiles: {},
    budgets: Object.fromEntries(budgets),
    gates: Object.fromEntries(inForce),
    changes: {},
    touched: Object.fromEntries(lists),
    times,
  };
}
