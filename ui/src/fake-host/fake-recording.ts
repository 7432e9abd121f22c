// What recordings are made of that ask the person something: agents, events in their order, the page of the run.
import { nothingUsed } from "../run/usage";
import type { Event, Fact, JournalEntry, KeyDeclaration, Outline, RunPage } from "../ipc/bindings";
import { journalEntry } from "./fake-view";

export function agent(
  name: string,
  title: string,
  kind: "llm" | "sequential" | "parallel",
  children: Outline[] = [],
  contract: Partial<Outline["contract"]> = {},
): Outline {
  return {
    name,
    title,
    agent: { kind },
    contract: { reads: [], may_read: [], writes: [], ...contract },
    stream: null,
    calls: { least: 0, most: 5 },
    children,
  };
}

/** Events one after the other, each by so much later. */
export class Recorder {
  readonly entries: JournalEntry[] = [];

  constructor(
    readonly startedMs: number,
    readonly stepMs: number,
  ) {}

  add(author: string, path: string, n: number, fact: Fact): void {
    const ranMs = this.entries.length * this.stepMs;
    const event: Event = {
      v: 2,
      seq: this.entries.length + 1,
      at_ms: this.startedMs + ranMs,
      ran_ms: ranMs,
      author,
      path,
      n,
      surface: false,
      fact,
    };
    this.entries.push(journalEntry(event));
  }

  /** The page of a run that waits for the person after these events. */
  page(name: string, title: string, outline: Outline, keys: KeyDeclaration[] = []): RunPage {
    return {
      card: {
        run: `run-${name}`,
        session: `session-${name}`,
        pipeline: outline.name,
        title,
        status: "waiting",
        started_at_ms: this.startedMs,
        last_at_ms: this.startedMs + this.stepMs * this.entries.length,
        last_seq: this.entries.length,
        origin: null,
        is_raised: false,
        is_pinned: false,
        tags: [],
        imported: null,
        trashed_at_ms: null,
        snippet: null,
      },
      outline,
      keys,
      notes: {},
      words: {},
      inherited: nothingUsed(),
      usage: nothingUsed(),
      limits: {
        max_llm_calls: 40,
        max_output_tokens: 512,
        max_execution_time_s: 300,
        max_total_tokens: null,
        max_tool_calls: null,
        max_cost: null,
      },
      most_attempts: 5,
      profile: "work",
      profiles: {},
      tools: {},
      as_of: null,
      outcome: null,
      error: null,
    };
  }
}
