// @vitest-environment node
import { expect, test } from "vitest";
import { pathsIn } from "./dropped-paths";

test("addresses of files become paths, lines that are paths stay, anything else is left out", () => {
  expect(
    pathsIn(
      "file:///home/me/a%20b.pdf\r\nfile:///C:/texts/c.md\n# a remark\n/tmp/d.txt\nC:\\e.txt\nhttps://example.org/x\nfile://%zz/\n",
    ),
  ).toEqual(["/home/me/a b.pdf", "C:/texts/c.md", "/tmp/d.txt", "C:\\e.txt"]);
});
