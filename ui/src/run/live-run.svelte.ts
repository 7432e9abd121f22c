// One run as it is watched: the fold at its head, the fold at the moment looked at, streaming text. The past is not
// read: the program tells how the run stands at a moment, and events are folded on from there. What arrives is
// gathered and taken in once a frame, so that a burst costs one drawing.
import { SvelteMap, SvelteSet } from "svelte/reactivity";
import type { ApiError, JournalEntry, RunPage, WatchItem } from "../ipc/bindings";
import { call, watch } from "../ipc/client";
import { toApiError } from "../ipc/errors";
import { Entries } from "./entries.svelte";
import { Moments, STRIDE } from "./moments";
import type { View } from "./view-types";
import { asksForMore } from "./stages";
import { took, usualMs } from "./usual-durations";
import { Values } from "./values.svelte";
import { empty } from "./empty-view";
import { applyAll, restored } from "./view";
import { learnTitles } from "../i18n/titles";
import { learnRun } from "../i18n/pipeline-text.svelte";
import { titlesOf } from "./titles";

export class LiveRun {
  page = $state.raw<RunPage | null>(null);
  /** The fold of everything known. */
  head = $state.raw<View>(empty([]));
  /** The event looked at; null is the end, which moves. */
  moment = $state<number | null>(null);
  /** Whether everything stored has arrived. */
  isLive = $state(false);
  error = $state.raw<ApiError | null>(null);
  /** Streaming text by path. */
  text = new SvelteMap<string, string>();
  /** When the answer at a path last grew, whether or not a person may read along. */
  spokeAt = new SvelteMap<string, number>();
  readonly entries: Entries;
  readonly values: Values;
  /** Called with what arrives after the stored part: for announcements. */
  onNews: (entries: readonly JournalEntry[]) => void = () => {};

  #past = $state.raw<View | null>(null);
  readonly #moments: Moments;
  #isAsking = false;
  #queue: WatchItem[] = [];
  #frame: (() => void) | null = null;
  #end: (() => void) | null = null;
  #isClosed = false;
  /** Numbers of slow requests that the person waits for. */
  readonly #waitedFor = new SvelteSet<number>();
  /** When what happened while the page looked arrived here: the log itself lets no time pass between two effects. */
  #heardAt = new Map<number, number>();

  constructor(readonly run: string) {
    this.entries = new Entries(run);
    this.#moments = new Moments(run, this.entries);
    this.values = new Values(run);
  }

