// Which language the page speaks: what the person chose, else what the system asks for, else English.
import { remember, remembered } from "../platform/storage";

export const LANGUAGES = ["en", "zh", "ja"] as const;
export type Language = (typeof LANGUAGES)[number];
export const LANGUAGE_NAMES: Record<Language, string> = { en: "English", zh: "简体中文", ja: "日本語" };

class Speech {
  #chosen = $state<Language | "system">(LANGUAGES.find((language) => language === remembered("language")) ?? "system");
  readonly current = $derived<Language>(this.#chosen === "system" ? asked() : this.#chosen);

  get chosen(): Language | "system" {
    return this.#chosen;
  }
  set chosen(language: Language | "system") {
    this.#chosen = language;
    remember("language", language);
  }
}

function asked(): Language {
  const wanted = (globalThis.navigator?.languages ?? [globalThis.navigator?.language ?? ""]).map(
    (tag) => tag.toLowerCase().split("-")[0],
  );
  return wanted.flatMap((one) => LANGUAGES.filter((language) => language === one))[0] ?? "en";
}

export const speech = new Speech();
