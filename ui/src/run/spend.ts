// What effects use up: of the run, and of each agent with all that runs below it.
import type { Answer, AnswerSummary, Effect, Event } from "../ipc/bindings";
import { payers, spendOf } from "./budgets";
import { BUILT_IN } from "../ipc/names";
import { update } from "./calls";
import type { Fold } from "./fold";
import { asked, passed, stepAsked, stepOf, taken, type Step } from "./usage";

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
  spendOfCall(
    fold,
    event.path,
    stepAsked(by),
    effect.effect === "model" && effect.request.profile === BUILT_IN ? 1 : 0,
  );
  fold.inFlight.set(`${event.path} ${event.n}`, { ...by, places, askedRanMs: event.ran_ms });
}

/** The answer to what was asked at a place tells what it used. */
export function spendAnswered(
  fold: Fold,
  event: Event,
  place: string,
  answer: Answer,
  summary: AnswerSummary,
  waitedMs: number,
): void {
  const by = fold.inFlight.get(place);
  if (!by) return;
  const step = stepOf(by, answer, summary);
  fold.used = taken(fold.used, by, step);
  spendOf(fold.budgets, by.places, step, Math.max(0, Math.max(0, event.ran_ms - by.askedRanMs) - waitedMs));
  spendOfCall(fold, event.path, step);
  fold.inFlight.delete(place);
}

/** Adds a step to what the call at a path used up itself. */
function spendOfCall(fold: Fold, path: string, step: Step, builtIn = 0): void {
  update(fold, path, (call) => {
    const { used } = call;
    return {
      ...call,
      used: {
        requests: used.requests + step.calls,
        builtIn: used.builtIn + builtIn,
        tokens: used.tokens + step.input_tokens + step.output_tokens,
        cost: step.cost === null ? used.cost : (used.cost ?? 0) + step.cost,
        unpriced: used.unpriced + step.unpriced_calls,
      },
    };
  });
}
