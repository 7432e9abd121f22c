// @vitest-environment node
import { afterEach, expect, test } from "vitest";
import { areDocuments, kindOf, nameOf } from "./dropped-files";
import { fileDrops } from "./file-drops.svelte";

afterEach(() => fileDrops.close());

test("a dropped file goes to the input with the focus, else to the first empty one, and what no input takes is asked about", () => {
  const taken: string[] = [];
  let focused = "";
  const filled = new Set(["first"]);
  const leave = ["first", "second", "third"].map((name) =>
    fileDrops.add({
      hasFocus: () => focused === name,
      isEmpty: () => !filled.has(name),
      fits: (paths) => paths.length === 1,
      take: ([path]) => taken.push(`${name} ${path}`),
    }),
  );
  fileDrops.drop(["/a"]);
  focused = "first";
  fileDrops.drop(["/b"]);
  expect([taken, fileDrops.offered]).toEqual([["second /a", "first /b"], []]);
  fileDrops.drop(["/c", "/d"]);
  expect(fileDrops.offered).toEqual(["/c", "/d"]);
  fileDrops.settle(["/c"]);
  expect(fileDrops.offered).toEqual(["/d"]);
  for (const one of leave) one();
  fileDrops.drop(["/e"]);
  expect([taken, fileDrops.offered]).toEqual([["second /a", "first /b"], ["/e"]]);
});

test("a file is told by its name", () => {
  expect(["/x/Lanterns.report.html", "C:\\own.TOML", "/x/page.html"].map(kindOf)).toEqual([
    "report",
    "pipeline",
    "document",
  ]);
  expect(areDocuments(["/a.md", "/b.toml"])).toBe(false);
  expect(["/x/a b.md", "C:\\x\\c.md", "/folder/"].map(nameOf)).toEqual(["a b.md", "c.md", "folder"]);
});
