// The state at a moment and its exact text, as the program writes it. Asked for the newest wanted moment only, one request
// at a time; the last text stays until the next is there, so that scrubbing does not flicker.
import type { ApiError, StatePage } from "../ipc/bindings";
import { call } from "../ipc/client";
import { toApiError } from "../ipc/errors";

const KEPT = 16;

export class ExactState {
  text = $state<string | null>(null);
  /** The same state as values. */
  state = $state.raw<Readonly<Record<string, unknown>>>({});
  seq = $state<number | null>(null);
  error = $state.raw<ApiError | null>(null);
  #kept = new Map<number, StatePage>();
  #wanted: number | null = null;
  #isAsking = false;

  constructor(readonly run: string) {}

  /** Wants the state after an event. */
  want(seq: number): void {
    const known = this.#kept.get(seq);
    if (known !== undefined) {
      this.#wanted = null;
      this.#show(seq, known);
      return;
    }
    this.#wanted = seq;
    if (!this.#isAsking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#wanted !== null) {
      const seq = this.#wanted;
      this.#wanted = null;
      try {
        const page = await call("state_at", { run: this.run, seq });
        this.#kept.set(seq, page);
        const oldest = this.#kept.keys().next().value;
        if (this.#kept.size > KEPT && oldest !== undefined) this.#kept.delete(oldest);
        this.#show(seq, page);
      } catch (thrown) {
        this.error = toApiError(thrown);
      }
    }
    this.#isAsking = false;
  }

  #show(seq: number, { text, state }: StatePage): void {
    this.seq = seq;
    this.text = text;
    this.state = state;
    this.error = null;
  }
}

/** The exact text in parts, one a key; joined they are the text, byte for byte. */
export function parts(text: string, keys: readonly string[]): { key: string | null; text: string }[] {
  const found: { key: string | null; text: string }[] = [];
  let from = 0;
  let key: string | null = null;
  let next = 0;
  // A value's lines are indented, so a line that begins with a number is a heading.
  for (const line of text.matchAll(/^(\d+)\. (.*):$/gm)) {
    const name = keys[next];
    if (name === undefined || line[2] !== name || Number(line[1]) !== next + 1) continue;
    found.push({ key, text: text.slice(from, line.index) });
    from = line.index;
    key = name;
    next += 1;
  }
  const end = Math.max(from, text.lastIndexOf("\n---") + 1);
  found.push({ key, text: text.slice(from, end) }, { key: null, text: text.slice(end) });
  return found.filter((part) => part.text !== "");
}
