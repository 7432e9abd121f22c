// Looking for words in the sentences of a run, also of events that are not here: page by page, in the order of the
// events, until everything was seen or another search begins.
import { pageOf, type Entries } from "./entries.svelte";
import type { EventFormatter } from "./sentence";

export class JournalSearch {
  /** Numbers of the events found so far; null when nothing is looked for. */
  found = $state.raw<readonly number[] | null>(null);
  isLooking = $state(false);
  #turn = 0;

  constructor(
    readonly entries: Entries,
    readonly formatter: EventFormatter,
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
    for (let start = 0, end = 0; start < among.length; start = end) {
      // What is wanted may lie far apart: only pages that hold some of it are fetched, one after the other.
      const page = pageOf(among[start] ?? 1);
      while (end < among.length && pageOf(among[end] ?? 1) === page) end++;
      const part = among.slice(start, end);
      await this.entries.load(part[0] ?? 1, part.at(-1) ?? 1).catch(() => {});
      if (turn !== this.#turn) return;
      const before = found.length;
      for (const seq of part) {
        const entry = this.entries.glance(seq);
        if (entry && `${this.formatter.format(entry)} ${entry.event.author}`.toLowerCase().includes(wanted))
          found.push(seq);
      }
      if (found.length > before || start === 0) this.found = [...found];
    }
    this.isLooking = false;
  }
}
