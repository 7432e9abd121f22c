// What the page knows of a run at one moment. Only `apply` makes it; panels read it.
import type {
  ApiError,
  Budget,
  EffectClass,
  Fact,
  Gate,
  KeyDeclaration,
  LoopExit,
  Note,
  Origin,
  Outcome,
  Phrase,
  Question,
  Role,
  Round,
  Usage,
} from "../ipc/bindings";

/** What became of a request before it was answered. */
export type RequestFact = Extract<Fact, { kind: "request_failed" | "request_sent" | "fell_back" }>;

/** Something asked of the world and not yet answered. */
export type Waiting = {
  seq: number;
  path: string;
  /** The agent that asks. */
  agent: string;
  n: number;
  atMs: number;
  for: "model" | "tool" | "person" | "program";
  /** The model that is asked; empty where none is. */
  model: string;
  /** What is asked in words, of a tool or the person. */
  title: Phrase | null;
  question: Question | null;
  /** Of a tool, how often it may be called again; null of anything else. */
  repeats: EffectClass | null;
  /** Retries journalled since it was asked, and the last one. */
  retries: number;
  retrying: Extract<Fact, { kind: "request_failed" }> | null;
  /** The event of the last retry, and how long the provider asked to wait, in milliseconds. */
  retrySeq: number | null;
  retryAfterMs: number | null;
};

/** What one call of an agent used up. */
export type CallUsage = {
  /** Requests to models that were paid for, and those that the built-in function answered. */
  requests: number;
  builtIn: number;
  tokens: number;
  /** In US dollars, as far as it is known; null where no price was. */
  cost: number | null;
  /** Requests that cost nobody knows what. */
  unpriced: number;
};

/** One call of an agent. A stage is drawn from the last one. */
export type Call = {
  path: string;
  agent: string;
  startedSeq: number;
  /**
   * When it began; later by as long as nobody worked on it since. Null in an instance in which nothing was asked yet:
   * it waits for its turn.
   */
  startedAtMs: number | null;
  endedSeq: number | null;
  tookMs: number;
  error: ApiError | null;
  retries: number;
  repairs: number;
  /** The model that it asked last; empty when it asked none. */
  model: string;
  /** Keys it read and wrote in this call. */
  reads: readonly string[];
  wrote: readonly string[];
  /**
   * The last thing worth saying beside it: a sentence of a tool or an error, a note, or what became of a request;
   * nothing at first.
   */
  says: Phrase | Note | RequestFact | null;
  /** The shape that its last answer had to have, where that is known. */
  shape: unknown;
  /** What was tried when an answer could not be used. */
  tried: readonly Note[];
  /** The last answer of its model, for correcting it by hand. */
  reply: { seq: number; result: unknown } | null;
  /** What it gave its model as instruction, and in which event; it may be there by its hash alone. */
  instruction: { seq: number; value: unknown } | null;
  /** The event of the last answer that it got, of whatever it asked. */
  answerSeq: number | null;
  /** The event with the answer of the person to its last question; null where it asked nothing of its own. */
  answered: number | null;
  /** What it used up so far; nothing of what runs below it. */
  used: CallUsage;
  /**
   * Of an instance of an agent on demand, what it was started with and what it came to; it may be there by its hash
   * alone.
   */
  input: { seq: number; value: unknown } | null;
  output: { seq: number; value: unknown } | null;
  /** What the person made of that output at the gate after it. */
  edited: { seq: number; value: unknown } | null;
};

export type Touched = { reads: ReadonlySet<string>; wrote: ReadonlySet<string> };

/** A value in the state, with the event that set it. It may be there by its hash alone. */
export type Held = { value: unknown; seq: number; author: string };

/** A version of a text: of a draft, or of what is published. */
export type Version = {
  seq: number;
  key: string;
  title: string;
  isFinal: boolean;
  /** Whether an agent put it before the person. */
  isRaised: boolean;
  /** Counted from 1 among the versions of its key. */
  number: number;
  author: string;
  path: string;
  value: unknown;
  /** False when a resumption has set it aside. */
  holds: boolean;
};

