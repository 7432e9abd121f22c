// Runs that were forked from each other, as a tree. Pure, over the cards there are.
import type { RunCard } from "../ipc/bindings";

export type Branch = { card: RunCard; depth: number };

/** The whole family of a run, parents before their forks; a parent that is gone ends the way up. */
export function familyOf(run: string, cards: readonly RunCard[]): Branch[] {
  const known = new Map(cards.map((card) => [card.run, card]));
  let root = known.get(run);
  const seen = new Set<string>();
  while (root?.origin && known.has(root.origin.run) && !seen.has(root.run)) {
    seen.add(root.run);
    root = known.get(root.origin.run);
  }
  if (!root) return [];
  const forks = new Map<string, RunCard[]>();
  for (const card of cards) if (card.origin) forks.set(card.origin.run, [...(forks.get(card.origin.run) ?? []), card]);
  const branches: Branch[] = [];
  const put = (card: RunCard, depth: number) => {
    if (branches.some((branch) => branch.card.run === card.run)) return;
    branches.push({ card, depth });
    const below = [...(forks.get(card.run) ?? [])].sort(
      (a, b) => (a.origin?.seq ?? 0) - (b.origin?.seq ?? 0) || a.started_at_ms - b.started_at_ms,
    );
    for (const fork of below) put(fork, depth + 1);
  };
  put(root, 0);
  return branches;
}
