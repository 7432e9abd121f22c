// Runs in the order of a list, grouped by their sessions.
import type { RunCard } from "../ipc/bindings";

/**
 * Runs with those of their session below them, in the order in which they began; a session stands where its newest
 * run does.
 */
export function bySession(cards: readonly RunCard[]): { card: RunCard; isBelow: boolean }[] {
  const groups = new Map<string, RunCard[]>();
  for (const card of cards) groups.set(card.session, [...(groups.get(card.session) ?? []), card]);
  return [...groups.values()].flatMap((group) =>
    group.sort((a, b) => a.started_at_ms - b.started_at_ms).map((card, index) => ({ card, isBelow: index > 0 })),
  );
}
