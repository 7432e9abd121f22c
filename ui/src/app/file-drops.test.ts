// @vitest-environment node
import { expect, test } from "vitest";
import { fileDrops } from "./file-drops.svelte";

test("a dropped file goes to the input with the focus, else to the first empty one, and several go to none", () => {
  const taken: string[] = [];
  let focused = "";
  const filled = new Set(["first"]);
  const leave = ["first", "second", "third"].map((name) =>
    fileDrops.add({ hasFocus: () => focused === name, isEmpty: () => !filled.has(name), take: (path) => taken.push(`${name} ${path}`) }),
  );
  expect(fileDrops.give(["/a"])).toBe(true);
  focused = "first";
  expect(fileDrops.give(["/b"])).toBe(true);
  expect(fileDrops.give(["/c", "/d"])).toBe(false);
  for (const one of leave) one();
  expect(fileDrops.give(["/e"])).toBe(false);
  expect(taken).toEqual(["second /a", "first /b"]);
});
