// What the program has in flight, by place. It is kept beside the views, because it is lost at a resumption while the
// picture of who waits is not.
import type { View } from "./view-types";
import type { Asked } from "./usage";

/** With whose budgets it counts for, and when it was asked by the run's own clock. */
export type Flight = Asked & { places: readonly string[]; askedRanMs: number };
export type Flights = Map<string, Flight>;

const flights = new WeakMap<View, Flights>();

export const flightsOf = (view: View): Flights => new Map(flights.get(view));

export function keepFlights(view: View, inFlight: Flights): void {
  flights.set(view, inFlight);
}

/** What is in flight was refused and waits to be tried again, or it is sent again. */
export function refuse(inFlight: Flights, place: string, isRefused: boolean): void {
  const by = inFlight.get(place);
  if (by) inFlight.set(place, { ...by, isRefused });
}

/** Calls under way that cost nobody knows what, should the program die now: what was refused costs nothing. */
export const owed = (inFlight: Flights): number =>
  [...inFlight.values()].filter(({ agent, isRefused }) => agent !== null && !isRefused).length;
