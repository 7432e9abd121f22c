// Values that an event carries only by hash, brought back when they are looked at, and kept while there is room.
import { SvelteMap } from "svelte/reactivity";
import { call } from "../ipc/client";
import { isStored, unwrapped } from "./value";

const MOST = 64;

export class Values {
  #found = new SvelteMap<string, unknown>();
  #asked = new Set<string>();

  constructor(readonly run: string) {}

  /** The value of a key as an event set it, or `undefined` while it is being fetched. */
  of(_key: string, seq: number, value: unknown): unknown {
    if (!isStored(value)) return value;
    const hash = value.$stored;
    const found = this.#found.get(hash);
    if (found === undefined && !this.#asked.has(hash)) void this.#fetch(hash, seq);
    return found;
  }

  async #fetch(hash: string, seq: number): Promise<void> {
    this.#asked.add(hash);
    try {
      const { value } = await call("read_value", { hash, run: this.run, seq });
      for (const oldest of this.#found.keys()) {
        if (this.#found.size < MOST) break;
        this.#found.delete(oldest);
        this.#asked.delete(oldest);
      }
      this.#found.set(hash, unwrapped(value));
    } catch {
      // Asked again when it is next looked at; the watch says what is wrong.
      this.#asked.delete(hash);
    }
  }
}
