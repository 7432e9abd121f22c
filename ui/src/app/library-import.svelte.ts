// What is being imported into the library: it goes on whatever screen is open, and can be stopped.
import type { ApiError, Imported, WatchItem } from "../ipc/bindings";
import { call } from "../ipc/client";
import { toApiError } from "../ipc/errors";

class LibraryImport {
  isRunning = $state(false);
  isStopping = $state(false);
  /** The file that is read now, and how many of how many of its folder are done. */
  progress = $state.raw<{ path: string; done: number; total: number } | null>(null);
  result = $state.raw<Imported | null>(null);
  error = $state.raw<ApiError | null>(null);
  /** Files and folders that came during an import, and are imported after it. */
  readonly #waiting: string[] = [];

  /** Takes what the list of runs is told. */
  receive(item: WatchItem): void {
    if (item.type === "import") this.progress = item;
  }

  /** Imports files and folders, during an import after it; true when nothing was left out. */
  async bring(paths: readonly string[]): Promise<boolean> {
    if (paths.length === 0) return false;
    if (this.isRunning) {
      this.#waiting.push(...paths);
      return false;
    }
    this.isRunning = true;
    this.isStopping = false;
    this.result = null;
    this.error = null;
    try {
      this.result = await call("import_library", { paths: [...paths] });
      return this.result.skipped.length === 0;
    } catch (thrown) {
      this.error = toApiError(thrown);
      return false;
    } finally {
      this.isRunning = false;
      this.progress = null;
      const next = this.#waiting.splice(0);
      if (next.length > 0) void this.bring(next);
    }
  }

  /** What was read until then stays. */
  async stop(): Promise<void> {
    this.isStopping = true;
    this.#waiting.length = 0;
    try {
      await call("stop_import", {});
    } catch (thrown) {
      this.error = toApiError(thrown);
    }
  }
}

export const importing = new LibraryImport();
