// The list of runs, followed live, and what a search in it finds.
import type { Fault, RunCard } from "../ipc/bindings";
import { call, watch } from "../ipc/client";
import { toFault } from "../ipc/errors";

class Runs {
  /** By id; null until the first answer. */
  #known = $state.raw<ReadonlyMap<string, RunCard> | null>(null);
  #found = $state.raw<readonly RunCard[] | null>(null);
  fault = $state.raw<Fault | null>(null);
  search = $state("");
  #delay: ReturnType<typeof setTimeout> | undefined;
  #asked = 0;

  readonly list = $derived.by((): readonly RunCard[] => {
    const known = this.#known;
    if (this.#found) return this.#found.map((card) => ({ ...(known?.get(card.run) ?? card), snippet: card.snippet }));
    return [...(known?.values() ?? [])].sort((a, b) => b.started_at_ms - a.started_at_ms);
  });
  /** Every run that is known, whatever is looked for. */
  readonly all = $derived([...(this.#known?.values() ?? [])]);
  readonly isLoaded = $derived(this.#known !== null);
  readonly isEmpty = $derived(this.#known?.size === 0);

  card(run: string): RunCard | undefined {
    return this.#known?.get(run);
  }

  /** Follows the list until the returned function is called. */
  follow(): () => void {
    void this.#load();
    return watch(null, 0, (item) => {
      if (item.type === "run") this.#known = new Map(this.#known ?? []).set(item.card.run, item.card);
      if (item.type === "fault") this.fault = item.fault;
    });
  }

  async #load(): Promise<void> {
    try {
      const { runs } = await call("list_runs", { search: null, limit: null });
      // What the watch brought meanwhile is newer.
      this.#known = new Map([...runs.map((card): [string, RunCard] => [card.run, card]), ...(this.#known ?? [])]);
    } catch (error) {
      this.fault = toFault(error);
    }
  }

  /** Looks for words in titles and texts, when typing has paused. */
  find(words: string): void {
    this.search = words;
    clearTimeout(this.#delay);
    if (words.trim() === "") {
      this.#asked++;
      this.#found = null;
      return;
    }
    this.#delay = setTimeout(() => void this.#find(words.trim()), 150);
  }

  async #find(words: string): Promise<void> {
    const asked = ++this.#asked;
    try {
      const { runs } = await call("list_runs", { search: words, limit: null });
      if (asked === this.#asked) this.#found = runs;
    } catch (error) {
      this.fault = toFault(error);
    }
  }
}

export const runs = new Runs();
