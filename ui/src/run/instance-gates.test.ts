// @vitest-environment node
import { expect, test } from "vitest";
import { each } from "../fake-host/fake-each";
import type { Fact, Json, Question } from "../ipc/bindings";
import { verbatim } from "../ipc/verbatim";
import { askedAtGate, editableAtGate, valueAtGate } from "./gate";
import { inputOf, instancesOf, itemOf } from "./instances";
import { countsInWords, happened, here, instancesIn, whole } from "./recorded-views";
import { EventFormatter } from "./sentence";
import { questions, type OpenQuestion } from "./stages";
import { apply } from "./view";

const fifty = each(50);
const view = whole(fifty);

test("an instance that the run stops before needs the person, with its item, although it has not begun", () => {
  const five = each(5);
  const at = whole(five);
  expect(countsInWords(five)).toEqual(["2 done", "1 running", "1 waits for you", "1 not started"]);
  const { found, agent: guide } = instancesIn(five);
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
  expect(
    instancesOf(begun, guide, instancesIn(five).stage.call, false).filter(({ number }) => number === 4),
  ).toMatchObject([{ call: { input: { value: "Kotor" } } }]);
  const over = apply(at, happened(five, { kind: "run_ended", outcome: "cancelled", error: null }, "journey"));
  expect(countsInWords(five, over, true)).toEqual(["2 done", "1 stopped", "2 not reached"]);
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
const firstAfter = (...steps: [string, Fact][]) => instancesIn(fifty, after(steps)).found[0]!;

test("an instance that was asked for changes runs while it works again, and is done when that is done; it stays one row", () => {
  const asked = [stops(1), answers(1, { ask_for_changes: "shorter" })];
  expect(firstAfter(stops(1))).toMatchObject({ state: "needs_you", number: 1 });
  const again = firstAfter(...asked, worksAgain(2));
  expect(again).toMatchObject({ state: "running", call: { path: first }, last: { path: `${first}/guide#2` } });
  const done = firstAfter(...asked, worksAgain(2), endsAgain(2, "shorter"));
  expect(done).toMatchObject({ state: "done", tookMs: done.call!.tookMs + 700 });
  const { counts, found } = instancesIn(fifty, after([...asked, worksAgain(2), endsAgain(2, "shorter")]));
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
  expect(
    instancesIn(fifty, apply(at, { ...happened(fifty, resumed, "user"), seq: at.seq + 1 })).found[0]!.output?.value,
  ).toBe("second");
});
