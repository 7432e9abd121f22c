// What was received of an answer that was broken off: of a text that streams, the part that a person would have read.
import type { Outline } from "../ipc/bindings";
import type { Entries } from "./entries.svelte";
import { agentAt, ownInstance } from "./place";
import type { View } from "./view-types";
import { agents } from "./stages";

/** How many events before the end are looked through: a stop leaves its traces at the very end. */
export const LOOKED = 60;

/** The text that a stage was writing when the run was stopped, behind an event; null where nothing came of it. */
export function receivedOf(
  entries: Pick<Entries, "peek">,
  view: View,
  outline: Outline,
  after: number,
): { title: string; text: string } | null {
  const known = agents(outline);
  for (let seq = view.seq; seq > Math.max(after, view.seq - LOOKED); seq--) {
    const event = entries.peek(seq)?.event;
    if (!event || !("answer" in event.fact) || event.fact.answer.status !== "interrupted") continue;
    if (ownInstance(event.path) !== null) continue;
    const agent = known.get(agentAt(event.path));
    const kind = agent?.stream ? view.roles.get(agent.stream.key)?.kind : undefined;
    if (!agent?.stream || (kind !== "draft" && kind !== "final") || typeof event.fact.answer.partial !== "string")
      continue;
    const text = begunText(event.fact.answer.partial, agent.stream.field).trim();
    if (text !== "") return { title: agent.title, text };
  }
  return null;
}

/** The text of a field in JSON that breaks off; the whole where no field is named, nothing where it had not begun. */
export function begunText(json: string, field: string): string {
  if (field === "") return json;
  const start = new RegExp(`"${field.replace(/[^\w-]/g, "")}"\\s*:\\s*"`).exec(json);
  if (!start) return "";
  const rest = json.slice(start.index + start[0].length);
  // Up to the quote that ends it, or as far as it came; an escape that is cut in two is left out.
  const raw = /^(?:[^"\\]|\\(?:u[0-9a-fA-F]{4}|[^u]))*/.exec(rest)?.[0] ?? "";
  try {
    return JSON.parse(
      `"${raw.replace(/\p{Cc}/gu, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`,
    ) as string;
  } catch {
    return raw;
  }
}
