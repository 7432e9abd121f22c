// A plan as it is read: its steps with what each waits for, and how one plan differs from the one before. Pure.
import type { PlanStep, StepRecord, StepStatus } from "../ipc/bindings";
import { isInstance } from "./place";
import { heldBy, planIn, stepsIn } from "./role-values";
import { field } from "./value";
import type { Resolve, View } from "./view-types";

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
  /** What is kept of it once it was carried out. */
  record: StepRecord | null;
  /** Where it stands in the value: the way that an edit goes. */
  at: readonly (string | number)[];
};
type Head = { revision: number; most: number | null; reason: string };
export type Plan = Head & {
  /** Plan stages, each with the steps that go on together. */
  stages: readonly (readonly Step[])[];
  steps: readonly Step[];
  byId: ReadonlyMap<string, Step>;
};

const REFERENCE = /@\{outputs\.([\w-]+)((?:\.[\w-]+)*)\}/g;

/** A plan of many steps is read once, however many moments of the run hold it. */
const read = new WeakMap<object, Plan | null>();

/** The plan in a value; null where it holds none. */
export function planOf(value: unknown): Plan | null {
  if (typeof value !== "object" || value === null) return null;
  const known = read.get(value);
  if (known !== undefined) return known;
  const plan = planIn(value);
  const stages = plan?.stages.map((stage, index) => stage.map((step, nth) => stepOf(step, ["stages", index, nth])));
  const made =
    plan && stages
      ? withStages({ revision: plan.revision, most: plan.most_revisions, reason: plan.reason }, stages)
      : null;
  read.set(value, made);
  return made;
}

function withStages(plan: Head, stages: Plan["stages"]): Plan {
  const steps = stages.flat();
  return { ...plan, stages, steps, byId: new Map(steps.map((step) => [step.id, step])) };
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
    record: null,
    at,
  };
}

/** The plan with how far each step is: what was carried out of it, and what instances of its tools work on. */
export function withProgress(plan: Plan, view: View, resolve: Resolve): Plan {
  const records = new Map<string, { record: StepRecord; wanted: string }>();
  const held = heldBy("steps", view, resolve);
  for (const { value } of held) for (const [id, record] of recordsIn(value)) records.set(id, record);
  const atWork = stepsAtWork(view, Math.max(0, ...held.map(({ seq }) => seq)), resolve);
  const progress = (step: Step): Step => {
    const found = records.get(step.id);
    // A step that was changed since is another step.
    const record = found?.wanted === wanted(step) ? found.record : null;
    const state = atWork.get(step.id) ?? record?.status ?? step.state;
    return record === null && state === step.state ? step : { ...step, record, state };
  };
  return withStages(
    plan,
    plan.stages.map((stage) => stage.map(progress)),
  );
}

const recordsRead = new WeakMap<object, ReadonlyMap<string, { record: StepRecord; wanted: string }>>();

/** What was carried out, by step, with what each step was to be. */
function recordsIn(value: unknown): ReadonlyMap<string, { record: StepRecord; wanted: string }> {
  if (typeof value !== "object" || value === null) return new Map();
  const known = recordsRead.get(value);
  if (known) return known;
  const made = new Map(
    (stepsIn(value) ?? []).map((record) => [record.stepId, { record, wanted: wanted(stepOf(record, [])) }]),
  );
  recordsRead.set(value, made);
  return made;
}

/**
 * The steps that go on, or ended since results were last recorded, by the input that the instance of each was started
 * with.
 */
function stepsAtWork(view: View, recordedAt: number, resolve: Resolve): Map<string, StepStatus> {
  const found = new Map<string, StepStatus>();
  const asks = [...view.waiting.values()].filter((waiting) => waiting.for === "person").map(({ path }) => path);
  for (const { path, endedSeq, input, error } of view.calls.values()) {
    if (input === null || (endedSeq !== null && endedSeq < recordedAt) || !isInstance(path)) continue;
    const id = field(resolve("item", input.seq, input.value), "step");
    if (typeof id !== "string") continue;
    // What goes on when a run ends is broken off.
    const atWork = view.outcome === null || view.outcome === "waiting" ? "running" : "unknown";
    const status = asks.some((asking) => asking.startsWith(path)) ? "waiting" : atWork;
    found.set(id, endedSeq === null ? status : error ? "failed" : "done");
  }
  return found;
}

/** A text cut at its references, each with how what it refers to stands, and its value where that is known. */
export type Piece = {
  text: string;
  refersTo: string | null;
  standing: "ready" | "open" | "missing" | "no_field";
  value: string | null;
};

/** So much of a value is shown, in characters. */
const LONGEST_VALUE = 400;

