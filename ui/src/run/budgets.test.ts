// @vitest-environment node
import { expect, test } from "vitest";
import type { Effect, Outline } from "../ipc/bindings";
import { each } from "../fake-host/fake-each";
import { recording } from "../fake-host/fake-records";
import { viewed } from "../fake-host/fake-view";
import { budgetFigures, budgetLine, limitLine } from "./budget-text";
import { budgetOf, budgetsOf, limitsOfEach, NO_LIMITS, payers } from "./budgets";
import { happened, until, whole } from "./recorded-views";
import { agents } from "./stages";
import { apply, applyAll, restored } from "./view";

const journey = each(50);
const path = "journey/visits#1*guide#60";
const none = { calls: 0, tokens: 0, cost: 0, unpriced_calls: 0, tool_calls: {}, active_ms: 0 };

test.each([journey, recording("run-two-drafts")])(
  "budgets go on from a view in the middle as from the beginning",
  (run) => {
    const half = Math.floor(run.entries.length / 2);
    const rest = run.entries.slice(half).map(({ event }) => event);
    expect(applyAll(restored(run.page.keys, viewed(run, half)), rest).budgets).toEqual(whole(run).budgets);
    expect(until(run, half).budgets).not.toEqual(whole(run).budgets);
  },
);

test("a composed agent counts what runs below it, each agent once", () => {
  const view = whole(journey);
  const [desk, visits, guide] = ["journey", "visits", "guide"].map((name) => view.budgets.get(name)?.used);
  expect(guide?.calls).toBeGreaterThan(30);
  expect(visits).toEqual(guide);
  expect(desk?.calls).toBe(view.used.calls);
  expect(payers(new Map(), { author: "writer", path: "root/loop#1[2]/both#1|left#1/loop#1[1]/writer#3" })).toEqual([
    "writer",
    "root",
    "loop",
    "both",
    "left",
  ]);
});

const request = { profile: "work", model: "m", agent: "guide", instruction: "", messages: [], shape: null, tools: [] };
const effect = { effect: "model", request } as unknown as Effect;

test("limits of an agent on demand are never held against the sum of its instances, but told for each", () => {
  const view = whole(journey);
  const [visits, guide] = ["visits", "guide"].map((name) => agents(journey.page.outline).get(name)!) as [
    Outline,
    Outline,
  ];
  expect(budgetLine(budgetOf(view, visits, null)!)).toBe("36 of 40 calls · 13,764 tokens · $0.0651 of $0.15");
  expect(budgetLine(budgetOf(view, guide, null)!)).toBe("36 calls · 13,764 tokens · $0.0651");
  expect(limitLine(limitsOfEach(view, guide, null))).toBe("3 calls · $0.02");
  expect(limitLine(limitsOfEach(view, visits, null))).toBe("");
  expect([budgetOf(view, guide, path), limitLine(limitsOfEach(view, guide, path))]).toEqual([
    undefined,
    "3 calls · $0.02",
  ]);
});

test("an instance with limits of its own is counted against these alone", () => {
  const start = whole(journey);
  const view = {
    ...start,
    budgets: new Map([...start.budgets, ...budgetsOf({ [path]: { ...NO_LIMITS, max_llm_calls: 2 } })]),
  };
  const guide = agents(journey.page.outline).get("guide")!;
  expect(budgetLine(budgetOf(view, guide, path)!)).toBe("0 of 2 calls · 0 tokens");
  expect(limitsOfEach(view, guide, path)).toEqual(NO_LIMITS);
});

test("what was not made is taken back, also of an instance that has limits of its own", () => {
  const start = whole(journey);
  const own = {
    ...start,
    budgets: new Map([...start.budgets, ...budgetsOf({ [path]: { ...NO_LIMITS, max_llm_calls: 2 } })]),
  };
  const asked = apply(own, happened(journey, { kind: "effect_asked", effect, reads: [] }, "guide", path));
  expect(asked.budgets.get(path)?.used.calls).toBe(1);
  expect(asked.budgets.get("visits")?.used.calls).toBe((start.budgets.get("visits")?.used.calls ?? 0) + 1);
  const answer = { status: "done" as const, result: null };
  const answered = (summary: object) =>
    apply(
      asked,
      happened(
        journey,
        { kind: "effect_answered", asked: 90, answer, took_ms: 1, waited_ms: 0, retries: [], summary },
        "guide",
        path,
      ),
    );
  expect(answered({ sent: 0 }).budgets).toEqual(own.budgets);
  const paid = answered({ sent: 1, tokens: { input_tokens: 10, output_tokens: 5 }, cost: 0.5 });
  expect(paid.budgets.get(path)?.used).toEqual({ ...none, calls: 1, tokens: 15, cost: 0.5 });
});

test("a resumption changes limits", () => {
  const agents = {
    guide: { instruction: null, profile: null, model: null, limits: { max_llm_calls: null, max_cost: 2 } },
  };
  const fact = {
    kind: "run_resumed",
    drops: [],
    delta: { set: {}, removed: [] },
    overrides: { agents, limits: {} },
  } as never;
  expect(apply(whole(journey), happened(journey, fact, "journey")).budgets.get("guide")?.limits).toEqual({
    ...NO_LIMITS,
    max_cost: 2,
  });
});

test("the line tells each figure with its limit", () => {
  const used = { ...none, calls: 3, tokens: 12_400, cost: 0.031 };
  const limits = { ...NO_LIMITS, max_llm_calls: 5, max_cost: 0.1 };
  expect(budgetLine({ used, limits })).toBe("3 of 5 calls · 12,400 tokens · $0.031 of $0.10");
  expect(budgetLine({ used: { ...none, calls: 1, tokens: 9, unpriced_calls: 1 }, limits: NO_LIMITS })).toBe(
    "1 call · 9 tokens · price not known",
  );
  expect(budgetLine({ used: { ...used, unpriced_calls: 1 }, limits: NO_LIMITS })).toBe(
    "3 calls · 12,400 tokens · $0.031 + calls of unknown price",
  );
  expect(budgetLine({ used: none, limits: NO_LIMITS })).toBe("");
  expect(budgetFigures({ used: { ...used, calls: 4 }, limits }).map(({ isNear }) => isNear)).toEqual([
    true,
    false,
    false,
  ]);
});
