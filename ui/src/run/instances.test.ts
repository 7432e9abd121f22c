// @vitest-environment node
import { expect, test } from "vitest";
import type { Fact } from "../ipc/bindings";
import { each } from "../fake-host/fake-each";
import { workOf } from "./calls";
import { inFront, itemOf, type Instance, type InstanceState } from "./instances";
import { countsInWords, happened, here, instancesIn, stages, until, whole } from "./recorded-views";
import { receivedOf } from "./received-text";
import { questions, stageOf } from "./stages";
import { streaming } from "./texts";
import { apply, applyAll } from "./view";

const fifty = each(50);
const view = whole(fifty);
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
  expect(instancesIn(fifty).counts).toEqual({
    all: 50,
    done: 31,
    running: 4,
    needs_you: 1,
    failed: 1,
    stopped: 0,
    left: 13,
  });
  expect(countsInWords(fifty)).toEqual(["31 done", "4 running", "1 waits for you", "1 failed", "13 not started"]);
  expect(countsInWords(fifty, until(fifty, 9))).toEqual(["50 not started"]);
  const over = apply(view, happened(fifty, { kind: "run_ended", outcome: "cancelled", error: null }, "journey"));
  expect(countsInWords(fifty, over, true)).toEqual(["31 done", "1 failed", "5 stopped", "13 not reached"]);
});

test("instances that wait for the person, failed or run stand in front, then those that ended last", () => {
  const front = inFront(instancesIn(fifty).found);
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
  const [one] = instancesIn(fifty).found;
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

test("an instance that waits for its turn counts no time until something within it is asked", () => {
  const paths = ["journey/visits#1*guide#40", "journey/visits#1*guide#40/teller#1"];
  const begins: Fact = { kind: "agent_started", sees: 2, instance: { agent: "guide", input: "Bergen" } };
  const begun = paths.map((path) => happened(fifty, begins, "guide", path));
  const began = (at: typeof view) => new Set(paths.map((path) => at.calls.get(path)!.startedAtMs));
  const { fact } = fifty.entries.find(({ event }) => event.fact.kind === "effect_asked")!.event;
  const asked = { ...happened(fifty, fact, "teller", paths[1]!), at_ms: view.lastAtMs + 5_000 };
  expect([began(applyAll(view, begun)), began(applyAll(view, [...begun, asked]))]).toEqual([
    new Set([null]),
    new Set([asked.at_ms]),
  ]);
});

test("an instance knows its item, what came of it, what it cost with all within it, and what something within it asks", () => {
  const three = each(3);
  const { found, agent: guide } = instancesIn(three);
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
  expect(instancesIn(three, within).found[1]!.state).toBe("needs_you");
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
  const { found } = instancesIn(fifty);
  const overrides = { agents: {}, limits: {}, allowed_tools: [], already_done: [] };
  const drops = [found[36]!.call!.startedSeq, found[0]!.call!.endedSeq!];
  const resumed = apply(
    view,
    happened(fifty, { kind: "run_resumed", drops, delta: { set: {}, removed: [] }, overrides }, "user"),
  );
  expect(instancesIn(fifty, resumed).counts).toMatchObject({ done: 30, running: 4, left: 14 });
  expect(instancesIn(fifty, resumed).found[0]!.call).toMatchObject({ endedSeq: null, output: null });
});

test("a thousand instances are folded and put in order at once, and of a loop over them only the last lists stay", () => {
  const thousand = each(1000);
  const begun = performance.now();
  const { found, counts } = instancesIn(thousand);
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
