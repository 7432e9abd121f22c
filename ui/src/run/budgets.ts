// What each agent used up with all that runs below it, folded as the program folds it, and which limits hold for that.
import type { AgentUsage, Budget, Event, Fact, Limits, Outline } from "../ipc/bindings";
import { agentAt, isInstance, isWithin, ownInstance, segments } from "./place";
import type { Step } from "./usage";
import { stepped } from "./usage";
import type { View } from "./view-types";

type Budgets = Map<string, Budget>;
type Overrides = Extract<Fact, { kind: "run_resumed" }>["overrides"];

export const NO_LIMITS: Limits = {
  max_llm_calls: null,
  max_output_tokens: null,
  max_execution_time_s: null,
  max_total_tokens: null,
  max_tool_calls: null,
  max_cost: null,
};
const nothing = (): AgentUsage => ({ calls: 0, tokens: 0, cost: 0, unpriced_calls: 0, tool_calls: {}, active_ms: 0 });

/** The budgets of a run at its beginning. */
export function budgetsOf(limits: Readonly<Record<string, Limits>>): Budgets {
  return new Map(
    Object.entries(limits).map(([place, own]): [string, Budget] => [place, { used: nothing(), limits: own }]),
  );
}

/**
 * What an agent used up where it stands, with all below it, and its limits for that. Of an agent on demand it is the
 * sum of
 * its instances, for which no limit holds; within an instance only what has limits of its own is counted apart.
 */
export function budgetOf(
  { budgets }: Pick<View, "budgets">,
  agent: Outline,
  instance: string | null,
): Budget | undefined {
  if (instance !== null) return agentAt(instance) === agent.name ? budgets.get(instance) : undefined;
  const budget = budgets.get(agent.name);
  return budget && agent.is_on_demand ? { ...budget, limits: NO_LIMITS } : budget;
}

/** The limits that each instance has for itself: of an agent on demand, or of one within it. */
export function limitsOfEach(view: Pick<View, "budgets">, agent: Outline, instance: string | null): Limits {
  const isCountedAnew = (agent.is_on_demand ?? false) || instance !== null;
  const hasOwn = instance !== null && budgetOf(view, agent, instance) !== undefined;
  return (isCountedAnew && !hasOwn && view.budgets.get(agent.name)?.limits) || NO_LIMITS;
}

/**
 * Whose budgets something counts for: of its author, of all agents above, and of instances above that have their own.
 */
export function payers(
  budgets: ReadonlyMap<string, Budget>,
  { author, path }: Pick<Event, "author" | "path">,
): string[] {
  const above = segments(path).slice(0, -1);
  const own = [...budgets.keys()].filter((place) => isInstance(place) && isWithin(path, place));
  return [...new Set([author, ...above.map(({ agent }) => agent), ...own])];
}

/** Adds a step to each of these budgets; `workedMs` is the time that it took. */
export function spendOf(budgets: Budgets, places: readonly string[], step: Step, workedMs = 0): void {
  for (const place of places) {
    const { used, limits } = budgets.get(place) ?? { used: nothing(), limits: NO_LIMITS };
    budgets.set(place, {
      limits,
      used: {
        calls: used.calls + step.calls,
        tokens: used.tokens + step.input_tokens + step.output_tokens,
        cost: used.cost + (step.cost ?? 0),
        unpriced_calls: used.unpriced_calls + step.unpriced_calls,
        tool_calls: step.tool === null ? used.tool_calls : stepped(used.tool_calls, step.tool, step.tool_calls),
        active_ms: used.active_ms + workedMs,
      },
    });
  }
}

/** Limits that a resumption changes. */
export function setLimits(fold: { budgets: Budgets; calls: View["calls"] }, changes: Overrides["agents"]): void {
  for (const [place, { limits = {} }] of Object.entries(changes)) {
    const known = fold.budgets.get(place);
    // What an instance used before it had limits of its own was counted with its agent alone; the program tells it
    // when it is asked for the moment.
    if (Object.keys(limits).length === 0 || (!known && ownInstance(place) !== null && fold.calls.has(place))) continue;
    fold.budgets.set(place, { used: known?.used ?? nothing(), limits: { ...(known?.limits ?? NO_LIMITS), ...limits } });
  }
}
