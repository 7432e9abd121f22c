// What the person does to a running run of the host without a program, and a recording of one that stops after its
// writer.
import type { Commands, Fact, Question } from "../ipc/bindings";
import { USER_WORDS } from "../ipc/names";
import { agent, Recorder } from "./fake-recording";
import { fold } from "./fake-state";
import { apiError } from "./fake-error";
import type { Recorded } from "./fake-view";

type Handler<K extends keyof Commands> = (payload: Commands[K][0]) => Commands[K][1];

export function steering<Run extends Recorded>(
  find: (run: string) => Run,
  append: (run: Run, fact: Fact) => number,
): { set_gates: Handler<"set_gates">; say_to_run: Handler<"say_to_run"> } {
  const running = (run: string): Run => {
    const found = find(run);
    if (found.page.outcome !== null)
      throw apiError("bad_input", `The run ${run} does not go on, so no agent would read this`);
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
const LETTER = [
  "The night train to the sea leaves at ten. Whoever has a window seat sees the harbour lights at five in the morning, long before the town wakes.",
  "Bring a blanket and something to read: the dining car closes at midnight, and the heating is older than most passengers. The conductor knows every bridge by its sound and tells of each, if asked.",
  "In summer the train waits for an hour at the last station before the coast. Bakers come to the platform with warm bread, and the whole train smells of it until the end of the journey. Nobody has ever complained about the delay.",
].join("\n\n");

/** A run that stops after its writer and asks how to go on; it began with a gate before its reader. */
export function gated(): Recorded {
  const outline = agent("letter_desk", "Letter desk", "sequential", [
    agent("scribe", "Scribe", "llm", [], { reads: ["theme"], writes: ["letter"] }),
    agent("proofreader", "Proofreader", "llm", [], { reads: ["letter"], writes: ["proof"] }),
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
  const run = new Recorder(START, 500);
  const [root, scribe] = ["letter_desk", "letter_desk/scribe#1"];
  run.add("user", "user", 0, {
    kind: "run_started",
    run: "run-gate",
    session: "session-gate",
    pipeline: root,
    definition: "6c".repeat(32),
    origin: null,
  });
  run.add("user", "user", 0, {
    kind: "state_changed",
    delta: { set: { theme: "the night train to the sea" }, removed: [] },
  });
  run.add(root, root, 1, { kind: "agent_started", sees: 2 });
  run.add("user", "user", 0, { kind: "gates_set", gates: { scribe: { before: false, after: true } } });
  run.add("user", "user", 0, {
    kind: "state_changed",
    delta: { set: { [USER_WORDS]: ["Keep it friendly"] }, removed: [] },
  });
  run.add("scribe", scribe, 1, { kind: "agent_started", sees: 5 });
  run.add("scribe", scribe, 2, { kind: "state_changed", delta: { set: { letter: LETTER }, removed: [] } });
  run.add("scribe", scribe, 3, {
    kind: "agent_ended",
    ended: "done",
    took_ms: 1_500,
    exits_loop: false,
    reads: ["theme", USER_WORDS],
  });
  run.add("scribe", `${scribe}/stop-after#1`, 1, {
    kind: "effect_asked",
    effect: { effect: "question", question },
    reads: [],
  });
  run.add("user", "user", 0, {
    kind: "state_changed",
    delta: { set: { [USER_WORDS]: ["Keep it friendly", "Name the hour of departure twice"] }, removed: [] },
  });
  const text = { type: "string" };
  const page = run.page("gate", "the night train to the sea", outline, [
    { name: "theme", title: "Theme", role: { kind: "input" }, schema: text },
    { name: "letter", title: "Letter", role: { kind: "draft", edit: "", words: "", word_limit: 300 }, schema: text },
    { name: "proof", title: "Proof", role: { kind: "data" }, schema: text },
  ]);
  return { page, entries: run.entries, gates: { proofreader: { before: true, after: false } } };
}
