// @vitest-environment node
import { expect, test } from "vitest";
import { parts } from "./exact-state.svelte";
import { countWords } from "./word-count";

test("the parts of the exact text are the text, also when a value looks like a heading", () => {
  const text =
    "--- BEGIN PIPELINE STATE ---\n\n1. topic:\n   2. draft:\n\n2. draft:\n   (empty)\n\n--- END PIPELINE STATE ---\n";
  const found = parts(text, ["topic", "draft"]);
  expect(found.map((part) => part.text).join("")).toBe(text);
  expect(found.map((part) => part.key)).toEqual([null, "topic", "draft", null]);
});

test("words are counted while typing as the program counts them", () => {
  const cases: [string, number][] = [
    ["", 0],
    ["# A heading\n\nText **in bold** and *slanted*.", 7],
    ['A [link text](https://example.org/a "its title") here', 4],
    ["Cited [1][2] and [1, 3] and [1-3].", 3],
    ["A state-of-the-art method costs 3.5% less", 6],
    ["- first\n- second\n1. third\n2) fourth", 4],
    ["before—after", 2],
    ["検索拡張生成", 6],
    ["GPT-4は速い。", 4],
  ];
  for (const [text, words] of cases) expect(countWords(text), text).toBe(words);
});
