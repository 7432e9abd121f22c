// The text of a pipeline while it is edited: what stands in its file, what the person made of it, and what the
// program says of that. A text that is not saved is kept beside the page until it is saved or dropped.
import { learnPipelines } from "../app/pipelines";
import { forget, remember, remembered } from "../platform/storage";
import type { ApiError, DefinitionFault, PipelineCard, PipelineCheck } from "../ipc/bindings";
import { call } from "../ipc/client";
import { toApiError } from "../ipc/errors";
import { latestOnly } from "../ipc/latest-only";

const PAUSE_MS = 250;

export class PipelineDraft {
  /** The text as it is written now; null until the file is read. */
  text = $state<string | null>(null);
  /** The text that the file has, as far as is known. */
  #saved = $state("");
  #revision: string | null = null;
  #isChecked = false;
  isSaving = $state(false);
  /** Whether the file is another one than was opened: nothing is saved until the person decides. */
  isChanged = $state(false);
  /** Whether the text was taken from what was not saved the last time. */
  isRestored = $state(false);
  error = $state.raw<ApiError | null>(null);
  /** What the program found of the text as it is; null while it is being checked. */
  check = $state.raw<PipelineCheck | null>(null);
  /** The pipeline of the last text without faults. */
  card = $state.raw<PipelineCard | null>(null);

  readonly isUnsaved = $derived(this.text !== null && this.text !== this.#saved);
  readonly faults = $derived<readonly DefinitionFault[]>(this.check?.faults ?? []);

  constructor(readonly id: string) {}

  /** Reads the file. What was written and not saved is there again, unless it is to be dropped. */
  async open(isDropping = false): Promise<void> {
    this.error = null;
    try {
      const file = await call("open_pipeline", { id: this.id });
      const { revision } = file;
      // The editor has LF alone, and the places of the form are places in its text.
      const text = file.text.replace(/\r\n?/g, "\n");
      const kept = isDropping ? null : this.#kept();
      this.#saved = text;
      // What was written over another text than the file has now is not saved before the person has seen that.
      this.#revision = kept ? kept.revision : revision;
      this.isChanged = this.#revision !== revision;
      this.isRestored = kept !== null;
      this.change(kept?.text ?? text);
    } catch (thrown) {
      this.error = toApiError(thrown);
    }
  }

  change(text: string): void {
    if (text !== this.text) this.check = null;
    this.text = text;
    if (text === this.#saved) forget(this.#name);
    else remember(this.#name, JSON.stringify({ text, revision: this.#revision }));
  }

  /** Drops what is not saved. */
  discard(): void {
    this.isRestored = false;
    this.change(this.#saved);
  }

  /** Has the text checked as soon as nothing was typed for a moment; the answer to an earlier text is not taken. */
  follow(): () => void {
    const text = this.text;
    if (text === null) return () => {};
    let leave = () => {};
    const ask = () =>
      (leave = latestOnly(
        call("check_pipeline", { text, id: this.id }),
        (found) => this.#take(found),
        (error) => (this.error = error),
      ));
    // What was opened is checked at once.
    const timer = setTimeout(ask, this.#isChecked ? PAUSE_MS : 0);
    this.#isChecked = true;
    return () => {
      clearTimeout(timer);
      leave();
    };
  }

  #take(found: PipelineCheck): void {
    this.check = found;
    if (!found.card) return;
    this.card = found.card;
    learnPipelines([found.card]);
  }

  /** Saves the text; gives the id that its file has then, or null where it was not saved. */
  async save(): Promise<string | null> {
    return this.isUnsaved ? this.#write() : this.id;
  }

  async #write(): Promise<string | null> {
    const text = this.text;
    if (text === null || this.isSaving) return null;
    this.isSaving = true;
    this.error = null;
    try {
      const saved = await call("save_pipeline", { id: this.id, text, revision: this.#revision });
      if (saved.kind === "changed") {
        this.isChanged = true;
        return null;
      }
      [this.#saved, this.#revision, this.isRestored] = [text, saved.revision, false];
      // What was typed meanwhile is written over this revision.
      this.change(this.text ?? text);
      return saved.id;
    } catch (thrown) {
      this.error = toApiError(thrown);
      return null;
    } finally {
      this.isSaving = false;
    }
  }

  /** Saves the text over whatever the file is now, also where it is gone. */
  async overwrite(): Promise<string | null> {
    try {
      ({ revision: this.#revision } = await call("open_pipeline", { id: this.id }));
    } catch (thrown) {
      const error = toApiError(thrown);
      if (error.code !== "not_found") {
        this.error = error;
        return null;
      }
      this.#revision = null;
    }
    this.isChanged = false;
    return this.#write();
  }

  /** What was written and not saved the last time, with the revision of the file that it was written over. */
  #kept(): { text: string; revision: string | null } | null {
    try {
      const kept = JSON.parse(remembered(this.#name) ?? "null") as { text?: unknown; revision?: unknown } | null;
      if (typeof kept?.text !== "string") return null;
      return { text: kept.text, revision: typeof kept.revision === "string" ? kept.revision : null };
    } catch {
      return null;
    }
  }

  get #name(): string {
    return `pipeline.${this.id}`;
  }
}
