// @vitest-environment node
import { describe, expect, test } from "vitest";
import type { AgentKind, Event, Fact, KeyDeclaration, LoopExit, Outline } from "../ipc/bindings";
import { compare, isSamePlan, piecesOf, planOf, withStep } from "./plan";
import { mapOf, project, scaleOf } from "./places";
import { roundEndOf } from "./remarks";
import { boardsOf, curveOf, judgedIn } from "./rounds";
import { textIn } from "./texts";
import { apply, applyAll, empty } from "./view";

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

describe("rounds", () => {
  const declarations: KeyDeclaration[] = [
    { name: "draft", title: "Draft", role: { kind: "draft", edit: "text", words: "length", word_limit: 0 }, schema: {} },
    { name: "board", title: "Board", role: { kind: "rounds" }, schema: {} },
  ];
  const agent = (name: string, kind: AgentKind, writes: string[], children: Outline[] = []): Outline => ({ name, title: name.toUpperCase(), agent: kind, contract: { reads: [], may_read: [], writes }, stream: null, calls: { least: 0, most: 0 }, children });
  const outline = agent("p", { kind: "sequential" }, [], [agent("laps", { kind: "loop", max_rounds: 3 }, [], [agent("writer", { kind: "custom" }, ["draft", "board"])])]);
  let seq = 0;
  const event = (path: string, author: string, fact: Fact): Event => ({ v: 3, seq: ++seq, at_ms: 0, ran_ms: 0, author, path, n: 1, surface: false, fact });
  const wrote = (round: number, set: Record<string, unknown>) => event(`p/laps#1[${round}]/writer#1`, "writer", { kind: "state_changed", delta: { set, removed: [] } } as Fact);
  const ended = (number: number, issues: number, best: number, exit: LoopExit) =>
    event(`p/laps#1[${number}]`, "laps", { kind: "round_ended", round: { number, draft: "draft", words: number, checks: { passed: 1, failed: 0 }, issues, cost: null, unpriced_calls: 0 }, exit, best });
  const resolve = (_key: string, _seq: number, value: unknown) => value;

  test("stand under their loop with the text that stood at the end of each, also after a later edit, and the best of the facts", () => {
    const events = [wrote(1, { draft: { text: "one" } }), ended(1, 0, 1, { why: "went_on" }), wrote(2, { draft: { text: "two" }, board: [{ round: 2, score: 0.9, verdict: "good" }] }), ended(2, 3, 1, { why: "exit_agent", agent: "writer" }), event("user", "user", { kind: "state_changed", delta: { set: { draft: { text: "mine" } }, removed: [] } } as Fact)];
    const view = applyAll(empty(declarations), events);
    const [board, ...others] = boardsOf(view, outline, resolve);
    expect(others).toEqual([]);
    expect([board?.title, board?.place]).toEqual(["LAPS", ""]);
    expect(board?.rows.map(({ number, isBest, text, judged }) => [number, isBest, text && textIn(view, text, resolve), judged?.score ?? null])).toEqual([[1, true, "one", null], [2, false, "two", 0.9]]);
    expect(roundEndOf(view.roundEnds[1]!, "Laps", (name) => name)).toBe("Round 2 of Laps ended (checks passed: 1 of 1, open issues: 3, words: 2): the loop ends, writer asked for it");
    const taken = apply(view, event("user", "user", { kind: "run_resumed", drops: [events[3]!.seq], delta: { set: {}, removed: [] }, overrides: { agents: {}, limits: {} } } as unknown as Fact));
    expect(boardsOf(taken, outline, resolve)[0]?.rows.map(({ end }) => end?.round.number ?? null)).toEqual([1, null]);
  });

  test("a judgement that no loop tells of stands by itself, the first of the highest score as the best", () => {
    const view = applyAll(empty(declarations), [wrote(1, { board: { rounds: [{ score: 0.4 }, { scores: { a: 1, b: 0.8 } }, { score: 0.9 }, { verdict: 3, score: "high", scores: null }] } })]);
    expect(boardsOf(view, outline, resolve)[0]?.rows.map(({ isBest, judged }) => [isBest, judged?.score])).toEqual([[false, 0.4], [true, 0.9], [false, 0.9], [false, null]]);
    expect(curveOf(judgedIn([{ score: 0 }, {}, { score: 1 }]), 100, 50).map(({ x, y }) => [x, y])).toEqual([[0, 50], [100, 0]]);
    expect(judgedIn(null)).toEqual([]);
  });
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
