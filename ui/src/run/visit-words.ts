// A planned visit in words: lengths and times, and what is to be known of a stop.
import type { DayWeather, Itinerary, Leg } from "../ipc/bindings";
import { decimal, percent, t } from "../i18n";
import { clockOf, type ClockTime, type Flag } from "./visit";

/** A length as one says it: metres, from a kilometre on tenths of one. */
export const lengthText = (metres: number): string =>
  metres < 995 ? t("visit.metres", { n: metres }) : t("visit.km", { km: decimal(Math.round(metres / 100) / 10) });

/** How long something takes, to the minute; what takes any time takes one at least. */
export function spanText(seconds: number): string {
  const minutes = seconds > 0 ? Math.max(1, Math.round(seconds / 60)) : 0;
  if (minutes < 60) return t("visit.minutes", { minutes });
  return t("visit.hours", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

/** The way to a point; what was only estimated says so. */
export function wayText({ distance_m, duration_s, is_estimate }: Leg): string {
  const [distance, time] = [lengthText(distance_m), spanText(duration_s)];
  return t(is_estimate ? "visit.way.about" : "visit.way.exactly", { distance, time });
}

/** A time of the clock with the days after the begin, as plain text. */
export const clockText = ({ clock, days }: ClockTime): string =>
  days === 0 ? clock : `${clock} ${t("visit.later_day", { n: days })}`;

/** When something opens or closes, beside a visit that begins then. */
const whenText = (time: string, begin: string): string => clockText(clockOf(time, begin));

export function flagText(flag: Flag, { departure: begin }: Itinerary, wait: number, position: number): string {
  if (flag.kind === "fixed") return t("visit.fixed", { n: position });
  if (flag.kind === "check") return t(`visit.check.${flag.reason}`);
  if (flag.kind === "waits") return t("visit.waits", { time: spanText(wait), when: whenText(flag.until, begin) });
  if (flag.kind === "closes")
    return flag.at === null ? t("visit.closes") : t("visit.closes_at", { when: whenText(flag.at, begin) });
  return flag.opens === null ? t("visit.closed") : t("visit.closed_until", { when: whenText(flag.opens, begin) });
}

/** The weather of a day; what is not known of it is left out. */
export function weatherText({
  condition,
  temperature_low: low,
  temperature_high: high,
  precipitation_chance: chance,
  wind_speed_kmh: wind,
}: DayWeather): string {
  const rain = chance === null ? "" : t("visit.weather.rain", { chance: percent(chance / 100) });
  return t("visit.weather", { condition, low, high }) + rain + (wind === null ? "" : t("visit.weather.wind", { wind }));
}

/** What is said aloud of a visit that was changed: where the point is now, and when all of it ends. */
export function newsOfVisit({ visits, left_out, totals, departure }: Itinerary, id: string | null): string {
  const end = whenText(totals.end, departure);
  const visit = visits.find((one) => one.id === id);
  if (visit) {
    const [from, to] = [visit.arrival, visit.departure].map((time) => whenText(time, departure));
    return t("visit.said.visited", { name: visit.name, n: visit.position, from: from ?? "", to: to ?? "", end });
  }
  const left = left_out.find((one) => one.id === id);
  return left ? t("visit.said.dropped", { name: left.name, end }) : t("visit.said.order", { end });
}
