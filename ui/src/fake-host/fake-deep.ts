// A recording of a tree that no pipeline has: rounds within lanes within rounds, many lanes, a stage that was asked to
// wait and one that is said to be slow. It shows that the desk draws whatever it is given.
import { verbatim } from "../ipc/verbatim";
import { NO_LIMITS } from "../run/budgets";
import { nothingUsed } from "../run/usage";
import type {
  AgentKind,
  ApiError,
  Event,
  Fact,
  JournalEntry,
  KeyDeclaration,
  Limits,
  Outline,
  RunPage,
} from "../ipc/bindings";
import { journalEntry } from "./fake-view";

const START = 1_782_900_000_000;
const loop = (max_rounds: number): AgentKind => ({ kind: "loop", max_rounds });

function agent(
  name: string,
  title: string,
  kind: AgentKind,
  children: Outline[] = [],
  contract: Partial<Outline["contract"]> = {},
): Outline {
  const stream = kind.kind === "llm" && contract.writes?.[0] ? { key: contract.writes[0], field: "" } : null;
  return {
    name,
    title,
    agent: kind,
    contract: { reads: [], may_read: [], writes: [], ...contract },
    stream,
    calls: { least: 1, most: 9 },
    children,
  };
}

const llm = (name: string, title: string, reads: string[], writes: string[]) =>
  agent(name, title, { kind: "llm" }, [], { reads, writes });
const streets = ["Harbour", "Market", "Mill", "Orchard", "Quay", "Ropewalk", "Tannery"];

const outline = agent("survey", "Survey", { kind: "sequential" }, [
  agent("quarters", "Quarters", { kind: "parallel" }, [
    agent("measuring", "Measuring", loop(4), [
      llm("pacer", "Pacer", ["subject"], ["paces"]),
      agent("crossing", "Crossing", { kind: "parallel" }, [
        llm("left_bank", "Left bank", ["paces"], ["left"]),
        llm("right_bank", "Right bank", ["paces"], ["right"]),
      ]),
    ]),
    agent("naming", "Naming", { kind: "sequential" }, [
      llm("listener", "Listener", ["subject"], ["names"]),
      llm("speller", "Speller", ["names"], ["spelled"]),
    ]),
  ]),
  agent(
    "streets",
    "Streets",
    { kind: "parallel" },
    streets.map((street) =>
      llm(`walker_${street.toLowerCase()}`, `${street} Street`, ["spelled"], [`street_${street.toLowerCase()}`]),
    ),
  ),
  agent("drawing", "Drawing", loop(12), [
    llm("draughtsman", "Draughtsman", ["spelled"], ["sheet"]),
    llm("checker", "Checker with a rather long title", ["sheet"], ["doubts"]),
  ]),
  llm("printer", "Printer", ["sheet"], ["print"]),
]);

const keys: KeyDeclaration[] = [
  { name: "subject", title: "Subject", role: { kind: "input" }, schema: { type: "string" } },
  ...["paces", "left", "right", "names", "spelled", ...streets.map((street) => `street_${street.toLowerCase()}`)].map(
    (name): KeyDeclaration => ({
      name,
      title: name,
      role: { kind: "data" },
      schema: {},
    }),
  ),
  {
    name: "sheet",
    title: "Sheet",
    role: { kind: "draft", edit: "", words: "", word_limit: 120 },
    schema: { type: "string" },
  },
  { name: "doubts", title: "Doubts", role: { kind: "data" }, schema: {} },
  { name: "print", title: "Print", role: { kind: "final" }, schema: { type: "string" } },
];

