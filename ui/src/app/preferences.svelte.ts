// How this person wants the desk: the theme, and whether the list of runs is open.
import { remember, remembered } from "./kept";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

class Preferences {
  #theme = $state<Theme>("system");
  #hasSidebar = $state(true);

  constructor() {
    this.#theme = THEMES.find((theme) => theme === remembered("theme")) ?? "system";
    this.#hasSidebar = remembered("sidebar") !== "closed";
  }

  get theme(): Theme {
    return this.#theme;
  }
  set theme(theme: Theme) {
    this.#theme = theme;
    remember("theme", theme);
    this.show();
  }

  get hasSidebar(): boolean {
    return this.#hasSidebar;
  }
  set hasSidebar(isOpen: boolean) {
    this.#hasSidebar = isOpen;
    remember("sidebar", isOpen ? "open" : "closed");
  }

  /** Puts the theme on the document; "system" leaves it to the system. */
  show(): void {
    const root = document.documentElement;
    if (this.#theme === "system") delete root.dataset["theme"];
    else root.dataset["theme"] = this.#theme;
  }
}

export const preferences = new Preferences();
