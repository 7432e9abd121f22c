// Changes of a TOML text that leave everything else as it is written: values, keys, tables and items.
import type { AST } from "toml-eslint-parser";
import { changeBetween, withChanges, type Change } from "./text-change";
import { commentsOf, insertItem, removeItem, swapItems, type ItemComments } from "./toml-array";
import { namesOf, spanOf, TomlDocument, type Path, type Span } from "./toml-document";
import { changeString, printString } from "./toml-string";

/** What a field of a form can hold. */
export type FieldValue = string | number | boolean | readonly string[];

export const printKey = (name: string): string => (/^[\w-]+$/.test(name) ? name : printString(name));

export function print(value: FieldValue): string {
  if (typeof value === "string") return printString(value);
  return typeof value === "object" ? `[${value.map(printString).join(", ")}]` : String(value);
}

/** Several changes in a row, each of the text that the one before left, as one. */
export function inSteps(document: TomlDocument, steps: readonly ((document: TomlDocument) => Change[])[]): Change[] {
  let [now, text] = [document, document.text];
  for (const step of steps) {
    if (now.text !== text) {
      const next = TomlDocument.parse(text);
      if (!(next instanceof TomlDocument)) return [];
      now = next;
    }
    text = withChanges(text, step(now));
  }
  return changeBetween(document.text, text);
}

/** Writes a value. A key that is not there comes behind those of `order` that stand before it there. */
export function setValue(
  document: TomlDocument,
  path: Path,
  value: FieldValue,
  order: readonly string[] = [],
): Change[] {
  const written = document.node(path)?.value;
  if (!written) return addKey(document, path, print(value), order);
  const { from, to } = spanOf(written);
  if (written.type === "TOMLArray" && typeof value === "object") return setItems(document, path, value);
  if (written.type === "TOMLValue" && written.kind === "string" && typeof value === "string") {
    const change = changeString(document.text.slice(from, to), value);
    return [{ from: from + change.from, to: from + change.to, insert: change.insert }];
  }
  const isFloat = written.type === "TOMLValue" && written.kind === "float" && Number.isInteger(value);
  return [{ from, to, insert: isFloat ? `${print(value)}.0` : print(value) }];
}

/** Makes an array of texts hold others: those at both ends that are alike stay as they are written. */
function setItems(document: TomlDocument, path: Path, values: readonly string[]): Change[] {
  const before = document.data(path) as readonly unknown[];
  let start = 0;
  while (start < Math.min(before.length, values.length) && before[start] === values[start]) start += 1;
  let kept = 0;
  while (kept < Math.min(before.length, values.length) - start && before.at(-1 - kept) === values.at(-1 - kept))
    kept += 1;
  const [olds, news] = [before.length - kept - start, values.length - kept - start];
  const both = Math.min(olds, news);
  const steps: ((now: TomlDocument) => Change[])[] = [];
  for (let n = 0; n < both; n += 1) steps.push((now) => setValue(now, [...path, start + n], values[start + n] ?? ""));
  for (let n = both; n < olds; n += 1) steps.push((now) => removeAt(now, path, start + both));
  for (let n = both; n < news; n += 1)
    steps.push((now) => insertAt(now, path, start + n, printString(values[start + n] ?? "")));
  return inSteps(document, steps);
}

function arrayAt(document: TomlDocument, path: Path): AST.TOMLArray | null {
  const value = document.node(path)?.value;
  return value?.type === "TOMLArray" ? value : null;
}

export function insertAt(
  document: TomlDocument,
  path: Path,
  index: number,
  item: string,
  comments?: ItemComments,
): Change[] {
  const array = arrayAt(document, path);
  return array ? insertItem(document.text, array, index, item, comments) : [];
}

/** The comments that `removeAt` removes with an item of an array. */
export function commentsAt(document: TomlDocument, path: Path, index: number): ItemComments | undefined {
  const array = arrayAt(document, path);
  return array ? commentsOf(document.text, array, index) : undefined;
}

/** Removes an item of an array, or a table of an array of tables. */
export function removeAt(document: TomlDocument, path: Path, index: number): Change[] {
  const array = arrayAt(document, path);
  return array ? removeItem(document.text, array, index) : removeTable(document, [...path, index]);
}

/** Exchanges an item with the next one. */
export function swapAt(document: TomlDocument, path: Path, index: number): Change[] {
  const array = arrayAt(document, path);
  if (array) return swapItems(document.text, array, index);
  const [[one, ...more], [other, ...others]] = [
    blocksOf(document, [...path, index]),
    blocksOf(document, [...path, index + 1]),
  ];
  if (!one || !other || more.length + others.length > 0) return [];
  const textOf = ({ from, to }: Span) => document.text.slice(from, to);
  return [
    { ...one, insert: textOf(other) },
    { ...other, insert: textOf(one) },
  ];
}

/** Removes a key with its value. */
export function removeKey(document: TomlDocument, path: Path): Change[] {
  const line = document.node(path)?.line;
  if (!line) return [];
  const { text } = document;
  const { from, to } = spanOf(line);
  if (line.parent.type !== "TOMLInlineTable") {
    const start = text.lastIndexOf("\n", from - 1) + 1;
    const end = endOfLine(text, to);
    return [
      end < text.length
        ? { from: start, to: end + 1, insert: "" }
        : { from: Math.max(0, start - 1), to: end, insert: "" },
    ];
  }
  const lines = line.parent.body;
  const index = lines.indexOf(line);
  const [before, next] = [lines[index - 1], lines[index + 1]];
  if (before) return [{ from: before.range[1], to, insert: "" }];
  return [next ? { from, to: next.range[0], insert: "" } : { ...spanOf(line.parent), insert: "{}" }];
}