/** The recording, made anew at each call. */
export function deep(): { page: RunPage; entries: JournalEntry[]; limits: Record<string, Limits> } {
  const entries: JournalEntry[] = [];
  const ordinals = new Map<string, number>();
  const place = (path: string) => (path.split(/[/|]/).at(-1) ?? path).replace(/[#[].*$/, "");
  const add = (path: string, fact: Fact, ms = 0) => {
    const n = (ordinals.get(path) ?? 0) + 1;
    ordinals.set(path, n);
    const at_ms = (entries.at(-1)?.event.at_ms ?? START) + ms;
    const event: Event = {
      v: 2,
      seq: entries.length + 1,
      at_ms,
      ran_ms: at_ms - START,
      author: place(path),
      path,
      n,
      surface: false,
      fact,
    };
    entries.push(journalEntry(event));
    return n;
  };
  const begin = (path: string) => add(path, { kind: "agent_started", sees: 2 });
  const end = (path: string) =>
    add(path, { kind: "agent_ended", reads: [], took_ms: 1200, ended: "done", exits_loop: false });
  const ask = (path: string, reads: string[]) =>
    add(path, {
      kind: "effect_asked",
      reads,
      effect: {
        effect: "model",
        request: {
          agent: place(path),
          profile: "work",
          model: "medium-2",
          instruction: "Look closely.",
          messages: [],
          shape: null,
          tools: [],
          temperature: 0.4,
          max_output_tokens: 512,
        },
      },
    });
  const hear = (path: string, asked: number, text: string) =>
    add(
      path,
      {
        kind: "effect_answered",
        asked,
        answer: {
          status: "done",
          result: {
            text,
            usage: { input_tokens: 400, output_tokens: 60 },
            tool_requests: [],
            stop: "stop",
            model: "medium-2",
          },
        },
        took_ms: 900,
        waited_ms: 0,
        retries: [],
        summary: {},
      },
      900,
    );
  const work = (path: string, reads: string[], key: string, text: string) => {
    begin(path);
    hear(path, ask(path, reads), text);
    add(path, { kind: "state_changed", delta: { set: { [key]: text }, removed: [] } });
    end(path);
  };

  add("user", {
    kind: "run_started",
    run: "run-deep",
    session: "session-deep",
    pipeline: "survey",
    definition: "4a".repeat(32),
    origin: null,
  });
  add("user", { kind: "state_changed", delta: { set: { subject: "the old town" }, removed: [] } });
  begin("survey");
  begin("survey/quarters#1");
  begin("survey/quarters#1|measuring#1");
  begin("survey/quarters#1|naming#1");
  for (let round = 1; round <= 2; round++) {
    const inner = `survey/quarters#1|measuring#1[${round}]`;
    work(`${inner}/pacer#1`, ["subject"], "paces", `${640 * round} paces`);
    begin(`${inner}/crossing#1`);
    for (const [bank, key] of [
      ["left_bank", "left"],
      ["right_bank", "right"],
    ] as const)
      work(`${inner}/crossing#1|${bank}#1`, ["paces"], key, `${round} bridges`);
    end(`${inner}/crossing#1`);
  }
  end("survey/quarters#1|measuring#1");
  work("survey/quarters#1|naming#1/listener#1", ["subject"], "names", "Quay, Mill, Orchard");
  work("survey/quarters#1|naming#1/speller#1", ["names"], "spelled", "Quay, Mill, Orchard");
  end("survey/quarters#1|naming#1");
  end("survey/quarters#1");
  begin("survey/streets#1");
  for (const [index, street] of streets.entries()) {
    const path = `survey/streets#1|walker_${street.toLowerCase()}#1`;
    if (index < 4) work(path, ["spelled"], `street_${street.toLowerCase()}`, `${40 + index} houses`);
    else begin(path);
    const asked = index >= 4 ? ask(path, ["spelled"]) : 0;
    if (index === 5) {
      const error: ApiError = {
        code: "rate_limited",
        message: "the provider asks to wait 45 s",
        phrase: verbatim("the provider asks to wait 45 s"),
        provider_words: "Slow down.",
        retry_after_ms: 45_000,
        limit: null,
      };
      add(path, { kind: "request_failed", asked, error });
    }
  }
  const last = entries.at(-1)?.event;
  const page: RunPage = {
    card: {
      run: "run-deep",
      session: "session-deep",
      pipeline: "survey",
      title: "the old town",
      status: "running",
      started_at_ms: START,
      last_at_ms: last?.at_ms ?? START,
      last_seq: last?.seq ?? 0,
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
    usage: {
      calls: 15,
      input_tokens: 4800,
      output_tokens: 720,
      cost: null,
      unpriced_calls: 0,
      tool_calls: {},
      agent_calls: {},
      active_ms: 10_800,
    },
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
  const limits = {
    measuring: { ...NO_LIMITS, max_llm_calls: 7, max_total_tokens: 9000 },
    crossing: { ...NO_LIMITS, max_llm_calls: 20, max_total_tokens: 4000, max_cost: 1 },
    drawing: { ...NO_LIMITS, max_llm_calls: 24 },
  };
  return { page, entries, limits };
}
