// @vitest-environment node
import { expect, test } from "vitest";
import type { Visit } from "../ipc/bindings";
import { t } from "../i18n";
import { colours, heightFor, project, spread } from "./places";
import { tripPlanIn } from "./trip-values";
import { bestPosition, clockOf, flagsOf, isWebAddress, movedBy, movedTo, waysOf } from "./visit";
import { flagText, lengthText, newsOfVisit, spanText, wayText, weatherText } from "./visit-words";

const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const leg = { mode: "walking", distance_m: 500, duration_s: 400, is_estimate: true };
const visit = (id: string, position: number, more: object = {}) => ({
  id,
  name: `The ${id}`,
  coordinates: at(36 + position / 100, 138),
  position,
  is_fixed: false,
  check: null,
  leg,
  arrival: `2026-11-29T2${position}:10:30`,
  wait_s: 0,
  stay_s: 600,
  departure: `2026-11-29T2${position}:20:30`,
  cumulative_distance_m: 500 * position,
  cumulative_duration_s: 4000 * position,
  opening: { state: "unknown" },
  is_closed_on_arrival: false,
  closes_during_stay: false,
  ...more,
});
const totals = {
  distance_m: 1500,
  travel_s: 1200,
  wait_s: 0,
  stay_s: 1800,
  duration_s: 3000,
  end: "2026-11-30T00:05:00",
  closed_on_arrival: 0,
  to_check: 0,
};
const value = (more: object = {}) => ({
  title: "A walk",
  language: "en",
  trip: {
    start: { id: "@start", name: "Station", coordinates: at(36, 138) },
    stops: [],
    departure: "2026-11-29T20:00:00",
  },
  itinerary: {
    start_id: "@start",
    start_name: "Station",
    start_coordinates: at(36, 138),
    departure: "2026-11-29T20:00:00",
    visits: [visit("a", 1), visit("b", 2), visit("c", 3)],
    left_out: [{ id: "d", name: "The d", reason: "dropped" }],
    totals: { ...totals, is_estimate: true },
    order: "good",
    ...more,
  },
});
const planned = (more: object = {}) => tripPlanIn(value(more)) ?? expect.fail("no planned visit");

test("a planned visit is read with what may be absent; what is none is shown as something else", () => {
  const plan = planned();
  expect([plan.weather, plan.remarks, plan.itinerary.return_leg, plan.itinerary.choice.order]).toEqual([
    null,
    [],
    null,
    null,
  ]);
  expect(tripPlanIn({ places: [], route: [] })).toBe(null);
  expect(tripPlanIn(value({ visits: [visit("a", 1, { arrival: "soon" })] }))).toBe(null);
  expect(tripPlanIn(value({ visits: [visit("a", 1, { opening: { state: "perhaps" } })] }))).toBe(null);
});

test("times are those of the plan's clock, with the days after the begin", () => {
  expect(clockOf("2026-11-29T23:10:30", "2026-11-29T20:00:00")).toEqual({ clock: "23:10", days: 0 });
  expect(clockOf("2027-01-01T00:05:00", "2026-12-31T20:00:00")).toEqual({ clock: "00:05", days: 1 });
});

test("a point is moved by one or to an index, and stays where it would leave the list", () => {
  const { itinerary } = planned();
  expect(movedBy(itinerary, "a", 1)).toEqual(["b", "a", "c"]);
  expect([
    movedBy(itinerary, "a", -1),
    movedBy(itinerary, "c", 1),
    movedBy(itinerary, "x", 1),
    movedTo(itinerary, "b", 1),
  ]).toEqual([null, null, null, null]);
  expect(movedTo(itinerary, "a", 2)).toEqual(["b", "c", "a"]);
});

test("a point is visited again where the way gets longest by least, and never in the place of a fixed one", () => {
  const { itinerary } = planned();
  expect(bestPosition(itinerary, at(36.015, 138))).toBe(2);
  expect(bestPosition(itinerary, at(36.5, 138))).toBe(4);
  const fixed = planned({ visits: [visit("a", 1), visit("b", 2, { is_fixed: true }), visit("c", 3)] }).itinerary;
  expect(bestPosition(fixed, at(36.015, 138))).not.toBe(2);
  expect(bestPosition({ ...itinerary, visits: [] }, at(36, 138))).toBe(1);
});

test("a visit tells before one goes there that it is closed, has to be waited for, closes, is to be checked or is fixed", () => {
  const { itinerary } = planned();
  const said = (more: object) => flagsOf(visit("a", 1, more) as Visit).map((flag) => flagText(flag, itinerary, 900, 1));
  expect(said({})).toEqual([]);
  const opens = { state: "opens_at", at: "2026-11-30T09:00:00" };
  expect(said({ is_closed_on_arrival: true, opening: opens, is_fixed: true })).toEqual([
    "Closed on arrival; opens 09:00 +1",
    "Fixed as number 1",
  ]);
  expect(said({ wait_s: 900, opening: { state: "opens_at", at: "2026-11-29T21:25:30" } })).toEqual([
    "Waits 15 min until it opens at 21:25",
  ]);
  expect(said({ closes_during_stay: true, opening: { state: "open", until: "2026-11-29T21:15:00" } })).toEqual([
    "Closes during the stay, at 21:15",
  ]);
  expect(said({ opening: { state: "check", reason: "unreadable" } })).toEqual(["Check the hours: they cannot be read"]);
  const differs = "Check the hours: from 29 December to 3 January they often differ";
  expect(said({ is_closed_on_arrival: true, opening: opens, check: "new_year" })).toEqual([
    "Closed on arrival; opens 09:00 +1",
    differs,
  ]);
});

