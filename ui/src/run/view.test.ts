// @vitest-environment node
import { verbatim } from "../ipc/verbatim";
import { describe, expect, test } from "vitest";
import type { Event, Fact } from "../ipc/bindings";
import { recording, recordings, type Recording } from "../fake-host/fake-records";
import { fold } from "../fake-host/fake-state";
import { viewed } from "../fake-host/fake-view";
import { flightsOf, owed } from "./in-flight";
import { happened, here, stages, until, whole } from "./recorded-views";
import { caveats, latest } from "./texts";
import { agents, questions, raised, repairable, stageOf } from "./stages";
import { empty } from "./empty-view";
import { apply, applyAll, restored } from "./view";

describe("a whole run", () => {
  test.each(recordings().map((run): [string, Recording] => [run.page.card.run, run]))(
    "%s folds to the state and the outcome that the program reports",
    (_name, run) => {
      const view = whole(run);
      const { caveat: _remark, ...state } = Object.fromEntries([...view.state].map(([key, held]) => [key, held.value]));
      const { caveat: _same, ...expected } = fold(run.entries);
      expect(state).toEqual(expected);
      expect(view.outcome).toBe(run.page.outcome);
      expect(view.seq).toBe(run.page.card.last_seq);
    },
  );

  test.each(recordings().map((run): [string, Recording] => [run.page.card.run, run]))(
    "%s is the same event by event as at once, and no view is changed afterwards",
    (_name, run) => {
      let step = empty(run.page.keys, run.gates, run.limits);
      const views = [step];
      for (const { event } of run.entries) views.push((step = apply(step, event)));
      expect(step).toEqual(whole(run));
      expect(views[5]).toEqual(until(run, 5));
    },
  );
});

describe("a run that is not here from its beginning", () => {
  test.each(recordings().map((run): [string, Recording] => [run.page.card.run, run]))(
    "%s is drawn at every moment as if it were",
    (_name, run) => {
      // Of a long run some moments are enough.
      const stride = Math.ceil(run.entries.length / 60);
      for (const { event } of run.entries.filter(({ event: { seq } }) => seq % stride === 0)) {
        const { used: _counted, ...drawn } = restored(run.page.keys, viewed(run, event.seq));
        const { used: _other, ...folded } = until(run, event.seq);
        expect(drawn).toEqual(folded);
      }
    },
  );

  test("goes on from there as from its beginning", () => {
    const run = recording("run-two-drafts");
    const half = Math.floor(run.entries.length / 2);
    const { used: _counted, ...drawn } = applyAll(
      restored(run.page.keys, viewed(run, half)),
      run.entries.slice(half).map(({ event }) => event),
    );
    const { used: _other, ...folded } = whole(run);
    expect(drawn).toEqual(folded);
  });

  test("keeps of a loop of ten thousand rounds what can be looked at, and its count", () => {
    const run = recording("run-two-drafts");
    const round = (n: number): Event[] => [
      { ...happened(run, { kind: "agent_started", sees: 1 }, "scribe", `desk_editor/scribe#${n}`), seq: 2 * n },
      {
        ...happened(
          run,
          { kind: "agent_ended", ended: "done", exits_loop: false, reads: [], took_ms: 1 },
          "scribe",
          `desk_editor/scribe#${n}`,
        ),
        seq: 2 * n + 1,
      },
    ];
    const view = applyAll(empty(run.page.keys), Array.from({ length: 10_000 }, (_, index) => round(index + 1)).flat());
    expect(view.calls.size).toBeLessThan(10);
    expect(view.times.get("scribe")).toBe(10_000);
  });
});

test("where nothing was found the rest is skipped and the reason stands beside the text", () => {
  const run = recording("run-nothing-found");
  const view = whole(run);
  expect(stages(run)).toMatchObject({ collector: "done", scribe: "skipped", proofreader: "skipped" });
  expect(caveats(view, latest(view), here)).toEqual([
    "Nothing was found within 30 days, so nothing is written and nothing reviewed",
  ]);
});

test("a failed stage says why, counts its repairs and offers the answer for correction", () => {
  const run = recording("run-failed");
  const view = whole(run);
  expect(stages(run)).toMatchObject({ desk_editor: "failed", scribe: "failed", proofreader: "unreached" });
  expect(stageOf(view, agents(run.page.outline).get("scribe")!, false).call).toMatchObject({ repairs: 1 });
  expect(repairable(view, (_key, _seq, value) => value)).toMatchObject({
    seq: 16,
    text: 'I am sorry. {"body": "Small screens need large type [1].", "sources": ',
  });
});

test("a limited run shows its remark beside the text and can go on with a higher limit", () => {
  const view = whole(recording("run-limited"));
  expect(caveats(view, latest(view), here)).toEqual(["not reviewed"]);
  expect(raised(view, recording("run-limited").page)).toEqual({ to: 14, limits: { max_llm_calls: 14 } });
});

test("a question stays open while the run waits for it, and is gone when it is answered", () => {
  const run = recording("run-waiting");
  const view = whole(run);
  expect(questions(view).map(({ question }) => question.default)).toEqual(["finish"]);
  expect(stages(run)).toMatchObject({ desk_editor: "needs_you", scribe: "waiting" });
  const asked = run.entries.find(
    ({ event }) => event.fact.kind === "effect_asked" && event.fact.effect.effect === "question",
  )!.event;
  const answered: Fact = {
    kind: "effect_answered",
    asked: asked.n,
    answer: { status: "done", result: "finish" },
    took_ms: 1,
    waited_ms: 1,
    retries: [],
    summary: {},
  };
  expect(questions(apply(view, happened(run, answered, "desk_editor")))).toEqual([]);
});

test("loops show their round, lanes run beside each other, and an interrupted stage stands still", () => {
  const run = recording("run-nested");
  const view = whole(run);
  expect(stages(run, view, true)).toEqual({
    almanac: "stopped",
    gather: "done",
    tides: "done",
    moons: "done",
    polish: "stopped",
    mender: "done",
    judge: "stopped",
    binder: "unreached",
  });
  expect(stageOf(view, agents(run.page.outline).get("polish")!, true)).toMatchObject({ round: 2, mostRounds: 5 });
  expect(stages(run, view, false)["judge"]).toBe("running");
});

test("a call under way when the program died costs nobody knows what, unless it was refused and waited to be tried again", () => {
  const run = recording("run-nested");
  const resumed: Fact = {
    kind: "run_resumed",
    drops: [],
    delta: { set: {}, removed: [] },
    overrides: { agents: {}, limits: {}, allowed_tools: [], already_done: [] },
  };
  const {
    author,
    path,
    n: asked,
  } = run.entries.filter(({ event }) => event.fact.kind === "effect_asked").at(-1)!.event;
  const refused: Fact = {
    kind: "request_failed",
    asked,
    error: {
      code: "overloaded",
      message: "",
      phrase: verbatim(""),
      provider_words: null,
      retry_after_ms: null,
      limit: null,
    },
  };
  const after = (...facts: Fact[]) =>
    facts.reduce((view, fact) => apply(view, happened(run, fact, author, path)), whole(run));
  for (const [view, calls] of [
    [after(), 1],
    [after(refused), 0],
    [after({ ...refused, asked: asked + 1 }), 1],
    [after(refused, { kind: "request_sent", asked, attempt: 2 }), 1],
  ] as const) {
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