const endOfLine = (text: string, at: number): number => (text.indexOf("\n", at) + 1 || text.length + 1) - 1;

function addKey(document: TomlDocument, path: Path, value: string, order: readonly string[]): Change[] {
  const parent = path.slice(0, -1);
  const name = String(path.at(-1));
  const node = document.node(parent);
  const entry = `${printKey(name)} = ${value}`;
  const inline = node?.value?.type === "TOMLInlineTable" ? node.value : null;
  const table = node?.tables[0];
  if (!inline && !table && parent.length > 0) return addUnder(document, parent, name, value);
  const lines = inline?.body ?? (table ?? document.top).body.filter((part) => part.type === "TOMLKeyValue");
  const earlier = order.slice(0, Math.max(0, order.indexOf(name)));
  const anchor = order.includes(name)
    ? lines.filter((line) => earlier.includes(namesOf(line)[0] ?? "")).at(-1)
    : lines.at(-1);
  const [first] = lines;
  if (inline) {
    if (!first) return [{ ...spanOf(inline), insert: `{ ${entry} }` }];
    return [anchor ? insertion(anchor.range[1], `, ${entry}`) : insertion(first.range[0], `${entry}, `)];
  }
  const behind = anchor?.range[1] ?? table?.key.range[1];
  if (behind !== undefined) return [insertion(endOfLine(document.text, behind), `\n${entry}`)];
  return [insertion(first?.range[0] ?? 0, `${entry}\n`)];
}

const insertion = (at: number, insert: string): Change => ({ from: at, to: at, insert });

/** Adds a key to a table that has no header of its own: one of dotted keys, or none yet. */
function addUnder(document: TomlDocument, parent: Path, name: string, value: string): Change[] {
  const node = document.node(parent);
  const sibling = [...(node?.children.values() ?? [])].flatMap(({ line }) => line ?? []).at(-1);
  if (sibling) {
    const prefix = sibling.key.keys.slice(0, -1).map(({ range }) => document.text.slice(...range));
    return [
      insertion(endOfLine(document.text, sibling.range[1]), `\n${[...prefix, printKey(name)].join(".")} = ${value}`),
    ];
  }
  const outer = document.node(parent.slice(0, -1));
  // Within a table with a header of its own a small table stands on one line.
  if (parent.length > 1 && (outer?.tables.length || outer?.value))
    return addKey(document, parent, `{ ${printKey(name)} = ${value} }`, []);
  return addTable(document, parent, [`${printKey(name)} = ${value}`]);
}

/** The order of tables in a file, for one of a kind that the file has none of yet. */
const SECTIONS = ["input", "key", "tool", "agent", "flow", "note", "limits", "preset", "translations", "routing"];

/** Adds a table behind those of its kind. */
export function addTable(document: TomlDocument, path: Path, lines: readonly string[], isItem = false): Change[] {
  const rank = (names: Path) => SECTIONS.indexOf(String(names[0]));
  const before = document.top.body
    .filter((part) => part.type === "TOMLKeyValue" || rank(part.resolvedKey) <= rank(path))
    .at(-1);
  const names = path.map((name) => printKey(String(name))).join(".");
  const block = [isItem ? `[[${names}]]` : `[${names}]`, ...lines].join("\n");
  return [before ? insertion(endOfLine(document.text, before.range[1]), `\n\n${block}`) : insertion(0, `${block}\n`)];
}

/** The blocks of a table, each with the comments directly above it: one, where the tables within it follow it. */
function blocksOf(document: TomlDocument, path: Path): Span[] {
  const isWithin = (part: AST.TOMLKeyValue | AST.TOMLTable) =>
    part.type === "TOMLTable" && path.every((name, index) => part.resolvedKey[index] === name);
  const blocks: Span[] = [];
  document.top.body.forEach((part, index, body) => {
    if (!isWithin(part)) return;
    const to = endOfLine(document.text, part.range[1]);
    const [before, open] = [body[index - 1], blocks.at(-1)];
    if (open && before && isWithin(before)) return void (open.to = to);
    // A line with "#" that ends a string over several lines belongs to the part before.
    const start = before ? endOfLine(document.text, before.range[1]) : 0;
    const comments = /^(?:[ \t]*#[^\n]*\n)*[ \t]*(?![^])/m.exec(document.text.slice(start, part.range[0]))?.[0] ?? "";
    blocks.push({ from: part.range[0] - comments.length, to });
  });
  return blocks;
}

export function removeTable(document: TomlDocument, path: Path): Change[] {
  return blocksOf(document, path).map(({ from, to }) => {
    const blanks = /\s*$/.exec(document.text.slice(0, from))?.[0] ?? "";
    // At the beginning of a file the blank lines behind it go with it.
    if (blanks.length === from)
      return { from: 0, to: to + (/^\s*/.exec(document.text.slice(to))?.[0].length ?? 0), insert: "" };
    return { from: from - blanks.length, to, insert: "" };
  });
}
