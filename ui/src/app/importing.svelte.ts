// What is being imported into the library: it goes on whatever screen is open, and can be stopped.
import type { Fault, Imported, WatchItem } from "../ipc/bindings";
import { call } from "../ipc/client";
import { toFault } from "../ipc/errors";

class Importing {
  isRunning = $state(false);
  isStopping = $state(false);
  /** The file that is read now, and how many of how many of its folder are done. */
  progress = $state.raw<{ path: string; done: number; total: number } | null>(null);
  result = $state.raw<Imported | null>(null);
  fault = $state.raw<Fault | null>(null);
  /** Whether something is held over the window. */
  isOver = $state(false);

  /** Takes what the list of runs is told. */
  hear(item: WatchItem): void {
    if (item.type === "import") this.progress = item;
    if (item.type === "dragging") this.isOver = item.is_over;
  }

  /** Imports files and folders; true when nothing was left out. */
  async bring(paths: readonly string[]): Promise<boolean> {
    if (paths.length === 0 || this.isRunning) return false;
    this.isRunning = true;
    this.isStopping = false;
    this.result = null;
    this.fault = null;
    try {
      this.result = await call("import_library", { paths: [...paths] });
      return this.result.skipped.length === 0;
    } catch (error) {
      this.fault = toFault(error);
      return false;
    } finally {
      this.isRunning = false;
      this.progress = null;
    }
  }

  /** What was read until then stays. */
  async stop(): Promise<void> {
    this.isStopping = true;
    try {
      await call("stop_import", {});
    } catch (error) {
      this.fault = toFault(error);
    }
  }
}

export const importing = new Importing();
