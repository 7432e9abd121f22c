// Finding words in a page as it is shown.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { toHtml } from "./markdown";
import { PageSearch } from "./page-search";
import { fold, offsetsOf } from "./text-search";

type Points = { startContainer: Node; startOffset: number; endContainer: Node; endOffset: number };
class Painted {
  priority = 0;
  ranges: Points[];
  constructor(...ranges: Points[]) {
    this.ranges = ranges;
  }
}
let painted: Map<string, Painted>;

beforeEach(() => {
  painted = new Map();
  vi.stubGlobal("CSS", { highlights: painted });
  vi.stubGlobal("Highlight", Painted);
});
afterEach(() => {
  vi.unstubAllGlobals();
  document.body.replaceChildren();
});

function page(markdown: string): { search: PageSearch; sheet: HTMLElement } {
  const sheet = document.createElement("article");
  sheet.innerHTML = toHtml(markdown);
  document.body.append(sheet);
  return { search: new PageSearch(() => [sheet]), sheet };
}

function wordsOf(name: string): string[] {
  return (painted.get(name)?.ranges ?? []).map(({ startContainer, startOffset, endContainer, endOffset }) => {
    const range = document.createRange();
    range.setStart(startContainer, startOffset);
    range.setEnd(endContainer, endOffset);
    return range.toString();
  });
}

test("a match may run through bold words and citations, but never from one paragraph into the next", () => {
  const { search, sheet } = page("Marks with **wide margins** help [2]. More\nfollows.\n\nMargins alone.");
  const before = sheet.innerHTML;
  expect(search.find("WITH wide MARGINS help [2]. more follows")).toBe(1);
  expect(wordsOf("find-match")).toEqual(["with wide margins help [2]. More\nfollows"]);
  expect(search.find("follows. Margins")).toBe(0);
  expect(search.find("margins")).toBe(2);
  search.show(1, true);
  expect([wordsOf("find-match"), wordsOf("find-current")]).toEqual([["margins"], ["Margins"]]);
  expect(sheet.innerHTML).toBe(before);
  search.clear();
  expect(painted.size).toBe(0);
});

test("Chinese and Japanese are found, wide letters as narrow ones, and a letter that grows when it is made small moves nothing", () => {
  const { search } = page("İstanbul は**検索**拡張生成（ＲＡＧ）を使う。检索增强生成。");
  expect(search.find("検索拡張生成(rag)")).toBe(1);
  expect(wordsOf("find-match")).toEqual(["検索拡張生成（ＲＡＧ）"]);
  expect(search.find("增强")).toBe(1);
  expect(fold("İß“Σς”").length).toBe(6);
  expect(offsetsOf("aaaa", "AA")).toEqual([0, 2]);
  expect(offsetsOf("text", "")).toEqual([]);
});

test("a text that is replaced is read again", () => {
  const { search, sheet } = page("one");
  expect(search.find("two")).toBe(0);
  sheet.innerHTML = toHtml("A paragraph with **two** words.\n\n".repeat(40));
  search.forget();
  expect(search.find("two words")).toBe(40);
});

test("an engine without the highlight API gets boxes beside the page, which go with the search", () => {
  vi.stubGlobal("CSS", {});
  const { search, sheet } = page("one two one");
  const before = sheet.innerHTML;
  expect(search.find("one")).toBe(2);
  search.show(1, true);
  expect(document.querySelectorAll(".find-boxes")).toHaveLength(1);
  expect(sheet.innerHTML).toBe(before);
  search.clear();
  expect(document.querySelectorAll(".find-boxes")).toHaveLength(0);
});
