// @vitest-environment node
import { expect, test } from "vitest";
import { compare, isSamePlan, piecesOf, planOf, withStep } from "./plan";
import { mapOf, project, scaleOf } from "./places";
import { boardOf, curveOf } from "./rounds";

const step = (stepId: string, more: object = {}) => ({ stepId, narrative_step: `do ${stepId}`, ...more });

test("a plan is read as a list, in stages, and under a revision; what a step needs stands in its input too", () => {
  expect(planOf([step("a"), step("b", { depends_on: ["a"] })]).steps.map(({ id, needs }) => [id, needs])).toEqual([["a", []], ["b", ["a"]]]);
  const nested = planOf({ revision: 1, most_revisions: 2, steps: [[step("a", { status: "completed" }), step("b")], [step("c", { sub_task_input: { q: "x @{outputs.a.result_data.title}" } })]] });
  expect([nested.stages.length, nested.revision, nested.most]).toEqual([2, 1, 2]);
  expect(nested.steps[2]).toMatchObject({ needs: ["a"], at: ["steps", 1, 0], state: "planned" });
  expect(piecesOf("x @{outputs.a.result_data.title} y @{outputs.b.z} @{outputs.gone.z}", nested).map(({ text, standing }) => [text, standing])).toEqual([
    ["x ", "ready"], ["a.result_data.title", "ready"], [" y ", "ready"], ["b.z", "open"], [" ", "ready"], ["gone.z", "missing"],
  ]);
});

test("a plan of any other shape is an empty one or a poor one, never an error", () => {
  for (const value of [null, undefined, 7, "x", {}, { steps: 3 }, [null, 4, { status: 9 }], [[]]]) expect(() => planOf(value)).not.toThrow();
  expect(planOf(["only words"]).steps[0]).toMatchObject({ id: "1", says: "only words" });
});

test("a step is changed in its place and nowhere else", () => {
  const value = { revision: 0, steps: [[step("a")], [step("b"), step("c")]] };
  expect(withStep(value, ["steps", 1, 1], { narrative_step: "new" })).toEqual({ revision: 0, steps: [[step("a")], [step("b"), step("c", { narrative_step: "new" })]] });
  expect(value.steps[1]?.[1]).toEqual(step("c"));
});

test("plans differ by what they want, not by how far they are", () => {
  const [one, far, other] = [planOf([step("a"), step("b")]), planOf([step("a", { status: "done" }), step("b")]), planOf([step("b", { tool_name: "t" }), step("c")])];
  expect([isSamePlan(one, far), isSamePlan(one, other)]).toEqual([true, false]);
  expect(compare(one, other).map(({ id, fate }) => [id, fate])).toEqual([["b", "changed"], ["c", "new"], ["a", "gone"]]);
});

test("the best round is the one that is named, else the first of the highest score", () => {
  expect(boardOf([{ score: 0.4 }, { score: 0.9 }, { score: 0.9 }]).rounds.map(({ isBest }) => isBest)).toEqual([false, true, false]);
  expect(boardOf({ best: 1, rounds: [{ score: 0.4 }, { scores: { a: 1, b: 0.5 } }] }).rounds.map(({ isBest, score }) => [isBest, score])).toEqual([[true, 0.4], [false, 0.75]]);
  expect(boardOf({ rounds: [{ verdict: 3, score: "high", scores: null }] }).rounds[0]).toMatchObject({ score: null, verdict: "" });
  expect(curveOf(boardOf([{ score: 0 }, {}, { score: 1 }]).rounds, 100, 50).map(({ x, y }) => [x, y])).toEqual([[0, 50], [100, 0]]);
  expect(boardOf(null).rounds).toEqual([]);
});

test("places stand north above and east to the right, to scale; what has no place is counted", () => {
  const map = mapOf({ places: [{ name: "S", coordinates: { latitude: 50, longitude: 10 } }, { name: "N", lat: 50.1, lng: 10.1 }, { name: "nowhere", coordinates: { latitude: 500, longitude: 0 } }], route: ["S", "N", "nowhere", 9] });
  expect([map.places.length, map.unplaced, map.route]).toEqual([2, 1, [0, 1]]);
  const { points, perKm } = project(map.places, 200, 100);
  expect(points[1]?.y).toBeLessThan(points[0]?.y ?? 0);
  expect(points[1]?.x).toBeGreaterThan(points[0]?.x ?? 0);
  expect(perKm * 11.12).toBeCloseTo(100, 0);
  expect(project(mapOf([{ name: "one", lat: 1, lng: 2 }]).places, 200, 100).points).toEqual([{ x: 100, y: 50 }]);
  expect([scaleOf(10, 60), scaleOf(0, 60), scaleOf(100, 60)]).toEqual([5, 1, 0.5]);
  expect(mapOf("x").places).toEqual([]);
});