test("lengths, times and weather are said as one reads them, and an estimate says so", () => {
  expect([lengthText(994), lengthText(996), lengthText(16_073)]).toEqual(["994 m", "1 km", "16.1 km"]);
  expect([spanText(0), spanText(20), spanText(3599), spanText(12_054)]).toEqual([
    "0 min",
    "1 min",
    "1 h 0 min",
    "3 h 21 min",
  ]);
  const known = { mode: "walking" as const, distance_m: 500, duration_s: 400 };
  expect([wayText({ ...known, is_estimate: true }), wayText({ ...known, is_estimate: false })]).toEqual([
    "about 500 m, 7 min",
    "500 m, 7 min",
  ]);
  const day = {
    date: "",
    location: "",
    condition: "rain",
    temperature_high: 8,
    temperature_low: -2,
    precipitation_chance: 71,
    wind_speed_kmh: 8,
  };
  expect(weatherText({ ...day, recommendation: "" })).toBe("rain, -2 to 8 °C, 71% rain or snow, wind 8 km/h");
  expect(weatherText({ ...day, precipitation_chance: null, wind_speed_kmh: 0, recommendation: "" })).toBe(
    "rain, -2 to 8 °C, wind 0 km/h",
  );
  expect(t("visit.summary", { n: 24, distance: lengthText(19_500) })).toBe("24 points, 19.5 km");
});

test("what became of a change is told in one sentence", () => {
  const { itinerary } = planned();
  expect(newsOfVisit(itinerary, "b")).toBe("The b: number 2, 22:10 to 22:20. The visit ends at 00:05 +1.");
  expect(newsOfVisit(itinerary, "d")).toBe("The d is left out. The visit ends at 00:05 +1.");
  expect(newsOfVisit(itinerary, null)).toBe("The points are in a new order. The visit ends at 00:05 +1.");
});

test("the way goes back to the start where the visit returns, and is cut where estimates begin and end", () => {
  expect(waysOf(planned().itinerary).map(({ line, isEstimate }) => [line.length, isEstimate])).toEqual([[4, true]]);
  const known = visit("b", 2, { leg: { ...leg, is_estimate: false } });
  const ways = waysOf(
    planned({ visits: [visit("a", 1), known, visit("c", 3)], return_leg: { leg, arrival: "2026-11-30T00:05:00" } })
      .itinerary,
  );
  expect(ways.map(({ line, isEstimate }) => [line.length, isEstimate])).toEqual([
    [2, true],
    [2, false],
    [3, true],
  ]);
  expect([ways[0]?.line[0], ways[2]?.line.at(-1), ways[1]?.line[0]]).toEqual([
    at(36, 138),
    at(36, 138),
    ways[0]?.line[1],
  ]);
});

test("places on both sides of the date line lie beside each other", () => {
  const { points, perKm } = project([at(0, 179.9), at(0, -179.9)], 200, 100);
  expect(points[0]?.x).toBeLessThan(points[1]?.x ?? 0);
  expect(perKm * 22.24).toBeCloseTo(200, 0);
  expect([
    heightFor([at(0, 179.9), at(0, -179.9)], 200, 50, 300),
    heightFor([at(0, 0), at(3, 0)], 200, 50, 300),
    heightFor([], 200, 50, 300),
  ]).toEqual([50, 300, 50]);
});

test("numbers that would cover each other stand beside each other in the box, the same each time", () => {
  const crowd = [...Array<null>(12)].map((_, index) => ({ x: 100 + (index % 3), y: 50 }));
  const placed = spread(crowd, 9, 200, 150);
  const gaps = placed.flatMap((one, index) =>
    placed.slice(index + 1).map((other) => Math.hypot(one.x - other.x, one.y - other.y)),
  );
  expect(Math.min(...gaps)).toBeGreaterThan(16);
  expect(placed.every(({ x, y }) => x >= 0 && x <= 200 && y >= 0 && y <= 150)).toBe(true);
  expect(spread(crowd, 9, 200, 150)).toEqual(placed);
  expect(spread([{ x: 5, y: 5 }], 9, 200, 150)).toEqual([{ x: 5, y: 5 }]);
});

test("a colour is taken where it is one, with a number upon it that can be read", () => {
  expect([
    colours("#2b6cb0")?.ink,
    colours("#FFE08A")?.ink,
    colours("red"),
    colours("#12345"),
    colours("url(#x)"),
  ]).toEqual(["#ffffff", "#000000", null, null, null]);
});

test("only addresses of the web become links", () => {
  expect(["https://a.example", "HTTP://a.example", "javascript:alert(1)", "//a.example", ""].map(isWebAddress)).toEqual(
    [true, true, false, false, false],
  );
});
