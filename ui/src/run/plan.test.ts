// @vitest-environment node
import { expect, test } from "vitest";
import type { Event, Fact, KeyDeclaration } from "../ipc/bindings";
import { empty } from "./empty-view";
import { freeId, patternOf, piecesOf, planOf, withMoved, withNew, withProgress, withoutStep } from "./plan";
import { applyAll } from "./view";

const declarations: KeyDeclaration[] = [
  { name: "course", title: "Course", role: { kind: "plan" }, schema: {} },
  { name: "done", title: "Done", role: { kind: "steps" }, schema: {} },
];
const step = (stepId: string, input: object = {}) => ({
  stepId,
  tool_name: "T",
  sub_task_input: input,
  narrative_step: `do ${stepId}`,
});
const resolve = (_key: string, _seq: number, value: unknown) => value;
let seq = 0;
const event = (path: string, fact: object): Event => ({
  v: 3,
  seq: ++seq,
  at_ms: 0,
  ran_ms: 0,
  author: "p",
  path,
  n: 1,
  surface: false,
  fact: fact as Fact,
});

test("a step stands as its record and its instance tell, and a reference has the value that was recorded", () => {
  const value = {
    stages: [
      [step("a"), step("b")],
      [step("c", { text: "x @{outputs.a.result_data.sum.0} @{outputs.a.result_data.none} @{outputs.b.result_data}" })],
    ],
  };
  const records = [{ ...step("a"), status: "done", result_data: { sum: [351] }, worked_ms: 12 }];
  const view = applyAll(empty(declarations), [
    event("p", { kind: "state_changed", delta: { set: { course: value, done: records }, removed: [] } }),
    event("p/stage*T#1", { kind: "agent_started", sees: 0, instance: { agent: "T", input: { step: "b" } } }),
  ]);
  const plan = withProgress(planOf(value) ?? expect.fail("no plan"), view, resolve);
  expect(plan.steps.map(({ id, state }) => [id, state])).toEqual([
    ["a", "done"],
    ["b", "running"],
    ["c", "planned"],
  ]);
  const pieces = piecesOf(JSON.stringify(plan.steps[2]?.input), plan).filter(({ refersTo }) => refersTo !== null);
  expect(pieces.map(({ standing, value }) => [standing, value])).toEqual([
    ["ready", "351"],
    ["no_field", null],
    ["open", null],
  ]);
});

test("a step stands as its instance ended, before anything is recorded of it", () => {
  const value = { stages: [[step("a"), step("b"), step("c")]] };
  const started = (path: string, input: object) =>
    event(path, { kind: "agent_started", sees: 0, instance: { agent: "T", input } });
  const ended = (path: string, more: object) =>
    event(path, { kind: "agent_ended", reads: [], took_ms: 1, exits_loop: false, ...more });
  const view = applyAll(empty(declarations), [
    event("p", { kind: "state_changed", delta: { set: { course: value, done: [] }, removed: [] } }),
    started("p/stage*S#1", { stage: 0 }),
    ...["a", "b", "c"].map((id, nth) => started(`p/stage*S#1*T#${nth + 1}`, { step: id })),
    ended("p/stage*S#1*T#1", { ended: "done", output: "1" }),
    ended("p/stage*S#1*T#2", {
      ended: "failed",
      error: { code: "tool_failed", phrase: { id: "no", parameters: {} }, message: "no" },
    }),
  ]);
  const plan = withProgress(planOf(value) ?? expect.fail("no plan"), view, resolve);
  expect(plan.steps.map(({ state }) => state)).toEqual(["done", "failed", "running"]);
});

test("what was recorded of a step that was changed since is not of that step", () => {
  const value = { stages: [[step("a", { now: 1 })]] };
  const records = [{ ...step("a", { before: 1 }), status: "done", result_data: "old", worked_ms: 0 }];
  const view = applyAll(empty(declarations), [
    event("p", { kind: "state_changed", delta: { set: { course: value, done: records }, removed: [] } }),
  ]);
  const plan = withProgress(planOf(value) ?? expect.fail("no plan"), view, resolve);
  expect([plan.steps[0]?.state, plan.steps[0]?.record]).toEqual(["planned", null]);
});

test("a step is removed from its place, and its stage where it was alone", () => {
  const value = { reason: "r", stages: [[step("a")], [step("b"), step("c")]] };
  expect(withoutStep(value, ["stages", 1, 0])).toEqual({ reason: "r", stages: [[step("a")], [step("c")]] });
  expect(withoutStep(value, ["stages", 0, 0])).toEqual({ reason: "r", stages: [[step("b"), step("c")]] });
});

test("a step moves into the stage beside its own, and a new one has an id of its own", () => {
  const value = { stages: [[step("a")], [step("step_3"), step("c")]] };
  expect(withMoved(value, ["stages", 1, 0], -1)).toEqual({ stages: [[step("a"), step("step_3")], [step("c")]] });
  expect(withMoved(value, ["stages", 1, 1], 1)).toEqual({ stages: [[step("a")], [step("step_3")], [step("c")]] });
  expect(withMoved(value, ["stages", 0, 0], -1)).toEqual(value);
  expect(withMoved(value, ["stages", 0, 0], 1)).toEqual({ stages: [[step("step_3"), step("c"), step("a")]] });
  expect(withNew(value, 2, { stepId: "d" })).toEqual({ stages: [...value.stages, [{ stepId: "d" }]] });
  expect(withNew(value, 0, { stepId: "d" })).toEqual({ stages: [[step("a"), { stepId: "d" }], value.stages[1]] });
  expect(freeId(planOf(value) ?? expect.fail("no plan"))).toBe("step_4");
  expect(new RegExp(patternOf("what is 2 + 2 (now)?")).test("what is 2 + 2 (now)?")).toBe(true);
});
