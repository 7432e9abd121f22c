import { expect, test, vi } from "vitest";
import * as diff from "./diff";
import { blocksOf } from "./markdown";
import { mergedRows, rowsOf } from "./text-pair";

vi.mock("./diff", { spy: true });
vi.mock("./markdown", { spy: true });

const MARKS = { removed: "removed:", added: "added:" };
const pageOf = (html: string) => new DOMParser().parseFromString(html, "text/html").body;
const side = (rows: ReturnType<typeof rowsOf>, which: "before" | "after") =>
  pageOf(rows.map((row) => row[which]?.html ?? "").join(""));
const words = (body: HTMLElement, tag: string) => [...body.querySelectorAll(tag)].map(({ textContent }) => textContent);

const BEFORE =
  "# The proof\n\nThe old **proof is** read in the margin [1].\n\n- one item\n- two items\n\nThe last word is theirs.";
const AFTER =
  "# The proof\n\nThe new **proof was** read in the margin [1].\n\n- one item\n- two old items\n\nAn added passage of other matters.\n\nThe *last* word is theirs.";

test("two texts stand block beside block, each as it is set, with what differs marked in its own page", () => {
  const rows = rowsOf(BEFORE, AFTER, MARKS);
  expect(rows.map(({ before, after }) => [before?.change ?? null, after?.change ?? null])).toEqual([
    ["none", "none"],
    ["words", "words"],
    ["words", "words"],
    [null, "whole"],
    ["form", "form"],
  ]);
  expect(words(side(rows, "before"), "del")).toEqual(["removed: old", "removed: is"]);
  expect(words(side(rows, "after"), "ins")).toEqual(["added: new", "added: was", "added: old "]);
  // The marks change nothing else: a mark runs within its element, and no page holds the other's words.
  expect(words(side(rows, "after"), "strong")).toEqual(["proof added: was"]);
  for (const found of side(rows, "before").querySelectorAll(".unseen")) found.remove();
  expect(side(rows, "before").querySelector("h1")?.textContent).toBe("The proof");
});

test("in one text removed words stand where they were, and nothing of either text is lost", () => {
  const body = pageOf(
    mergedRows(BEFORE, AFTER, MARKS)
      .map(({ html }) => html)
      .join(""),
  );
  expect(body.querySelector("p")?.textContent).toBe(
    "The removed: oldadded: new proof removed: isadded: was read in the margin [1].",
  );
  expect(words(body, "li")).toEqual(["one item", "two added: old items"]);
});

test("a passage that was rewritten stands beside the new one, a heading never beside a paragraph", () => {
  const rows = rowsOf(
    "# A title\n\nRobots in a warehouse carry what was asked for.",
    "Five papers of June take up the search for sources.",
    MARKS,
  );
  expect(rows.map(({ before, after }) => [before?.change ?? null, after?.change ?? null])).toEqual([
    ["whole", null],
    ["whole", "whole"],
  ]);
  const cells = rowsOf(
    "| a | b |\n|---|---|\n| one | two |\n| three | four |",
    "| a | b |\n|---|---|\n| one | 2 |\n| three | four |",
    MARKS,
  );
  expect(words(side(cells, "after"), "td ins")).toEqual(["added: 2"]);
});

test.each([
  ["- one item\n- two items", "- one item", "two items"],
  ["| a | b |\n|---|---|\n| one | two |\n| three | four |", "| a | b |\n|---|---|\n| one | two |", "threefour"],
  ["first one two three four five", "- one two three four five", "first"],
])("in one text what was removed at either end of a list or a table is shown", (before, after, removed) => {
  const body = pageOf(
    mergedRows(before, after, MARKS)
      .map(({ html }) => html)
      .join(""),
  );
  expect(words(body, "del").map((found) => found?.replace(/\s/g, ""))).toEqual([`removed:${removed.replace(" ", "")}`]);
  expect(body.querySelector(":is(ul, table, tbody, tr) > del")).toBeNull();
});

test("only citations become words: an attribute that looks like a button stays an attribute", () => {
  const title = '<button onmouseover="x" ';
  const html = `<p><a title='${title}'>a link</a> and <button type="button" class="citation">[<span class="number">1</span>]</button></p>`;
  vi.mocked(blocksOf).mockReturnValueOnce([{ html, line: 0 }]);
  const body = side(rowsOf("a text", "", MARKS), "before");
  expect(body.querySelector("a")?.title).toBe(title);
  expect(body.querySelector("button")).toBeNull();
  expect(body.textContent).toBe("a link and [1]");
});

test("blocks that have little in common are not compared word by word", () => {
  const before = "Robots in a warehouse carry what was asked for.";
  const after = "Five papers of June take up the search for sources.";
  vi.mocked(diff.byWords).mockClear();
  rowsOf(before, after, MARKS);
  mergedRows(before, after, MARKS);
  expect(diff.byWords).not.toHaveBeenCalled();
  rowsOf(before, before.replace("Robots", "People"), MARKS);
  expect(diff.byWords).toHaveBeenCalledOnce();
});
