// Several runs exported in one format: first all are written, so that it is known what leaves the program, then they
// are saved one after the other.
import { hostWindow } from "../app/host-window.svelte";
import type { ApiError, Exported, ExportFormat, ExportRun, RunCard } from "../ipc/bindings";
import { call, saveFile } from "../ipc/client";
import { toApiError } from "../ipc/errors";

export type PreparedExport = {
  card: RunCard;
  request: ExportRun;
  exported: Exported;
  /** Whether its text has citations that no source supports, which the person has to agree to. */
  isUnsupported: boolean;
};

/** The formats that every one of the runs has. */
export async function commonFormats(cards: readonly RunCard[]): Promise<ExportFormat[]> {
  const all = await Promise.all(cards.map(({ run }) => call("list_export_formats", { run })));
  const [first, ...others] = all.map(({ formats }) => formats);
  return (first ?? []).filter(({ id }) => others.every((formats) => formats.some((format) => format.id === id)));
}

async function prepare(card: RunCard, format: string): Promise<PreparedExport> {
  const request = { run: card.run, format, without: [], left_out: [] };
  const [exported, { citations }] = await Promise.all([
    call("export_run", request),
    call("citations_at", { run: card.run, seq: null }),
  ]);
  const hasBad = citations.some(({ verdict }) => verdict === "not_found" || verdict === "out_of_range");
  return { card, request, exported, isUnsupported: hasBad && exported.contents.events === 0 };
}

/** The file of an export, as a host takes it. */
export function saveExport(
  request: ExportRun,
  { file_name: name, content, is_base64: isBase64, media_type: type }: Exported,
): Promise<string | null> {
  const data = isBase64 ? Uint8Array.from(atob(content), (character) => character.charCodeAt(0)) : content;
  return saveFile({ kind: "run", ...request }, { name, data, type });
}

export class RunsExport {
  prepared = $state.raw<readonly PreparedExport[] | null>(null);
  error = $state.raw<ApiError | null>(null);
  isSaving = $state(false);
  /** How many are saved; null until something was saved. */
  saved = $state<number | null>(null);
  #asked = 0;

  async prepare(cards: readonly RunCard[], format: string): Promise<void> {
    const asked = ++this.#asked;
    [this.prepared, this.error, this.saved] = [null, null, null];
    try {
      const prepared: PreparedExport[] = [];
      for (const card of cards) {
        prepared.push(await prepare(card, format));
        if (asked !== this.#asked) return;
      }
      this.prepared = prepared;
    } catch (thrown) {
      if (asked === this.#asked) this.error = toApiError(thrown);
    }
  }

  async save(files: readonly PreparedExport[]): Promise<void> {
    [this.isSaving, this.error, this.saved] = [true, null, 0];
    try {
      for (const { request, exported } of files) {
        const path = await saveExport(request, exported);
        // In the window, no path means that the person left: the others are not asked for.
        if (path === null && hostWindow.isWindow) break;
        this.saved += 1;
      }
    } catch (thrown) {
      this.error = toApiError(thrown);
    } finally {
      this.isSaving = false;
    }
  }
}
