// Of every event its kind, its author and whether it is trouble, in a few bytes: enough to filter a long run without
// holding its events. What came before the page looked is asked of the program once.
import type { EventIndex as Indexed, EventKind, JournalEntry } from "../ipc/bindings";

const TROUBLE = 128;

/** Kinds in the order of the filter's menu. */
export const KINDS: readonly EventKind[] = ["run", "stage", "state", "asked", "answered", "note"];

export class EventIndex {
  #kinds = new Uint8Array(1024);
  #authors = new Uint16Array(1024);
  #names: string[] = [];
  #count = 0;

  /** Authors in the order in which they first appeared. */
  get authors(): readonly string[] {
    return this.#names;
  }

  /** Takes what the program knows of all events so far. */
  fill({ authors, kinds, marks, by }: Indexed): void {
    this.#room(marks.length);
    const names = authors.map((author) => this.#author(author));
    marks.forEach((mark, at) => {
      const kind = kinds[mark & ~TROUBLE];
      this.#kinds[at] = kind === undefined ? 0 : (KINDS.indexOf(kind) + 1) | (mark & TROUBLE);
      this.#authors[at] = names[by[at] ?? 0] ?? 0;
    });
    this.#count = Math.max(this.#count, marks.length);
  }

  add({ event, kind, is_trouble: isTrouble }: JournalEntry): void {
    this.#room(event.seq);
    // Zero is an event that has not been seen.
    this.#kinds[event.seq - 1] = (KINDS.indexOf(kind) + 1) | (isTrouble ? TROUBLE : 0);
    this.#authors[event.seq - 1] = this.#author(event.author);
    this.#count = Math.max(this.#count, event.seq);
  }

  /** Numbers of the events of some kinds and authors; an empty choice is all. */
  matching(kinds: ReadonlySet<EventKind | "trouble">, authors: ReadonlySet<string>): number[] {
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

  #author(name: string): number {
    const known = this.#names.indexOf(name);
    return known < 0 ? this.#names.push(name) - 1 : known;
  }

  #room(least: number): void {
    if (least <= this.#kinds.length) return;
    const size = Math.max(least, this.#kinds.length * 2);
    const [kinds, authors] = [new Uint8Array(size), new Uint16Array(size)];
    kinds.set(this.#kinds);
    authors.set(this.#authors);
    [this.#kinds, this.#authors] = [kinds, authors];
  }
}
