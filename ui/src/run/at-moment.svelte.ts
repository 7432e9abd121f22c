// What the program answers about a run at a moment. Asked for the newest wanted moment only, one request at a time;
// the last answer stays until the next is there, so that scrubbing does not flicker.
import type { ApiError } from "../ipc/bindings";
import { toApiError } from "../ipc/errors";

const KEPT = 16;

export class AtMoment<T> {
  value = $state.raw<T | null>(null);
  /** The moment of the value. */
  seq = $state<number | null>(null);
  error = $state.raw<ApiError | null>(null);
  #kept = new Map<number, T>();
  #wanted: number | null = null;
  /** The moment that was wanted last. */
  #newest: number | null = null;
  #isAsking = false;

  constructor(readonly ask: (seq: number) => Promise<T>) {}

  /** Wants the answer for the moment after an event. */
  want(seq: number): void {
    this.#newest = seq;
    const known = this.#kept.get(seq);
    if (known !== undefined) {
      this.#wanted = null;
      this.#show(seq, known);
      return;
    }
    this.#wanted = seq;
    if (!this.#isAsking) void this.#askAll();
  }

  async #askAll(): Promise<void> {
    this.#isAsking = true;
    while (this.#wanted !== null) {
      const seq = this.#wanted;
      this.#wanted = null;
      try {
        const answer = await this.ask(seq);
        this.#kept.set(seq, answer);
        const oldest = this.#kept.keys().next().value;
        if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
        if (seq === this.#newest || this.#wanted !== null) this.#show(seq, answer);
      } catch (thrown) {
        if (seq === this.#newest) this.error = toApiError(thrown);
      }
    }
    this.#isAsking = false;
  }

  #show(seq: number, value: T): void {
    this.seq = seq;
    this.value = value;
    this.error = null;
  }
}
