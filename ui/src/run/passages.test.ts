// @vitest-environment node
import { expect, test } from "vitest";
import { recording } from "../ipc/hosts/fake-records";
import { reviewsOf, standing } from "./issues";
import { citationsIn, citedBy, contains, quotesIn, sentencesOf, support } from "./passages";
import { excerptAround, wholeTexts } from "./sources";
import { empty } from "./empty-view";
import { applyAll } from "./view";

const here = (_key: string, _seq: number, value: unknown) => value;

test("a remark's quoted passages and citations are found in every kind of quotation mark", () => {
  expect(quotesIn('“one two” and "three four" and 「五六」')).toEqual(["one two", "three four", "五六"]);
  expect(citationsIn("As said [1] and again [2, 5], [1].")).toEqual([1, 2, 5]);
});

test("a passage is found whatever its marks and spaces, and nothing is found where nothing is", () => {
  expect(contains("## Title\n\nSome **bold\nwords** here.", "bold words here")).toBe(true);
  expect(contains("Some words.", "other words")).toBe(false);
  expect(contains("Some words.", "")).toBe(false);
});

test("sentences keep their figures and the citation that follows their full stop", () => {
  const text = "It fell to 2.1 % in a year. [2] Another claim stands [1].\n\n- A bullet [3].";
  expect(sentencesOf(text)).toEqual(["It fell to 2.1 % in a year. [2]", "Another claim stands [1].", "A bullet [3]."]);
  expect([...citedBy(text).keys()].sort()).toEqual([1, 2, 3]);
});

test("the stored passage behind a claim is the one that shares its figures; an unsupported claim has none", () => {
  const source = "Drafts were written twice. They contained 2.1 % invented references, against 14.6 % from memory. Nothing else was found.";
  expect(support(source, "Invented references fell from 14.6 % to 2.1 % [2].")?.passage).toContain("2.1 % invented references");
  expect(support(source, "Cats sleep [2].")).toBeNull();
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
  expect(reviewsOf(earlier, here, standing(earlier, here))[0]?.issues[0]).toMatchObject({ resolvedIn: null, passages: [{ isThere: true }] });
});

test("a source is read in the longest text that is kept of it anywhere, and folded around what carries the claim", () => {
  const url = "https://example.org/a";
  const texts = wholeTexts([{ chosen: [{ url, summary: "In short." }] }, { hits: [{ url, text: "The whole of it. It fell to 0.3." }, null, 7] }, null, "text"]);
  expect([...texts]).toEqual([[url, "The whole of it. It fell to 0.3."]]);
  const words = { before: "Of many applications, including ", passage: "P", after: " and more besides" };
  expect(excerptAround(words, 17)).toEqual({ before: "…including ", passage: "P", after: words.after });
  expect(excerptAround(words, 11).after).toBe(" and more…");
  expect(excerptAround({ before: "検索拡張生成の評価", passage: "P", after: "" }, 3).before).toBe("…の評価");
});
