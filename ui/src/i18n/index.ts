// Words and figures in the reader's language. Catalogues have the same keys; a language is changed without a restart,
// because whoever shows words reads the language with them.
import i18next from "i18next";
import { en } from "./en/index";
import { ja } from "./ja/index";
import { speech, type Language } from "./language.svelte";
import { zh } from "./zh/index";

export type Words = keyof typeof en;
/** Whether the catalogues have words under this key. */
export const isWords = (key: string): key is Words => Object.hasOwn(en, key);
type Fillings = Record<string, string | number>;

/** An entry with a form for one and for others becomes the two that the library looks for. */
function forms(catalogue: Record<Words, string | { one: string; other: string }>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(catalogue).flatMap(([key, entry]) =>
      typeof entry === "string"
        ? [[key, entry]]
        : [
            [`${key}_one`, entry.one],
            [`${key}_other`, entry.other],
          ],
    ),
  );
}

const library = i18next.createInstance();
void library.init({
  lng: "en",
  fallbackLng: "en",
  initAsync: false,
  keySeparator: false,
  nsSeparator: false,
  // The page escapes what it shows; braces alone, so that a text is read as it is written.
  interpolation: { escapeValue: false, prefix: "{", suffix: "}" },
  resources: { en: { translation: forms(en) }, zh: { translation: forms(zh) }, ja: { translation: forms(ja) } },
});

/** The words of a key with `{name}` filled in; whole numbers are written as the locale writes them. */
export function t(key: Words, fillings: Fillings = {}): string {
  const written = Object.fromEntries(
    Object.entries(fillings).map(([name, filling]) => [
      name,
      typeof filling === "number" ? wholeNumber(filling) : filling,
    ]),
  );
  const n = fillings["n"];
  return library.t(key, { ...written, lng: speech.current, ...(typeof n === "number" ? { count: n } : {}) });
}

/** A locale that `Intl` takes, whatever was reported (WebKit under a C locale says "C"). */
export function usable(reported: string | undefined): string {
  try {
    // "C" and "POSIX" are no language tags; Intl throws on the first and knows nothing of the second.
    const known = reported ? Intl.NumberFormat.supportedLocalesOf([reported]) : [];
    return known[0] ?? "en";
  } catch {
    return "en";
  }
}

const LOCALES: Record<Language, string> = { en: "en", zh: "zh-CN", ja: "ja-JP" };
const system = usable(globalThis.navigator?.language);

/** The locale of figures: the system's own where it speaks the language of the page, or where nobody chose one. */
function locale(): string {
  const language = speech.current;
  return system.startsWith(language) || (speech.chosen === "system" && language === "en") ? system : LOCALES[language];
}

/** Formats are costly to make: one of each kind for each locale. */
function kept<T>(make: (locale: string) => T): () => T {
  const made = new Map<string, T>();
  return () => {
    const now = locale();
    const found = made.get(now) ?? make(now);
    made.set(now, found);
    return found;
  };
}

const whole = kept((tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: 0 }));
const tenth = kept((tag) => new Intl.NumberFormat(tag, { minimumFractionDigits: 1, maximumFractionDigits: 1 }));
const compact = kept((tag) => new Intl.NumberFormat(tag, { notation: "compact", maximumSignificantDigits: 2 }));
const dollar = kept((tag) => new Intl.NumberFormat(tag, { style: "currency", currency: "USD" }));
const cents = kept(
  (tag) => new Intl.NumberFormat(tag, { style: "currency", currency: "USD", maximumFractionDigits: 4 }),
);
const hundredth = kept((tag) => new Intl.NumberFormat(tag, { maximumFractionDigits: 2 }));
const share = kept((tag) => new Intl.NumberFormat(tag, { style: "percent" }));
const clock = kept((tag) => new Intl.DateTimeFormat(tag, { hour: "2-digit", minute: "2-digit" }));
const precise = kept((tag) => new Intl.DateTimeFormat(tag, { hour: "2-digit", minute: "2-digit", second: "2-digit" }));
const day = kept((tag) => new Intl.DateTimeFormat(tag, { month: "short", day: "numeric" }));
const dayHour = kept(
  (tag) =>
    new Intl.DateTimeFormat(tag, {
      year: "numeric",
      month: "short",
      day: "numeric",
      hour: "2-digit",
      minute: "2-digit",
    }),
);
const longDay = kept((tag) => new Intl.DateTimeFormat(tag, { year: "numeric", month: "short", day: "numeric" }));

const weekDay = kept(
  (tag) => new Intl.DateTimeFormat(tag, { weekday: "short", year: "numeric", month: "short", day: "numeric" }),
);

export function wholeNumber(value: number): string {
  return whole().format(value);
}

/** A figure of which only the size matters: `12K`. */
export function rough(value: number): string {
  return compact().format(value);
}

/** A figure with at most two decimals. */
export function decimal(value: number): string {
  return hundredth().format(value);
}

/** A share from 0 to 1 in percent. */
export function percent(value: number): string {
  return share().format(value);
}

/** US dollars, with as many digits as a small sum needs. */
export function money(dollars: number): string {
  return (dollars !== 0 && dollars < 1 ? cents() : dollar()).format(dollars);
}

/** A size in the largest unit that leaves at least one. */
export function bytes(count: number): string {
  const unit = count < 1000 ? "byte" : count < 1_000_000 ? "kilobyte" : "megabyte";
  const value = unit === "byte" ? count : unit === "kilobyte" ? count / 1000 : count / 1_000_000;
  return new Intl.NumberFormat(locale(), {
    style: "unit",
    unit,
    maximumFractionDigits: unit === "megabyte" ? 1 : 0,
  }).format(value);
}

/** How long something took: seconds, from ten minutes on minutes, from ten hours on hours; with the unit. */
export function duration(ms: number): string {
  if (ms < 600_000) return `${seconds(ms)} ${t("run.seconds")}`;
  return ms < 36_000_000
    ? t("run.minutes", { n: Math.floor(ms / 60_000) })
    : t("run.hours", { n: Math.floor(ms / 3_600_000) });
}

/** Milliseconds as seconds with one decimal, without the unit. */
export function seconds(ms: number): string {
  return tenth().format(Math.max(0, ms) / 1000);
}

/** A moment as short as can be: today the hour, this year the day, else the date. */
export function moment(ms: number, now: number = Date.now()): string {
  const [date, today] = [new Date(ms), new Date(now)];
  if (date.toDateString() === today.toDateString()) return clock().format(date);
  return (date.getFullYear() === today.getFullYear() ? day() : longDay()).format(date);
}

/** The day of a moment. */
export function dayOf(ms: number): string {
  return longDay().format(new Date(ms));
}

/** A moment with its day and its hour. */
export function momentWithHour(ms: number): string {
  return dayHour().format(new Date(ms));
}

/** The hour with seconds, for journals. */
export function hour(ms: number): string {
  return precise().format(new Date(ms));
}

/** `YYYY-MM-DD` as the locale writes a day; anything else as it is. */
export function date(text: string): string {
  return dayAs(text, longDay());
}

/** The same with the day of the week. */
export function weekday(text: string): string {
  return dayAs(text, weekDay());
}

function dayAs(text: string, format: Intl.DateTimeFormat): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const [year = 0, month = 1, dayOfMonth = 1] = text.split("-").map(Number);
  return format.format(new Date(year, month - 1, dayOfMonth));
}
