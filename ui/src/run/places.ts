// Places as they are read and drawn: without tiles, so that nobody learns where somebody looks. Pure.
//
// A list of places, or an object with it under `places` and the order in which they are visited under `route` (indexes
// from 0, or names). A place is `{name, coordinates: {latitude, longitude}, description, title}`.
import { field, listOf, textOf } from "./value";

export type Place = { name: string; says: string; group: string; latitude: number; longitude: number };
export type Places = { places: readonly Place[]; route: readonly number[]; /** How many could not be placed. */ unplaced: number };
export type Point = { x: number; y: number };

const EARTH_KM = 6371;

export function mapOf(value: unknown): Places {
  const listed = listOf(value, Array.isArray(value) ? "" : "places");
  const places = listed.flatMap((item, index): Place[] => {
    const coordinates = field(item, "coordinates") ?? item;
    const [latitude, longitude] = [degree(coordinates, 90, "latitude", "lat"), degree(coordinates, 180, "longitude", "lng", "lon")];
    if (latitude === null || longitude === null) return [];
    return [{ name: textOf(item, "name") || String(index + 1), says: textOf(item, "description") || textOf(item, "address"), group: textOf(item, "title"), latitude, longitude }];
  });
  const route = listOf(value, Array.isArray(value) ? " " : "route").map((stop) => (typeof stop === "number" ? stop : places.findIndex(({ name }) => name === stop)));
  return { places, route: route.filter((index) => places[index] !== undefined), unplaced: listed.length - places.length };
}

function degree(value: unknown, most: number, ...names: string[]): number | null {
  const found = names.map((name) => field(value, name)).find((one) => one !== undefined);
  return typeof found === "number" && Math.abs(found) <= most ? found : null;
}

/** Where each place stands in a box of this size, north above, with the length of a kilometre in it. */
export function project(places: readonly Place[], width: number, height: number): { points: Point[]; perKm: number } {
  if (places.length === 0) return { points: [], perKm: 0 };
  const span = (values: number[]) => ({ low: Math.min(...values), high: Math.max(...values) });
  const [north, east] = [span(places.map(({ latitude }) => latitude)), span(places.map(({ longitude }) => longitude))];
  const middle = { latitude: (north.low + north.high) / 2, longitude: (east.low + east.high) / 2 };
  const km = (Math.PI / 180) * EARTH_KM;
  const shrink = Math.cos((middle.latitude * Math.PI) / 180);
  // One place, or all in one spot, fill the box with half a kilometre around them.
  const [wide, high] = [Math.max((east.high - east.low) * km * shrink, 0.5), Math.max((north.high - north.low) * km, 0.5)];
  const perKm = Math.min(width / wide, height / high);
  return {
    perKm,
    points: places.map(({ latitude, longitude }) => ({
      x: width / 2 + (longitude - middle.longitude) * km * shrink * perKm,
      y: height / 2 - (latitude - middle.latitude) * km * perKm,
    })),
  };
}

/** A round number of kilometres that takes about this much room. */
export function scaleOf(perKm: number, room: number): number {
  if (perKm <= 0) return 1;
  const most = room / perKm;
  const unit = 10 ** Math.floor(Math.log10(most));
  return ([5, 2, 1].find((times) => times * unit <= most) ?? 1) * unit;
}
