// @vitest-environment node
import { expect, test } from "vitest";
import { recordings } from "../fake-host/fake-records";
import type { KeyDeclaration, RunCard } from "../ipc/bindings";
import { edited, editing, readJson } from "./changed-key.svelte";
import { familyOf } from "./family";

const [any] = recordings();
const card = (run: string, parent: string | null, seq = 5): RunCard => ({
  ...any!.page.card,
  run,
  origin: parent === null ? null : { run: parent, seq },
});

test("a family is found from each of its members, forks below their parents in the order of their places", () => {
  const cards = [
    card("late", "root", 9),
    card("root", null),
    card("early", "root", 3),
    card("grandchild", "early"),
    card("stranger", null),
  ];
  for (const run of ["root", "late", "grandchild"])
    expect(familyOf(run, cards).map(({ card, depth }) => `${depth} ${card.run}`)).toEqual([
      "0 root",
      "1 early",
      "2 grandchild",
      "1 late",
    ]);
});

test("a parent that was removed and parents in a circle end the way up", () => {
  expect(familyOf("orphan", [card("orphan", "gone")]).map(({ card }) => card.run)).toEqual(["orphan"]);
  expect(familyOf("a", [card("a", "b"), card("b", "a")]).length).toBe(2);
});

const draft: KeyDeclaration = {
  name: "manuscript",
  title: "Draft",
  role: { kind: "draft", edit: "body", words: "length", word_limit: 0 },
  schema: {},
};
const list: KeyDeclaration = {
  name: "list",
  title: "List",
  role: { kind: "data" },
  schema: { type: "array", items: { type: "object", required: ["name"], properties: { name: { type: "string" } } } },
};

test("a draft is changed by the field that a person edits, the rest of it stays", () => {
  const before = { body: "old", length: 1 };
  expect(editing(draft, before)).toEqual({ key: "manuscript", text: "old", isText: true });
  expect(edited(draft, before, { key: "manuscript", text: "new", isText: true })).toEqual({
    value: { body: "new", length: 1 },
  });
});

test("what is no text is changed as JSON and must keep to its schema, told with its place", () => {
  const change = editing(list, [{ name: "a" }]);
  expect(change.isText).toBe(false);
  expect(edited(list, [], change)).toEqual({ value: [{ name: "a" }] });
  expect(edited(list, [], { ...change, text: "[{]" })).toHaveProperty("wrong");
  expect(readJson('[{"name": 3}]', list.schema).wrong).toEqual([expect.stringContaining("0/name")]);
  expect(readJson("{}", "no schema").wrong).toEqual([]);
});
