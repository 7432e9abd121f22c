// What a profile used in a month, in words.
import type { LedgerLine } from "../ipc/bindings";
import { money, t, wholeNumber } from "../i18n";

/** The calls of a profile and their price; empty when it asked nothing. */
export function spendingOf(spent: readonly LedgerLine[], profile: string): string {
  const lines = spent.filter((line) => line.profile === profile);
  const calls = lines.reduce((sum, line) => sum + line.calls, 0);
  if (calls === 0) return "";
  const known = lines.filter(({ cost }) => cost !== null);
  const cost = known.reduce((sum, line) => sum + (line.cost ?? 0), 0);
  const isPartial = lines.some(({ unpriced_calls: unpriced }) => unpriced > 0);
  const price =
    known.length === 0
      ? t("profile.price.unknown")
      : isPartial
        ? t("profile.price.least", { cost: money(cost) })
        : money(cost);
  return t("profile.month", { n: calls, calls: wholeNumber(calls), price });
}