export type Reviewed = {
  seq: number;
  key: string;
  /** Counted from 1 among the reviews of its key. */ number: number;
  author: string;
  value: unknown;
  holds: boolean;
};
/** The end of a round of a loop. `loop` is the place of the loop, without the round. */
export type RoundEnd = {
  seq: number;
  loop: string;
  agent: string;
  round: Round;
  exit: LoopExit;
  /** The best round so far, where anything is measured. */ best: number | null;
};
export type Remark = { seq: number; author: string; path: string; note: Note | RequestFact };

/** An event that the slider marks. */
export type Landmark = { seq: number; kind: "text" | "review" | "trouble" | "question" | "end" };

export type Used = Usage & {
  /** Whether an answer was too long to be read for its tokens, so there were more. */
  isPartial: boolean;
};

/** A stretch of events in which the run went on without a pause. */
export type Piece = { seq: number; atMs: number };

/** A word that the person said to the run while it went on, and the agents that have read it. */
export type Word = { seq: number; text: string; readers: readonly string[] };

export type View = {
  seq: number;
  /** Where the run began, and where it went on after a pause or as a fork. */
  pieces: readonly Piece[];
  lastAtMs: number;
  /** The last event seen here by which a tool changed files of the run; 0 where none was. */
  filesSeq: number;
  /** Up to when active time is counted: the last effect, by the wall clock. */
  countedToMs: number;
  /** The same by the run's own clock, by which it is counted. */
  countedRanMs: number;
  origin: Origin | null;
  /** Agents whose profile was changed since the run began. */
  profiles: ReadonlyMap<string, string>;
  /** What each agent used up with all below it, and its limits: by name, of an instance that has its own by path. */
  budgets: ReadonlyMap<string, Budget>;
  declarations: readonly KeyDeclaration[];
  roles: ReadonlyMap<string, Role>;
  /** The newest calls of every agent, by path; a run may make any number. */
  calls: ReadonlyMap<string, Call>;
  /** Paths of an agent's newest calls in the order in which they began; within an instance apart from all others. */
  callsOf: ReadonlyMap<string, readonly string[]>;
  /**
   * Paths of the instances of an agent on demand that were started together, by the place where they were and their
   * agent.
   */
  instances: ReadonlyMap<string, readonly string[]>;
  /** How often an agent was called, in all and within an instance. */
  times: ReadonlyMap<string, number>;
  /** What an agent read and wrote so far. */
  touched: ReadonlyMap<string, Touched>;
  skipped: ReadonlySet<string>;
  /** The present round of a loop by its name. */
  rounds: ReadonlyMap<string, number>;
  /** Rounds of loops that ended, the newest last. */
  roundEnds: readonly RoundEnd[];
  /** Where the run stops and asks, by agent or by place. */
  gates: ReadonlyMap<string, Gate>;
  /** What the person said to the run, the oldest first. */
  words: readonly Word[];
  waiting: ReadonlyMap<string, Waiting>;
  state: ReadonlyMap<string, Held>;
  /** The keys that the last event touched. */
  changed: readonly string[];
  /** Keys whose last version is the person's, with nothing in between since: what they type on continues it. */
  typed: ReadonlySet<string>;
  versions: readonly Version[];
  reviews: readonly Reviewed[];
  /** Notes, and what became of requests, put before the person's eyes. */
  remarks: readonly Remark[];
  landmarks: readonly Landmark[];
  /** How long a model's last answers took, in milliseconds, the newest last. */
  took: ReadonlyMap<string, readonly number[]>;
  used: Used;
  outcome: Outcome | null;
  error: ApiError | null;
};

/** The whole value that a key got in an event; undefined while it is being fetched. */
export type Resolve = (key: string, seq: number, value: unknown) => unknown;
