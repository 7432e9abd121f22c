// Which tab beside the draft is open: the one that was open last, in whichever run; a run with a visit opens on its
// map.
import { preferences } from "../app/preferences.svelte";
import { remember, remembered } from "../platform/storage";
import type { RunPage } from "../ipc/bindings";
import type { Tab } from "./side-tabs";

export class OpenTab {
  #shown = $state<Tab>((remembered("tab") as Tab | null) ?? "review");
  #isLed = false;

  get shown(): Tab {
    return this.#shown;
  }
  set shown(tab: Tab) {
    this.#shown = tab;
    remember("tab", tab);
    // Whoever wants to see it wants the panels.
    preferences.hasSide = true;
  }

  /** Once, when the run is known: this choice is not the person's, so it is not remembered. */
  lead({ keys }: RunPage): void {
    if (this.#isLed) return;
    this.#isLed = true;
    if (keys.some(({ role }) => role.kind === "places" && role.changed_by !== null)) this.#shown = "places";
  }
}
