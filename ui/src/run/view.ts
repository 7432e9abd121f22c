// A run at a moment is a fold of its events. This is the only place of the page that reads facts; the match over them
// is exhaustive, so that a new kind of fact does not compile until it is decided here what it means on screen.
import type { Answer, Effect, Event, Fact, KeyDeclaration, RunView } from "../ipc/bindings";
import { USER } from "../ipc/names";
import { begin, hasTurn, joined, touch, update } from "./calls";
import { change, endRound, mark } from "./changes";
import type { Fold } from "./fold";
import { empty } from "./empty-view";
import { flightsOf, keepFlights, owed, refuse } from "./in-flight";
import { editResult, setGates } from "./gate";
import { goOn, waitOver } from "./resumption";
import { heard, hear, say } from "./words";
import { lastWhere } from "../platform/last-where";
import { note, remark, retry } from "./noted";
import { ownInstance } from "./place";
import type { Held, Landmark, View } from "./view-types";
import { spend, spendAnswered, spendAsked } from "./spend";
import { unpriced } from "./usage";
import { changesFiles, summaryIn, unwrapped } from "./value";

/** Answers of a model that are enough to tell what is usual. */
const KEPT_TIMES = 30;
type AnsweredFact = Omit<Extract<Fact, { kind: "effect_answered" }>, "kind" | "asked" | "answer">;

/**
 * The view at a moment of a run whose events are not all here: drawn from those that the program picked, and put
 * right by
 * what cannot be had from a part of them.
 */
export function restored(declarations: readonly KeyDeclaration[], at: RunView): View {
  const drawn = applyAll(
    empty(declarations),
    at.entries.map(({ event }) => event),
  );
  const shift = (key: string, list: readonly { key: string; number: number }[]) =>
    Math.max(0, (at.changes[key]?.versions ?? 0) - (lastWhere(list, (one) => one.key === key)?.number ?? 0));
  /** What stands in the state is there whole, unless it is large. */
  const now = ({ key, seq, value }: { key: string; seq: number; value: unknown }) =>
    at.state[key]?.seq === seq ? unwrapped(at.state[key].value) : value;
  const older = Object.entries(at.changes).flatMap(([key, { older: seqs }]) =>
    seqs.map((seq): Landmark => ({ seq, kind: drawn.roles.get(key)?.kind === "review" ? "review" : "text" })),
  );
  const view: View = {
    ...drawn,
    seq: at.seq,
    lastAtMs: at.at_ms,
    state: new Map(
      Object.entries(at.state).map(([key, held]): [string, Held] => [key, { ...held, value: unwrapped(held.value) }]),
    ),
    versions: drawn.versions.map((version) => ({
      ...version,
      value: now(version),
      number: version.number + shift(version.key, drawn.versions),
    })),
    reviews: drawn.reviews.map((review) => ({ ...review, number: review.number + shift(review.key, drawn.reviews) })),
    landmarks: [...older, ...drawn.landmarks].sort((a, b) => a.seq - b.seq),
    words: heard(drawn.words, at),
    used: { ...at.usage, isPartial: false },
    profiles: new Map(Object.entries(at.profiles)),
    budgets: new Map(Object.entries(at.budgets)),
    gates: new Map(Object.entries(at.gates)),
    times: new Map([...drawn.times, ...Object.entries(at.times)]),
    touched: new Map(
      Object.entries(at.touched).map(([agent, { reads, wrote }]) => [
        agent,
        { reads: new Set(reads), wrote: new Set(wrote) },
      ]),
    ),
  };
  keepFlights(view, flightsOf(drawn));
  return view;
}

/** The view after one more event. */
export function apply(view: View, event: Event): View {
  return applyAll(view, [event]);
}

/** The view after more events, in the order of their numbers; the given view stays as it is. */
export function applyAll(view: View, events: readonly Event[]): View {
  if (events.length === 0) return view;
  const fold: Fold = {
    ...view,
    calls: new Map(view.calls),
    callsOf: new Map(view.callsOf),
    instances: new Map(view.instances),
    times: new Map(view.times),
    touched: new Map(view.touched),
    took: new Map(view.took),
    skipped: new Set(view.skipped),
    profiles: new Map(view.profiles),
    budgets: new Map(view.budgets),
    rounds: new Map(view.rounds),
    waiting: new Map(view.waiting),
    state: new Map(view.state),
    versions: [...view.versions],
    reviews: [...view.reviews],
    remarks: [...view.remarks],
    landmarks: [...view.landmarks],
    gates: new Map(view.gates),
    inFlight: flightsOf(view),
  };
  for (const event of events) step(fold, event);
  const { inFlight, ...next } = fold;
  keepFlights(next, inFlight);
  return next;
}

