// How the list of runs is sorted.
import type { RunCard } from "../ipc/bindings";

export const ORDERS = ["date", "status", "cost"] as const;
export type Order = (typeof ORDERS)[number];
/** What wants somebody comes first. */
const URGENCY: readonly RunCard["status"][] = [
  "waiting",
  "waiting_for_disk",
  "running",
  "interrupted",
  "failed",
  "limited",
  "cancelled",
  "finished",
];

/**
 * Pinned runs first, then by what was asked for, then the newest. A cost that is not known comes after those that
 * are.
 */
export function inOrder(a: RunCard, b: RunCard, order: Order, costOf: (run: string) => number | null): number {
  const urgency = order === "status" ? URGENCY.indexOf(a.status) - URGENCY.indexOf(b.status) : 0;
  const cost = order === "cost" ? (costOf(b.run) ?? -1) - (costOf(a.run) ?? -1) : 0;
  return Number(b.is_pinned) - Number(a.is_pinned) || urgency || cost || b.started_at_ms - a.started_at_ms;
}
