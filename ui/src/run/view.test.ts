// @vitest-environment node
import { verbatim } from "../i18n/phrase";
import { describe, expect, test } from "vitest";
import type { Event, Fact, Note } from "../ipc/bindings";
import { recording, recordings, type Recording } from "../ipc/hosts/fake-records";
import { fold } from "../ipc/hosts/fake-state";
import { viewed } from "../ipc/hosts/fake-view";
import { flightsOf, owed } from "./in-flight";
import { nameOf, caveats, latest, textIn, wordsOf } from "./texts";
import { agents, question, raised, repairable, stageOf } from "./stages";
import { apply, applyAll, empty, restored } from "./view";

const whole = (run: Recording) => applyAll(empty(run.page.keys), run.entries.map(({ event }) => event));
const until = (run: Recording, seq: number) => applyAll(empty(run.page.keys), run.entries.slice(0, seq).map(({ event }) => event));
const here = (_key: string, _seq: number, value: unknown) => value;
const stages = (run: Recording, view = whole(run), isHalted = false) =>
  Object.fromEntries([...agents(run.page.outline).values()].map((agent) => [agent.name, stageOf(view, agent, isHalted).state]));

function happened(run: Recording, fact: Fact, author: string, path = author): Event {
  return { v: 1, seq: run.entries.length + 1, at_ms: run.page.card.last_at_ms + 1000, ran_ms: (run.entries.at(-1)?.event.ran_ms ?? 0) + 1000, author, path, n: 90, surface: false, fact };
}

describe("a whole run", () => {
  test.each(recordings().map((run): [string, Recording] => [run.page.card.run, run]))("%s folds to the state and the outcome that the program reports", (_name, run) => {
    const view = whole(run);
    const { caveat: _remark, ...state } = Object.fromEntries([...view.state].map(([key, held]) => [key, held.value]));
    const { caveat: _same, ...expected } = fold(run.entries);
    expect(state).toEqual(expected);
    expect(view.outcome).toBe(run.page.outcome);
    expect(view.seq).toBe(run.page.card.last_seq);
  });

  test.each(recordings().map((run): [string, Recording] => [run.page.card.run, run]))("%s is the same event by event as at once, and no view is changed afterwards", (_name, run) => {
    let step = empty(run.page.keys);
    const views = [step];
    for (const { event } of run.entries) views.push((step = apply(step, event)));
    expect(step).toEqual(whole(run));
    expect(views[5]).toEqual(until(run, 5));
  });
});

describe("a run that is not here from its beginning", () => {
  test.each(recordings().map((run): [string, Recording] => [run.page.card.run, run]))("%s is drawn at every moment as if it were", (_name, run) => {
    for (const { event } of run.entries) {
      const { used: _counted, ...drawn } = restored(run.page.keys, viewed(run, event.seq));
      const { used: _other, ...folded } = until(run, event.seq);
      expect(drawn).toEqual(folded);
    }
  });

  test("goes on from there as from its beginning", () => {
    const run = recording("run-two-drafts");
    const half = Math.floor(run.entries.length / 2);
    const { used: _counted, ...drawn } = applyAll(restored(run.page.keys, viewed(run, half)), run.entries.slice(half).map(({ event }) => event));
    const { used: _other, ...folded } = whole(run);
    expect(drawn).toEqual(folded);
  });

  test("keeps of a loop of ten thousand rounds what can be looked at, and its count", () => {
    const run = recording("run-two-drafts");
    const round = (n: number): Event[] => [
      { ...happened(run, { kind: "agent_started", sees: 1 }, "scribe", `desk_editor/scribe#${n}`), seq: 2 * n },
      { ...happened(run, { kind: "agent_ended", ended: "done", exits_loop: false, reads: [], took_ms: 1 }, "scribe", `desk_editor/scribe#${n}`), seq: 2 * n + 1 },
    ];
    const view = applyAll(empty(run.page.keys), Array.from({ length: 10_000 }, (_, index) => round(index + 1)).flat());
    expect(view.calls.size).toBeLessThan(10);
    expect(view.times.get("scribe")).toBe(10_000);
  });
});

