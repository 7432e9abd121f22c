// The events of a run with their sentences, in pages, as many as fit: what is not here or was let go is fetched when
// it is looked at. New ones arrive in order from the watch; older ones may be asked for at any place.
import type { EventKind, JournalEntry } from "../ipc/bindings";
import { call } from "../ipc/client";
import { EventIndex } from "./event-index";
import { askedBy } from "./sentence";

const PAGE = 500;
/** What the page holds of a run, however long it is. */
const MOST_PAGES = 12;
/** So many events before an answer its question is looked for. */
const NEAR = 60;
/** So many events behind a question its answer is looked for: others may go on meanwhile. */
const FAR = 2_000;

export class Entries {
  /** The number of the last event known of. */
  last = $state(0);
  // Counts changes: reading it makes a reader follow what it gets.
  #version = $state(0);
  #pages = new Map<number, (JournalEntry | undefined)[]>();
  /** The page used last. */
  #used = -1;
  #asked = new Set<number>();
  #index = new EventIndex();
  #isComplete = false;

  constructor(readonly run: string) {}

  /** Takes events that came, new or old. */
  add(entries: readonly JournalEntry[]): void {
    for (const entry of entries) this.#put(entry);
    this.#forget();
    this.#version++;
  }

  /** Authors of all events known of, in the order in which they first appeared. */
  get authors(): readonly string[] {
    void this.#version;
    return [...this.#index.authors];
  }

  /** Numbers of the events of some kinds and authors; an empty choice is all. */
  matching(kinds: ReadonlySet<EventKind | "trouble">, authors: ReadonlySet<string>): number[] {
    void this.#version;
    return this.#index.matching(kinds, authors);
  }

  /** Learns kind and author of the events that came before the page looked: filters need them all. */
  async complete(): Promise<void> {
    if (this.#isComplete) return;
    this.#isComplete = true;
    try {
      this.#index.fill(await call("index_events", { run: this.run }));
      this.#version++;
    } catch {
      // Asked again when filters are next wanted; what is here can be filtered meanwhile.
      this.#isComplete = false;
    }
  }

  /** An event if it is here. */
  peek(seq: number): JournalEntry | undefined {
    void this.#version;
    return this.#pages.get(pageOf(seq))?.[(seq - 1) % PAGE];
  }

  /** An event if it is here, for who need not follow what comes. */
  glance(seq: number): JournalEntry | undefined {
    return this.#pages.get(pageOf(seq))?.[(seq - 1) % PAGE];
  }

  /** The event that an event answers, if it is here: it stands shortly before, in the same place. */
  askedIn(entry: JournalEntry): JournalEntry | undefined {
    const n = askedBy(entry.event);
    if (n === null) return undefined;
    for (let seq = entry.event.seq - 1; seq > Math.max(0, entry.event.seq - NEAR); seq--) {
      const other = this.glance(seq);
      if (other?.event.path === entry.event.path && other.event.n === n) return other;
    }
    return undefined;
  }

  /** The event that answers an event, if it is here: it stands behind it, in the same place. */
  answerTo(entry: JournalEntry): JournalEntry | undefined {
    void this.#version;
    for (let seq = entry.event.seq + 1; seq <= Math.min(this.last, entry.event.seq + FAR); seq++) {
      const other = this.glance(seq);
      if (other?.event.path === entry.event.path && askedBy(other.event) === entry.event.n) return other;
    }
    return undefined;
  }

  /** Fetches the events of a range that are not here. */
  async load(from: number, to: number): Promise<void> {
    const missing: number[] = [];
    for (let page = pageOf(from); page <= pageOf(to); page++) {
      this.#use(page);
      const [first, last] = [Math.max(from, page * PAGE + 1), Math.min(to, (page + 1) * PAGE, this.last)];
      for (let seq = first; seq <= last; seq++) {
        if (!this.#pages.get(page)?.[(seq - 1) % PAGE]) {
          missing.push(page);
          break;
        }
      }
    }
    await Promise.all(missing.filter((page) => !this.#asked.has(page)).map((page) => this.#read(page)));
  }

  async #read(page: number): Promise<void> {
    this.#asked.add(page);
    try {
      const { entries } = await call("read_events", { run: this.run, from_seq: page * PAGE + 1, limit: PAGE });
      this.add(entries);
    } finally {
      this.#asked.delete(page);
    }
  }

  #put(entry: JournalEntry): void {
    const { seq } = entry.event;
    this.#index.add(entry);
    const number = pageOf(seq);
    const page = this.#pages.get(number) ?? new Array<JournalEntry | undefined>(PAGE);
    page[(seq - 1) % PAGE] = entry;
    if (number !== this.#used) this.#pages.set(number, page);
    this.#use(number);
    if (seq > this.last) this.last = seq;
  }

  /** Puts a page last, if it is here: the pages that were used first are let go of first. */
  #use(number: number): void {
    const page = this.#pages.get(number);
    if (number === this.#used || !page) return;
    this.#pages.delete(number);
    this.#pages.set(number, page);
    this.#used = number;
  }

  #forget(): void {
    for (const number of this.#pages.keys()) {
      if (this.#pages.size <= MOST_PAGES) return;
      this.#pages.delete(number);
    }
  }
}

/** The page in which an event lies. */
export const pageOf = (seq: number): number => Math.floor((seq - 1) / PAGE);
