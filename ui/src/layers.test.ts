// @vitest-environment node
// What the folders may know of each other, as the architecture says; kept by a test, because prose would not hold it.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = join(process.cwd(), "src");
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => /\.(ts|svelte)$/.test(file));
const imports = files.flatMap((file) => {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/(?:from|import\()\s*"(\.[^"]+)"/g)].map((match) => ({
    file,
    to: relative(root, resolve(root, dirname(file), match[1] ?? "")),
  }));
});
const panel = (file: string) => /^panels\/(\w+)\//.exec(file)?.[1];
const isTest = (file: string) => file.endsWith(".test.ts");

test("panels never import panels", () => {
  expect(imports.filter(({ file, to }) => panel(file) && panel(to) && panel(file) !== panel(to))).toEqual([]);
});

test("only main.ts picks a host, and only hosts know how the page reaches the program", () => {
  expect(
    imports.filter(
      ({ file, to }) =>
        to.startsWith("ipc/hosts") && !file.startsWith("ipc/hosts") && file !== "main.ts" && !isTest(file),
    ),
  ).toEqual([]);
  const knowing = files.filter(
    (file) =>
      !file.startsWith("ipc/hosts") &&
      !isTest(file) &&
      /@tauri-apps|EventSource|(?<![.#\w])fetch\(/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(knowing).toEqual([]);
});

test("facts are read in two places: what they make of a run, and how they are told", () => {
  const reading = files.filter(
    (file) => !file.startsWith("ipc/") && !isTest(file) && /fact\.kind/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(reading.sort()).toEqual(["run/sentence.ts", "run/view.ts"]);
});
