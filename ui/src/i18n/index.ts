// Words and figures in the reader's language. One language for now; a second catalogue of the same keys is all it takes.
import { en } from "./en/index";

const catalogue = en;

export type Words = keyof typeof catalogue;
type Fillings = Record<string, string | number>;

/** The reader's locale, or English where the system reports none that exists (WebKit under a C locale says "C"). */
export const locale: string = usable(globalThis.navigator?.language);

/** A locale that `Intl` takes, whatever was reported. */
export function usable(reported: string | undefined): string {
  try {
    // "C" and "POSIX" are no language tags; Intl throws on the first and knows nothing of the second.
    const known = reported ? Intl.NumberFormat.supportedLocalesOf([reported]) : [];
    return known[0] ?? "en";
  } catch {
    return "en";
  }
}

// Follows the catalogue's language, not the locale of figures.
const plural = new Intl.PluralRules("en");

/** The words of a key with `{name}` filled in; whole numbers are written as the locale writes them. */
export function t(key: Words, fillings: Fillings = {}): string {
  const entry: string | { one: string; other: string } = catalogue[key];
  const text =
    typeof entry === "string" ? entry : plural.select(Number(fillings["n"] ?? 0)) === "one" ? entry.one : entry.other;
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => {
    const filling = fillings[name];
    if (filling === undefined) return placeholder;
    return typeof filling === "number" ? wholeNumber(filling) : filling;
  });
}

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const tenth = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit" });
const precise = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", second: "2-digit" });
const day = new Intl.DateTimeFormat(locale, { month: "short", day: "numeric" });
const longDay = new Intl.DateTimeFormat(locale, { year: "numeric", month: "short", day: "numeric" });

export function wholeNumber(value: number): string {
  return whole.format(value);
}

/** A size in the largest unit that leaves at least one. */
export function bytes(count: number): string {
  const unit = count < 1000 ? "byte" : count < 1_000_000 ? "kilobyte" : "megabyte";
  const value = unit === "byte" ? count : unit === "kilobyte" ? count / 1000 : count / 1_000_000;
  return new Intl.NumberFormat(locale, { style: "unit", unit, maximumFractionDigits: unit === "megabyte" ? 1 : 0 }).format(value);
}

/** How long something took: seconds, from ten minutes on minutes, from ten hours on hours; with the unit. */
export function duration(ms: number): string {
  if (ms < 600_000) return `${seconds(ms)} ${t("run.seconds")}`;
  return ms < 36_000_000 ? t("run.minutes", { n: Math.floor(ms / 60_000) }) : t("run.hours", { n: Math.floor(ms / 3_600_000) });
}

/** Milliseconds as seconds with one decimal, without the unit. */
export function seconds(ms: number): string {
  return tenth.format(Math.max(0, ms) / 1000);
}

/** A moment as short as can be: today the hour, this year the day, else the date. */
export function moment(ms: number, now: number = Date.now()): string {
  const [date, today] = [new Date(ms), new Date(now)];
  if (date.toDateString() === today.toDateString()) return clock.format(date);
  return (date.getFullYear() === today.getFullYear() ? day : longDay).format(date);
}

/** The hour with seconds, for journals. */
export function hour(ms: number): string {
  return precise.format(new Date(ms));
}

/** `YYYY-MM-DD` as the locale writes a day; anything else as it is. */
export function date(text: string): string {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return text;
  const [year = 0, month = 1, dayOfMonth = 1] = text.split("-").map(Number);
  return longDay.format(new Date(year, month - 1, dayOfMonth));
}
