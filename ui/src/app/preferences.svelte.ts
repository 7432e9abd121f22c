// How this person wants the desk: the theme, the language, the zoom, and which of its parts are open.
import { LANGUAGES, speech, type Language } from "../i18n/language.svelte";
import { call } from "../ipc/client";
import { remember, remembered } from "../platform/storage";
import { zoom } from "../platform/viewport.svelte";
import { toastError } from "./toast-error";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** The steps of the zoom, in percent. */
export const ZOOMS = [75, 80, 90, 100, 110, 125, 150, 175, 200] as const;

class Preferences {
  #theme = $state<Theme>("system");
  #hasSidebar = $state(true);
  #hasSide = $state(true);
  #hasBoxes = $state(false);

  constructor() {
    this.#theme = THEMES.find((theme) => theme === remembered("theme")) ?? "system";
    this.#hasSidebar = remembered("sidebar") !== "closed";
    this.#hasSide = remembered("side") !== "closed";
    this.#hasBoxes = remembered("stages") === "boxes";
    zoom.percent = ZOOMS.find((percent) => String(percent) === remembered("zoom")) ?? 100;
  }

  /** In percent; always one of the steps. */
  get zoom(): number {
    return zoom.percent;
  }
  set zoom(percent: number) {
    zoom.percent = percent;
    remember("zoom", String(percent));
    this.show();
  }

  /** One step nearer or further. */
  zoomBy(steps: 1 | -1): void {
    const at = ZOOMS.findIndex((percent) => percent === zoom.percent);
    this.zoom = ZOOMS[at + steps] ?? zoom.percent;
  }

  get theme(): Theme {
    return this.#theme;
  }
  set theme(theme: Theme) {
    this.#adopt(theme);
    tell("theme", theme);
  }

  get language(): Language | "system" {
    return speech.chosen;
  }
  set language(language: Language | "system") {
    speech.chosen = language;
    tell("language", language);
  }

  /** Takes over what was set elsewhere: in the terminal, in the settings' file, with settings brought along. */
  async follow(): Promise<void> {
    const theme = followed("theme", THEMES, this.#theme, (set) => this.#adopt(set));
    const language = followed("language", ["system", ...LANGUAGES], speech.chosen, (set) => (speech.chosen = set));
    await Promise.all([theme, language]);
  }

  #adopt(theme: Theme): void {
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

  /** Whether the panels beside the draft are open. */
  get hasSide(): boolean {
    return this.#hasSide;
  }
  set hasSide(isOpen: boolean) {
    this.#hasSide = isOpen;
    remember("side", isOpen ? "open" : "closed");
  }

  /** Whether the stages of a run stand as boxes; else they are one line. */
  get hasBoxes(): boolean {
    return this.#hasBoxes;
  }
  set hasBoxes(isOpen: boolean) {
    this.#hasBoxes = isOpen;
    remember("stages", isOpen ? "boxes" : "line");
  }

  /** Puts theme and zoom on the document; "system" leaves the theme to the system. */
  show(): void {
    const root = document.documentElement;
    root.style.setProperty("--zoom", String(zoom.percent / 100));
    if (this.#theme === "system") delete root.dataset["theme"];
    else root.dataset["theme"] = this.#theme;
  }
}

/** The program draws the window before there is a page: it knows a choice from its settings. */
function tell(key: "theme" | "language", value: string): void {
  void call("set_setting", { key, value }).catch((thrown: unknown) => toastError(thrown));
}

async function followed<T extends string>(
  key: "theme" | "language",
  choices: readonly (T | "system")[],
  here: T | "system",
  adopt: (set: T | "system") => void,
): Promise<void> {
  try {
    const { value } = await call("get_setting", { key, value: "" });
    const set = choices.find((one) => one === value) ?? "system";
    if (set !== here) adopt(set);
  } catch {
    // A program that cannot say it shows why on every screen.
  }
}

export const preferences = new Preferences();
