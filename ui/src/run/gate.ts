// Gates: where a run stops around an agent and asks the person how to go on.
import { t } from "../i18n";
import type { Delta, Event, Gate, KeyDeclaration, Role } from "../ipc/bindings";
import { callsOfInstance, outputOf, update } from "./calls";
import type { Fold } from "./fold";
import { isInstance, ownInstance } from "./place";
import type { OpenQuestion } from "./stages";
import { unwrapped } from "./value";
import type { Resolve, View } from "./view-types";

/** Roles of keys that the person does not write: a run's inputs, and what is counted. */
const UNWRITTEN: ReadonlySet<Role["kind"]> = new Set(["input", "checks", "rounds"]);

export const NO_GATE: Gate = { before: false, after: false };

export const isSet = ({ before, after }: Gate): boolean => before || after;

/** What a person answers at a gate. */
export type GateAnswer = "go_on" | "stop" | { go_on_with: Delta } | { ask_for_changes: string };

/** What stands beside the question of a gate. */
export type AskedAtGate = {
  keys: readonly string[];
  takesChanges: boolean;
  /** JSON Schemas of an instance's input and output. */
  schemas: { readonly item: unknown; readonly result: unknown };
  /** What an instance is to work on that has not begun; undefined where there is none. */
  item: unknown;
};

/** What stands beside the question of a gate, with nothing in it while it is being fetched. */
export function askedAtGate({ seq, question }: Pick<OpenQuestion, "seq" | "question">, resolve: Resolve): AskedAtGate {
  const {
    keys,
    takes_changes: takesChanges,
    output,
    input,
    item,
  } = (resolve("", seq, question.details) ?? {}) as Record<string, unknown>;
  return {
    // A key that an agent reads for two reasons may be named twice.
    keys: Array.isArray(keys) ? [...new Set(keys.map(String))] : [],
    takesChanges: takesChanges === true,
    schemas: { item: unwrapped(input) ?? null, result: unwrapped(output) ?? null },
    item: unwrapped(item),
  };
}

/** Sets gates; one that stops at no side is taken away. */
export function setGates(fold: Pick<Fold, "gates">, gates: Readonly<Record<string, Gate>>): void {
  for (const [place, gate] of Object.entries(gates)) {
    if (isSet(gate)) fold.gates.set(place, gate);
    else fold.gates.delete(place);
  }
}

/** Where a gate stops, in words. */
export function gateText(who: string, { before, after }: Gate): string {
  if (before && after) return t("gate.both", { who });
  return t(before ? "gate.only_before" : after ? "gate.only_after" : "gate.nowhere", { who });
}

/**
 * A key at a gate as it can be edited there; nothing where it cannot. Of an instance that is its item before, its
 * result after it.
 */
export function editableAtGate(
  view: View,
  { path }: OpenQuestion,
  key: string,
  { schemas }: AskedAtGate,
): KeyDeclaration | null {
  if (ownInstance(path) === null)
    return view.declarations.find(({ name, role }) => name === key && !UNWRITTEN.has(role.kind)) ?? null;
  const name = instanceAt(path) === null ? null : isBeforeInstance(path) ? ITEM : RESULT;
  return key === name ? { name, title: "", role: { kind: "data" }, schema: schemas[name] } : null;
}

/** The value of a key at a gate: null where there is none, undefined while it is being fetched. */
export function valueAtGate(
  view: View,
  { path }: OpenQuestion,
  key: string,
  resolve: Resolve,
  { item }: AskedAtGate,
): unknown {
  // Before an instance begins nothing else knows its item.
  if (key === ITEM && isBeforeInstance(path)) return item;
  const held = ownInstance(path) === null ? view.state.get(key) : localTo(view, path, key);
  return held ? resolve(key, held.seq, held.value) : null;
}

/** The key under which an instance leaves what it comes to. */
const RESULT = "result";
/** The key under which an instance finds what it works on. */
const ITEM = "item";

/** The instance that a gate stands around; null where it stands around none. */
function instanceAt(path: string): string | null {
  const [, place = ""] = /^(.*)\/stop-(?:before|after)#\d+$/.exec(path) ?? [];
  return isInstance(place) ? place : null;
}

/** Whether a gate stops an instance before it begins: there is no call of it yet. */
export function isBeforeInstance(path: string): boolean {
  return instanceAt(path) !== null && path.includes("/stop-before#");
}

/** The person changes, at the gate after an instance, what it came to. */
export function editResult(fold: Fold, { seq, path }: Event, { set }: Delta): void {
  const instance = instanceAt(path);
  const last = instance === null ? undefined : callsOfInstance(fold, instance).at(-1);
  if (last && set[RESULT] !== undefined)
    update(fold, last.path, (call) => ({ ...call, edited: { seq, value: unwrapped(set[RESULT]) } }));
}

/** What lies within an instance: its item and its result, or else a key of the run. */
function localTo(view: View, path: string, key: string): { seq: number; value: unknown } | null | undefined {
  const instance = instanceAt(path);
  if (key === RESULT) return instance === null ? null : outputOf(view, instance);
  return key === ITEM ? view.calls.get(ownInstance(path) ?? "")?.input : view.state.get(key);
}
