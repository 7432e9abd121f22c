// Places as they are drawn: without tiles, so that nobody learns where somebody looks. Pure.
import type { Coordinates } from "../ipc/bindings";
import { placesIn } from "./role-values";

export type Place = { name: string; says: string; group: string; latitude: number; longitude: number };
export type PlacesMap = {
  places: readonly Place[];
  route: readonly number[];
  /** How many could not be placed. */ unplaced: number;
};
/** A place as a map shows it, with the colour of what it belongs to; empty for none. */
export type Mark = { id: string; name: string; place: Coordinates; color: string };
/** A stretch of the way, and whether it was only estimated from a straight line. */
export type Way = { line: readonly Coordinates[]; isEstimate: boolean };
export type Point = { x: number; y: number };

const EARTH_KM = 6371;
const KM_OF_DEGREE = (Math.PI / 180) * EARTH_KM;
/** One place, or all in one spot, have this much around them, in kilometres. */
const LEAST_KM = 0.5;

/** The places in a value that have coordinates, with the way through them; null where the value holds none. */
export function mapOf(value: unknown): PlacesMap | null {
  const known = placesIn(value);
  if (!known) return null;
  const placed = known.places.flatMap((place, index) =>
    place.coordinates ? [{ index, place, ...place.coordinates }] : [],
  );
  return {
    places: placed.map(({ place, latitude, longitude }) => ({
      name: place.name,
      says: place.description,
      group: place.title,
      latitude,
      longitude,
    })),
    route: known.route.map((stop) => placed.findIndex(({ index }) => index === stop)).filter((index) => index >= 0),
    unplaced: known.places.length - placed.length,
  };
}

/** How many kilometres places stretch to the east and to the north, and their middle. */
function extent(places: readonly Coordinates[]) {
  const east = sideBySide(places.map(({ longitude }) => longitude));
  const span = (values: readonly number[]) => ({ low: Math.min(...values), high: Math.max(...values) });
  const [across, up] = [span(east), span(places.map(({ latitude }) => latitude))];
  const middle = { latitude: (up.low + up.high) / 2, longitude: (across.low + across.high) / 2 };
  const shrink = Math.max(Math.cos((middle.latitude * Math.PI) / 180), 0.01);
  const wide = Math.max((across.high - across.low) * KM_OF_DEGREE * shrink, LEAST_KM);
  return { east, middle, shrink, wide, high: Math.max((up.high - up.low) * KM_OF_DEGREE, LEAST_KM) };
}

/** Longitudes counted on over the date line, where the places lie on both sides of it: what is near stays near. */
export function sideBySide(longitudes: readonly number[]): number[] {
  const sorted = [...longitudes].sort((one, other) => one - other);
  const gaps = sorted.map((longitude, index) => (sorted[index + 1] ?? (sorted[0] ?? 0) + 360) - longitude);
  const widest = gaps.indexOf(Math.max(...gaps));
  // The widest gap is where the world is cut; behind the last one it is cut as always.
  const first = widest === sorted.length - 1 ? -Infinity : (sorted[widest + 1] ?? -Infinity);
  return longitudes.map((longitude) => (longitude < first ? longitude + 360 : longitude));
}

/** How high a drawing of this width is best, by the shape of what it shows. */
export function heightFor(places: readonly Coordinates[], width: number, least: number, most: number): number {
  if (places.length === 0) return least;
  const { wide, high } = extent(places);
  return Math.round(Math.min(most, Math.max(least, (width * high) / wide)));
}

/** Where each place stands in a box of this size, north above, with the length of a kilometre in it. */
export function project(
  places: readonly Coordinates[],
  width: number,
  height: number,
): { points: Point[]; perKm: number } {
  if (places.length === 0) return { points: [], perKm: 0 };
  const { east, middle, shrink, wide, high } = extent(places);
  const perKm = Math.min(width / wide, height / high);
  return {
    perKm,
    points: places.map(({ latitude }, index) => ({
      x: width / 2 + ((east[index] ?? 0) - middle.longitude) * KM_OF_DEGREE * shrink * perKm,
      y: height / 2 - (latitude - middle.latitude) * KM_OF_DEGREE * perKm,
    })),
  };
}

const ROUNDS = 120;

/** Where the numbers of points stand so that none covers another and none leaves the box: as near as that can be. */
export function spread(points: readonly Point[], radius: number, width: number, height: number): Point[] {
  const placed = points.map(({ x, y }) => ({ x, y }));
  const apart = 2 * radius;
  for (let round = 0; round < ROUNDS; round++) {
    let isMoved = false;
    for (let one = 0; one < placed.length; one++) {
      for (let other = one + 1; other < placed.length; other++) {
        const [a, b] = [placed[one]!, placed[other]!];
        const [dx, dy] = [b.x - a.x, b.y - a.y];
        if (Math.abs(dx) >= apart || Math.abs(dy) >= apart) continue;
        const distance = Math.hypot(dx, dy);
        if (distance >= apart) continue;
        // Two in one spot go apart in a direction of their own, the same each time.
        const angle = distance > 0.01 ? Math.atan2(dy, dx) : 2.4 * (one + other);
        const push = (apart - distance) / 2 + 0.05;
        a.x -= Math.cos(angle) * push;
        a.y -= Math.sin(angle) * push;
        b.x += Math.cos(angle) * push;
        b.y += Math.sin(angle) * push;
        isMoved = true;
      }
    }
    for (const point of placed) {
      point.x = Math.min(width, Math.max(0, point.x));
      point.y = Math.min(height, Math.max(0, point.y));
    }
    if (!isMoved) break;
  }
  return placed;
}

/** A round number of kilometres that takes about this much room. */
export function scaleOf(perKm: number, room: number): number {
  if (perKm <= 0) return 1;
  const most = room / perKm;
  const unit = 10 ** Math.floor(Math.log10(most));
  return ([5, 2, 1].find((times) => times * unit <= most) ?? 1) * unit;
}

/** A colour that others wrote, with black or white upon it, whichever is read better; null where it is no colour. */
export function colours(color: string): { ground: string; ink: string } | null {
  if (!/^#[0-9a-f]{6}$/i.test(color)) return null;
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const light = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return { ground: color, ink: 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? "#ffffff" : "#000000" };
}
