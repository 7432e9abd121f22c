// What a form is filled with before the person sees it.
import type { StartRun } from "../ipc/bindings";

/** By the keys of the inputs: from a request in free text, or as a run was started. */
export type Filled = {
  /** The request, or the title of the run. */
  request: string;
  inputs: Readonly<Record<string, string>>;
  /** How the run was started that is to be run again. */
  again?: StartRun;
};

/** A form filled as a run was started. */
export function filledAgain(again: StartRun, title: string): Filled {
  const inputs = Object.entries(again.inputs).map(([key, value]) => [key, textOf(value)] as const);
  return { request: title, inputs: Object.fromEntries(inputs), again };
}

/** An input as its field holds it: a list one item a line. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  return value === null || value === undefined ? "" : JSON.stringify(value);
}
