// @vitest-environment node
// Changes of a TOML text: only what is meant changes.
import { expect, test } from "vitest";
import { withChanges, type Change } from "./text-change";
import { TomlDocument, type Path } from "./toml-document";
import { insertAt, removeAt, removeKey, removeTable, setValue, swapAt } from "./toml-edit";
import { changeString, printString } from "./toml-string";

function edit(text: string, change: (document: TomlDocument) => Change[]): string {
  const document = TomlDocument.parse(text);
  if (!(document instanceof TomlDocument)) throw new Error(`no TOML: ${text}`);
  return withChanges(text, change(document));
}
/** The items of the array `a`. */
function itemsOf(text: string): unknown[] {
  const document = TomlDocument.parse(text);
  return document instanceof TomlDocument ? (document.data(["a"]) as unknown[]) : [`no TOML: ${text}`];
}
const changed = (literal: string, value: string) => withChanges(literal, [changeString(literal, value)]);

test("a string keeps its quotes, its escapes and its lines where it does not change", () => {
  expect(changed(String.raw`"caf\u00e9 \"x\""`, 'café "y"')).toBe(String.raw`"caf\u00e9 \"y\""`);
  expect(changed("'C:\\a'", "C:\\b")).toBe("'C:\\b'");
  expect(changed("'plain'", "it's")).toBe('"it\'s"');
  expect(changed('"""\none \\\n   two"""', "one three")).toBe('"""\none \\\n   three"""');
  expect(changed('"""say "so""""', 'say "so"!')).toBe('"""say "so"!"""');
  expect(changed('"""\nsay"""', 'say "')).toBe('"""\nsay """"');
  expect(changed('"""a"""', "\na")).toBe('"""\n\na"""');
  expect(changed(String.raw`"a\nb"`, "a\nb\nc")).toBe(String.raw`"a\nb\nc"`);
  expect(changed('"a"', "a\nb")).toBe('"""\na\nb"""');
  expect(changed('"👍🏽"', "👍🏿")).toBe('"👍🏿"');
});

test("whatever a string holds is written so that it is read again", () => {
  for (const value of ['"""', '""', "\\", "\n", "\t\u0000\u007f", 'a\n"""\nb""', "\r\n", "\n\n"]) {
    const text = `a = ${printString(value)}\nb = """x"""\n`;
    const document = TomlDocument.parse(edit(text, (now) => setValue(now, ["b"], value)));
    expect(document instanceof TomlDocument && [document.data(["a"]), document.data(["b"])]).toEqual([value, value]);
  }
});

const list = ["a = [", "  # of one", '  "one", # first', '  "two"', "  # the end", "]", ""].join("\n");

test("items of an array come and go with their comments, and the rest stays", () => {
  expect(edit(list, (now) => insertAt(now, ["a"], 2, "3"))).toBe(list.replace('"two"', '"two",\n  3'));
  expect(edit(list, (now) => removeAt(now, ["a"], 0))).toBe('a = [\n  "two"\n  # the end\n]\n');
  expect(edit(list, (now) => removeAt(now, ["a"], 1))).toBe('a = [\n  # of one\n  "one" # first\n  # the end\n]\n');
  expect(edit(list, (now) => swapAt(now, ["a"], 0))).toBe(
    'a = [\n  "two",\n  # of one\n  "one" # first\n  # the end\n]\n',
  );
  expect(edit("a = [1, 2, 3]", (now) => removeAt(now, ["a"], 0))).toBe("a = [2, 3]");
  expect(edit("a = [1, 2, 3]", (now) => removeAt(now, ["a"], 2))).toBe("a = [1, 2]");
  expect(edit("a = [1]", (now) => removeAt(now, ["a"], 0))).toBe("a = []");
  expect(edit("a = []", (now) => insertAt(now, ["a"], 0, "1"))).toBe("a = [1]");
});

