// Of every event its kind, its author and whether it is trouble, in two bytes: enough to filter a long run without
// holding its events.
import type { Event } from "../ipc/bindings";
import { isTrouble, kindOf, KINDS, type Kind } from "./sentence";

const TROUBLE = 0x80;
const MOST_AUTHORS = 255;

export class EventIndex {
  #kinds = new Uint8Array(1024);
  #authors = new Uint8Array(1024);
  #names: string[] = [];
  #count = 0;

  /** Authors in the order in which they first appeared. */
  get authors(): readonly string[] {
    return this.#names;
  }

  add(event: Event): void {
    const at = event.seq - 1;
    if (at >= this.#kinds.length) this.#grow(at + 1);
    let author = this.#names.indexOf(event.author);
    if (author < 0 && this.#names.length < MOST_AUTHORS) author = this.#names.push(event.author) - 1;
    // Zero is an event that has not been seen.
    this.#kinds[at] = (KINDS.indexOf(kindOf(event)) + 1) | (isTrouble(event) ? TROUBLE : 0);
    this.#authors[at] = Math.max(author, 0);
    this.#count = Math.max(this.#count, event.seq);
  }

  /** Numbers of the events of some kinds and authors; an empty choice is all. */
  matching(kinds: ReadonlySet<Kind | "trouble">, authors: ReadonlySet<string>): number[] {
    const wanted = new Set([...kinds].map((kind) => (kind === "trouble" ? 0 : KINDS.indexOf(kind) + 1)));
    const by = new Set([...authors].map((author) => this.#names.indexOf(author)));
    const found: number[] = [];
    for (let at = 0; at < this.#count; at++) {
      const kind = this.#kinds[at] ?? 0;
      const fits = wanted.size === 0 || wanted.has(kind & ~TROUBLE) || (wanted.has(0) && (kind & TROUBLE) !== 0);
      if (fits && (by.size === 0 || by.has(this.#authors[at] ?? 0))) found.push(at + 1);
    }
    return found;
  }

  #grow(least: number): void {
    const size = Math.max(least, this.#kinds.length * 2);
    const [kinds, authors] = [new Uint8Array(size), new Uint8Array(size)];
    kinds.set(this.#kinds);
    authors.set(this.#authors);
    [this.#kinds, this.#authors] = [kinds, authors];
  }
}
