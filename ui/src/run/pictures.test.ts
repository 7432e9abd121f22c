// @vitest-environment node
import { describe, expect, test } from "vitest";
import type { AgentKind, Event, Fact, KeyDeclaration, LoopExit, Outline } from "../ipc/bindings";
import { compare, isSamePlan, piecesOf, planOf, withStep } from "./plan";
import { mapOf, project, scaleOf } from "./places";
import { roundEndOf } from "./remarks";
import { checksIn, judgedIn, placesIn, planIn, reviewIn, sourcesIn } from "./role-values";
import { boardsOf, curveOf } from "./rounds";
import { textIn } from "./texts";
import { empty } from "./empty-view";
import { apply, applyAll } from "./view";

const step = (stepId: string, more: object = {}) => ({ stepId, narrative_step: `do ${stepId}`, ...more });
const plan = (value: object) => planOf(value) ?? expect.fail("no plan");

test("a plan is read in its stages; what a step needs stands in its input too", () => {
  const read = plan({
    revision: 1,
    most_revisions: 2,
    stages: [
      [step("a", { status: "done" }), step("b", { depends_on: ["a"] })],
      [step("c", { sub_task_input: { q: "x @{outputs.a.result_data.title}" } })],
    ],
  });
  expect([read.stages.length, read.revision, read.most]).toEqual([2, 1, 2]);
  expect(read.steps.map(({ id, needs }) => [id, needs])).toEqual([
    ["a", []],
    ["b", ["a"]],
    ["c", ["a"]],
  ]);
  expect(read.steps[2]).toMatchObject({ at: ["stages", 1, 0], state: "planned" });
  expect(
    piecesOf("x @{outputs.a.result_data.title} y @{outputs.b.z} @{outputs.gone.z}", read).map(({ text, standing }) => [
      text,
      standing,
    ]),
  ).toEqual([
    ["x ", "ready"],
    ["a.result_data.title", "ready"],
    [" y ", "ready"],
    ["b.z", "open"],
    [" ", "ready"],
    ["gone.z", "missing"],
  ]);
});

test("a value of another shape than its role is read as none, so that it is shown as it is; no field is guessed", () => {
  const review = { kind: "review", notes: "said", issues: "faults", ready: "goes" } as const;
  const readers = [
    checksIn,
    planIn,
    placesIn,
    judgedIn,
    (value: unknown) => sourcesIn({ kind: "sources", items: "pieces" }, value),
    (value: unknown) => reviewIn(review, value),
  ];
  for (const value of [null, undefined, 7, "x", {}, [null], [[]], { stages: 3 }])
    for (const read of readers) expect(read(value), JSON.stringify(value)).toBe(null);
  for (const other of [{ id: "a" }, { step_id: "a" }, step("a", { status: "completed" })])
    expect(planIn({ stages: [[other]] })).toBe(null);
  expect(placesIn({ places: [{ name: "N", coordinates: { lat: 50, lng: 10 } }] })).toBe(null);
  expect(reviewIn(review, { said: "so", faults: ["one", { text: "two" }], goes: true })).toEqual({
    notes: "so",
    issues: ["one", { text: "two", passage: "", severity: "" }],
    ready: true,
  });
  expect(sourcesIn({ kind: "sources", items: "pieces" }, { pieces: [{ title: "One", more: 1 }] })).toEqual([
    { title: "One", url: "", source: "", published: "", summary: "", text: "" },
  ]);
});

test("a step is changed in its place and nowhere else", () => {
  const value = { revision: 0, stages: [[step("a")], [step("b"), step("c")]] };
  expect(withStep(value, ["stages", 1, 1], { narrative_step: "new" })).toEqual({
    revision: 0,
    stages: [[step("a")], [step("b"), step("c", { narrative_step: "new" })]],
  });
  expect(value.stages[1]?.[1]).toEqual(step("c"));
});

test("plans differ by what they want, not by how far they are", () => {
  const [one, far, other] = [
    plan({ stages: [[step("a"), step("b")]] }),
    plan({ stages: [[step("a", { status: "done" }), step("b")]] }),
    plan({ stages: [[step("b", { tool_name: "t" }), step("c")]] }),
  ];
  expect([isSamePlan(one, far), isSamePlan(one, other)]).toEqual([true, false]);
  expect(compare(one, other).map(({ id, fate }) => [id, fate])).toEqual([
    ["b", "changed"],
    ["c", "new"],
    ["a", "gone"],
  ]);
});