test("no item comes into the comment that ends the line before it", () => {
  const steps = 'steps = [\n "writer", "reviewer", # twice\n]';
  expect(edit(steps, (now) => swapAt(now, ["steps"], 0))).toBe('steps = [\n "reviewer", # twice\n "writer",\n]');
  const cases: [string, number, string[]][] = [
    ['a = [\n "a", # c\n "b", "c",\n]', 0, ["b", "a", "c"]],
    ['a = ["a", # a\n # b\n "b", "c"]', 1, ["a", "c", "b"]],
    ['a = ["x", "b",\n # d\n "d", # e\n]', 1, ["x", "d", "b"]],
    ['a = ["x", "b", # c\n # d\n "d", "e"]', 1, ["x", "d", "b", "e"]],
  ];
  for (const [text, index, values] of cases) {
    const moved = edit(text, (now) => swapAt(now, ["a"], index));
    expect([moved, itemsOf(moved)]).toEqual([moved, values]);
    expect(moved.match(/#[^\n]*/g)?.sort()).toEqual(text.match(/#[^\n]*/g)?.sort());
  }
  for (const text of ['a = ["x", "y", # c\n]', 'a = ["x", "y" # c\n]', 'a = ["x" # c\n]'])
    expect(itemsOf(edit(text, (now) => insertAt(now, ["a"], 9, '"new"')))).toEqual([...itemsOf(text), "new"]);
  expect(edit('a = ["a", # c\n "b"]', (now) => removeAt(now, ["a"], 1))).toBe('a = ["a" # c\n]');
  expect(edit('a = ["a", # c\n "b",]', (now) => removeAt(now, ["a"], 1))).toBe('a = ["a", # c\n]');
});

test("a key comes in its order, at the end of its table or within its braces, and goes without a trace", () => {
  const text = 'id = "x" # mine\n\n# About t.\n[t]\nb = 1 # one\n\n[u]\nv = { w = 1 }\nx.y = 2\n';
  const cases: [Path, string][] = [
    [["title"], 'id = "x" # mine\ntitle = "new"\n\n'],
    [["t", "a"], '[t]\na = "new"\nb = 1'],
    [["t", "c"], 'b = 1 # one\nc = "new"\n\n'],
    [["u", "v", "z"], 'v = { w = 1, z = "new" }'],
    [["u", "x", "q"], 'x.y = 2\nx.q = "new"\n'],
    [["t", "n", "z"], 'b = 1 # one\nn = { z = "new" }\n'],
  ];
  for (const [path, part] of cases) {
    const added = edit(text, (now) => setValue(now, path, "new", ["a", "b", "c"]));
    expect(added).toContain(part);
    if (path[1] !== "n") expect(edit(added, (now) => removeKey(now, path))).toBe(text);
  }
  const limited = edit(text, (now) => setValue(now, ["limits", "max_llm_calls"], 3));
  expect(limited.trimEnd().endsWith("\n\n[limits]\nmax_llm_calls = 3")).toBe(true);
  expect(edit(text, (now) => removeTable(now, ["t"]))).toBe('id = "x" # mine\n\n[u]\nv = { w = 1 }\nx.y = 2\n');
});

test("a table between two others of its kind is not taken along with theirs", () => {
  const text = "[a.one]\nx = 1\n\n[a.two]\nx = 2\n\n[a.one.inner]\ny = 3\n";
  expect(edit(text, (now) => removeTable(now, ["a", "one"]))).toBe("[a.two]\nx = 2\n");
  const commented = "[a]\nx = 1 # of x\n# Of b.\n[b]\ny = 2\n";
  expect(edit(commented, (now) => removeTable(now, ["b"]))).toBe("[a]\nx = 1 # of x\n");
  const quoted = '[a]\nx = """\n# Sources"""\n[b]\ny = 2\n';
  expect(edit(quoted, (now) => removeTable(now, ["b"]))).toBe('[a]\nx = """\n# Sources"""\n');
});

test("a place leads to what is written there, and a text that is no TOML to its fault", () => {
  const text = '# Top.\nid = "x"\n[[f.s]]\nloop = ["a", { when = "k" }]\n';
  const document = TomlDocument.parse(text);
  if (!(document instanceof TomlDocument)) throw new Error("no TOML");
  expect(document.pathAt(text.indexOf('"k"'))).toEqual(["f", "s", 0, "loop", 1, "when"]);
  expect(document.pathAt(text.indexOf("f.s"))).toEqual(["f", "s", 0]);
  expect(document.pathAt(text.indexOf("id"))).toEqual(["id"]);
  const place = document.place(["f", "s", 0, "loop", 0]);
  expect(place && text.slice(place.from, place.to)).toBe('"a"');
  expect(TomlDocument.parse('id = "x"\nid = 1\n')).toEqual({ line: 2, column: expect.any(Number) as number });
});
