// Recordings of an agent on demand that runs for each item of a list: for a few, where what it does has stages of its
// own; for five, where it stops before one of them; for fifty, four at once, while one has failed and one waits for
// the person; and for any other number, at their end.
import type { Event, Fact, JournalEntry, Json, Limits, RunPage } from "../ipc/bindings";
import { NO_LIMITS } from "../run/budgets";
import { before, ferry, timedOut } from "./fake-each-waits";
import { item, pageOf, PLACES, SEATS, tale, TALES } from "./fake-journey";
import { journalEntry } from "./fake-view";

type Timed = { atMs: number; path: string; fact: Fact };
type Recorded = {
  page: RunPage;
  entries: JournalEntry[];
  streams: Record<string, string>;
  limits: Record<string, Limits>;
};

const asks = (path: string, name: string, reads: string[], atMs: number): Timed => ({
  atMs,
  path,
  fact: {
    kind: "effect_asked",
    reads,
    effect: {
      effect: "model",
      request: {
        agent: name,
        profile: "work",
        model: "medium-2",
        instruction: "Tell of the place.",
        messages: [],
        shape: null,
        tools: [],
        temperature: 0.4,
        max_output_tokens: 512,
      },
    },
  },
});
const hears = (path: string, text: string, atMs: number): Timed => ({
  atMs,
  path,
  fact: {
    kind: "effect_answered",
    asked: 2,
    answer: {
      status: "done",
      result: {
        text,
        usage: { input_tokens: 380, output_tokens: 64 },
        tool_requests: [],
        stop: "stop",
        model: "medium-2",
      },
    },
    took_ms: 1800,
    waited_ms: 0,
    retries: [],
    summary: { cost: 0.0021, tokens: { input_tokens: 380, output_tokens: 64 } },
  },
});
const sets = (path: string, key: string, value: Json, atMs: number): Timed => ({
  atMs,
  path,
  fact: { kind: "state_changed", delta: { set: { [key]: value }, removed: [] } },
});
const begins = (path: string, atMs: number): Timed => ({ atMs, path, fact: { kind: "agent_started", sees: 2 } });
const ends = (path: string, atMs: number, tookMs: number): Timed => ({
  atMs,
  path,
  fact: { kind: "agent_ended", reads: [], took_ms: tookMs, ended: "done", exits_loop: false },
});
/** An agent that asks its model once and writes what it hears. */
const works = (path: string, name: string, key: string, text: string, atMs: number, tookMs: number): Timed[] => [
  begins(path, atMs),
  asks(path, name, [], atMs),
  hears(path, text, atMs + tookMs - 2),
  sets(path, key, text, atMs + tookMs - 1),
  ends(path, atMs + tookMs, tookMs),
];

/** One instance from its start on; `end` is what becomes of it. */
function instance(
  number: number,
  isComposed: boolean,
  atMs: number,
  tookMs: number,
  end: "done" | "failed" | "asks" | "runs" | "stops",
): Timed[] {
  const path = `journey/visits#1*guide#${number}`;
  if (end === "stops")
    return [
      {
        atMs,
        path: `${path}/stop-before#1`,
        fact: { kind: "effect_asked", reads: ["item"], effect: { effect: "question", question: before(number) } },
      },
    ];
  const started: Timed = {
    atMs,
    path,
    fact: { kind: "agent_started", sees: 2, instance: { agent: "guide", input: item(number) } },
  };
  const text = tale(number);
  const error: Fact = { kind: "agent_ended", reads: ["item"], took_ms: tookMs, ended: "failed", error: timedOut };
  if (end === "asks")
    return [
      started,
      {
        atMs: atMs + 400,
        path,
        fact: { kind: "effect_asked", reads: ["item"], effect: { effect: "question", question: ferry } },
      },
    ];
  const inner = isComposed
    ? works(`${path}/finder#1`, "finder", "found", "harbour, market, mill", atMs + 1, tookMs / 2)
    : [];
  const [last, name] = isComposed ? [`${path}/teller#1`, "teller"] : [path, "guide"];
  const earlier = isComposed ? [...inner, begins(last, atMs + tookMs / 2 + 1)] : [];
  const asked = asks(last, name, ["item"], atMs + (isComposed ? tookMs / 2 + 2 : 1));
  if (end === "runs") return [started, ...earlier, asked];
  if (end === "failed") {
    const answer: Fact = {
      kind: "effect_answered",
      asked: 2,
      answer: { status: "failed", error: timedOut },
      took_ms: tookMs,
      waited_ms: 0,
      retries: [],
      summary: {},
    };
    return [
      started,
      ...earlier,
      asked,
      { atMs: atMs + tookMs - 1, path: last, fact: answer },
      { atMs: atMs + tookMs, path, fact: error },
    ];
  }
  const done: Fact = {
    kind: "agent_ended",
    reads: ["item"],
    took_ms: tookMs,
    ended: "done",
    exits_loop: false,
    output: text,
  };
  const told = [hears(last, text, atMs + tookMs - 3), sets(last, "result", text, atMs + tookMs - 2)];
  return [
    started,
    ...earlier,
    asked,
    ...told,
    ...(isComposed ? [ends(last, atMs + tookMs - 1, tookMs / 2)] : []),
    { atMs: atMs + tookMs, path, fact: done },
  ];
}

