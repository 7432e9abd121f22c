// What stands on the map's ground, as MapLibre takes it, and the part of the earth that shows all of it. Pure.
import type { Feature, FeatureCollection, LineString } from "geojson";
import type { LngLatBoundsLike } from "maplibre-gl";
import type { Coordinates } from "../../ipc/bindings";
import { sideBySide, type Way } from "../../run/places";

type Spot = [longitude: number, latitude: number];

/** Places as MapLibre takes them, on one side of the date line where they lie on both: what is near stays near. */
export function spotsOf(places: readonly Coordinates[]): Spot[] {
  const east = sideBySide(places.map(({ longitude }) => longitude));
  return places.map(({ latitude }, index) => [east[index] ?? 0, latitude]);
}

/** The lines of the way, through spots that are given in the order of its places. */
export function linesOf(
  ways: readonly Way[],
  spots: readonly Spot[],
): FeatureCollection<LineString, { isEstimate: boolean }> {
  let at = 0;
  const features = ways.map(({ line, isEstimate }): Feature<LineString, { isEstimate: boolean }> => {
    const coordinates = spots.slice(at, (at += line.length));
    return { type: "Feature", properties: { isEstimate }, geometry: { type: "LineString", coordinates } };
  });
  return { type: "FeatureCollection", features };
}

/** West, south, east and north of what encloses all spots; null where there are none. */
export function boundsOf(spots: readonly Spot[]): (LngLatBoundsLike & [number, number, number, number]) | null {
  if (spots.length === 0) return null;
  const [east, north] = [spots.map(([longitude]) => longitude), spots.map(([, latitude]) => latitude)];
  return [Math.min(...east), Math.min(...north), Math.max(...east), Math.max(...north)];
}

/** A text that others wrote in HTML, with its links, as text alone. */
export function attributionOf(html: string): { text: string; url: string }[] {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  return [...body.childNodes].flatMap((node) => {
    const links =
      node instanceof HTMLAnchorElement ? [node] : node instanceof HTMLElement ? [...node.querySelectorAll("a")] : [];
    const [link] = links;
    const text = node.textContent?.replace(/\s+/g, " ").trim() ?? "";
    return text === "" || node instanceof HTMLScriptElement || node instanceof HTMLStyleElement
      ? []
      : [{ text, url: link?.getAttribute("href") ?? "" }];
  });
}
