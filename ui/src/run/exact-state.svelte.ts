// The state at a moment and its exact text, as the program writes it.
import type { StatePage } from "../ipc/bindings";
import { call } from "../ipc/client";
import { AtMoment } from "./at-moment.svelte";

export type ExactState = AtMoment<StatePage>;

/** The exact state of a run. */
export function exactState(run: string): ExactState {
  return new AtMoment((seq) => call("state_at", { run, seq }));
}

/** The exact text in parts, one a key; joined they are the text, byte for byte. */
export function parts(text: string, keys: readonly string[]): { key: string | null; text: string }[] {
  const found: { key: string | null; text: string }[] = [];
  let from = 0;
  let key: string | null = null;
  let next = 0;
  // A value's lines are indented, so a line that begins with a number is a heading.
  for (const line of text.matchAll(/^(\d+)\. (.*):$/gm)) {
    const name = keys[next];
    if (name === undefined || line[2] !== name || Number(line[1]) !== next + 1) continue;
    found.push({ key, text: text.slice(from, line.index) });
    from = line.index;
    key = name;
    next += 1;
  }
  const end = Math.max(from, text.lastIndexOf("\n---") + 1);
  found.push({ key, text: text.slice(from, end) }, { key: null, text: text.slice(end) });
  return found.filter((part) => part.text !== "");
}
