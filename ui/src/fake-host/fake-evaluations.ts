// Data sets of the host without a program, kept in memory. Nothing can be evaluated there: no program runs the cells.
import type { Case, ComparedRun, Commands, DataSet, DataSetCard, Expectation } from "../ipc/bindings";
import { apiError } from "./fake-error";
import { fold } from "./fake-state";
import type { Recorded } from "./fake-view";

type Names =
  | "add_run_to_set"
  | "compare_runs"
  | "evaluation"
  | "export_set"
  | "list_evaluations"
  | "list_sets"
  | "read_set"
  | "remove_evaluation"
  | "remove_set"
  | "resume_evaluation"
  | "save_set"
  | "start_evaluation"
  | "stop_evaluation";
type Handlers = { [K in Names]: (payload: Commands[K][0]) => Commands[K][1] };
type Head = { set?: { pipeline?: string; expect?: Expectation[] } };

const unknown = (evaluation: string): never => {
  throw apiError("not_found", `there is no evaluation ${evaluation}`);
};

export function evaluations(find: (run: string) => Recorded): Handlers {
  const sets = new Map<string, DataSet>();
  const set = (name: string): DataSet => {
    const found = sets.get(name);
    if (!found) throw apiError("not_found", `there is no data set ${name}`);
    return found;
  };
  const card = ({ name, pipeline, cases }: DataSet): DataSetCard => ({
    name,
    pipeline,
    cases: cases.length,
    changed_at_ms: Date.now(),
  });
  const compared = (run: string): ComparedRun => {
    const { card: of, outcome, error, usage } = find(run).page;
    return { card: of, version: "", outcome, error, usage, issues: null };
  };
  return {
    list_sets: () => ({ sets: [...sets.values()].map(card) }),
    read_set: ({ name }) => set(name),
    save_set({ name, text, pipeline, expect, replaces }) {
      if (sets.has(name) && !replaces) throw apiError("bad_input", `there is a set ${name} already`);
      const lines = text.split("\n").filter((line) => line.trim() !== "");
      const read = lines.map((line) => JSON.parse(line) as Head & Case);
      const head = read.find((line) => line.set !== undefined)?.set;
      const cases = read.filter((line) => line.set === undefined);
      const all = [...(head?.expect ?? []), ...(expect as Expectation[])];
      const saved = { name, pipeline: pipeline ?? head?.pipeline ?? "", expect: all, cases };
      sets.set(name, saved);
      return card(saved);
    },
    add_run_to_set({ set: name, run, case: named }) {
      const { page, entries } = find(run);
      const of = sets.get(name) ?? { name, pipeline: page.card.pipeline, expect: [], cases: [] };
      const keys = page.keys.filter(({ role }) => role.kind === "input").map((key) => key.name);
      const state = fold(entries);
      const inputs = Object.fromEntries(keys.map((key) => [key, state[key]]));
      const added: Case = { name: named ?? page.card.title, inputs, expect: [], reference: null, run };
      sets.set(name, { ...of, cases: [...of.cases, added] });
      return card(set(name));
    },
    remove_set({ name }) {
      sets.delete(set(name).name);
      return {};
    },
    export_set({ name }) {
      const { pipeline, expect, cases } = set(name);
      return { text: [{ set: { pipeline, expect } }, ...cases].map((line) => `${JSON.stringify(line)}\n`).join("") };
    },
    list_evaluations: () => ({ evaluations: [] }),
    evaluation: ({ evaluation }) => unknown(evaluation),
    remove_evaluation: ({ name }) => unknown(name),
    resume_evaluation: ({ evaluation }) => unknown(evaluation),
    stop_evaluation: ({ evaluation }) => unknown(evaluation),
    start_evaluation({ set: name }) {
      throw apiError("bad_input", `the set ${set(name).name} cannot be evaluated here: nobody runs its cases`);
    },
    compare_runs: ({ one, other }) => ({
      one: compared(one),
      other: compared(other),
      inputs: [],
      agents: [],
      limits: {},
      tools: {},
      checks: [],
      text: [],
      values: [],
    }),
  };
}
