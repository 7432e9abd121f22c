// A planned visit as a key of places holds it, by the types of the program. This is the only place that reads its
// fields.
import type {
  Attribution,
  DayWeather,
  Itinerary,
  LeftOut,
  Leg,
  OfferedLeg,
  OpeningState,
  ReturnLeg,
  Stop,
  StopDetails,
  Totals,
  Trip,
  TripPlan,
  Visit,
} from "../ipc/bindings";
import { anything, count, figure, flag, list, object, oneOf, or, table, text, type Read } from "./reading";
import { coordinates } from "./role-values";
import { field } from "./value";

/** A time of the plan's clock: its day, its hour, its minute. */
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;
const time: Read<string> = (value) => (typeof value === "string" && TIME.test(value) ? value : undefined);

const stop = object<Stop>({
  id: text,
  name: text,
  coordinates: or(coordinates, null),
  opening_hours: or(text, null),
  stay_minutes: or(count, null),
});
const trip = object<Trip>({
  start: stop,
  stops: list(stop),
  departure: time,
  returns_to_start: or(flag, false),
  utc_offset_minutes: or(figure, null),
  country: or(text, null),
});
const details = object<StopDetails>({
  local_name: or(text, ""),
  title: or(text, ""),
  color: or(text, ""),
  scene: or(text, ""),
  address: or(text, ""),
  admission: or(text, ""),
  description: or(text, ""),
  picture: or(text, ""),
  origin: or(text, ""),
  origin_url: or(text, ""),
});
const dayWeather = object<DayWeather>({
  date: text,
  location: text,
  condition: text,
  temperature_high: figure,
  temperature_low: figure,
  precipitation_chance: or(figure, null),
  wind_speed_kmh: or(figure, null),
  recommendation: text,
});
const attribution = object<Attribution>({ name: or(text, ""), url: or(text, ""), licence: or(text, "") });
const leg = object<Leg>({
  mode: oneOf("walking", "transit", "driving"),
  distance_m: count,
  duration_s: count,
  is_estimate: flag,
  instructions: or(text, ""),
});
const checkReason = oneOf("new_year", "unreadable", "uncertain");
const STATES: { [State in OpeningState["state"]]: Read<OpeningState> } = {
  open: object<Extract<OpeningState, { state: "open" }>>({ state: oneOf("open"), until: or(time, null) }),
  opens_at: object<Extract<OpeningState, { state: "opens_at" }>>({ state: oneOf("opens_at"), at: time }),
  closed: object<Extract<OpeningState, { state: "closed" }>>({ state: oneOf("closed") }),
  check: object<Extract<OpeningState, { state: "check" }>>({ state: oneOf("check"), reason: checkReason }),
  unknown: object<Extract<OpeningState, { state: "unknown" }>>({ state: oneOf("unknown") }),
};
const opening: Read<OpeningState> = (value) => {
  const state = field(value, "state");
  return typeof state === "string" && Object.hasOwn(STATES, state)
    ? STATES[state as OpeningState["state"]](value)
    : undefined;
};
const visit = object<Visit>({
  id: text,
  name: text,
  coordinates,
  position: count,
  is_fixed: flag,
  leg,
  arrival: time,
  wait_s: count,
  stay_s: count,
  departure: time,
  cumulative_distance_m: count,
  cumulative_duration_s: count,
  opening_hours: or(text, null),
  opening,
  check: or(checkReason, null),
  is_closed_on_arrival: flag,
  closes_during_stay: flag,
});
const totals = object<Totals>({
  distance_m: count,
  travel_s: count,
  wait_s: count,
  stay_s: count,
  duration_s: count,
  end: time,
  closed_on_arrival: count,
  to_check: count,
  is_estimate: flag,
});
const NO_CHOICE: Itinerary["choice"] = { order: null, fixed: {}, dropped: [] };
const itinerary = object<Itinerary>({
  start_id: text,
  start_name: text,
  start_coordinates: coordinates,
  departure: time,
  utc_offset_minutes: or(figure, null),
  visits: list(visit),
  return_leg: or(object<ReturnLeg>({ leg, arrival: time }), null),
  left_out: or(list(object<LeftOut>({ id: text, name: text, reason: oneOf("dropped", "no_position") })), []),
  totals,
  order: oneOf("person", "best", "good"),
  choice: or(
    object<Itinerary["choice"]>({
      order: or(list(text), null),
      fixed: or(table(count), {}),
      dropped: or(list(text), []),
    }),
    NO_CHOICE,
  ),
});
const tripPlan = object<TripPlan>({
  title: text,
  language: text,
  time_zone: or(text, null),
  trip,
  // Legs that services gave: they are in the visits.
  offers: or(list(anything), []) as Read<OfferedLeg[]>,
  details: or(table(details), {}),
  weather: or(dayWeather, null),
  remarks: or(list(text), []),
  attributions: or(list(attribution), []),
  itinerary,
});

/** A planned visit; null where a value is none. */
export const tripPlanIn = (value: unknown): TripPlan | null => tripPlan(value) ?? null;