describe("two drafts", () => {
  const run = recording("run-two-drafts");

  test("the figures are those that the program counts", () => {
    const { used } = whole(run);
    const { calls, input_tokens, output_tokens, active_ms, tool_calls, agent_calls } = run.page.usage;
    expect(used).toMatchObject({ calls, input_tokens, output_tokens, active_ms, tool_calls, agent_calls, isPartial: false });
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
    expect(stages(run, view)).toEqual({ desk_editor: "running", collector: "done", scribe: "running", proofreader: "done" });
    expect(latest(view)).toMatchObject({ number: 1, key: "manuscript" });
    expect(view.reviews).toHaveLength(1);
    expect(stageOf(view, agents(run.page.outline).get("scribe")!, false)).toMatchObject({ times: 2, waiting: { for: "model", model: "medium-2" } });
  });

  test("a retry is seen while it waits and counted once", () => {
    const scribe = agents(run.page.outline).get("scribe")!;
    expect(stageOf(until(run, 14), scribe, false)).toMatchObject({ call: { retries: 1 }, waiting: { retrying: { kind: "retry", error: { retry_after_ms: 2000 } } } });
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
    for (const between of [kept, dismissed, started]) expect(numbers(between, body("other"), body("other, longer"))).toEqual([[2, "mine"], [3, "other, longer"]]);
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
    const paused = applyAll(empty(run.page.keys), began.map(({ event }) => event));
    const resumed: Fact = { kind: "run_resumed", drops: [], delta: { set: {}, removed: [] }, overrides: { agents: { scribe: { instruction: null, profile: "other", model: null, fallbacks: null } }, limits: {}, allowed_tools: [], already_done: [] } };
    const later = { ...last, path: "user", author: "user", seq: last.seq + 1, at_ms: last.at_ms + 60_000, fact: resumed };
    const view = apply(paused, later);
    const open = (of: typeof view) => [...of.calls.values()].filter(({ endedSeq }) => endedSeq === null).map(({ startedAtMs }) => startedAtMs);
    expect(open(paused).length).toBeGreaterThan(0);
    expect(open(view)).toEqual(open(paused).map((atMs) => atMs + 60_000));
    expect(view.pieces).toEqual([{ seq: 1, atMs: began[0]!.event.at_ms }, { seq: later.seq, atMs: later.at_ms }]);
    expect(view.profiles).toEqual(new Map([["scribe", "other"]]));
  });

  test("a question that was open over a pause lets its agent begin later by the wait, once", () => {
    const began = recording("run-failed").entries.filter(({ event }) => event.seq < 16).map(({ event }) => event);
    const last = began.at(-1)!;
    const path = [...applyAll(empty(run.page.keys), began).calls.values()].find(({ endedSeq }) => endedSeq === null)!.path;
    const question = { kind: { kind: "agent" }, text: "Go on?", choices: [], default: "", is_free: true, details: null };
    const asked = { ...last, path, n: 90, seq: 16, fact: { kind: "effect_asked", reads: [], effect: { effect: "question", question } } as unknown as Fact };
    const resumed: Fact = { kind: "run_resumed", drops: [], delta: { set: {}, removed: [] }, overrides: { agents: {}, limits: {}, allowed_tools: [], already_done: [] } };
    const later = { ...last, path: "user", author: "user", seq: 17, at_ms: last.at_ms + 60_000, fact: resumed };
    const answered: Fact = { kind: "effect_answered", asked: 90, answer: { status: "done", result: "yes" }, took_ms: 61_000, waited_ms: 61_000, retries: [], summary: {} };
    const before = applyAll(empty(run.page.keys), [...began, asked]);
    const view = applyAll(before, [later, { ...asked, n: 91, seq: 18, at_ms: last.at_ms + 61_000, fact: answered }]);
    expect(view.calls.get(path)!.startedAtMs - before.calls.get(path)!.startedAtMs).toBe(61_000);
  });

  test("an answer that stands only by its hash is counted as a call whose tokens are not all known", () => {
    const stored = run.entries.map(({ event }) =>
      event.fact.kind === "effect_answered" && event.author === "proofreader"
        ? { ...event, fact: { ...event.fact, answer: { status: "done", result: { $stored: "ab".repeat(32), bytes: 9000 } } } as Fact }
        : event,
    );
    expect(applyAll(empty(run.page.keys), stored).used).toMatchObject({ calls: 5, isPartial: true });
  });
});

