// What waits for the person: the questions of all runs in one list, asked for anew whenever the list of runs tells that
// one asks or no longer does, and what the schedules need.
import { call } from "../ipc/client";
import type { OpenQuestion, RunCard, WatchItem } from "../ipc/bindings";
import { schedules } from "./schedules.svelte";

/** A run that asks is told of in a burst of events. */
const SOON_MS = 150;
/** A run that asks while other branches of it go on is told of all the time. */
const LATER_MS = 1_500;

const keyOf = ({ run, id }: OpenQuestion) => `${run} ${id}`;

class Inbox {
  /** The open questions, the oldest first. */
  questions = $state.raw<readonly OpenQuestion[]>([]);
  readonly count = $derived(this.questions.length + schedules.needs.length);
  /** Whether the list was asked for: then it is shown although it is empty. */
  isWanted = $state(false);
  /** Called with what is asked from now on, once for a run. */
  onAsked: (question: OpenQuestion) => void = () => {};
  /** What was asked before; nothing until the first list. */
  #known: ReadonlySet<string> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #dueMs = 0;
  #asked = 0;

  /** Reads the list; nothing in it is told of as new. */
  begin(): void {
    this.#known = null;
    this.#asked += 1;
    this.#look(0);
    void schedules.refresh();
  }

  /** A run that is open asks something else than before: the list of runs tells that later. */
  refresh(): void {
    this.#look(SOON_MS);
  }

  /** Takes what the list of runs is told; `before` is how a run stood until now. */
  receive(item: WatchItem, before: RunCard | undefined): void {
    if (item.type === "run_gone" && this.#asks(item.run)) this.#look(SOON_MS);
    if (item.type !== "run") return;
    if (schedules.list?.length && item.card.status !== before?.status) void schedules.refresh();
    const [is, was] = [item.card.status === "waiting", before?.status === "waiting" || this.#asks(item.card.run)];
    if (is || was) this.#look(is && before?.status === "waiting" ? LATER_MS : SOON_MS);
  }

  #asks(run: string): boolean {
    return this.questions.some((question) => question.run === run);
  }

  /** Asks for the list within a time; the nearest wish holds. */
  #look(withinMs: number): void {
    const dueMs = Date.now() + withinMs;
    if (this.#timer !== undefined && this.#dueMs <= dueMs) return;
    clearTimeout(this.#timer);
    this.#dueMs = dueMs;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.#load();
    }, withinMs);
  }

  async #load(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const { questions } = await call("list_questions", {});
      if (asked !== this.#asked) return;
      const known = this.#known;
      this.#known = new Set(questions.map(keyOf));
      this.questions = questions;
      const added = known === null ? [] : questions.filter((question) => !known.has(keyOf(question)));
      for (const [index, question] of added.entries())
        if (added.findIndex(({ run }) => run === question.run) === index) this.onAsked(question);
    } catch {
      // What was known stands; it is asked again when the list of runs tells the next thing.
    }
  }
}

export const inbox = new Inbox();
