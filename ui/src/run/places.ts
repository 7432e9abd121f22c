// Places as they are drawn: without tiles, so that nobody learns where somebody looks. Pure.
import { placesIn } from "./role-values";

export type Place = { name: string; says: string; group: string; latitude: number; longitude: number };
export type PlacesMap = { places: readonly Place[]; route: readonly number[]; /** How many could not be placed. */ unplaced: number };
export type Point = { x: number; y: number };

const EARTH_KM = 6371;

/** The places in a value that have coordinates, with the way through them; null where the value holds none. */
export function mapOf(value: unknown): PlacesMap | null {
  const known = placesIn(value);
  if (!known) return null;
  const placed = known.places.flatMap((place, index) => (place.coordinates ? [{ index, place, ...place.coordinates }] : []));
  return {
    places: placed.map(({ place, latitude, longitude }) => ({ name: place.name, says: place.description, group: place.title, latitude, longitude })),
    route: known.route.map((stop) => placed.findIndex(({ index }) => index === stop)).filter((index) => index >= 0),
    unplaced: known.places.length - placed.length,
  };
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
