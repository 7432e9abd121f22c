// @vitest-environment node
// The form of a pipeline and its text: what the form changes, and what it leaves as it is written.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changeBetween, withChanges, type Change } from "../../kit/text-change";
import { TomlDocument } from "../../kit/toml-document";
import type { FieldValue } from "../../kit/toml-edit";
import { addEntry, removeEntry, renameEntry, setField } from "./entries";
import { allFields, canShow, type PlacedField } from "./fields";
import { namesFor } from "./names";
import { moveMarks } from "./step-marks";
import { addStep, moveStep, removeStep, stepsOf, type Move } from "./steps";

const root = join(process.cwd(), "..");
const folder = "src-tauri/crates/pipelines/src";
/** The files of pipelines that are offered; others beside them are tables, or route requests. */
const shipped = readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
  .map((file) => `${folder}/${file}`)
  .filter(
    (file) =>
      file.endsWith(".toml") &&
      !file.includes("/routing/") &&
      /^purpose = /m.test(readFileSync(join(root, file), "utf8")),
  );
const examples = ["press-note", "page-digests"].map((file) => `docs/pipelines/${file}.toml`);
/** Without translations, of which the form knows nothing: the two largest files are half of them. */
const textOf = (file: string) => readFileSync(join(root, file), "utf8").replace(/\n\[translations[^]*/, "");
const PATIENCE_MS = 60_000;

function read(text: string): TomlDocument {
  const document = TomlDocument.parse(text);
  if (!(document instanceof TomlDocument))
    throw new Error(`line ${document.line}, column ${document.column}: no TOML in\n${text}`);
  return document;
}
const edit = (text: string, change: (document: TomlDocument) => Change[]) => withChanges(text, change(read(text)));

/** Another value for a field. */
function other({ field }: PlacedField, value: unknown): FieldValue {
  if (field.kind === "number") return Number(value ?? 0) + 1;
  if (field.kind === "yes_no") return value !== true;
  if (field.kind === "names" || field.kind === "lines")
    return typeof value === "string" ? ["another"] : [...((value as string[] | undefined) ?? []), 'an"other'];
  if (field.kind === "amount") return typeof value === "number" ? value + 1 : `${String(value)}x`;
  const text = typeof value === "string" ? value : "";
  return field.kind === "text"
    ? `${text.slice(0, 3)}"added" \\ ä\u{1d6fc}${text.slice(3)}${text.includes("\n") ? "\n" : ""}`
    : `${text}ü`;
}

test.each([...shipped, ...examples])(
  "every field of %s can be changed, and changed back to the same bytes",
  (file) => {
    const text = textOf(file);
    const document = read(text);
    const fields = allFields(document);
    expect(fields.length).toBeGreaterThan(30);
    for (const placed of fields) {
      const path = [...placed.table, ...placed.field.at];
      const before = document.data(path);
      // A list that is emptied takes its key with it: one that is written empty does not come back so.
      if (!canShow(placed.field, before) || (Array.isArray(before) && before.length === 0)) continue;
      const value = other(placed, before);
      const changed = read(withChanges(text, setField(document, placed, value)));
      const isSingle = typeof before === "string" && typeof value === "object";
      const isGone = value === false;
      expect([path, changed.data(path)]).toEqual([path, isSingle ? value[0] : isGone ? undefined : value]);
      if (isGone) continue;
      const back = before === undefined && placed.field.kind === "amount" ? null : (before as FieldValue | undefined);
      const isList = placed.field.kind === "names" || placed.field.kind === "lines";
      const restored = withChanges(
        changed.text,
        setField(changed, placed, isSingle ? [String(before)] : (back ?? (isList ? [] : null))),
      );
      expect([path, changeBetween(restored, text)]).toEqual([path, []]);
    }
  },
  PATIENCE_MS,
);

test.each([...shipped, ...examples])(
  "entries of %s are added and removed, steps moved there and back, without a trace",
  (file) => {
    const text = textOf(file);
    for (const section of ["input", "key", "tool", "agent"] as const) {
      const added = edit(text, (now) => addEntry(now, section, "brand_new", "New"));
      expect(read(added).data([section, "brand_new", "title"])).toBe("New");
      expect(edit(added, (now) => removeEntry(now, section, "brand_new"))).toBe(text);
    }
    const back: Record<"up" | "down", Move> = { up: "down", down: "up" };
    for (const path of stepsOf(read(text), ["flow", "steps"]))
      for (const move of ["up", "down"] as const) {
        const to = moveStep(read(text), path, move);
        if (!to) continue;
        const moved = edit(text, to.changes);
        expect(read(moved).data(to.path)).toEqual(read(text).data(path));
        expect(edit(moved, (now) => moveStep(now, to.path, back[move])?.changes() ?? [])).toBe(text);
      }
  },
  PATIENCE_MS,
);

const flow = `[agent.a]
writes = "k"

[key.k]

[flow]
# What runs.
steps = [
  "a", # the first
  { loop = [
    "b",
    { when = "k is empty", end = { k = "none" } },
  ], rounds = 2 },
  { set = { k = "{{ k }}" } },
]
`;

test("steps are added, moved into blocks and out of them, and removed, beside what they are written with", () => {
  const list = ["flow", "steps"];
  const looped = edit(flow, (now) => addStep(now, list, { kind: "loop" }));
  expect(looped).toBe(flow.replace('{{ k }}" } },\n', '{{ k }}" } },\n  { loop = [], rounds = 2 },\n'));
  const inside = edit(looped, (now) => moveStep(now, [...list, 2], "in")?.changes() ?? []);
  expect(inside).toContain(
    'end = { k = "none" } },\n    { set = { k = "{{ k }}" } },\n  ], rounds = 2 },\n  { loop = [], rounds = 2 },\n]',
  );
  expect(edit(inside, (now) => moveStep(now, [...list, 1, "loop", 2], "out")?.changes() ?? [])).toBe(looped);
  expect(edit(flow, (now) => removeStep(now, [...list, 0]))).toBe(flow.replace('\n  "a", # the first', ""));
  expect(moveStep(read(flow), [...list, 0], "up")).toBe(null);
  expect(moveStep(read(flow), [...list, 1, "loop", 0], "in")).toBe(null);
});

test("a step takes its comments into a block and out of it", () => {
  const list = ["flow", "steps"];
  const text = flow.replace('  "a", #', '  # Of a.\n  "a", #');
  const inside = edit(text, (now) => moveStep(now, [...list, 0], "in")?.changes() ?? []);
  expect(inside).toContain('steps = [\n  { loop = [\n    # Of a.\n    "a", # the first\n    "b",\n');
  const outside = edit(inside, (now) => moveStep(now, [...list, 0, "loop", 0], "out")?.changes() ?? []);
  expect(outside).toContain('], rounds = 2 },\n  # Of a.\n  "a", # the first\n  { set =');
  const empty = '[flow]\nsteps = [{ loop = [] }, "a", # last\n]\n';
  expect(edit(empty, (now) => moveStep(now, [...list, 1], "in")?.changes() ?? [])).toBe(
    '[flow]\nsteps = [{ loop = [\n"a", # last\n] },\n]\n',
  );
  const ended = '[flow]\nsteps = [{ loop = ["b"] }, "a", # last\n]\n';
  expect(edit(ended, (now) => moveStep(now, [...list, 1], "in")?.changes() ?? [])).toBe(
    '[flow]\nsteps = [{ loop = ["b",\n"a" # last\n] },\n]\n',
  );
});

test("a string over several lines is not indented with the step that holds it", () => {
  const text = "[flow]\nsteps = [\n  { loop = [\n    'b',\n  ] },\n  { when = '''\n  k is empty''' },\n]\n";
  const moved = read(edit(text, (now) => moveStep(now, ["flow", "steps", 1], "in")?.changes() ?? []));
  expect(moved.data(["flow", "steps", 0, "loop", 1, "when"])).toBe("  k is empty");
});

test("an unfolded step stays unfolded where it is moved, and others keep their marks", () => {
  const after = (marks: string[], path: (string | number)[], to: (string | number)[] | null) => {
    const opened = new Set(marks);
    moveMarks(opened, path, to);
    return [...opened].sort();
  };
  const entry = '["agent","a"]';
  expect(after([entry, '["s",0]', '["s",1,"loop",0]'], ["s", 0], ["s", 1])).toEqual([
    entry,
    '["s",0,"loop",0]',
    '["s",1]',
  ]);
  expect(after(['["s",0]', '["s",1]', '["s",2,"loop",1]'], ["s", 1], null)).toEqual(['["s",0]', '["s",1,"loop",1]']);
  expect(after(['["s",1,"loop",1]', '["s",2]'], ["s", 0], ["s", 0, "loop", 0])).toEqual([
    '["s",0,"loop",2]',
    '["s",1]',
  ]);
});

test("an entry without a header of its own is removed and renamed", () => {
  const tables = [
    '[input]\nt = { title = "x" }\nu = { title = "y" }\n',
    '[input]\nt.title = "x"\nt.more.least = 1\nu.title = "y"\n',
  ];
  const inline = [
    'input = { t = { title = "x" }, u = { title = "y" } }\n',
    'input = { u = { title = "y" }, t.title = "x", t.kind = "line" }\n',
  ];
  for (const text of [...tables, ...inline]) {
    expect(read(edit(text, (now) => removeEntry(now, "input", "t"))).data(["input"])).toEqual({ u: { title: "y" } });
    const renamed = read(edit(text, (now) => renameEntry(now, "input", "t", "v")));
    expect([renamed.data(["input", "v", "title"]), renamed.data(["input", "t"])]).toEqual(["x", undefined]);
  }
});

test("entries that are no tables, and an input and a key of one name, can be shown", () => {
  expect(allFields(read('[input]\ntopic = "x"\n[key]\nk = 1\n[agent]\na = []\n')).length).toBeGreaterThan(0);
  expect(namesFor(read("[input.k]\n[key.k]\n[key.l]\n"), "keys")).toEqual(["k", "l"]);
});

test("a new name goes to whatever names an agent or a key", () => {
  expect(edit(flow, (now) => renameEntry(now, "agent", "a", "writer"))).toBe(
    flow.replace("[agent.a]", "[agent.writer]").replace('"a", #', '"writer", #'),
  );
  expect(edit(flow, (now) => renameEntry(now, "key", "k", "note"))).toBe(
    flow
      .replace('writes = "k"', 'writes = "note"')
      .replace("[key.k]", "[key.note]")
      .replace("end = { k", "end = { note")
      .replace("set = { k", "set = { note"),
  );
});
