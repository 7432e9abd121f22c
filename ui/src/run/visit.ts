// A planned visit as it is shown and changed: its times by the plan's own clock, what is to be known of each stop,
// and the orders that a person makes of it. Pure.
import type { CheckReason, Coordinates, Itinerary, Stop, TripPlan, Visit } from "../ipc/bindings";
import type { Way } from "./places";

/** A time of the plan's clock, and how many days after the begin of the visit it is. */
export type ClockTime = { clock: string; days: number };

/** A time as the plan's clock shows it; never that of this machine. */
export function clockOf(time: string, begin: string): ClockTime {
  const day = (of: string) => Date.parse(`${of.slice(0, 10)}T00:00:00Z`) / 86_400_000;
  return { clock: time.slice(11, 16), days: day(time) - day(begin) };
}

/** What is to be known of a visit before one goes there. */
export type Flag =
  | { kind: "fixed" }
  | { kind: "waits"; until: string }
  | { kind: "closed"; opens: string | null }
  | { kind: "closes"; at: string | null }
  | { kind: "check"; reason: CheckReason };

export function flagsOf(visit: Visit): Flag[] {
  const { opening } = visit;
  return [
    ...(visit.is_closed_on_arrival
      ? [{ kind: "closed" as const, opens: opening.state === "opens_at" ? opening.at : null }]
      : []),
    ...(visit.wait_s > 0 && opening.state === "opens_at" ? [{ kind: "waits" as const, until: opening.at }] : []),
    ...(visit.closes_during_stay
      ? [{ kind: "closes" as const, at: opening.state === "open" ? opening.until : null }]
      : []),
    ...[opening.state === "check" ? opening.reason : null, visit.check]
      .filter((reason) => reason !== null)
      .map((reason) => ({ kind: "check" as const, reason })),
    ...(visit.is_fixed ? [{ kind: "fixed" as const }] : []),
  ];
}

/** The order after one point was moved by so many places; null where it cannot go there. */
export function movedBy(itinerary: Itinerary, id: string, by: number): string[] | null {
  const from = itinerary.visits.findIndex((visit) => visit.id === id);
  return from < 0 ? null : movedTo(itinerary, id, from + by);
}

/** The order after one point was moved to an index; null where that changes nothing, or there is no such index. */
export function movedTo({ visits }: Itinerary, id: string, to: number): string[] | null {
  const ids = visits.map((visit) => visit.id);
  const from = ids.indexOf(id);
  if (from < 0 || to < 0 || to >= ids.length || to === from) return null;
  ids.splice(to, 0, ...ids.splice(from, 1));
  return ids;
}

/**
 * At which position a point that was left out makes the way longest by least; positions of fixed points are not free.
 */
export function bestPosition({ visits, start_coordinates, return_leg }: Itinerary, place: Coordinates): number {
  const way = [start_coordinates, ...visits.map(({ coordinates }) => coordinates)];
  const longer = way.map((before, index) => {
    const after = way[index + 1] ?? (return_leg ? start_coordinates : null);
    return away(before, place) + (after ? away(place, after) - away(before, after) : 0);
  });
  const free = longer.map((_, index) => index).filter((index) => !visits[index]?.is_fixed);
  return (
    free.reduce(
      (best, index) => ((longer[index] ?? 0) < (longer[best] ?? Infinity) ? index : best),
      free[0] ?? visits.length,
    ) + 1
  );
}

/** How far two places are from each other, in degrees of latitude: for comparing near ones. */
function away(one: Coordinates, other: Coordinates): number {
  const turn = Math.abs(one.longitude - other.longitude);
  const across = Math.min(turn, 360 - turn) * Math.cos((one.latitude * Math.PI) / 180);
  return Math.hypot(across, one.latitude - other.latitude);
}

/**
 * Where the way goes: from the start through the points, and back where the visit returns; cut where estimates begin
 * and end.
 */
export function waysOf({ start_coordinates, visits, return_leg }: Itinerary): Way[] {
  const legs = visits.map(({ leg, coordinates }) => ({ to: coordinates, isEstimate: leg.is_estimate }));
  if (return_leg) legs.push({ to: start_coordinates, isEstimate: return_leg.leg.is_estimate });
  const ways: { line: Coordinates[]; isEstimate: boolean }[] = [];
  let from = start_coordinates;
  for (const { to, isEstimate } of legs) {
    const last = ways.at(-1);
    if (last?.isEstimate === isEstimate) last.line.push(to);
    else ways.push({ line: [from, to], isEstimate });
    from = to;
  }
  return ways;
}

/** Whether an address may be offered as a link to the web. */
export const isWebAddress = (url: string): boolean => /^https?:\/\//i.test(url);

/** The point of this id as the trip has it. */
export const stopOf = ({ trip }: TripPlan, id: string): Stop | undefined => trip.stops.find((stop) => stop.id === id);