function step(fold: Fold, event: Event): void {
  const { fact } = event;
  fold.changed = [];
  switch (fact.kind) {
    case "run_started":
      fold.typed = new Set();
      fold.pieces = [{ seq: event.seq, atMs: event.at_ms }];
      fold.countedToMs = event.at_ms;
      fold.countedRanMs = event.ran_ms;
      fold.origin = fact.origin;
      fold.outcome = null;
      fold.error = null;
      break;
    case "run_resumed":
      fold.used = unpriced(fold.used, owed(fold.inFlight));
      goOn(fold, event, fact);
      break;
    case "gates_set":
      setGates(fold, fact.gates);
      break;
    case "agent_started":
      fold.typed = new Set();
      begin(fold, event, fact.instance);
      break;
    case "agent_ended": {
      fold.typed = new Set();
      const error = fact.ended === "failed" ? fact.error : null;
      const output = fact.output === undefined ? null : { seq: event.seq, value: unwrapped(fact.output) };
      update(fold, event.path, (call) => ({
        ...call,
        endedSeq: event.seq,
        tookMs: fact.took_ms,
        error,
        output,
        reads: joined(call.reads, fact.reads),
      }));
      touch(fold, event.author, fact.reads, []);
      hear(fold, event, fact.reads);
      if (error) mark(fold, { seq: event.seq, kind: "trouble" });
      break;
    }
    case "round_ended":
      endRound(fold, event, fact);
      break;
    case "state_changed": {
      const keys = [...Object.keys(fact.delta.set), ...fact.delta.removed];
      update(fold, event.path, (call) => ({ ...call, wrote: joined(call.wrote, keys) }));
      // What an instance writes stays within it: no key of the run changes.
      if (ownInstance(event.path) !== null) {
        editResult(fold, event, fact.delta);
        break;
      }
      change(fold, event, fact.delta, false);
      say(fold, event, fact.delta);
      if (event.author !== USER) touch(fold, event.author, [], keys);
      break;
    }
    case "effect_asked":
      spend(fold, event, 0);
      hasTurn(fold, event);
      update(fold, event.path, (call) => ({ ...call, reads: joined(call.reads, fact.reads) }));
      touch(fold, event.author, fact.reads, []);
      hear(fold, event, fact.reads);
      ask(fold, event, fact.effect);
      break;
    case "effect_answered":
      spend(fold, event, fact.waited_ms);
      applyAnswer(fold, event, fact.asked, fact.answer, fact);
      if (fact.answer.status === "done" && changesFiles(fact.answer.result)) fold.filesSeq = event.seq;
      break;
    case "request_failed":
      retry(fold, event, `${event.path} ${fact.asked}`, fact);
      remark(fold, event, fact);
      break;
    case "request_sent":
      refuse(fold.inFlight, `${event.path} ${fact.asked}`, false);
      remark(fold, event, fact);
      break;
    case "fell_back":
      remark(fold, event, fact);
      break;
    case "noted":
      // With a remark of their own the person keeps a version apart from the next.
      if (event.author === USER) fold.typed = new Set();
      note(fold, event, fact.note);
      break;
    case "run_ended":
      fold.typed = new Set();
      fold.outcome = fact.outcome;
      fold.error = fact.error;
      mark(fold, { seq: event.seq, kind: fact.outcome === "failed" ? "trouble" : "end" });
      break;
    default:
      // A kind that only a newer program writes: it is numbered and otherwise left alone.
      fact satisfies never;
  }
  fold.seq = event.seq;
  fold.lastAtMs = event.at_ms;
}

function ask(fold: Fold, event: Event, effect: Effect): void {
  const { seq, path, author: agent, n, at_ms: atMs } = event;
  const untried = { retries: 0, retrying: null, retrySeq: null, retryAfterMs: null };
  const about = { seq, path, agent, n, atMs, model: "", title: null, question: null, repeats: null, ...untried };
  spendAsked(fold, event, effect);
  switch (effect.effect) {
    case "model":
      fold.waiting.set(`${path} ${n}`, { ...about, for: "model", model: effect.request.model });
      update(fold, path, (call) => ({
        ...call,
        model: effect.request.model,
        shape: effect.request.shape?.schema ?? null,
        instruction: { seq, value: effect.request.instruction },
      }));
      break;
    case "tool":
      fold.waiting.set(`${path} ${n}`, { ...about, for: "tool", title: effect.call.title, repeats: effect.call.class });
      break;
    case "question": {
      const { question } = effect;
      fold.waiting.set(`${path} ${n}`, { ...about, for: "person", title: question.text, question });
      mark(fold, { seq, kind: "question" });
      break;
    }
    case "clock":
    case "id":
      fold.waiting.set(`${path} ${n}`, { ...about, for: "program" });
      break;
    default:
      effect satisfies never;
  }
}

function applyAnswer(
  fold: Fold,
  event: Event,
  n: number,
  answer: Answer,
  { retries, summary = {}, took_ms: tookMs, waited_ms: waitedMs }: AnsweredFact,
): void {
  const place = `${event.path} ${n}`;
  spendAnswered(fold, event, place, answer, summary, waitedMs);
  const asked = fold.waiting.get(place);
  fold.waiting.delete(place);
  // Nobody waited for the person where the answer of the model came first.
  if (asked?.for === "person" && waitedMs > 0) waitOver(fold, event, asked.atMs);
  if (asked?.for === "model" && answer.status === "done")
    fold.took.set(asked.model, [...(fold.took.get(asked.model) ?? []).slice(1 - KEPT_TIMES), tookMs - waitedMs]);
  update(fold, event.path, (call) => {
    // Most were journalled while they happened and are counted already.
    const next = {
      ...call,
      retries: call.retries + Math.max(0, retries.length - (asked?.retries ?? 0)),
      answerSeq: asked && asked.for !== "program" ? event.seq : call.answerSeq,
    };
    if (answer.status === "failed") next.says = answer.error.phrase;
    if (answer.status !== "done") return next;
    const says = summaryIn(summary);
    if (says) next.says = says;
    if (asked?.question?.kind.kind === "agent") next.answered = event.seq;
    if (asked?.for === "model") next.reply = { seq: event.seq, result: unwrapped(answer.result) };
    return next;
  });
}
