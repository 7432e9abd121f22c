// A plan as it is read: its steps with what each waits for, and how one plan differs from the one before. Pure.
//
// A plan is a list of steps, a list of plan stages (each a list of steps that go on together), or an object with one of
// them under `steps`, and beside it `revision` (from 0), `most_revisions` and `reason`. A step is
// `{stepId, assigned_agent_role, tool_name, sub_task_input, narrative_step}`, with `status` and `depends_on` where known.
// What is of another shape is shown as far as it goes.
import { field, listOf, textOf } from "./value";

export type StepState = "planned" | "running" | "done" | "failed" | "skipped";
export type Step = {
  id: string;
  says: string;
  agent: string;
  tool: string;
  input: unknown;
  state: StepState;
  /** Steps whose results it needs, whether there are such steps or not. */
  needs: readonly string[];
  outcome: string;
  /** Where it stands in the value: the way that an edit goes. */
  at: readonly (string | number)[];
};
export type Plan = {
  /** Plan stages, each with the steps that go on together. */
  stages: readonly (readonly Step[])[];
  steps: readonly Step[];
  revision: number | null;
  most: number | null;
  reason: string;
};

const STATES: Readonly<Record<string, StepState>> = {
  running: "running",
  in_progress: "running",
  done: "done",
  completed: "done",
  success: "done",
  failed: "failed",
  error: "failed",
  skipped: "skipped",
};

const REFERENCE = /@\{outputs\.([\w-]+)((?:\.[\w-]+)*)\}/g;

export function planOf(value: unknown): Plan {
  const isBare = Array.isArray(value);
  const listed = listOf(value, isBare ? "" : "steps");
  const root: (string | number)[] = isBare ? [] : ["steps"];
  const stages = listed.map((item, index) => (Array.isArray(item) ? item.map((step, nth) => stepOf(step, [...root, index, nth])) : [stepOf(item, [...root, index])]));
  const number = (name: string) => {
    const found = field(value, name);
    return typeof found === "number" && Number.isFinite(found) ? found : null;
  };
  return { stages, steps: stages.flat(), revision: number("revision"), most: number("most_revisions"), reason: textOf(value, "reason") };
}

function stepOf(value: unknown, at: readonly (string | number)[]): Step {
  const first = (...names: string[]) => names.map((name) => textOf(value, name)).find((found) => found !== "") ?? "";
  const input = field(value, "sub_task_input");
  const named = listOf(value, "depends_on").filter((one): one is string => typeof one === "string");
  const referred = [...JSON.stringify(input ?? "").matchAll(REFERENCE)].map((match) => match[1] ?? "");
  return {
    id: first("stepId", "step_id", "id") || String(Number(at.at(-1)) + 1),
    says: typeof value === "string" ? value : first("narrative_step", "description", "title"),
    agent: first("assigned_agent_role", "agent"),
    tool: first("tool_name", "tool"),
    input,
    state: STATES[first("status", "state").toLowerCase()] ?? "planned",
    needs: [...new Set([...named, ...referred])],
    outcome: first("outcome", "result", "error"),
    at,
  };
}

/** A text cut at its references, each with how what it refers to stands. */
export type Piece = { text: string; refersTo: string | null; standing: "ready" | "open" | "missing" };

export function piecesOf(text: string, plan: Plan): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    if (match.index > end) pieces.push({ text: text.slice(end, match.index), refersTo: null, standing: "ready" });
    const step = plan.steps.find(({ id }) => id === match[1]);
    pieces.push({ text: `${match[1] ?? ""}${match[2] ?? ""}`, refersTo: match[1] ?? "", standing: step === undefined ? "missing" : step.state === "done" ? "ready" : "open" });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), refersTo: null, standing: "ready" });
  return pieces;
}

/** The value with fields of the step at a place changed; the value itself stays as it is. */
export function withStep(value: unknown, at: readonly (string | number)[], change: Readonly<Record<string, unknown>>): unknown {
  const [key, ...rest] = at;
  if (key === undefined) return typeof value === "object" && value !== null ? { ...value, ...change } : value;
  if (Array.isArray(value)) return value.map((item: unknown, index) => (index === key ? withStep(item, rest, change) : item));
  return { ...(value as object), [key]: withStep(field(value, String(key)), rest, change) };
}

export type Fate = "same" | "new" | "gone" | "changed";

/** The steps of two plans beside each other, in the order of the newer, what is gone last. */
export function compare(before: Plan, after: Plan): { id: string; fate: Fate; was: Step | null; is: Step | null }[] {
  const old = new Map(before.steps.map((step) => [step.id, step]));
  const rows = after.steps.map((is) => {
    const was = old.get(is.id) ?? null;
    old.delete(is.id);
    return { id: is.id, fate: (was === null ? "new" : wanted(was) === wanted(is) ? "same" : "changed") as Fate, was, is };
  });
  return [...rows, ...[...old.values()].map((was) => ({ id: was.id, fate: "gone" as Fate, was, is: null }))];
}

/** Whether two plans want the same, however far each has come. */
export function isSamePlan(one: Plan, other: Plan): boolean {
  return one.steps.length === other.steps.length && one.steps.every((step, index) => step.id === other.steps[index]?.id && wanted(step) === wanted(other.steps[index] as Step));
}

const wanted = ({ says, agent, tool, input, needs }: Step): string => JSON.stringify([says, agent, tool, input, needs]);
