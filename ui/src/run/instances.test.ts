// @vitest-environment node
import { expect, test } from "vitest";
import { verbatim } from "../ipc/verbatim";
import type { Fact, Json, Question } from "../ipc/bindings";
import { each } from "../fake-host/fake-each";
import { workOf } from "./calls";
import { askedAtGate, editableAtGate, valueAtGate } from "./gate";
import {
  countsIn,
  countsOf,
  inFront,
  inputOf,
  instancesOf,
  itemCount,
  itemOf,
  type Instance,
  type InstanceState,
} from "./instances";
import { happened, here, stages, until, whole } from "./recorded-views";
import { receivedOf } from "./received-text";
import { EventFormatter } from "./sentence";
import { agents, questions, stageOf, type OpenQuestion } from "./stages";
import { streaming } from "./texts";
import { apply, applyAll } from "./view";

const fifty = each(50);
const view = whole(fifty);
const of = (run: typeof fifty, at = whole(run), isHalted = false) => {
  const known = agents(run.page.outline);
  const [guide, visits] = [known.get("guide")!, known.get("visits")!];
  const stage = stageOf(at, visits, isHalted);
  const found = instancesOf(at, guide, stage.call, isHalted);
  return { found, stage, guide, counts: countsOf(found, itemCount(at, visits, stage.call, here)) };
};
const words = (run: typeof fifty, at = whole(run), isOver = false) =>
  countsIn(of(run, at).counts, isOver).map((count) => count.words);

test("what is written in an instance changes no key of the run, no version of its texts and nothing that a person typed", () => {
  const typing = apply(
    view,
    happened(fifty, { kind: "state_changed", delta: { set: { booklet: "mine" }, removed: [] } }, "user"),
  );
  const local: Fact = {
    kind: "state_changed",
    delta: { set: { booklet: "local", result: "told", places: [] }, removed: ["wish"] },
  };
  for (const path of ["journey/visits#1*guide#34", "journey/visits#1*guide#34[2]/teller#1"]) {
    const after = apply(typing, { ...happened(fifty, local, "guide", path), seq: typing.seq + 1 });
    const { calls: _calls, seq: _seq, lastAtMs: _at, changed, ...kept } = after;
    const { calls: _before, seq: _was, lastAtMs: _then, changed: _typed, ...known } = typing;
    expect(kept).toEqual(known);
    expect(changed).toEqual([]);
  }
  expect([...view.state.keys()]).toEqual(["wish", "places"]);
});

test("fifty items are counted by how they stand, those not started yet by the list that they come from", () => {
  expect(of(fifty).counts).toEqual({ all: 50, done: 31, running: 4, needs_you: 1, failed: 1, stopped: 0, left: 13 });
  expect(words(fifty)).toEqual(["31 done", "4 running", "1 waits for you", "1 failed", "13 not started"]);
  expect(words(fifty, until(fifty, 9))).toEqual(["50 not started"]);
  const over = apply(view, happened(fifty, { kind: "run_ended", outcome: "cancelled", error: null }, "journey"));
  expect(words(fifty, over, true)).toEqual(["31 done", "1 failed", "5 stopped", "13 not reached"]);
});

test("instances that wait for the person, failed or run stand in front, then those that ended last", () => {
  const front = inFront(of(fifty).found);
  expect(front.slice(0, 6).map(({ number, state }) => `${number} ${state}`)).toEqual([
    "33 needs_you",
    "17 failed",
    "34 running",
    "35 running",
    "36 running",
    "37 running",
  ]);
  const ended = front.slice(6).map(({ call }) => call?.endedSeq ?? 0);
  expect(ended).toEqual([...ended].sort((one, other) => other - one));
});

