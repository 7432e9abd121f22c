// The flow of a pipeline as nested rows: what a step is, and how it is added and moved.
import type { Change } from "../../kit/text-change";
import { spanOf, type Path, type TomlDocument } from "../../kit/toml-document";
import { addTable, commentsAt, inSteps, insertAt, removeAt, setValue, swapAt } from "../../kit/toml-edit";
import { printString } from "../../kit/toml-string";
import { namesFor } from "./names";

/** The lists of steps that a step can have. */
export const PARTS = [
  "sequence",
  "parallel",
  "loop",
  "steps",
  "otherwise",
  "try",
  "on_tool_failure",
  "on_malformed",
  "on_limit",
] as const;
export type Part = (typeof PARTS)[number];
const KINDS = ["for_each", "sequence", "parallel", "loop", "when", "try", "set", "surface", "run", "note"] as const;
export type StepKind = (typeof KINDS)[number] | "agent" | "exit_loop" | "end" | "unknown";
export type Move = "up" | "down" | "in" | "out";

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function stepKind(value: unknown): StepKind {
  if (value === "exit_loop" || value === "end") return value;
  if (typeof value === "string") return "agent";
  return KINDS.find((kind) => isTable(value) && kind in value) ?? "unknown";
}

/** The lists of steps that a step has. */
export const partsOf = (value: unknown): Part[] => PARTS.filter((part) => isTable(value) && Array.isArray(value[part]));

/** The paths of the steps of a list. */
export function stepsOf(document: TomlDocument, list: Path): Path[] {
  const value = document.data(list);
  return Array.isArray(value) ? value.map((_, index) => [...list, index]) : [];
}

/** Whether a list stands in brackets: one of tables with headers takes no step of another list. */
const isBracketed = (document: TomlDocument, list: Path) => document.node(list)?.value?.type === "TOMLArray";

/** Whether a step can be added to a list: to one of tables with headers only at the end of the flow. */
export const canAdd = (document: TomlDocument, list: Path): boolean => list.length === 2 || isBracketed(document, list);

/** What a new step is: one of an agent, or a block of a kind. */
export type NewStep = { agent: string } | { kind: "sequence" | "parallel" | "loop" | "when" | "for_each" };

function linesOf(step: NewStep, first: string, worker: string): string[] {
  if ("agent" in step) return [`sequence = [${printString(step.agent)}]`];
  switch (step.kind) {
    case "loop":
      return ["loop = []", "rounds = 2"];
    case "when":
      return [`when = ${printString(`${first} is present`)}`, "steps = []"];
    case "for_each":
      return [`for_each = ${printString(`${first}.items`)}`, `run = ${printString(worker)}`];
    default:
      return [`${step.kind} = []`];
  }
}

export function addStep(document: TomlDocument, list: Path, step: NewStep): Change[] {
  const first = [...document.names(["key"]), ...document.names(["input"])][0] ?? "key";
  const worker = document.names(["agent"]).find((name) => document.data(["agent", name, "on_demand"]) === true) ?? "";
  const lines = linesOf(step, first, worker);
  const value = document.data(list);
  const index = Array.isArray(value) ? value.length : 0;
  if (index > 0 && !isBracketed(document, list)) return addTable(document, list, lines, true);
  const item = "agent" in step ? printString(step.agent) : `{ ${lines.join(", ")} }`;
  return inSteps(document, [
    ...(value ? [] : [(now: TomlDocument) => setValue(now, list, [])]),
    (now) => insertAt(now, list, index, item),
  ]);
}

export function removeStep(document: TomlDocument, path: Path): Change[] {
  return removeAt(document, path.slice(0, -1), Number(path.at(-1)));
}

/** Where a step comes by a move, and the change; null where it cannot be moved so. */
export function moveStep(
  document: TomlDocument,
  path: Path,
  move: Move,
): { path: Path; changes: () => Change[] } | null {
  const list = path.slice(0, -1);
  const index = Number(path.at(-1));
  const count = stepsOf(document, list).length;
  if (move === "up")
    return index > 0 ? { path: [...list, index - 1], changes: () => swapAt(document, list, index - 1) } : null;
  if (move === "down")
    return index < count - 1 ? { path: [...list, index + 1], changes: () => swapAt(document, list, index) } : null;
  return document.node(path)?.value
    ? move === "out"
      ? moveOut(document, list, index)
      : moveIn(document, list, index)
    : null;
}

function moveOut(document: TomlDocument, list: Path, index: number) {
  const parent = list.slice(0, -1);
  const outer = parent.slice(0, -1);
  if (list.length <= 2 || !isBracketed(document, outer)) return null;
  const after = Number(parent.at(-1)) + 1;
  return { path: [...outer, after], changes: () => transfer(document, [...list, index], outer, after) };
}

/** Into the block before it, at its end; where none is before it, into the one behind it, at its beginning. */
function moveIn(document: TomlDocument, list: Path, index: number) {
  const partOf = (at: number) =>
    partsOf(document.data([...list, at])).find((part) => isBracketed(document, [...list, at, part]));
  const [before, behind] = [partOf(index - 1), partOf(index + 1)];
  if (before) {
    const target = [...list, index - 1, before];
    const end = stepsOf(document, target).length;
    return { path: [...target, end], changes: () => transfer(document, [...list, index], target, end) };
  }
  if (!behind) return null;
  const target = [...list, index + 1, behind];
  return { path: [...list, index, behind, 0], changes: () => transfer(document, [...list, index], target, 0) };
}

function transfer(document: TomlDocument, path: Path, target: Path, index: number): Change[] {
  const item = document.node(path)?.value;
  if (!item) return [];
  const raw = indented(document, document.raw(path), spanOf(item).from, target);
  const [list, at] = [path.slice(0, -1), Number(path.at(-1))];
  // Neither of the two moves the other: one list is within a neighbour of the item, or the item's own comes behind it.
  const isOut = target.length < path.length;
  const comments = commentsAt(document, list, at);
  const insert = (now: TomlDocument) => insertAt(now, target, index, raw, comments);
  const remove = (now: TomlDocument) => removeAt(now, list, at);
  return inSteps(document, isOut ? [remove, insert] : [insert, remove]);
}

/** A step over several lines as it is indented where it comes to. */
function indented(document: TomlDocument, raw: string, from: number, target: Path): string {
  const first = document.node([...target, 0])?.value;
  if (!raw.includes("\n") || /"""|'''/.test(raw) || !first) return raw;
  const indent = (at: number) =>
    /^[ \t]*/.exec(document.text.slice(document.text.lastIndexOf("\n", at - 1) + 1))?.[0] ?? "";
  return raw.replaceAll(`\n${indent(from)}`, `\n${indent(spanOf(first).from)}`);
}

/** The agents that stand in no step yet; those on demand stand in none. */
export function freeAgents(document: TomlDocument): string[] {
  const placed = new Set<unknown>();
  const walk = (list: Path): void => {
    for (const path of stepsOf(document, list)) {
      const value = document.data(path);
      placed.add(value);
      for (const part of partsOf(value)) walk([...path, part]);
    }
  };
  walk(["flow", "steps"]);
  return namesFor(document, "agents").filter((name) => !placed.has(name));
}
