// Looking for words in the sentences of a run, also of events that are not here: page by page, in the order of the
// events, until everything was seen or another search begins.
import type { Entries } from "./entries.svelte";
import type { Teller } from "./sentence";

const STEP = 500;

export class Hunt {
  /** Numbers of the events found so far; null when nothing is looked for. */
  found = $state.raw<readonly number[] | null>(null);
  isLooking = $state(false);
  #turn = 0;

  constructor(
    readonly entries: Entries,
    readonly teller: Teller,
  ) {}

  async look(words: string, among: readonly number[]): Promise<void> {
    const turn = ++this.#turn;
    const wanted = words.trim().toLowerCase();
    if (wanted === "") {
      this.found = null;
      this.isLooking = false;
      return;
    }
    this.isLooking = true;
    const found: number[] = [];
    for (let start = 0; start < among.length; start += STEP) {
      const part = among.slice(start, start + STEP);
      await this.entries.load(part[0] ?? 1, part.at(-1) ?? 1).catch(() => {});
      if (turn !== this.#turn) return;
      for (const seq of part) {
        const entry = this.entries.glance(seq);
        if (entry && `${this.teller.tell(entry)} ${entry.event.author}`.toLowerCase().includes(wanted)) found.push(seq);
      }
      this.found = [...found];
    }
    this.isLooking = false;
  }
}
