// The runs of the list that are selected, to be done something with together.
import type { RunCard } from "../ipc/bindings";
import { router } from "./route.svelte";
import { runs } from "./runs.svelte";

class RunSelection {
  #chosen = $state.raw<readonly string[]>([]);
  /** The run that a range begins at. */
  #anchor: string | null = null;
  /** What was selected when the range began. */
  #base: readonly string[] = [];
  /** The runs that are still there, in the order in which they were selected. */
  readonly cards = $derived(
    this.#chosen.map((run) => runs.card(run)).filter((card): card is RunCard => card !== undefined),
  );

  has(run: string): boolean {
    return this.#chosen.includes(run);
  }

  /** Selects a run besides the others, or no longer. */
  toggle(run: string): void {
    this.#chosen = this.has(run) ? this.#chosen.filter((other) => other !== run) : [...this.#chosen, run];
    this.begin(run);
  }

  /**
   * Selects the runs from where the range began, or from `near`, to this one, of those listed, besides what was
   * selected before.
   */
  extend(to: string, listed: readonly string[], near: string = to): void {
    if (this.#anchor === null || !listed.includes(this.#anchor)) this.begin(near);
    const from = this.#anchor ?? to;
    const [one, other] = [listed.indexOf(from), listed.indexOf(to)].sort((a, b) => a - b);
    const range = listed.slice(one, (other ?? 0) + 1);
    this.#chosen = [...this.#base.filter((run) => !range.includes(run)), ...range];
  }

  all(listed: readonly string[]): void {
    this.#chosen = [...listed];
  }

  clear(): void {
    this.#chosen = [];
    this.#anchor = null;
    this.#base = [];
  }

  /** Leaves out the runs that are gone: one that comes back is not selected. */
  prune(): void {
    this.#chosen = this.cards.map(({ run }) => run);
  }

  /** Lets a range begin at a run. */
  begin(run: string): void {
    this.#anchor = run;
    this.#base = this.#chosen;
  }
}

export const runSelection = new RunSelection();

/** Throws runs away; whoever reads one of them is led to the first screen, and back when it is taken back. */
export async function trashRuns(cards: readonly RunCard[]): Promise<void> {
  const { route } = router;
  const open = route.screen === "run" ? cards.find(({ run }) => run === route.run) : undefined;
  let hasLeft = false;
  await runs.trash(
    cards,
    () => open && hasLeft && router.route.screen === "welcome" && router.go({ screen: "run", run: open.run }),
  );
  runSelection.prune();
  const now = router.route;
  hasLeft = open !== undefined && runs.card(open.run) === undefined && now.screen === "run" && now.run === open.run;
  if (hasLeft) router.go({ screen: "welcome" });
}
