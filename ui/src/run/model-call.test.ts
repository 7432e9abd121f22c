// A call of a model as it is read.
import { expect, test } from "vitest";
import type { Event, ModelRequest } from "../ipc/bindings";
import { beginningOf, linesOf, linesOfText, readableCall } from "./model-call";

const request: ModelRequest = {
  agent: "searcher",
  profile: "work",
  model: "medium-2",
  instruction: { $whole: "First line.\nSecond line." },
  messages: [
    { speaker: "user", content: { $stored: "abc", bytes: 70_000 }, tool_requests: [], answers: null },
    {
      speaker: "model",
      content: "",
      tool_requests: [{ id: "c1", tool: "library", input: { query: "日本語", days: [1, 2] } }],
      answers: null,
    },
    { speaker: "tool", content: '{"hits":[]}', tool_requests: [], answers: "c1" },
  ],
  shape: { name: "found_articles", schema: {} },
  tools: [{ name: "library", description: "", schema: {} }],
  temperature: 0.2,
  max_output_tokens: 2048,
};
const answered = (answer: unknown) => ({ fact: { kind: "effect_answered", asked: 1, answer } }) as unknown as Event;

test("a call is read by its parts: JSON by its fields, a result of a tool by the tool it came from, what is not here as missing", () => {
  const call = readableCall(
    request,
    answered({ status: "done", result: { text: '{"articles":[{"title":"<b>x</b>"}]}', stop: "stop" } }),
  );
  expect(call.instruction).toEqual([{ depth: 0, name: "", text: "First line.\nSecond line." }]);
  expect(call.messages.map(({ speaker, tool, lines }) => [speaker, tool, lines])).toEqual([
    ["user", "", null],
    ["model", "", []],
    ["tool", "library", [{ depth: 0, name: "hits", text: "[]" }]],
  ]);
  expect(call.messages[1]?.toolUses[0]?.lines.map(({ depth, name, text }) => [depth, name, text])).toEqual([
    [0, "query", "日本語"],
    [0, "days", ""],
    [1, "1", "1"],
    [1, "2", "2"],
  ]);
  expect(call.answer).toMatchObject({
    status: "done",
    stop: "stop",
    lines: [{ name: "articles" }, { depth: 1, name: "1" }, { depth: 2, name: "title", text: "<b>x</b>" }],
  });
});

test("an answer may be missing, failed, cut off or of another kind, and each is told apart", () => {
  expect(readableCall(request, null).answer.status).toBe("open");
  expect(readableCall(request, answered({ status: "failed", error: { code: "timeout" } })).answer.status).toBe(
    "failed",
  );
  expect(
    readableCall(request, answered({ status: "interrupted", reason: "cancelled", partial: '{"body": "Hal' })).answer,
  ).toEqual({
    status: "interrupted",
    lines: [{ depth: 0, name: "", text: '{"body": "Hal' }],
  });
  expect(
    readableCall(request, answered({ status: "done", result: { $stored: "abc", bytes: 9 } })).answer,
  ).toMatchObject({ lines: null });
  expect(linesOf(null)).toEqual([{ depth: 0, name: "", text: "null" }]);
});

test("JSON inside of a text is read by its fields, and what only looks like it stays as it is", () => {
  const text = `Topic: margins\n\n----- BEGIN HITS -----\n${JSON.stringify([{ title: "A", number: 1 }], null, 2)}\n----- END HITS -----\n[2] is cited.\n[2]\n{ no json`;
  expect(linesOfText(text)).toEqual([
    { depth: 0, name: "", text: "Topic: margins\n\n----- BEGIN HITS -----" },
    { depth: 0, name: "1", text: "" },
    { depth: 1, name: "title", text: "A" },
    { depth: 1, name: "number", text: "1" },
    { depth: 0, name: "", text: "----- END HITS -----\n[2] is cited.\n[2]\n{ no json" },
  ]);
});

test("of a long text the beginning is shown, by characters and by lines, and of a short one all of it", () => {
  const short = linesOfText("two\nlines");
  expect(beginningOf(short, 100, 2)).toBe(short);
  expect(beginningOf(linesOfText("a\nb\nc"), 100, 2)).toEqual([{ depth: 0, name: "", text: "a\nb" }]);
  expect(beginningOf(linesOfText("x".repeat(200_000)), 100, 9)[0]?.text).toHaveLength(100);
  expect(beginningOf(linesOf(Array.from({ length: 50 }, () => "item")), 1_000, 14)).toHaveLength(14);
});