  /** The run at the moment looked at. */
  get shown(): View {
    return this.moment === null ? this.head : (this.#past ?? this.head);
  }

  /** The number of the event that is wanted: what is shown follows as soon as it is here. */
  get at(): number {
    return this.moment ?? this.head.seq;
  }

  get isAtEnd(): boolean {
    return this.moment === null;
  }

  /** Whether what is shown is still of another moment than the one that is wanted. */
  get isSeeking(): boolean {
    return this.moment !== null && this.moment !== this.#past?.seq;
  }

  /** What is known of the present, for saying what is waited for. */
  readonly present = {
    heardAt: (seq: number) => this.#heardAt.get(seq),
    spokeAt: (path: string) => this.spokeAt.get(path),
    usualMs: (model: string) => usualMs(model, this.head.took.get(model)),
    mostAttempts: () => this.page?.most_attempts ?? 1,
    isWaitedFor: (seq: number) => this.#waitedFor.has(seq),
  };

  /** No longer says of a request that it takes longer than usual. */
  waitFor(seq: number): void {
    this.#waitedFor.add(seq);
  }

  async open(): Promise<void> {
    try {
      const [page, now] = await Promise.all([
        call("open_run", { run: this.run }),
        call("view_at", { run: this.run, seq: null }),
      ]);
      if (this.#isClosed) return;
      learnRun(page);
      learnTitles(titlesOf(page));
      this.page = page;
      this.head = restored(page.keys, now);
      this.entries.add(now.entries.filter(({ event }) => event.seq >= now.whole_from));
      this.#end = watch(this.run, now.seq + 1, (item) => this.#take(item));
    } catch (thrown) {
      this.error = toApiError(thrown);
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#end?.();
    this.#frame?.();
  }

  /** Looks at the run after an event; from the last one on it follows the end. The newest wish is followed only. */
  async seek(seq: number): Promise<void> {
    const wanted = Math.max(1, Math.round(seq));
    if (wanted >= this.head.seq) {
      this.moment = null;
      this.#past = null;
      return;
    }
    this.moment = wanted;
    if (this.#isAsking) return;
    this.#isAsking = true;
    for (let at = this.moment as number | null; at !== null && at !== this.#past?.seq; at = this.moment) {
      try {
        const past = await this.#moments.at(at, this.shown.seq, this.page?.keys ?? []);
        if (this.moment !== null) this.#past = past;
      } catch (thrown) {
        if (this.moment !== at) continue;
        // What is shown stays, and is what is looked at.
        this.moment = this.#past?.seq ?? null;
        this.error = toApiError(thrown);
      }
    }
    this.#isAsking = false;
  }

  /** Asks again for what is not in the events: limits that hold now, and the program's own count of what was used. */
  async #lookAgain(): Promise<void> {
    try {
      const page = await call("open_run", { run: this.run });
      if (!this.#isClosed) this.page = page;
    } catch {
      // What was known stands, a partial count marked as the least it can be; whatever is wrong is told by the watch.
    }
  }

  #take(item: WatchItem): void {
    this.#queue.push(item);
    this.#frame ??= soon(() => {
      this.#frame = null;
      this.#drain();
    });
  }

  #drain(): void {
    const items = this.#queue;
    this.#queue = [];
    const entries: JournalEntry[] = [];
    const news: JournalEntry[] = [];
    for (const item of items) {
      switch (item.type) {
        case "event":
          // A watch that was taken up again may repeat what is already here.
          if (item.entry.event.seq <= (entries.at(-1)?.event.seq ?? this.head.seq)) break;
          entries.push(item.entry);
          if (this.isLive) {
            news.push(item.entry);
            this.#heardAt.set(item.entry.event.seq, Date.now());
          }
          break;
        case "text":
          if (item.text === "") this.text.delete(item.path);
          else this.text.set(item.path, item.text);
          if (item.received === 0) this.spokeAt.delete(item.path);
          else this.spokeAt.set(item.path, Date.now());
          break;
        case "live":
          this.isLive = true;
          break;
        case "run":
          if (this.page && item.card.run === this.run) this.page = { ...this.page, card: item.card };
          break;
        case "run_gone":
        case "closing":
        case "dragging":
        case "dropped":
        case "import":
        case "inspection":
        case "command":
        case "show":
          // A watch of one run is told of none of these.
          break;
        case "error":
          this.error = item.error;
          break;
        default:
          item satisfies never;
      }
    }
    const before = this.head.took;
    const wasLimited = asksForMore(this.head);
    if (entries.length > 0) this.#grow(entries);
    // A run that goes on, or whose limit was answered for, may have other limits now.
    if (news.some(({ kind }) => kind === "run") || (wasLimited && !asksForMore(this.head))) void this.#lookAgain();
    if (news.length > 0)
      for (const [model, times] of this.head.took) if (times !== before.get(model)) took(model, times.at(-1) ?? 0);
    for (const oldest of this.#heardAt.keys()) {
      if (this.#heardAt.size <= STRIDE) break;
      this.#heardAt.delete(oldest);
    }
    if (news.length > 0) this.onNews(news);
  }

  #grow(entries: JournalEntry[]): void {
    let head = this.head;
    let start = 0;
    for (let end = 0; end < entries.length; end++) {
      const event = entries[end]?.event;
      if (!event) continue;
      if (event.seq % STRIDE === 0 || end === entries.length - 1) {
        head = applyAll(
          head,
          entries.slice(start, end + 1).map((entry) => entry.event),
        );
        if (event.seq % STRIDE === 0) this.#moments.keep(head);
        start = end + 1;
      }
    }
    this.entries.add(entries);
    this.head = head;
    // The program counts what answers used that are too long to come here; at an end its count is asked for again.
    if (head.outcome !== null && head.used.isPartial) void this.#lookAgain();
    // Text that streamed has become an answer when its model is no longer waited for.
    const speaking = new Set([...head.waiting.values()].map((waiting) => waiting.path));
    for (const path of this.spokeAt.keys()) {
      if (speaking.has(path)) continue;
      this.text.delete(path);
      this.spokeAt.delete(path);
    }
  }
}

/** Runs something before the next drawing, or soon when nothing is drawn. Returns what prevents it. */
function soon(work: () => void): () => void {
  if (typeof document !== "undefined" && document.visibilityState === "visible") {
    const frame = requestAnimationFrame(work);
    return () => cancelAnimationFrame(frame);
  }
  const timer = setTimeout(work, 16);
  return () => clearTimeout(timer);
}