test("where nothing was found the rest is skipped and the reason stands beside the text", () => {
  const run = recording("run-nothing-found");
  const view = whole(run);
  expect(stages(run)).toMatchObject({ collector: "done", scribe: "skipped", proofreader: "skipped" });
  expect(caveats(view, latest(view), here)).toEqual(["Nothing was found within 30 days, so nothing is written and nothing reviewed"]);
});

test("a failed stage says why, counts its repairs and offers the answer for correction", () => {
  const run = recording("run-failed");
  const view = whole(run);
  expect(stages(run)).toMatchObject({ desk_editor: "failed", scribe: "failed", proofreader: "unreached" });
  expect(stageOf(view, agents(run.page.outline).get("scribe")!, false).call).toMatchObject({ repairs: 1 });
  expect(repairable(view, (_key, _seq, value) => value)).toMatchObject({ seq: 16, text: 'I am sorry. {"body": "Small screens need large type [1].", "sources": ' });
});

test("a limited run shows its remark beside the text and can go on with a higher limit", () => {
  const view = whole(recording("run-limited"));
  expect(caveats(view, latest(view), here)).toEqual(["not reviewed"]);
  expect(raised(view, recording("run-limited").page)).toEqual({ to: 14, limits: { max_llm_calls: 14 } });
});

test("a question stays open while the run waits for it, and is gone when it is answered", () => {
  const run = recording("run-waiting");
  const view = whole(run);
  expect(question(view)?.question?.default).toBe("finish");
  expect(stages(run)).toMatchObject({ desk_editor: "needs_you", scribe: "waiting" });
  const asked = run.entries.find(({ event }) => event.fact.kind === "effect_asked" && event.fact.effect.effect === "question")!.event;
  const answered: Fact = { kind: "effect_answered", asked: asked.n, answer: { status: "done", result: "finish" }, took_ms: 1, waited_ms: 1, retries: [], summary: {} };
  expect(question(apply(view, happened(run, answered, "desk_editor")))).toBeNull();
});

test("loops show their round, lanes run beside each other, and an interrupted stage stands still", () => {
  const run = recording("run-nested");
  const view = whole(run);
  expect(stages(run, view, true)).toEqual({
    almanac: "stopped", gather: "done", tides: "done", moons: "done", polish: "stopped", mender: "done", judge: "stopped", binder: "unreached",
  });
  expect(stageOf(view, agents(run.page.outline).get("polish")!, true)).toMatchObject({ round: 2, mostRounds: 5 });
  expect(stages(run, view, false)["judge"]).toBe("running");
});

test("a call under way when the program died costs nobody knows what, unless it was refused and waited to be tried again", () => {
  const run = recording("run-nested");
  const resumed: Fact = { kind: "run_resumed", drops: [], delta: { set: {}, removed: [] }, overrides: { agents: {}, limits: {}, allowed_tools: [], already_done: [] } };
  const { author, path } = run.entries.filter(({ event }) => event.fact.kind === "effect_asked").at(-1)!.event;
  const retry: Note = { kind: "retry", error: { code: "overloaded", message: "", phrase: verbatim(""), provider_words: null, retry_after_ms: null, limit: null } };
  const noted = (...notes: Note[]) => notes.reduce((view, note) => apply(view, happened(run, { kind: "noted", note }, author, path)), whole(run));
  for (const [view, calls] of [[noted(), 1], [noted(retry), 0], [noted(retry, { kind: "sent", attempt: 2 }), 1]] as const) {
    expect(owed(flightsOf(view))).toBe(calls);
    expect(apply(view, happened(run, resumed, "user")).used.unpriced_calls - view.used.unpriced_calls).toBe(calls);
  }
});

test("a kind of event that only a newer program writes is numbered and left alone", () => {
  const run = recording("run-two-drafts");
  const view = whole(run);
  const next = apply(view, happened(run, { kind: "told_the_future" } as unknown as Fact, "desk_editor"));
  expect({ ...next, seq: 0, lastAtMs: 0, changed: [] }).toEqual({ ...view, seq: 0, lastAtMs: 0, changed: [] });
});
