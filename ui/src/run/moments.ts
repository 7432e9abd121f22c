// How a run stood at a moment. Folds are kept at every so many events; from the last of them the page folds on with
// events that it has, and what it has neither for is told by the program. Not here: which moment is wanted (live).
import type { KeyDeclaration } from "../ipc/bindings";
import { call } from "../ipc/client";
import type { Entries } from "./entries.svelte";
import type { View } from "./view-types";
import { empty } from "./empty-view";
import { applyAll, restored } from "./view";

/** A fold is kept every so many events, as the program does. */
export const STRIDE = 500;
/** So many folds are kept; the program makes the others again. */
const MOST_MARKS = 24;

export class Moments {
  /** Folds at multiples of the stride, the one used last at the end. */
  #marks = new Map<number, View>();

  constructor(
    readonly run: string,
    readonly entries: Entries,
  ) {}

  /** Keeps a fold for the moments after it. */
  keep(mark: View): void {
    this.#marks.delete(mark.seq);
    this.#marks.set(mark.seq, mark);
    for (const oldest of this.#marks.keys()) {
      if (this.#marks.size <= MOST_MARKS) return;
      this.#marks.delete(oldest);
    }
  }

  /** The fold after event `seq`; `shown` is the event that stands on the page. */
  async at(seq: number, shown: number, keys: readonly KeyDeclaration[]): Promise<View> {
    const base = strideOf(seq);
    // Far from what is shown one answer of the program is enough; near it the next moments will be wanted too.
    if (strideOf(shown) !== base && !this.#marks.has(base)) return this.#told(seq, keys);
    const [mark] = await Promise.all([
      this.#mark(base, keys),
      seq > base ? this.entries.load(base + 1, seq) : undefined,
    ]);
    const events = [];
    for (let at = base + 1; at <= seq; at++) {
      const entry = this.entries.glance(at);
      if (entry) events.push(entry.event);
    }
    // Some may have been let go of meanwhile.
    return events.length < seq - base ? this.#told(seq, keys) : applyAll(mark, events);
  }

  async #told(seq: number, keys: readonly KeyDeclaration[]): Promise<View> {
    const told = await call("view_at", { run: this.run, seq });
    // For the sentence of the moment: its event, and what that answers.
    this.entries.add(told.entries.filter(({ event }) => event.seq >= told.whole_from));
    return restored(keys, told);
  }

  async #mark(seq: number, keys: readonly KeyDeclaration[]): Promise<View> {
    const mark =
      this.#marks.get(seq) ??
      (seq === 0 ? await this.#first(keys) : restored(keys, await call("view_at", { run: this.run, seq })));
    this.keep(mark);
    return mark;
  }

  /** Before the first event: no event tells the gates that a run begins with, so the program does. */
  async #first(keys: readonly KeyDeclaration[]): Promise<View> {
    const { gates } = await call("view_at", { run: this.run, seq: 1 });
    return empty(keys, gates);
  }
}

const strideOf = (seq: number): number => Math.floor(seq / STRIDE) * STRIDE;
