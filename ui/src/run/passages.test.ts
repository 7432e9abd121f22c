// @vitest-environment node
import { expect, test } from "vitest";
import { recording } from "../fake-host/fake-records";
import { reviewsOf, standing } from "./issues";
import { citationsIn, contains, quotesIn } from "./passages";
import { around, excerptAround } from "./sources";
import { empty } from "./empty-view";
import { applyAll } from "./view";

const here = (_key: string, _seq: number, value: unknown) => value;

test("a remark's quoted passages and citations are found in every kind of quotation mark", () => {
  expect(quotesIn('“one two” and "three four" and 「五六」')).toEqual(["one two", "three four", "五六"]);
  expect(citationsIn("As said [1] and again [2, 5], [1].")).toEqual([1, 2, 5]);
});

test("what a remark quotes of a passage that it quotes as well, or quotes again, is no passage of its own", () => {
  expect(quotesIn("source [2] does not say “guide”, “pieces”: “**This guide** walks through the pieces [2].”")).toEqual(
    ["**This guide** walks through the pieces [2]."],
  );
  expect(quotesIn("“The same”, “other words” and “the same”")).toEqual(["The same", "other words"]);
  expect(quotesIn("“one of the first half finds candidate passa…”")).toEqual([
    "one of the first half finds candidate passa",
  ]);
});

test("a passage is found whatever its marks and spaces, and nothing is found where nothing is", () => {
  expect(contains("## Title\n\nSome **bold\nwords** here.", "bold words here")).toBe(true);
  expect(contains("Some words.", "other words")).toBe(false);
  expect(contains("Some words.", "")).toBe(false);
});

test("an issue is resolved in the draft that the first silent review saw, and its passage is looked for in the text", () => {
  const run = recording("run-two-drafts");
  const view = applyAll(
    empty(run.page.keys),
    run.entries.map(({ event }) => event),
  );
  const [first, second] = reviewsOf(view, here, standing(view, here));
  expect(first?.issues.map(({ resolvedIn }) => resolvedIn)).toEqual([2, 2]);
  expect(first?.issues[0]?.passages).toEqual([{ text: expect.stringContaining("every newsroom"), isThere: false }]);
  expect(first?.draft).toBe(1);
  expect(second?.issues).toEqual([]);
  const earlier = applyAll(
    empty(run.page.keys),
    run.entries.slice(0, 24).map(({ event }) => event),
  );
  expect(reviewsOf(earlier, here, standing(earlier, here))[0]?.issues[0]).toMatchObject({
    resolvedIn: null,
    passages: [{ isThere: true }],
  });
});

test("a stored text is folded around the passage that carries a sentence", () => {
  const words = around("Of many applications, including P and more besides", "P") ?? {
    before: "",
    passage: "",
    after: "",
  };
  expect(excerptAround(words, 17)).toEqual({ before: "…including ", passage: "P", after: words.after });
  expect(excerptAround(words, 11).after).toBe(" and more…");
  expect(excerptAround({ before: "検索拡張生成の評価", passage: "P", after: "" }, 3).before).toBe("…の評価");
  expect(around("Something", "else")).toBeNull();
  expect(around("Something", "")).toBeNull();
});