test("instances that go on or need the person keep half of the rows, however many failed", () => {
  const [one] = of(fifty).found;
  const standing = (state: InstanceState, numbers: number[]) =>
    numbers.map((number) => ({ ...one!, path: `${number}`, number, state }));
  const shown = (...instances: Instance[][]) =>
    inFront(instances.flat(), 6).map(({ number, state }) => `${number} ${state}`);
  const failed = standing("failed", [1, 2, 3, 4, 5, 6, 7, 8]);
  expect(shown(failed, standing("running", [9, 10, 11, 12]))).toEqual([
    "1 failed",
    "2 failed",
    "3 failed",
    "9 running",
    "10 running",
    "11 running",
  ]);
  expect(shown(failed, standing("running", [9, 10, 11]), standing("needs_you", [12]))[0]).toBe("12 needs_you");
  expect(shown(failed, standing("running", [9]))).toEqual([
    "1 failed",
    "2 failed",
    "3 failed",
    "4 failed",
    "5 failed",
    "9 running",
  ]);
  expect(shown(standing("running", [1, 2, 3, 4, 5, 6, 7]), standing("failed", [8]))).toHaveLength(6);
});

test("an instance that the run stops before needs the person, with its item, although it has not begun", () => {
  const five = each(5);
  const at = whole(five);
  expect(words(five)).toEqual(["2 done", "1 running", "1 waits for you", "1 not started"]);
  const { found, guide } = of(five);
  expect(found[3]).toMatchObject({
    number: 4,
    state: "needs_you",
    call: null,
    waiting: { path: "journey/visits#1*guide#4/stop-before#1" },
  });
  expect(inputOf(found[3]!, here)).toMatchObject({ place: "San Miguel de Allende" });
  const asked = questions(at).find(({ path }) => path === found[3]!.waiting!.path)!;
  expect(itemOf(at, asked.path, here)).toMatch("item 4: San Miguel de Allende");
  const about = askedAtGate(asked, here);
  expect(about.keys).toEqual(["item"]);
  expect(valueAtGate(at, asked, "item", here, about)).toMatchObject({ place: "San Miguel de Allende" });
  expect(editableAtGate(at, asked, "item", about)).toMatchObject({ name: "item", schema: { required: ["place"] } });
  expect(editableAtGate(at, asked, "result", about)).toBeNull();
  const begun = apply(at, {
    ...happened(
      five,
      { kind: "agent_started", sees: 2, instance: { agent: "guide", input: "Kotor" } },
      "guide",
      found[3]!.path,
    ),
    seq: at.seq + 1,
  });
  expect(instancesOf(begun, guide, of(five).stage.call, false).filter(({ number }) => number === 4)).toMatchObject([
    { call: { input: { value: "Kotor" } } },
  ]);
  const over = apply(at, happened(five, { kind: "run_ended", outcome: "cancelled", error: null }, "journey"));
  expect(words(five, over, true)).toEqual(["2 done", "1 stopped", "2 not reached"]);
});

test("an instance that waits for its turn counts no time until something within it is asked", () => {
  const paths = ["journey/visits#1*guide#40", "journey/visits#1*guide#40/teller#1"];
  const begun = paths.map((path) => happened(fifty, worksAgain(1)[1], "guide", path));
  const began = (at: typeof view) => new Set(paths.map((path) => at.calls.get(path)!.startedAtMs));
  const asked = { ...happened(fifty, stops(1)[1], "teller", paths[1]!), at_ms: view.lastAtMs + 5_000 };
  expect([began(applyAll(view, begun)), began(applyAll(view, [...begun, asked]))]).toEqual([
    new Set([null]),
    new Set([asked.at_ms]),
  ]);
});

test("an instance knows its item, what came of it, what it cost with all within it, and what something within it asks", () => {
  const three = each(3);
  const { found, guide } = of(three);
  expect(found.map(({ state, call, cost }) => [state, call!.output !== null, cost])).toEqual([
    ["done", true, 0.0042],
    ["running", false, 0.0021],
    ["needs_you", false, null],
  ]);
  expect(stageOf(whole(three), guide.children[1]!, false, false, found[0]!.path)).toMatchObject({
    state: "done",
    times: 1,
  });
  expect(stageOf(whole(three), guide.children[1]!, false, false, found[2]!.path)).toMatchObject({
    state: "waiting",
    times: 0,
  });
  const asked = {
    ...three.entries.find(({ event }) => event.fact.kind === "effect_asked" && event.fact.effect.effect === "question")!
      .event,
  };
  const within = apply(whole(three), {
    ...asked,
    seq: asked.seq + 100,
    path: `${found[1]!.path}/teller#1`,
    author: "teller",
    n: 9,
  });
  expect(of(three, within).found[1]!.state).toBe("needs_you");
  expect(questions(within).map(({ path }) => itemOf(within, path, here))).toEqual([
    "item 3: Łódź · Poland · 4",
    "item 2: 京都 · Japan · 3",
  ]);
});

