// @vitest-environment node
import { expect, test } from "vitest";
import type { Fact } from "../ipc/bindings";
import { recording } from "../fake-host/fake-records";
import { empty } from "./empty-view";
import { happened, here, stages, until, whole } from "./recorded-views";
import { agents, stageOf } from "./stages";
import { latest, nameOf, textIn, wordsOf } from "./texts";
import { apply, applyAll } from "./view";

const run = recording("run-two-drafts");

test("the figures are those that the program counts", () => {
  const { used } = whole(run);
  const { calls, input_tokens, output_tokens, active_ms, tool_calls, agent_calls } = run.page.usage;
  expect(used).toMatchObject({
    calls,
    input_tokens,
    output_tokens,
    active_ms,
    tool_calls,
    agent_calls,
    isPartial: false,
  });
});

test("every version of the text is there with its author, words and limit", () => {
  const view = whole(run);
  expect(view.versions.map(({ title, number, author, isFinal }) => [title, number, author, isFinal])).toEqual([
    ["Draft", 1, "scribe", false],
    ["Draft", 2, "scribe", false],
    ["Final text", 1, "desk_editor", true],
  ]);
  const final = latest(view);
  expect(final && wordsOf(view, final, here)).toEqual({ words: 128, most: 200 });
  expect(final && textIn(view, final, here)).toContain("broke in a third of the texts [5]");
  expect(nameOf("scribe", run.page.outline, "you")).toBe("Scribe");
});

test("in the middle of the second draft the writer runs, the reviewer has done and the first draft stands", () => {
  const view = until(run, 26);
  expect(stages(run, view)).toEqual({
    desk_editor: "running",
    collector: "done",
    scribe: "running",
    proofreader: "done",
  });
  expect(latest(view)).toMatchObject({ number: 1, key: "manuscript" });
  expect(view.reviews).toHaveLength(1);
  expect(stageOf(view, agents(run.page.outline).get("scribe")!, false)).toMatchObject({
    times: 2,
    waiting: { for: "model", model: "medium-2" },
  });
});

test("a retry is seen while it waits and counted once", () => {
  const scribe = agents(run.page.outline).get("scribe")!;
  expect(stageOf(until(run, 14), scribe, false)).toMatchObject({
    call: { retries: 1 },
    waiting: { retrying: { kind: "request_failed", error: { retry_after_ms: 2000 } } },
  });
  expect(stageOf(until(run, 16), scribe, false).call?.retries).toBe(1);
});

test("what a person types is one version until somebody else writes, and it is the latest", () => {
  const body = (text: string): Fact => ({ kind: "state_changed", delta: { set: { printed: text }, removed: [] } });
  const first = happened(run, body("mine"), "user");
  const view = applyAll(whole(run), [first, { ...first, seq: first.seq + 1, fact: body("mine, longer") }]);
  expect(view.versions).toHaveLength(4);
  expect(latest(view)).toMatchObject({ author: "user", number: 2, value: "mine, longer" });
  expect(view.outcome).toBe("finished");
});

test("what a person typed before something else happened, or kept on purpose, is a version of its own", () => {
  const body = (text: string): Fact => ({ kind: "state_changed", delta: { set: { printed: text }, removed: [] } });
  const kept: Fact = { kind: "noted", note: { kind: "kept", key: "printed" } };
  const dismissed: Fact = { kind: "state_changed", delta: { set: { marks: {} }, removed: [] } };
  const started: Fact = { kind: "agent_started", sees: 0 };
  const first = happened(run, body("mine"), "user");
  const numbers = (...facts: Fact[]) =>
    applyAll(whole(run), [first, ...facts.map((fact, index) => ({ ...first, seq: first.seq + 1 + index, fact }))])
      .versions.filter(({ author }) => author === "user")
      .map(({ number, value }) => [number, value]);
  for (const between of [kept, dismissed, started])
    expect(numbers(between, body("other"), body("other, longer"))).toEqual([
      [2, "mine"],
      [3, "other, longer"],
    ]);
  const asked = run.entries.find(({ event }) => event.fact.kind === "effect_asked")!.event.fact;
  expect(numbers(asked, body("mine, longer"))).toEqual([[2, "mine, longer"]]);
});

