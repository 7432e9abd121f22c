// Whether there is a newer version, as far as the page tells of it. Nothing is installed from here, and a run is never
// disturbed: what was found waits for its end.
import type { PackageKind, Release, UpdateCard } from "../ipc/bindings";
import { call } from "../ipc/client";
import { runs } from "./runs.svelte";

class Updates {
  #newer = $state.raw<Release | null>(null);
  /** The package that installed this program. */
  package = $state.raw<PackageKind | null>(null);
  /** What the banner shows: nothing as long as it is not known whether a run is running, or one is. */
  readonly shown = $derived(
    runs.isLoaded && !runs.all.some(({ status }) => status === "running" || status === "waiting_for_disk")
      ? this.#newer
      : null,
  );

  /** At the start of the page, and after a change of what is asked for. Nobody asked, so no error is told. */
  async begin(): Promise<void> {
    try {
      this.#take(await call("check_update", { is_asked: false }));
    } catch {
      // Who wants to know why asks in the settings.
    }
  }

  /** For a person who wants to know now; throws what went wrong. */
  async ask(): Promise<UpdateCard> {
    const card = await call("check_update", { is_asked: true });
    this.#take(card);
    return card;
  }

  #take(card: UpdateCard): void {
    this.#newer = card.newer;
    this.package = card.package;
  }

  /** Takes the banner away until a newer version comes, or a week has passed. */
  async later(version: string): Promise<void> {
    this.#newer = null;
    try {
      await call("dismiss_update", { version });
    } catch {
      // What could not be kept is shown again at the next start.
    }
  }
}

export const updates = new Updates();