describe("rounds", () => {
  const declarations: KeyDeclaration[] = [
    {
      name: "draft",
      title: "Draft",
      role: { kind: "draft", edit: "text", words: "length", word_limit: 0 },
      schema: {},
    },
    { name: "board", title: "Board", role: { kind: "rounds" }, schema: {} },
  ];
  const agent = (name: string, kind: AgentKind, writes: string[], children: Outline[] = []): Outline => ({
    name,
    title: name.toUpperCase(),
    agent: kind,
    contract: { reads: [], may_read: [], writes },
    stream: null,
    calls: { least: 0, most: 0 },
    children,
  });
  const outline = agent(
    "p",
    { kind: "sequential" },
    [],
    [agent("laps", { kind: "loop", max_rounds: 3 }, [], [agent("writer", { kind: "custom" }, ["draft", "board"])])],
  );
  let seq = 0;
  const event = (path: string, author: string, fact: Fact): Event => ({
    v: 3,
    seq: ++seq,
    at_ms: 0,
    ran_ms: 0,
    author,
    path,
    n: 1,
    surface: false,
    fact,
  });
  const wrote = (round: number, set: Record<string, unknown>) =>
    event(`p/laps#1[${round}]/writer#1`, "writer", { kind: "state_changed", delta: { set, removed: [] } } as Fact);
  const ended = (number: number, issues: number, best: number, exit: LoopExit) =>
    event(`p/laps#1[${number}]`, "laps", {
      kind: "round_ended",
      round: {
        number,
        draft: "draft",
        words: number,
        checks: { passed: 1, failed: 0 },
        issues,
        cost: null,
        unpriced_calls: 0,
      },
      exit,
      best,
    });
  const resolve = (_key: string, _seq: number, value: unknown) => value;

  test("stand under their loop with the text that stood at the end of each, also after a later edit, and the best of the facts", () => {
    const events = [
      wrote(1, { draft: { text: "one" } }),
      ended(1, 0, 1, { why: "went_on" }),
      wrote(2, { draft: { text: "two" }, board: [{ round: 2, score: 0.9, verdict: "good" }] }),
      ended(2, 3, 1, { why: "exit_agent", agent: "writer" }),
      event("user", "user", {
        kind: "state_changed",
        delta: { set: { draft: { text: "mine" } }, removed: [] },
      } as Fact),
    ];
    const view = applyAll(empty(declarations), events);
    const [board, ...others] = boardsOf(view, outline, resolve);
    expect(others).toEqual([]);
    expect([board?.title, board?.place]).toEqual(["LAPS", ""]);
    expect(
      board?.rows.map(({ number, isBest, text, judged }) => [
        number,
        isBest,
        text && textIn(view, text, resolve),
        judged?.score ?? null,
      ]),
    ).toEqual([
      [1, true, "one", null],
      [2, false, "two", 0.9],
    ]);
    expect(roundEndOf(view.roundEnds[1]!, "Laps", (name) => name)).toBe(
      "Round 2 of Laps ended (checks passed: 1 of 1, open issues: 3, words: 2): the loop ended, writer asked for it",
    );
    const taken = apply(
      view,
      event("user", "user", {
        kind: "run_resumed",
        drops: [events[3]!.seq],
        delta: { set: {}, removed: [] },
        overrides: { agents: {}, limits: {} },
      } as unknown as Fact),
    );
    expect(boardsOf(taken, outline, resolve)[0]?.rows.map(({ end }) => end?.round.number ?? null)).toEqual([1, null]);
  });

  test("a judgement that no loop tells of stands by itself, the first of the highest score as the best", () => {
    const view = applyAll(empty(declarations), [
      wrote(1, {
        board: [
          { round: 1, score: 0.4 },
          { round: 2, scores: { a: 1, b: 0.8 } },
          { round: 3, score: 0.9 },
          { round: 4, verdict: "poor" },
        ],
      }),
    ]);
    expect(boardsOf(view, outline, resolve)[0]?.rows.map(({ isBest, score }) => [isBest, score])).toEqual([
      [false, 0.4],
      [true, 0.9],
      [false, 0.9],
      [false, null],
    ]);
    expect(curveOf([0, null, 1], 100, 50).map(({ x, y }) => [x, y])).toEqual([
      [0, 50],
      [100, 0],
    ]);
  });
});

test("places stand north above and east to the right, to scale; what has no place is counted", () => {
  const at = (name: string, latitude: number, longitude: number) => ({ name, coordinates: { latitude, longitude } });
  const map =
    mapOf({ places: [{ name: "nowhere" }, at("S", 50, 10), at("N", 50.1, 10.1)], route: [1, 2, 0, 9] }) ??
    expect.fail("no places");
  expect([map.places.length, map.unplaced, map.route]).toEqual([2, 1, [0, 1]]);
  const { points, perKm } = project(map.places, 200, 100);
  expect(points[1]?.y).toBeLessThan(points[0]?.y ?? 0);
  expect(points[1]?.x).toBeGreaterThan(points[0]?.x ?? 0);
  expect(perKm * 11.12).toBeCloseTo(100, 0);
  expect(project(mapOf({ places: [at("one", 1, 2)] })?.places ?? [], 200, 100).points).toEqual([{ x: 100, y: 50 }]);
  expect([scaleOf(10, 60), scaleOf(0, 60), scaleOf(100, 60)]).toEqual([5, 1, 0.5]);
  expect(mapOf({ places: [at("beyond", 500, 0)] })).toBe(null);
});