test("a stage outside of instances counts nothing of what runs within them, and a fork begins before the first of them", () => {
  expect(stages(fifty)).toMatchObject({ visits: "running", binder: "waiting", scout: "done" });
  expect(view.callsOf.get("guide")).toBeUndefined();
  expect(workOf(view, "guide")?.path).toBe("journey/visits#1*guide#1");
});

test("an instance whose start no longer holds is gone, and one whose end no longer holds runs again", () => {
  const { found } = of(fifty);
  const overrides = { agents: {}, limits: {}, allowed_tools: [], already_done: [] };
  const drops = [found[36]!.call!.startedSeq, found[0]!.call!.endedSeq!];
  const resumed = apply(
    view,
    happened(fifty, { kind: "run_resumed", drops, delta: { set: {}, removed: [] }, overrides }, "user"),
  );
  expect(of(fifty, resumed).counts).toMatchObject({ done: 30, running: 4, left: 14 });
  expect(of(fifty, resumed).found[0]!.call).toMatchObject({ endedSeq: null, output: null });
});

/** What happens at and below an instance that was asked for changes, in the order of its steps. */
const first = "journey/visits#1*guide#1";
const gate: Question = {
  kind: { kind: "gate", agent: "guide", side: "after" },
  text: verbatim("Go on with what it made?"),
  choices: [],
  default: "go_on",
  is_free: false,
  details: { keys: ["result"], takes_changes: true },
};
const stops = (n: number): [string, Fact] => [
  `${first}/stop-after#${n}`,
  { kind: "effect_asked", effect: { effect: "question", question: gate }, reads: [] },
];
const answers = (n: number, result: Json): [string, Fact] => [
  `${first}/stop-after#${n}`,
  {
    kind: "effect_answered",
    asked: 90,
    answer: { status: "done", result },
    took_ms: 1,
    waited_ms: 1,
    retries: [],
    summary: {},
  },
];
const worksAgain = (n: number): [string, Fact] => [
  `${first}/guide#${n}`,
  { kind: "agent_started", sees: 2, instance: { agent: "guide", input: "Bergen" } },
];
const endsAgain = (n: number, output: string): [string, Fact] => [
  `${first}/guide#${n}`,
  { kind: "agent_ended", reads: [], took_ms: 700, ended: "done", exits_loop: false, output },
];
const failedAgain: Fact = {
  kind: "agent_ended",
  reads: [],
  took_ms: 1,
  ended: "failed",
  error: {
    code: "timeout",
    message: "",
    phrase: verbatim(""),
    provider_words: null,
    retry_after_ms: null,
    limit: null,
  },
};
const edits = (n: number, text: string): [string, Fact] => [
  `${first}/stop-after#${n}`,
  { kind: "state_changed", delta: { set: { result: text }, removed: [] } },
];
const after = (steps: readonly [string, Fact][]) =>
  steps.reduce((at, [path, fact]) => apply(at, { ...happened(fifty, fact, "guide", path), seq: at.seq + 1 }), view);
const firstAfter = (...steps: [string, Fact][]) => of(fifty, after(steps)).found[0]!;

test("an instance that was asked for changes runs while it works again, and is done when that is done; it stays one row", () => {
  const asked = [stops(1), answers(1, { ask_for_changes: "shorter" })];
  expect(firstAfter(stops(1))).toMatchObject({ state: "needs_you", number: 1 });
  const again = firstAfter(...asked, worksAgain(2));
  expect(again).toMatchObject({ state: "running", call: { path: first }, last: { path: `${first}/guide#2` } });
  const done = firstAfter(...asked, worksAgain(2), endsAgain(2, "shorter"));
  expect(done).toMatchObject({ state: "done", tookMs: done.call!.tookMs + 700 });
  const { counts, found } = of(fifty, after([...asked, worksAgain(2), endsAgain(2, "shorter")]));
  expect([counts.all, counts.done, found.length]).toEqual([50, 31, 37]);
  expect(firstAfter(...asked, worksAgain(2), [`${first}/guide#2`, failedAgain]).state).toBe("failed");
  const started = happened(fifty, worksAgain(7)[1], "guide", worksAgain(7)[0]);
  const entry = { event: started, kind: "stage" as const, is_trouble: false };
  expect(new EventFormatter(fifty.page.outline, fifty.page.keys).format(entry)).toBe(
    "Guide to a place started for item 1: Bergen",
  );
});

