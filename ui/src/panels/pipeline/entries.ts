// Inputs, keys, tools and agents of a pipeline: added, renamed with what names them, removed.
import type { AST } from "toml-eslint-parser";
import type { Change } from "../../kit/text-change";
import { namesOf, spanOf, type Path, type TomlDocument, type TomlNode } from "../../kit/toml-document";
import { addTable, inSteps, printKey, removeKey, removeTable, setValue, type FieldValue } from "../../kit/toml-edit";
import { changeString, printString } from "../../kit/toml-string";
import type { PlacedField, Section } from "./fields";
import { PARTS } from "./steps";

export type NewAgent = "model" | "tool" | "question";

const STEMS: Record<Section, string> = { input: "input", key: "key", tool: "tool", agent: "agent" };

/** A name that nothing in the pipeline has. */
export function freeName(document: TomlDocument, section: Section): string {
  const taken = new Set(["input", "key", "tool", "agent"].flatMap((other) => document.names([other])));
  let number = 1;
  while (taken.has(`${STEMS[section]}_${number}`)) number += 1;
  return `${STEMS[section]}_${number}`;
}

const AGENT_LINES: Record<NewAgent, readonly string[]> = {
  model: ['instruction = ""'],
  tool: ['call = { tool = "" }'],
  question: ['question = { text = "" }'],
};

export function addEntry(
  document: TomlDocument,
  section: Section,
  name: string,
  title: string,
  agent: NewAgent = "model",
): Change[] {
  const lines = {
    input: ['kind = "line"'],
    key: ['role = "data"'],
    tool: ['kind = "search"'],
    agent: AGENT_LINES[agent],
  }[section];
  return addTable(document, [section, name], [`title = ${printString(title)}`, ...lines]);
}

/** Removes an entry: its key, or its table with the dotted keys that belong to it. */
export function removeEntry(document: TomlDocument, section: Section, name: string): Change[] {
  const path = [section, name];
  if (document.node(path)?.line) return removeKey(document, path);
  const keys = linePaths(document, path).map((key) => (now: TomlDocument) => removeKey(now, key));
  return inSteps(document, [(now) => removeTable(now, path), ...keys]);
}

/** The paths of the keys within a path, none of them within another. */
function linePaths(document: TomlDocument, path: Path): Path[] {
  const node = document.node(path);
  if (!node) return [];
  return node.line ? [path] : [...node.children.keys()].flatMap((child) => linePaths(document, [...path, child]));
}

/** Whether an entry may have a name: one that no other entry of the state has. */
export function isFreeName(document: TomlDocument, section: Section, name: string): boolean {
  const rivals = section === "input" || section === "key" ? ["input", "key"] : [section];
  return /^[A-Za-z_]\w*$/.test(name) && !rivals.some((rival) => document.names([rival]).includes(name));
}

const KEY_LISTS = new Set(["reads", "may_read", "writes", "takes"]);
const KEY_FIELDS = new Set(["writes", "collect", "failures"]);
const KEY_TABLES = new Set(["set", "surface", "end"]);

/** Whether a text at a path is the name of an entry of a section. */
function isReference(document: TomlDocument, section: Section, path: Path): boolean {
  const [last, list, top] = [path.at(-1), String(path.at(-2)), path[0]];
  if (section === "agent") {
    if (top !== "flow") return false;
    return typeof last === "number"
      ? (PARTS as readonly string[]).includes(list)
      : last === "run" && document.data([...path.slice(0, -1), "for_each"]) !== undefined;
  }
  if (section === "tool") return (last === "tool" && list === "call") || (typeof last === "number" && list === "tools");
  if (top !== "agent" && top !== "flow" && top !== "input") return false;
  return typeof last === "number" ? KEY_LISTS.has(list) : KEY_FIELDS.has(String(last));
}

/** Renames an entry, and whatever names it alone; templates and conditions are for the check to tell. */
export function renameEntry(document: TomlDocument, section: Section, name: string, next: string): Change[] {
  const changes: Change[] = [];
  const rename = (key: AST.TOMLBare | AST.TOMLQuoted | undefined) =>
    key && changes.push({ ...spanOf(key), insert: printKey(next) });
  for (const part of document.top.body) {
    const names = namesOf(part);
    if (names[0] === section && names[1] === name) rename(part.key.keys[1]);
    if (names.length !== 1 || names[0] !== section) continue;
    const lines = part.type === "TOMLTable" ? part.body : part.value.type === "TOMLInlineTable" ? part.value.body : [];
    for (const line of lines) if (namesOf(line)[0] === name) rename(line.key.keys[0]);
  }
  const isState = section === "input" || section === "key";
  const walk = (node: TomlNode, path: Path): void => {
    if (
      node.value?.type === "TOMLValue" &&
      node.value.kind === "string" &&
      node.value.value === name &&
      isReference(document, section, path)
    ) {
      const { from, to } = spanOf(node.value);
      const change = changeString(document.text.slice(from, to), next);
      changes.push({ from: from + change.from, to: from + change.to, insert: change.insert });
    }
    if (isState && path[0] === "flow" && path.at(-1) === name && KEY_TABLES.has(String(path.at(-2))))
      rename(node.line?.key.keys.at(-1));
    for (const [child, inner] of node.children) walk(inner, [...path, child]);
  };
  walk(document.root, []);
  return changes;
}

/** Writes the value of a field; one that is empty takes its key with it, unless that is needed. */
export function setField(
  document: TomlDocument,
  { table, field, fields }: PlacedField,
  value: FieldValue | null,
): Change[] {
  const path = [...table, ...field.at];
  const now = document.data(path);
  const isEmpty =
    value === null || value === false || value === "" || (typeof value === "object" && value.length === 0);
  if (isEmpty && !field.isNeeded) return now === undefined ? [] : clear(document, table, path);
  const order = field.at.length === 1 ? fields.map(({ at: [first = ""] }) => first) : [];
  const [only, ...others] = typeof value === "object" && value !== null ? value : [];
  // A list of one name may stand without brackets.
  const isSingle = typeof now === "string" && only !== undefined && others.length === 0;
  return setValue(document, path, isSingle ? only : (value ?? ""), order);
}

/** Tables that are there only for what they hold. */
const BARE: readonly unknown[] = ["limits", "routing"];

/** Removes a key; a table of limits or of requests without any goes, too. */
function clear(document: TomlDocument, table: Path, path: Path): Change[] {
  const isLast =
    BARE.includes(table[0]) && document.names(table).length === 1 && (document.node(table)?.tables.length ?? 0) > 0;
  return isLast ? removeTable(document, table) : removeKey(document, path);
}
