// @vitest-environment node
// Whole runs that the program recorded (tests/it/laws/recorded_runs.rs), each with what the
// program's own fold comes to after every event: the page's fold must agree with it, event by event.
import { expect, test } from "vitest";
import runs from "../fixtures/recorded-runs.json";
import type { Event, ApiError, Outcome, Usage } from "../ipc/bindings";
import { empty } from "./empty-view";
import { apply, applyAll } from "./view";

type Folded = {
  state: Record<string, unknown>;
  usage: Usage;
  outcome: Outcome | null;
  error: ApiError | null;
  profiles: Record<string, string>;
  typed: string[];
  touched: Record<string, { reads: string[]; wrote: string[] }>;
  times: Record<string, number>;
};
type Run = { name: string; events: Event[]; changes: Partial<Folded>[] };

const sorted = (keys: ReadonlySet<string>) => [...keys].sort();

test.each((runs as unknown as Run[]).map((run): [string, Run] => [run.name, run]))(
  "%s: the page folds it as the program does, after every event",
  (_name, run) => {
    let view = empty([]);
    let program: Partial<Folded> = {};
    expect(run.changes).toHaveLength(run.events.length);
    run.events.forEach((event, index) => {
      view = apply(view, event);
      program = { ...program, ...run.changes[index] };
      const { isPartial, ...usage } = view.used;
      const page: Folded = {
        state: Object.fromEntries([...view.state].map(([key, held]) => [key, held.value])),
        usage,
        outcome: view.outcome,
        error: view.error,
        profiles: Object.fromEntries(view.profiles),
        typed: sorted(view.typed),
        touched: Object.fromEntries(
          [...view.touched].map(([agent, { reads, wrote }]) => [agent, { reads: sorted(reads), wrote: sorted(wrote) }]),
        ),
        times: Object.fromEntries([...view.times].filter(([, times]) => times > 0)),
      };
      expect(page, `after event ${event.seq}`).toEqual(program);
      expect([view.seq, isPartial]).toEqual([event.seq, false]);
    });
    expect(applyAll(empty([]), run.events)).toEqual(view);
  },
);
