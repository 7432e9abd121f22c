// Saves what a person types, at most a second after they paused, one request at a time, and never loses the text: a
// text that could not be saved stays until it is.
import { forget, remember, remembered } from "../platform/storage";
import type { ApiError } from "../ipc/bindings";
import { call } from "../ipc/client";
import { toApiError } from "../ipc/errors";

const PAUSE_MS = 600;

export class Autosave {
  state = $state<"idle" | "unsaved" | "saving" | "saved" | "failed">("idle");
  /** The event that the last save became. */
  seq = $state<number | null>(null);
  error = $state.raw<ApiError | null>(null);
  #text: string | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #work: Promise<void> | null = null;

  constructor(
    readonly run: string,
    readonly key: string,
    /** The field that is edited; the whole value when empty. */
    readonly field: string,
  ) {}

  /** Whether what is saved next is a version of its own: one sitting is one, and so is what was saved on purpose. */
  #isNew = true;
  /** Whether what stands was saved on purpose. */
  isKept = $state(false);

  /** Saves on purpose: what is typed from here on is another version. */
  async keep(): Promise<void> {
    await this.flush();
    if (this.state !== "saved" || this.seq === null) return;
    this.#isNew = true;
    this.isKept = true;
  }

  /**
   * The text has changed. Until it is saved it is kept beside the page, so that a page that goes away loses nothing.
   */
  change(text: string): void {
    this.#text = text;
    this.isKept = false;
    this.state = "unsaved";
    remember(`unsaved.${this.run}`, JSON.stringify({ key: this.key, text }));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), PAUSE_MS);
  }

  /** Saves what is not saved yet and resolves when it is, or has failed. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#work ??= this.#save().finally(() => (this.#work = null));
    return this.#work;
  }

  async #save(): Promise<void> {
    while (this.#text !== null) {
      const text = this.#text;
      this.#text = null;
      this.state = "saving";
      try {
        const { seq } = await call("edit_state", {
          run: this.run,
          key: this.key,
          field: this.field === "" ? null : this.field,
          value: text,
          is_new_version: this.#isNew,
        });
        this.#isNew = false;
        this.seq = seq;
        this.error = null;
        // What was typed meanwhile goes with the next turn.
        this.state = this.#text === null ? "saved" : "unsaved";
        if (this.state === "saved") forget(`unsaved.${this.run}`);
      } catch (thrown) {
        this.#text ??= text;
        this.error = toApiError(thrown);
        this.state = "failed";
        return;
      }
    }
  }
}

let last: Autosave | null = null;

/**
 * Saves a key of a run: a sitting that is at work on it goes on, so that an editor that comes anew makes no version
 * more.
 */
export function sitting(run: string, key: string, field: string): Autosave {
  const isSame = last?.run === run && last.key === key && last.field === field;
  if (!last || !isSame || (last.state !== "unsaved" && last.state !== "saving")) last = new Autosave(run, key, field);
  return last;
}

/** What was typed into a key of a run and never saved, when the page went away before. */
export function unsaved(run: string, key: string): string | null {
  try {
    const kept = JSON.parse(remembered(`unsaved.${run}`) ?? "null") as { key?: unknown; text?: unknown } | null;
    return kept?.key === key && typeof kept.text === "string" ? kept.text : null;
  } catch {
    return null;
  }
}
