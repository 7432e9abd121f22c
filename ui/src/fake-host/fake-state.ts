// What a program answers about states, made from recorded events: enough for looking at the page, not the real fold.
import type {
  CitationLedger,
  JournalEntry,
  KeyChange,
  KeyDeclaration,
  RunPage,
  Source,
  StatePage,
} from "../ipc/bindings";

type Recorded = { page: RunPage; entries: readonly JournalEntry[] };

export function fold(entries: readonly JournalEntry[]): Record<string, unknown> {
  const state: Record<string, unknown> = {};
  for (const { event } of entries) {
    // What an instance writes stays within it.
    if (event.fact.kind !== "state_changed" || event.path.includes("*")) continue;
    Object.assign(state, event.fact.delta.set);
    for (const key of event.fact.delta.removed) delete state[key];
  }
  return state;
}

/** The state of a run after an event. */
export function stateAt({ page, entries }: Recorded, seq: number | null): StatePage {
  const until = seq ?? entries.length;
  const state = fold(entries.slice(0, until)) as StatePage["state"];
  return { seq: until, state, text: shown(state, page.keys) };
}

/**
 * The sources of a run and what its text cites of them; nothing is judged here, and the first sentence stands for a
 * passage.
 */
export function citedAt({ page, entries }: Recorded, seq: number | null): CitationLedger {
  const state = fold(entries.slice(0, seq ?? entries.length));
  const lists = page.keys.flatMap(({ name, role }) =>
    role.kind === "sources" ? [(state[name] as Record<string, Source[]> | undefined)?.[role.items] ?? []] : [],
  );
  const sources = lists
    .flat()
    .map((one, index) => ({ ...one, number: index + 1, fetched_at_ms: null, stored: one.text || one.summary }));
  const texts = page.keys.flatMap(({ name, role }) => {
    if (role.kind !== "draft") return [];
    const value = state[name] as Record<string, string> | string | undefined;
    return [typeof value === "string" ? value : (value?.[role.edit] ?? "")];
  });
  const citations = [...(texts.at(-1) ?? "").matchAll(/[^.!?\n]*[.!?]?\s?\[(\d+)\]/g)].map(([sentence, number]) => ({
    number: Number(number),
    sentence: sentence.trim(),
    verdict: "supported" as const,
    words: [],
    passage: /^[^.!?]+[.!?]/.exec(sources[Number(number) - 1]?.stored ?? "")?.[0] ?? "",
  }));
  return { seq: 0, sources, citations };
}

function shown(state: Record<string, unknown>, keys: readonly KeyDeclaration[]): string {
  const parts = keys.map(({ name }, index) => {
    const value = state[name];
    const text =
      value === undefined || value === null || value === ""
        ? "(empty)"
        : typeof value === "string"
          ? value
          : JSON.stringify(value, null, 2);
    return `${index + 1}. ${name}:\n${text
      .split("\n")
      .map((line) => `   ${line}\n`)
      .join("")}\n`;
  });
  return `--- BEGIN PIPELINE STATE ---\n\n${parts.join("")}--- END PIPELINE STATE ---\n`;
}

/** The changes of one key, with who read each value before the next. */
export function history(entries: readonly JournalEntry[], key: string): KeyChange[] {
  const changes: KeyChange[] = [];
  for (const { event } of entries) {
    const { fact } = event;
    const reads = fact.kind === "effect_asked" || fact.kind === "agent_ended" ? fact.reads : [];
    const last = changes.at(-1);
    if (last && reads.includes(key) && !last.read_by.includes(event.author)) last.read_by.push(event.author);
    if (fact.kind !== "state_changed" || event.path.includes("*") || !(key in fact.delta.set)) continue;
    const round = /\[(\d+)\]/.exec(event.path)?.[1];
    changes.push({
      seq: event.seq,
      at_ms: event.at_ms,
      author: event.author,
      path: event.path,
      round: round ? Number(round) : null,
      value: fact.delta.set[key] ?? null,
      read_by: [],
    });
  }
  return changes;
}

/** What a recorded answer streams: the text of one of its fields. */
export function spoken(result: unknown, field: string): string {
  try {
    const value = (JSON.parse(String((result as { text?: unknown }).text)) as Record<string, unknown>)[field];
    return typeof value === "string" ? value : "";
  } catch {
    return "";
  }
}

/** The surroundings of words that were found. */
export function excerpt(text: string, words: string): string | null {
  const at = text.toLowerCase().indexOf(words);
  if (at < 0) return null;
  return `… ${text.slice(Math.max(0, at - 30), at)}[[${text.slice(at, at + words.length)}]]${text.slice(at + words.length, at + 50)} …`;
}
