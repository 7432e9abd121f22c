// @vitest-environment node
// What the folders may know of each other, as the architecture says; kept by a test, because prose would not hold it.
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { expect, test } from "vitest";

const root = join(process.cwd(), "src");
const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => /\.(ts|svelte)$/.test(file));
const imports = files.flatMap((file) => {
  const text = readFileSync(join(root, file), "utf8");
  return [...text.matchAll(/(?:from|import\(?)\s*"(\.[^"]*)"/g)].map((match) => ({
    file,
    to: relative(root, resolve(root, dirname(file), match[1] ?? "")),
  }));
});
/** The folders, lowest first: a folder imports from folders before it. Files beside the folders come last. */
const FOLDERS = [
  "fixtures",
  "theme",
  // What the web view gives: its storage, its clock, its size.
  "platform",
  // The way to the program.
  "ipc",
  "i18n",
  // Components and helpers that know no run.
  "kit",
  // The view of a run, computed from its events, and its sentences.
  "run",
  // The host without a program, for development and tests.
  "fake-host",
  // State and actions of the whole page.
  "app",
  "panels",
  "screens",
];
const panel = (file: string) => /^panels\/(\w+)\//.exec(file)?.[1];
const isTest = (file: string) => file.endsWith(".test.ts");
const isHost = (file: string) => file.startsWith("ipc/hosts/") || file.startsWith("fake-host/");

test("folders import only from folders below them", () => {
  const folders = readdirSync(root, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).sort()).toEqual([...FOLDERS].sort());
  const rank = (file: string) => {
    const found = FOLDERS.indexOf(file.split("/")[0] ?? "");
    return found === -1 ? FOLDERS.length : found;
  };
  expect(imports.filter(({ file, to }) => !isTest(file) && rank(to) > rank(file))).toEqual([]);
});

test("no files import each other in a circle", () => {
  const known = new Set(files);
  const uses = new Map<string, string[]>();
  for (const { file, to } of imports) {
    const target = ["", ".ts", ".svelte.ts", ".svelte", "/index.ts"]
      .map((ending) => to + ending)
      .find((name) => known.has(name));
    // A component that shows itself within itself is no circle of files.
    if (target !== undefined && target !== file) uses.set(file, [...(uses.get(file) ?? []), target]);
  }
  const done = new Set<string>();
  function circleFrom(file: string, way: readonly string[]): readonly string[] | undefined {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const target of uses.get(file) ?? []) {
      const circle = circleFrom(target, [...way, file]);
      if (circle) return circle;
    }
    done.add(file);
    return undefined;
  }
  expect(files.map((file) => circleFrom(file, [])).find((circle) => circle)).toBeUndefined();
});

test("panels never import panels", () => {
  expect(imports.filter(({ file, to }) => panel(file) && panel(to) && panel(file) !== panel(to))).toEqual([]);
});

test("only main.ts picks a host, and only hosts know how the page reaches the program", () => {
  expect(imports.filter(({ file, to }) => isHost(to) && !isHost(file) && file !== "main.ts" && !isTest(file))).toEqual(
    [],
  );
  const knowing = files.filter(
    (file) =>
      !file.startsWith("ipc/hosts") &&
      !isTest(file) &&
      /@tauri-apps|EventSource|(?<![.#\w])fetch\(/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(knowing).toEqual([]);
});

test("facts are read in two places: the view of a run and its sentences", () => {
  const reading = files.filter(
    (file) => !isHost(file) && !isTest(file) && /fact\.kind/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(reading.sort()).toEqual(["run/sentence.ts", "run/view.ts"]);
});
