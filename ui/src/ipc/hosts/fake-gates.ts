// What the person does to a running run of the host without a program, and a recording of one that stops after its writer.
import { nothingUsed } from "../../run/usage";
import type { Commands, Event, Fact, JournalEntry, Outline, Question, RunPage } from "../bindings";
import { USER_WORDS } from "../names";
import { fold } from "./fake-state";
import { apiError } from "./fake-settings";
import { told, type Recorded } from "./fake-view";

type Handler<K extends keyof Commands> = (payload: Commands[K][0]) => Commands[K][1];

export function steering<Run extends Recorded>(
  find: (run: string) => Run,
  append: (run: Run, fact: Fact) => number,
): { set_gates: Handler<"set_gates">; say_to_run: Handler<"say_to_run"> } {
  const running = (run: string): Run => {
    const found = find(run);
    if (found.page.outcome !== null) throw apiError("bad_input", `The run ${run} does not go on, so no agent would read this`);
    return found;
  };
  return {
    set_gates: ({ run, gates }) => ({ seq: append(running(run), { kind: "gates_set", gates }) }),
    say_to_run({ run, text }) {
      const found = running(run);
      const known = fold(found.entries)[USER_WORDS];
      const words = [...(Array.isArray(known) ? (known as string[]) : []), text.trim()];
      return { seq: append(found, { kind: "state_changed", delta: { set: { [USER_WORDS]: words }, removed: [] } }) };
    },
  };
}

const START = 1_782_920_000_000;
const LETTER = `The night train to the sea leaves at ten. Whoever has a window seat sees the harbour lights at five in the morning, long before the town wakes.

Bring a blanket and something to read: the dining car closes at midnight, and the heating is older than most passengers. The conductor knows every bridge by its sound and tells of each, if asked.

In summer the train waits for an hour at the last station before the coast. Bakers come to the platform with warm bread, and the whole train smells of it until the end of the journey. Nobody has ever complained about the delay.`;

const agent = (name: string, title: string, kind: Outline["agent"], children: Outline[] = [], reads: string[] = [], writes: string[] = []): Outline => ({
  name,
  title,
  agent: kind,
  contract: { reads, may_read: [], writes },
  stream: null,
  calls: { least: 0, most: 5 },
  children,
});

/** A run that stops after its writer and asks how to go on; it began with a gate before its reader. */
export function gated(): Recorded {
  const outline = agent("letter_desk", "Letter desk", { kind: "sequential" }, [
    agent("scribe", "Scribe", { kind: "llm" }, [], ["theme"], ["letter"]),
    agent("proofreader", "Proofreader", { kind: "llm" }, [], ["letter"], ["proof"]),
  ]);
  const question: Question = {
    kind: { kind: "gate", agent: "scribe", side: "after" },
    text: { id: "The run stops after `{agent}`. Go on with what it made?", parameters: { agent: "scribe" } },
    choices: [
      { value: "go_on", label: { id: "Go on", parameters: {} } },
      { value: "stop", label: { id: "Stop", parameters: {} } },
    ],
    default: "go_on",
    is_free: false,
    details: { keys: ["letter"], takes_changes: true },
  };
  const entries: JournalEntry[] = [];
  const add = (author: string, path: string, n: number, fact: Fact) => {
    const seq = entries.length + 1;
    const event: Event = { v: 2, seq, at_ms: START + 500 * seq, ran_ms: 500 * seq, author, path, n, surface: false, fact };
    entries.push(told(event));
  };
  const [root, scribe] = ["letter_desk", "letter_desk/scribe#1"];
  add("user", "user", 0, { kind: "run_started", run: "run-gate", session: "session-gate", pipeline: root, definition: "6c".repeat(32), origin: null });
  add("user", "user", 0, { kind: "state_changed", delta: { set: { theme: "the night train to the sea" }, removed: [] } });
  add(root, root, 1, { kind: "agent_started", sees: 2 });
  add("user", "user", 0, { kind: "gates_set", gates: { scribe: { before: false, after: true } } });
  add("user", "user", 0, { kind: "state_changed", delta: { set: { [USER_WORDS]: ["Keep it friendly"] }, removed: [] } });
  add("scribe", scribe, 1, { kind: "agent_started", sees: 5 });
  add("scribe", scribe, 2, { kind: "state_changed", delta: { set: { letter: LETTER }, removed: [] } });
  add("scribe", scribe, 3, { kind: "agent_ended", ended: "done", took_ms: 1_500, exits_loop: false, reads: ["theme", USER_WORDS] });
  add("scribe", `${scribe}/stop-after#1`, 1, { kind: "effect_asked", effect: { effect: "question", question }, reads: [] });
  add("user", "user", 0, { kind: "state_changed", delta: { set: { [USER_WORDS]: ["Keep it friendly", "Name the hour of departure twice"] }, removed: [] } });
  const last_seq = entries.length;
  const card: RunPage["card"] = {
    run: "run-gate",
    session: "session-gate",
    pipeline: root,
    title: "the night train to the sea",
    status: "waiting",
    started_at_ms: START,
    last_at_ms: START + 500 * last_seq,
    last_seq,
    origin: null,
    is_raised: false,
    is_pinned: false,
    tags: [],
    imported: null,
    trashed_at_ms: null,
    snippet: null,
  };
  const limits = { max_llm_calls: 40, max_output_tokens: 512, max_execution_time_s: 300, max_total_tokens: null, max_tool_calls: null, max_cost: null };
  const text = { type: "string" };
  const page: RunPage = {
    card,
    outline,
    keys: [
      { name: "theme", title: "Theme", role: { kind: "input" }, schema: text },
      { name: "letter", title: "Letter", role: { kind: "draft", edit: "", words: "", word_limit: 300 }, schema: text },
      { name: "proof", title: "Proof", role: { kind: "data" }, schema: text },
    ],
    notes: {},
    words: {},
    inherited: nothingUsed(),
    usage: nothingUsed(),
    limits,
    most_attempts: 5,
    profile: "work",
    profiles: {},
    tools: {},
    as_of: null,
    outcome: null,
    error: null,
  };
  return { page, entries, gates: { proofreader: { before: true, after: false } } };
}
