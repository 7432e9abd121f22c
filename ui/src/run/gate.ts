// Gates: where a run stops around an agent and asks the person how to go on.
import { t } from "../i18n";
import type { Delta, Event, Gate, KeyDeclaration, Question, Role } from "../ipc/bindings";
import { callsOfInstance, outputOf, update } from "./calls";
import type { Fold } from "./changes";
import { isInstance, ownInstance } from "./place";
import type { OpenQuestion } from "./stages";
import type { Resolve } from "./texts";
import { unwrapped } from "./value";
import type { View } from "./view-types";

/** Roles of keys that the person does not write: a run's inputs, and what is counted. */
const UNWRITTEN: ReadonlySet<Role["kind"]> = new Set(["input", "checks", "rounds"]);

export const NO_GATE: Gate = { before: false, after: false };

export const isSet = ({ before, after }: Gate): boolean => before || after;

/** What a person answers at a gate. */
export type GateAnswer = "go_on" | "stop" | { go_on_with: Delta } | { ask_for_changes: string };

/** What stands beside the question of a gate. */
export type AskedAtGate = { keys: readonly string[]; takesChanges: boolean; /** JSON Schema of an instance's output. */ output: unknown };

export function askedAtGate({ details }: Question): AskedAtGate {
  const { keys, takes_changes: takesChanges, output } = (details ?? {}) as { keys?: unknown; takes_changes?: unknown; output?: unknown };
  // A key that an agent reads for two reasons may be named twice.
  return { keys: Array.isArray(keys) ? [...new Set(keys.map(String))] : [], takesChanges: takesChanges === true, output: unwrapped(output) ?? null };
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

/** A key at a gate as it can be edited there; nothing where it cannot. An instance's own result is all that is local to it. */
export function editableAtGate(view: View, { path, question }: OpenQuestion, key: string): KeyDeclaration | null {
  if (ownInstance(path) === null) return view.declarations.find(({ name, role }) => name === key && !UNWRITTEN.has(role.kind)) ?? null;
  if (key !== RESULT || isBeforeInstance(path)) return null;
  return { name: RESULT, title: "", role: { kind: "data" }, schema: askedAtGate(question).output };
}

/**
 * The value of a key at a gate: null where there is none, undefined while it is being fetched. `told` is the beginning of
 * the item that is told with the question: before an instance begins nothing else knows it.
 */
export function valueAtGate(view: View, { path }: OpenQuestion, key: string, resolve: Resolve, told = ""): unknown {
  if (key === ITEM && told !== "" && isBeforeInstance(path)) return toldItem(told);
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

/** The item that a question tells: as a value where it is whole JSON, else as the text that it is. */
export function toldItem(told: string): unknown {
  if (!/^[[{]/.test(told)) return told;
  try {
    return JSON.parse(told);
  } catch {
    return told;
  }
}

/** The person changes, at the gate after an instance, what it came to. */
export function editResult(fold: Fold, { seq, path }: Event, { set }: Delta): void {
  const instance = instanceAt(path);
  const last = instance === null ? undefined : callsOfInstance(fold, instance).at(-1);
  if (last && set[RESULT] !== undefined) update(fold, last.path, (call) => ({ ...call, edited: { seq, value: unwrapped(set[RESULT]) } }));
}

/** What lies within an instance: its item and its result, or else a key of the run. */
function localTo(view: View, path: string, key: string): { seq: number; value: unknown } | null | undefined {
  const instance = instanceAt(path);
  if (key === RESULT) return instance === null ? null : outputOf(view, instance);
  return key === ITEM ? view.calls.get(ownInstance(path) ?? "")?.input : view.state.get(key);
}
