// What an agent used up of what it may, in figures as they stand in the header.
import type { Budget, Limits } from "../ipc/bindings";
import { money, seconds, t, wholeNumber } from "../i18n";

/** From here on a limit is near. */
export const NEAR = 0.8;

/** Money as far as prices are known; null where none is. */
export function costText(cost: number | null, unpriced: number): string {
  if (cost === null) return t("price.none");
  return unpriced > 0 ? `${money(cost)} ${t("price.some")}` : money(cost);
}

export type BudgetFigure = { text: string; isLimited: boolean; isNear: boolean };

/** Nothing where nothing was used and no limit holds. */
export function budgetFigures({ used, limits }: Budget): BudgetFigure[] {
  const isUsed = used.calls > 0 || used.tokens > 0 || used.cost > 0;
  const all = [limits.max_llm_calls, limits.max_total_tokens, limits.max_cost, limits.max_execution_time_s];
  if (!isUsed && all.every((most) => most === null)) return [];
  const figure = (amount: number, most: number | null, write: (n: number) => string, written = write(amount)) => ({
    text: most === null ? written : t("budget.of", { used: written, most: write(most) }),
    n: most ?? amount,
    isLimited: most !== null,
    isNear: most !== null && most > 0 && amount / most >= NEAR,
  });
  const calls = figure(used.calls, limits.max_llm_calls, wholeNumber);
  const tokens = figure(used.tokens, limits.max_total_tokens, wholeNumber);
  const figures: BudgetFigure[] = [
    { ...calls, text: t("budget.calls", { n: calls.n, used: calls.text }) },
    { ...tokens, text: t("budget.tokens", { n: tokens.n, used: tokens.text }) },
  ];
  // What is not known is not nothing.
  const isUnknown = used.unpriced_calls > 0;
  if (used.cost > 0 || isUnknown || limits.max_cost !== null)
    figures.push(
      figure(
        used.cost,
        limits.max_cost,
        money,
        isUnknown ? costText(used.cost === 0 ? null : used.cost, used.unpriced_calls) : money(used.cost),
      ),
    );
  // How long it worked stands with each call; here it matters where it is limited.
  if (limits.max_execution_time_s !== null)
    figures.push(figure(used.active_ms / 1000, limits.max_execution_time_s, (n) => seconds(n * 1000)));
  return figures.map(({ text, isLimited, isNear }) => ({ text, isLimited, isNear }));
}

/** The figures as one line. */
export function budgetLine(budget: Budget): string {
  return budgetFigures(budget)
    .map(({ text }) => text)
    .join(" · ");
}

/** Limits as one line, where nothing is counted against them here; empty where there is none. */
export function limitLine({
  max_llm_calls: calls,
  max_total_tokens: tokens,
  max_cost: cost,
  max_execution_time_s: time,
}: Limits): string {
  const figures = [
    calls === null ? "" : t("budget.calls", { n: calls, used: wholeNumber(calls) }),
    tokens === null ? "" : t("budget.tokens", { n: tokens, used: wholeNumber(tokens) }),
    cost === null ? "" : money(cost),
    time === null ? "" : seconds(time * 1000),
  ];
  return figures.filter((figure) => figure !== "").join(" · ");
}