test("an instance came to what it made last, of however many times it was asked for changes", () => {
  const rounds = (count: number) =>
    Array.from({ length: count }, (_, index) => [
      stops(index + 1),
      answers(index + 1, "x"),
      worksAgain(index + 2),
      endsAgain(index + 2, `${index + 2}`),
    ]).flat();
  expect(firstAfter(...rounds(1)).output?.value).toBe("2");
  expect(firstAfter(...rounds(1), stops(2), answers(2, "x"), worksAgain(3)).output?.value).toBe("2");
  expect(firstAfter(...rounds(9)).output?.value).toBe("10");
  expect(firstAfter(...rounds(9)).call?.input).toMatchObject({ value: { place: "Bergen" } });
});

test("an instance came to what the person made of its result at the gate, unless that no longer holds", () => {
  const steps = [stops(1), answers(1, { go_on_with: { set: { result: "mine" }, removed: [] } }), edits(1, "mine")];
  expect(firstAfter(...steps)).toMatchObject({ state: "done", output: { value: "mine" } });
  const twice = [
    stops(1),
    answers(1, "x"),
    worksAgain(2),
    endsAgain(2, "second"),
    stops(2),
    answers(2, "x"),
    edits(2, "mine"),
  ];
  expect(firstAfter(...twice).output?.value).toBe("mine");
  const at = after(twice);
  const about = askedAtGate({ seq: 1, question: gate }, here);
  expect(valueAtGate(at, { path: `${first}/stop-after#2` } as OpenQuestion, "result", here, about)).toBe("mine");
  const overrides = { agents: {}, limits: {}, allowed_tools: [], already_done: [] };
  const resumed: Fact = { kind: "run_resumed", drops: [at.seq], delta: { set: {}, removed: [] }, overrides };
  expect(of(fifty, apply(at, { ...happened(fifty, resumed, "user"), seq: at.seq + 1 })).found[0]!.output?.value).toBe(
    "second",
  );
});

test("a thousand instances are folded and put in order at once, and of a loop over them only the last lists stay", () => {
  const thousand = each(1000);
  const begun = performance.now();
  const { found, counts } = of(thousand);
  expect(inFront(found)).toHaveLength(1000);
  expect(counts).toMatchObject({ all: 1000, failed: 15, left: 0 });
  expect(performance.now() - begun).toBeLessThan(3_000);
  const small = each(50).entries.map(({ event }) => event);
  const again = (round: number) =>
    small.map((event) => ({ ...event, path: event.path.replace("visits#1", `visits#${round}`) }));
  const looped = applyAll(view, [2, 3, 4].flatMap(again));
  expect([...looped.instances.keys()]).toEqual(["journey/visits#3*guide", "journey/visits#4*guide"]);
  expect([...looped.calls.keys()].filter((path) => path.includes("visits#1*"))).toEqual([]);
});

test("what an instance streams, or leaves half said, is no draft of the run", () => {
  const { outline } = fifty.page;
  const drafting = structuredClone(outline);
  drafting.children[1]!.children[0]!.stream = { key: "booklet", field: "" };
  expect(streaming(view, drafting, new Map([["journey/visits#1*guide#34", "Once"]]))).toBeNull();
  const partial: Fact = {
    kind: "effect_answered",
    asked: 2,
    answer: { status: "interrupted", reason: "cancelled", partial: "Once" },
    took_ms: 1,
    waited_ms: 0,
    retries: [],
    summary: {},
  };
  const event = happened(fifty, partial, "guide", "journey/visits#1*guide#34");
  expect(receivedOf({ peek: () => ({ event, kind: "answered", is_trouble: false }) }, view, drafting, 0)).toBeNull();
});
