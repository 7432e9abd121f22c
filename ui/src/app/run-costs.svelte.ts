// What the runs cost, asked for while the list is sorted by it.
import { call } from "../ipc/client";

/** Runs that end one after the other are added up together. */
const SOON_MS = 300;

class RunCosts {
  /** US dollars by run; null where no price is known. */
  #costs = $state.raw<Readonly<Record<string, number | null | undefined>>>({});
  /** Whether the costs were read. */
  isKnown = $state(false);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** US dollars; 0 of a run that asked no model, null where no price is known. */
  readonly of = (run: string): number | null => {
    const cost = this.#costs[run];
    return cost === undefined ? 0 : cost;
  };

  /** Asks anew, soon. */
  ask(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // What was known stands until it can be read.
      void call("run_costs", {}).then(
        ({ costs }) => ([this.#costs, this.isKnown] = [costs, true]),
        () => {},
      );
    }, SOON_MS);
  }
}

export const runCosts = new RunCosts();
