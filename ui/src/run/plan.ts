// A plan as it is read: its steps with what each waits for, and how one plan differs from the one before. Pure.
import type { PlanStep, StepStatus } from "../ipc/bindings";
import { planIn } from "./role-values";
import { field } from "./value";

export type Step = {
  id: string;
  says: string;
  agent: string;
  tool: string;
  input: unknown;
  state: StepStatus;
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
  revision: number;
  most: number | null;
  reason: string;
};

const REFERENCE = /@\{outputs\.([\w-]+)((?:\.[\w-]+)*)\}/g;

/** The plan in a value; null where it holds none. */
export function planOf(value: unknown): Plan | null {
  const plan = planIn(value);
  if (!plan) return null;
  const stages = plan.stages.map((stage, index) => stage.map((step, nth) => stepOf(step, ["stages", index, nth])));
  return { stages, steps: stages.flat(), revision: plan.revision, most: plan.most_revisions, reason: plan.reason };
}

function stepOf(step: PlanStep, at: Step["at"]): Step {
  const referred = [...JSON.stringify(step.sub_task_input ?? "").matchAll(REFERENCE)].map((match) => match[1] ?? "");
  return {
    id: step.stepId,
    says: step.narrative_step,
    agent: step.assigned_agent_role,
    tool: step.tool_name,
    input: step.sub_task_input,
    state: step.status,
    needs: [...new Set([...step.depends_on, ...referred])],
    outcome: step.outcome,
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
    pieces.push({
      text: `${match[1] ?? ""}${match[2] ?? ""}`,
      refersTo: match[1] ?? "",
      standing: step === undefined ? "missing" : step.state === "done" ? "ready" : "open",
    });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), refersTo: null, standing: "ready" });
  return pieces;
}

/** The value with fields of the step at a place changed; the value itself stays as it is. */
export function withStep(value: unknown, at: readonly (string | number)[], change: Partial<PlanStep>): unknown {
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
  return (
    one.steps.length === other.steps.length &&
    one.steps.every((step, index) => step.id === other.steps[index]?.id && wanted(step) === wanted(other.steps[index] as Step))
  );
}

const wanted = ({ says, agent, tool, input, needs }: Step): string => JSON.stringify([says, agent, tool, input, needs]);
