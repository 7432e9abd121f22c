// @vitest-environment node
import { expect, test } from "vitest";
import type { Answer, Decision, Event, Fact, Json, Question } from "../ipc/bindings";
import { recording } from "../fake-host/fake-records";
import { journalEntry } from "../fake-host/fake-view";
import { exactJson, stretches } from "../kit/exact-text";
import { argumentsOf, askedPermission, decisionText, isRounded } from "./permission";
import { happened, whole } from "./recorded-views";
import { EventFormatter } from "./sentence";
import { questions, statusOf } from "./stages";
import { apply } from "./view";

const run = recording("run-permission");
const answered = (asked: number, result: Json): Fact => ({
  kind: "effect_answered",
  asked,
  answer: { status: "done", result },
  took_ms: 1,
  waited_ms: 1,
  retries: [],
  summary: {},
});

test("every question that branches ask beside each other is open with its number, until its own answer comes", () => {
  const view = whole(run);
  const open = questions(view);
  expect(open.map(({ seq, agent, path }) => [seq, agent, path])).toEqual([
    [9, "clerk", "office|clerk#1"],
    [10, "namer", "office|namer#1"],
  ]);
  expect(statusOf(view, "running")).toBe("waiting");
  const after = apply(view, happened(run, answered(open[1]!.n, "night"), "namer", "office|namer#1"));
  expect(questions(after).map(({ seq }) => seq)).toEqual([9]);
  const last = apply(after, { ...happened(run, answered(open[0]!.n, "refuse"), "clerk", "office|clerk#1"), seq: 12 });
  expect(questions(last)).toEqual([]);
  expect(statusOf(last, "running")).toBe("running");
});

test("what permission is asked for is read whole, and an input that looks like a stored value is not taken for one", () => {
  const { question } = questions(whole(run))[0]!;
  expect(askedPermission(question, () => undefined)).toMatchObject({
    call: { tool: "publish_page", place: "printing-house.example.org" },
    input: { copies: 3 },
  });
  const stored = { $stored: "aa", bytes: 9000 };
  const large: Question = { ...question, details: stored };
  expect(askedPermission(large, () => undefined)).toBeNull();
  expect(askedPermission(large, () => question.details)?.input).toMatchObject({ copies: 3 });
  const details = question.details as { call: object };
  const hidden: Question = {
    ...question,
    details: {
      ...details,
      call: { ...details.call, input: { $whole: { nested: stored, $stored: "bb", bytes: 1 } } },
    } as Json,
  };
  expect(askedPermission(hidden, () => "another text")?.input).toEqual({ nested: stored, $stored: "bb", bytes: 1 });
});

test("arguments are shown whole: texts as they are, anything else as JSON", () => {
  expect(argumentsOf({ to: "a\nb", n: 3, on: false, none: null, list: [1], empty: "" })).toEqual([
    { name: "to", text: "a\nb", isJson: false },
    { name: "n", text: "3", isJson: true },
    { name: "on", text: "false", isJson: true },
    { name: "none", text: "null", isJson: true },
    { name: "list", text: "[\n  1\n]", isJson: true },
    { name: "empty", text: "", isJson: false },
  ]);
  expect(argumentsOf(["x"])).toEqual([{ name: "", text: '[\n  "x"\n]', isJson: true }]);
  expect([isRounded({ a: [2 ** 53] }), isRounded({ a: 2 ** 53 - 1, b: 1e-7 })]).toEqual([true, false]);
});

test("characters that cannot be seen or turn the order are named, and JSON keeps its meaning", () => {
  const text = "pay \u202eesrever\u202c\u200b to\r\n👩‍💻 می‌خواهم\t.";
  expect(
    stretches(text)
      .filter(({ isHidden }) => isHidden)
      .map(({ text: name }) => name),
  ).toEqual(["U+202E", "U+202C", "U+200B"]);
  expect(stretches("\u{e0041}")).toEqual([{ text: "U+E0041", isHidden: true }]);
  const json = exactJson({ [text]: [text, "\u{e0041}"] });
  expect(json).toContain("\\u202eesrever\\u202c");
  expect(/[\u202e\u202c\u200b]/.test(json)).toBe(false);
  expect(JSON.parse(json)).toEqual({ [text]: [text, "\u{e0041}"] });
});

test.each<[Decision, string]>([
  [{ is_allowed: true, by: "person" }, "allowed by you, once"],
  [{ is_allowed: true, by: "person", rule: "post@example.org" }, "allowed by you (post at example.org)"],
  [{ is_allowed: true, by: "person", is_changed: true }, "allowed by you, once and with changes"],
  [{ is_allowed: false, by: "person", reason: "too early" }, "refused by you: too early"],
  [{ is_allowed: true, by: "run", rule: "post" }, "allowed in this run (post, everywhere)"],
  [{ is_allowed: false, by: "never", rule: "post" }, "forbidden by a rule in the settings (post, everywhere)"],
  [{ is_allowed: false, by: "never" }, "forbidden, because a rule in the settings cannot be read"],
  [{ is_allowed: false, by: "nobody" }, "refused: nobody was there to answer"],
  [{ is_allowed: false, by: "default" }, "refused: it was redirected to another host"],
])("who decided is told in words: %j", (decision, words) => {
  expect(decisionText(decision)).toBe(words);
});

test("the journal says who decided about a call, and what the person answered", () => {
  const formatter = new EventFormatter(run.page.outline, run.page.keys);
  const entry = (seq: number) => run.entries[seq - 1]!;
  expect(formatter.format(entry(4))).toMatch(
    / · allowed by a rule in the settings \(publish_page at printing-house.example.org\)$/,
  );
  expect(formatter.format(entry(6))).toMatch(/ · refused by you: not before the proof is read$/);
  const said = (result: Json) => {
    const answer: Answer = { status: "done", result };
    const event: Event = {
      ...entry(9).event,
      fact: { ...(answered(6, result) as Extract<Fact, { kind: "effect_answered" }>), answer },
    };
    return formatter.format(journalEntry(event), entry(9).event);
  };
  expect([said("once"), said({ refuse_because: "no" }), said({ change: { a: 1 } }), said("nobody")]).toEqual([
    "You answered: Allow once",
    "You refused: no",
    "You changed the arguments and allowed it once",
    "Nobody was there to answer",
  ]);
});