function reference(plan: Plan, id: string, way: readonly string[]): Pick<Piece, "standing" | "value"> {
  const step = plan.byId.get(id);
  if (step === undefined) return { standing: "missing", value: null };
  if (step.state !== "done") return { standing: "open", value: null };
  if (step.record === null) return { standing: "ready", value: null };
  const [root, ...below] = way;
  let value: unknown =
    root === "processed_result_data"
      ? (step.record.processed_result_data ?? step.record.result_data)
      : step.record.result_data;
  for (const part of below) value = Array.isArray(value) ? (value as unknown[])[Number(part)] : field(value, part);
  if (value === undefined) return { standing: "no_field", value: null };
  return { standing: "ready", value: inWords(value) };
}

/** A value as a text, cut where it is long. */
export function inWords(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE)}…` : text;
}

export function piecesOf(text: string, plan: Plan): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(REFERENCE)) {
    if (match.index > end)
      pieces.push({ text: text.slice(end, match.index), refersTo: null, standing: "ready", value: null });
    const [, id = "", way = ""] = match;
    pieces.push({ text: `${id}${way}`, refersTo: id, ...reference(plan, id, way.split(".").slice(1)) });
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ text: text.slice(end), refersTo: null, standing: "ready", value: null });
  return pieces;
}

/** The value with fields of the step at a place changed; the value itself stays as it is. */
export function withStep(value: unknown, at: readonly (string | number)[], change: Partial<PlanStep>): unknown {
  const [key, ...rest] = at;
  if (key === undefined) return typeof value === "object" && value !== null ? { ...value, ...change } : value;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === key ? withStep(item, rest, change) : item));
  return { ...(value as object), [key]: withStep(field(value, String(key)), rest, change) };
}

/**
 * The pattern that fits this very task, for a template: what is to be another in other tasks is put in its place by
 * hand.
 */
export function patternOf(task: string): string {
  return `^${task.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`;
}

/**
 * The value without the step at a place, and without its stage where that was its only step; the value itself stays
 * as it is.
 */
export function withoutStep(value: unknown, [, stage, nth]: readonly (string | number)[]): unknown {
  const stages = field(value, "stages");
  if (!Array.isArray(stages) || typeof value !== "object" || value === null) return value;
  const left = (stages as unknown[][]).map((steps, index) =>
    index === stage ? steps.filter((_, at) => at !== nth) : steps,
  );
  return { ...value, stages: left.filter((steps) => steps.length > 0) };
}

/**
 * The value with the step at a place in the stage before or behind its own; behind the last stage it makes a new one.
 */
export function withMoved(value: unknown, at: readonly (string | number)[], by: -1 | 1): unknown {
  const stages = field(value, "stages");
  const [stage, nth] = [Number(at[1]), Number(at[2])];
  const step = Array.isArray(stages) ? (stages as unknown[][])[stage]?.[nth] : undefined;
  if (step === undefined || stage + by < 0) return value;
  const moved = (stages as unknown[][]).map((steps, index) =>
    index === stage ? steps.filter((_, place) => place !== nth) : steps,
  );
  moved[stage + by] = [...(moved[stage + by] ?? []), step];
  return { ...(value as object), stages: moved.filter((steps) => steps.length > 0) };
}

/** The value with one more step in a stage; in a new one where there is none of this number. */
export function withNew(value: unknown, stage: number, step: Partial<PlanStep>): unknown {
  const stages = field(value, "stages");
  if (!Array.isArray(stages)) return value;
  const more = [...(stages as unknown[][])];
  more[stage] = [...(more[stage] ?? []), step];
  return { ...(value as object), stages: more };
}

/** An id that no step of a plan has. */
export function freeId(plan: Plan): string {
  let number = plan.steps.length + 1;
  while (plan.steps.some(({ id }) => id === `step_${number}`)) number++;
  return `step_${number}`;
}

export type Fate = "same" | "new" | "gone" | "changed";

/** The steps of two plans beside each other, in the order of the newer, what is gone last. */
export function compare(before: Plan, after: Plan): { id: string; fate: Fate; was: Step | null; is: Step | null }[] {
  const old = new Map(before.steps.map((step) => [step.id, step]));
  const rows = after.steps.map((is) => {
    const was = old.get(is.id) ?? null;
    old.delete(is.id);
    return {
      id: is.id,
      fate: (was === null ? "new" : wanted(was) === wanted(is) ? "same" : "changed") as Fate,
      was,
      is,
    };
  });
  return [...rows, ...[...old.values()].map((was) => ({ id: was.id, fate: "gone" as Fate, was, is: null }))];
}

/** Whether two plans want the same, however far each has come. */
export function isSamePlan(one: Plan, other: Plan): boolean {
  return (
    one.steps.length === other.steps.length &&
    one.steps.every(
      (step, index) => step.id === other.steps[index]?.id && wanted(step) === wanted(other.steps[index] as Step),
    )
  );
}

const texts = new WeakMap<Step, string>();

/** What a step is to do, as a text to compare. */
function wanted(step: Step): string {
  const known = texts.get(step);
  if (known !== undefined) return known;
  const { says, agent, tool, input, needs } = step;
  const made = JSON.stringify([says, agent, tool, input, needs]);
  texts.set(step, made);
  return made;
}
