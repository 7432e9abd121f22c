// What effects use up: of the run, and of each agent with all that runs below it.
import type { Answer, AnswerSummary, Effect, Event } from "../ipc/bindings";
import { payers, spendOf } from "./budgets";
import type { Fold } from "./changes";
import { asked, passed, stepAsked, stepOf, taken } from "./usage";

/** Lets the time pass up to an event. */
export function spend(fold: Fold, event: Event, waitedMs: number): void {
  fold.used = passed(fold.used, event.ran_ms - fold.countedRanMs, waitedMs);
  fold.countedRanMs = Math.max(fold.countedRanMs, event.ran_ms);
  fold.countedToMs = Math.max(fold.countedToMs, event.at_ms);
}

/** An effect counts from when it is asked. */
export function spendAsked(fold: Fold, event: Event, effect: Effect): void {
  const by = asked(effect, event.author);
  const isWork = effect.effect === "model" || effect.effect === "tool";
  const places = isWork ? payers(fold.budgets, event) : [];
  fold.used = taken(fold.used, by, stepAsked(by));
  spendOf(fold.budgets, places, stepAsked(by));
  fold.inFlight.set(`${event.path} ${event.n}`, { ...by, places, askedRanMs: event.ran_ms });
}

/** The answer to what was asked at a place tells what it used. */
export function spendAnswered(fold: Fold, event: Event, place: string, answer: Answer, summary: AnswerSummary, waitedMs: number): void {
  const by = fold.inFlight.get(place);
  if (!by) return;
  const step = stepOf(by, answer, summary);
  fold.used = taken(fold.used, by, step);
  spendOf(fold.budgets, by.places, step, Math.max(0, Math.max(0, event.ran_ms - by.askedRanMs) - waitedMs));
  fold.inFlight.delete(place);
}