test("a resumption sets aside what it drops: stages go back, texts stay to be read", () => {
  const resumed: Fact = {
    kind: "run_resumed",
    drops: [31, 32, 33, 34, 35, 36, 37, 38, 39],
    delta: { set: {}, removed: ["printed", "caveat"] },
    overrides: { agents: {}, limits: {}, allowed_tools: [], already_done: [] },
  };
  const view = apply(whole(run), happened(run, resumed, "user"));
  expect(view.outcome).toBeNull();
  expect(stages(run, view)).toMatchObject({ desk_editor: "running", scribe: "done", proofreader: "done" });
  expect(stageOf(view, agents(run.page.outline).get("proofreader")!, false).times).toBe(1);
  expect(view.versions.map((version) => version.holds)).toEqual([true, true, false]);
  expect(latest(view)).toMatchObject({ key: "manuscript", number: 2 });
  expect(view.state.has("printed")).toBe(false);
});

test("where it goes on, its time begins anew and another profile may hold: neither the pause nor the person's wait is an agent's", () => {
  const began = recording("run-failed").entries.filter(({ event }) => event.seq < 16);
  const last = began.at(-1)!.event;
  const paused = applyAll(
    empty(run.page.keys),
    began.map(({ event }) => event),
  );
  const resumed: Fact = {
    kind: "run_resumed",
    drops: [],
    delta: { set: {}, removed: [] },
    overrides: {
      agents: { scribe: { instruction: null, profile: "other", model: null, fallbacks: null } },
      limits: {},
      allowed_tools: [],
      already_done: [],
    },
  };
  const later = { ...last, path: "user", author: "user", seq: last.seq + 1, at_ms: last.at_ms + 60_000, fact: resumed };
  const view = apply(paused, later);
  const open = (of: typeof view) =>
    [...of.calls.values()].filter(({ endedSeq }) => endedSeq === null).map(({ startedAtMs }) => startedAtMs);
  expect(open(paused).length).toBeGreaterThan(0);
  expect(open(view)).toEqual(open(paused).map((atMs) => atMs! + 60_000));
  expect(view.pieces).toEqual([
    { seq: 1, atMs: began[0]!.event.at_ms },
    { seq: later.seq, atMs: later.at_ms },
  ]);
  expect(view.profiles).toEqual(new Map([["scribe", "other"]]));
});

test("a question that was open over a pause lets its agent begin later by the wait, once", () => {
  const began = recording("run-failed")
    .entries.filter(({ event }) => event.seq < 16)
    .map(({ event }) => event);
  const last = began.at(-1)!;
  const path = [...applyAll(empty(run.page.keys), began).calls.values()].find(
    ({ endedSeq }) => endedSeq === null,
  )!.path;
  const question = { kind: { kind: "agent" }, text: "Go on?", choices: [], default: "", is_free: true, details: null };
  const asked = {
    ...last,
    path,
    n: 90,
    seq: 16,
    fact: { kind: "effect_asked", reads: [], effect: { effect: "question", question } } as unknown as Fact,
  };
  const resumed: Fact = {
    kind: "run_resumed",
    drops: [],
    delta: { set: {}, removed: [] },
    overrides: { agents: {}, limits: {}, allowed_tools: [], already_done: [] },
  };
  const later = { ...last, path: "user", author: "user", seq: 17, at_ms: last.at_ms + 60_000, fact: resumed };
  const answered: Fact = {
    kind: "effect_answered",
    asked: 90,
    answer: { status: "done", result: "yes" },
    took_ms: 61_000,
    waited_ms: 61_000,
    retries: [],
    summary: {},
  };
  const before = applyAll(empty(run.page.keys), [...began, asked]);
  const view = applyAll(before, [later, { ...asked, n: 91, seq: 18, at_ms: last.at_ms + 61_000, fact: answered }]);
  expect(view.calls.get(path)!.startedAtMs! - before.calls.get(path)!.startedAtMs!).toBe(61_000);
});

test("an answer that stands only by its hash is counted as a call whose tokens are not all known", () => {
  const stored = run.entries.map(({ event }) =>
    event.fact.kind === "effect_answered" && event.author === "proofreader"
      ? {
          ...event,
          fact: {
            ...event.fact,
            answer: { status: "done", result: { $stored: "ab".repeat(32), bytes: 9000 } },
          } as Fact,
        }
      : event,
  );
  expect(applyAll(empty(run.page.keys), stored).used).toMatchObject({ calls: 5, isPartial: true });
});
