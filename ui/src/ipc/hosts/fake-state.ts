// What a program answers about states, made from recorded events: enough for looking at the page, not the real fold.
import type { JournalEntry, KeyDeclaration } from "../bindings";

export function fold(entries: readonly JournalEntry[]): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  for (const { event } of entries) {
    if (event.fact.kind !== "state_changed") continue;
    Object.assign(state, event.fact.delta.set);
    for (const key of event.fact.delta.removed) delete state[key];
  }
  return state;
}

export function shown(state: Record<string, unknown>, keys: readonly KeyDeclaration[]): string {
  const parts = keys.map(({ name }, index) => {
    const value = state[name];
    const text = value === undefined || value === null || value === "" ? "(empty)" : typeof value === "string" ? value : JSON.stringify(value, null, 2);
    return `${index + 1}. ${name}:\n${text.split("\n").map((line) => `   ${line}\n`).join("")}\n`;
  });
  return `--- BEGIN PIPELINE STATE ---\n\n${parts.join("")}--- END PIPELINE STATE ---\n`;
}