/** The recording for so many items, made anew at each call. */
export function each(count: number): Recorded {
  const isComposed = count < 10;
  const isOver = count > 50;
  const begun = 4000;
  /** When each seat is free. */
  const seats = Array.from({ length: SEATS }, (_, seat) => begun + seat * 20);
  /** How many were started: of fifty 37, of five all but the last, else all. */
  const startedCount = count === 50 ? 37 : count === 5 ? 4 : count;
  /** The run stops before this one begins. */
  const stops = count === 5 ? 4 : 0;
  const running = isOver ? [] : isComposed ? [2] : [34, 35, 36, 37];
  const waits = isOver || stops > 0 ? 0 : isComposed ? 3 : 33;
  const fails = (number: number) => (isOver ? number % 67 === 9 : number === 17);
  const events: Timed[] = [
    {
      atMs: 0,
      path: "user",
      fact: {
        kind: "run_started",
        run: `run-each-${count}`,
        session: `session-each-${count}`,
        pipeline: "journey",
        definition: "6c".repeat(32),
        origin: null,
      },
    },
    sets("user", "wish", "Small towns by the water", 1),
    begins("journey", 2),
    begins("journey/scout#1", 3),
    asks("journey/scout#1", "scout", ["wish"], 4),
    hears("journey/scout#1", `${count} places`, 3000),
    sets(
      "journey/scout#1",
      "places",
      Array.from({ length: count }, (_, index) => item(index + 1)) as unknown as Json,
      3001,
    ),
    ends("journey/scout#1", 3002, 2999),
    begins("journey/visits#1", 3010),
  ];
  for (let number = 1; number <= startedCount; number++) {
    const seat = seats.indexOf(Math.min(...seats));
    const [atMs, tookMs] = [seats[seat] ?? begun, 2400 + ((number * 613) % 3100)];
    const end = running.includes(number)
      ? "runs"
      : number === waits
        ? "asks"
        : number === stops
          ? "stops"
          : fails(number)
            ? "failed"
            : "done";
    events.push(...instance(number, isComposed, atMs, tookMs, end));
    // Who waits for the person gives its place to the next.
    seats[seat] = atMs + (end === "asks" || end === "stops" ? 500 : tookMs);
  }
  const lastMs = Math.max(...events.map(({ atMs }) => atMs)) + 10;
  if (isOver) {
    const tales = Array.from({ length: count }, (_, index) => (fails(index + 1) ? null : tale(index + 1)));
    const booklet = `# Small towns by the water\n\n${TALES.map((text, index) => `**${PLACES[index]}.** ${text}`).join("\n\n")}`;
    events.push(
      sets("journey/visits#1", "tales", tales, lastMs),
      ends("journey/visits#1", lastMs + 1, lastMs - 3010),
      ...works("journey/binder#1", "binder", "booklet", booklet, lastMs + 2, 2500),
      ends("journey", lastMs + 2510, lastMs + 2508),
      { atMs: lastMs + 2511, path: "journey", fact: { kind: "run_ended", outcome: "finished", error: null } },
    );
  }
  const started = isOver ? 1_782_920_000_000 : Date.now() - lastMs;
  const streams = Object.fromEntries(
    running.map((number, index) => [
      `journey/visits#1*guide#${number}${isComposed ? "/teller#1" : ""}`,
      tale(number).slice(0, 30 + 22 * index),
    ]),
  );
  return {
    page: pageOf(count, started, events.length, lastMs, isComposed, isOver),
    entries: numbered(events, started),
    streams,
    // Those of the guide hold for each place alone, those of the visits for all of them.
    limits: {
      guide: { ...NO_LIMITS, max_llm_calls: 3, max_cost: 0.02 },
      visits: { ...NO_LIMITS, max_llm_calls: isOver ? 400 : 40, max_cost: isOver ? 1 : 0.15 },
    },
  };
}

/** The events in the order of their time, with the numbers that they have in all and at their places. */
function numbered(events: readonly Timed[], started: number): JournalEntry[] {
  const ordinals = new Map<string, number>();
  const place = (path: string) => (path.split(/[/|*]/).at(-1) ?? path).replace(/[#[].*$/, "");
  return [...events]
    .sort((one, other) => one.atMs - other.atMs)
    .map(({ atMs, path, fact }, index) => {
      const n = (ordinals.get(path) ?? 0) + 1;
      ordinals.set(path, n);
      const event: Event = {
        v: 2,
        seq: index + 1,
        at_ms: started + atMs,
        ran_ms: Math.round(atMs),
        author: place(path),
        path,
        n,
        surface: false,
        fact,
      };
      return journalEntry(event);
    });
}
