// @vitest-environment node
import { expect, test } from "vitest";
import { recording } from "../../fake-host/fake-records";
import { compare, weigh } from "../../kit/diff";
import { matrixOf } from "../../run/contracts";
import { empty } from "../../run/empty-view";
import { applyAll } from "../../run/view";
import { rowsOf } from "./tree";

const state = {
  topic: "margins",
  draft: { body: "a\nb", used: [0, 1] },
  long: { list: Array.from({ length: 500 }, (_, n) => n) },
};
const keys = Object.keys(state);
const paths = (filter = "", folds = new Map<string, boolean>()) =>
  rowsOf(keys, state, folds, filter).map((row) => row.path);

test("small keys are unfolded, large ones wait; a long list is cut and says so", () => {
  expect(paths()).toEqual(["topic", "draft", "draft.body", "draft.used", "long"]);
  expect(paths("", new Map([["draft.used", true]]))).toContain("draft.used[1]");
  const rows = rowsOf(
    keys,
    state,
    new Map([
      ["long", true],
      ["long.list", true],
    ]),
    "",
  );
  expect(rows.at(-1)).toMatchObject({ path: "long.list[…]", preview: "+ 300" });
});

test("a filter leaves the keys, fields and values that contain it, with the way to them", () => {
  expect(paths("marg")).toEqual(["topic"]);
  expect(paths("body")).toEqual(["draft", "draft.body"]);
  expect(paths("nothing of the kind")).toEqual([]);
});

test("a value as deep as a model likes to write neither hangs nor overflows the tree", () => {
  let deep: unknown = "end";
  for (let depth = 0; depth < 3_000; depth++) deep = { a: deep };
  expect(rowsOf(["deep"], { deep }, new Map([["deep", true]]), "").length).toBeLessThan(100);
  expect(rowsOf(["deep"], { deep }, new Map(), "no such word")).toEqual([]);
});

test("two texts are compared word by word, also where words are not apart, and nothing is lost", () => {
  const cases = [
    ["The old proof is read.", "The new proof is read twice."],
    ["校正の余白は狭い。", "校正の余白はとても広い。"],
    ["", "x"],
    ["same", "same"],
  ] as const;
  for (const [before, after] of cases) {
    const pieces = compare(before, after);
    expect(
      pieces
        .filter((piece) => piece.kind !== "added")
        .map((piece) => piece.text)
        .join(""),
    ).toBe(before);
    expect(
      pieces
        .filter((piece) => piece.kind !== "removed")
        .map((piece) => piece.text)
        .join(""),
    ).toBe(after);
  }
  expect(compare(...cases[0]).find((piece) => piece.kind === "removed")?.text).toBe("old");
});

test("where little is left of a paragraph the old and the new one stand whole, and the others word by word beside them", () => {
  const kept = "Readers of the proof mark what concerns them in the margin, and the writer answers each mark.";
  const before = `${kept}\n\nFive papers of June take up the search for sources. In the first of them, the authors build a test of the conflict of evidence.\n\nThe last word is theirs.`;
  const after = `${kept.replace("the margin", "a margin")}\n\nRobots in a warehouse learn to carry what the people have asked for. The people say where it goes, and in the end it is there.\n\nThe last word is theirs.`;
  const [old, made] = [before, after].map((text) => text.split("\n\n")[1] ?? "");
  const pieces = compare(before, after);
  expect(pieces.filter(({ kind }) => kind !== "same").map(({ kind, text }) => [kind, text.trim()])).toEqual([
    ["removed", "the"],
    ["added", "a"],
    ["removed", old],
    ["added", made],
  ]);
  expect(
    pieces
      .filter(({ kind }) => kind !== "added")
      .map(({ text }) => text)
      .join(""),
  ).toBe(before);
  expect(
    pieces
      .filter(({ kind }) => kind !== "removed")
      .map(({ text }) => text)
      .join(""),
  ).toBe(after);
  // A paragraph that is new moves nothing; words in another order are another text.
  expect(compare(before, `${made}\n\n${before}`)).toEqual([
    { kind: "added", text: `${made}\n\n` },
    { kind: "same", text: before },
  ]);
  expect(compare("one two three four five six", "six five four three two one")).toHaveLength(2);
  const far = ["検索拡張生成の評価は難しい。", "倉庫のロボットが荷物を運ぶ。"] as const;
  expect(compare(...far)).toEqual([
    { kind: "removed", text: far[0] },
    { kind: "added", text: far[1] },
  ]);
  expect(weigh(compare(...far)).added).toBeGreaterThan(3);
});

test("the matrix holds what is declared against what happened; what was not declared is seen", () => {
  const run = recording("run-two-drafts");
  const events = run.entries.map(({ event }) => event);
  const view = applyAll(empty(run.page.keys), events.slice(0, 26));
  const cell = (matrix: ReturnType<typeof matrixOf>, key: string, agent: string) =>
    matrix.rows.find((row) => row.key === key)?.cells[matrix.agents.findIndex(({ name }) => name === agent)];
  const now = matrixOf(view, run.page.outline, "you");
  expect(cell(now, "subject", "user")).toEqual({ reads: "none", writes: "kept" });
  expect(cell(now, "manuscript", "scribe")?.writes).toBe("kept");
  expect(cell(now, "printed", "desk_editor")?.writes).toBe("open");
  const intruder = {
    ...events[27]!,
    seq: 27,
    fact: { kind: "state_changed", delta: { set: { subject: "another" }, removed: [] } },
  } as (typeof events)[number];
  expect(cell(matrixOf(applyAll(view, [intruder]), run.page.outline, "you"), "subject", "scribe")?.writes).toBe(
    "broken",
  );
});
