// What the server of a tool asks, as a form.
import { expect, test } from "vitest";
import { filledAnswer, isWrong, missingFields, serverFields } from "./server-form";

const schema = {
  type: "object",
  properties: {
    name: { type: "string", title: "Name", description: "Yours." },
    count: { type: "integer", default: 3 },
    loud: { type: "boolean", default: true },
    size: { type: "string", oneOf: [{ const: "s", title: "Small" }, { const: "l" }] },
    day: { type: "string", format: "date" },
    parts: { type: "array", items: { type: "string", enum: ["a", "b"] } },
  },
  required: ["name", "parts"],
};

test("a form has a field for each property, with the server's words, choices and defaults", () => {
  expect(
    serverFields(schema).map(({ title, kind, choices, initial }) => [
      title,
      kind,
      choices.map(({ label }) => label),
      initial,
    ]),
  ).toEqual([
    ["Name", "text", [], ""],
    ["count", "number", [], "3"],
    ["loud", "yes_no", [], true],
    ["size", "choice", ["Small", "l"], ""],
    ["day", "date", [], ""],
    ["parts", "choices", ["a", "b"], []],
  ]);
  expect(serverFields(null)).toEqual([]);
});

test("what was left empty is not told, numbers are told as numbers and nothing else for one, and required fields are missed", () => {
  const fields = serverFields(schema);
  const filled = { name: "Ada", count: "", loud: false, size: "", parts: ["b"] };
  expect(filledAnswer(fields, filled)).toEqual({ accept: { name: "Ada", loud: false, parts: ["b"] } });
  expect(filledAnswer(fields, { ...filled, count: "7" }).accept).toMatchObject({ count: 7 });
  expect(fields.filter((field) => isWrong(field, { ...filled, count: "a few" })).map(({ name }) => name)).toEqual([
    "count",
  ]);
  expect(missingFields(fields, { ...filled, name: " ", parts: [] }).map(({ name }) => name)).toEqual(["name", "parts"]);
});
