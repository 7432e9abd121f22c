// What a map's ground looks like: the tiles of the person's file in the colours of the page, by the two namings of
// layers that are common (Protomaps' and OpenMapTiles'), or in a style of the person's own. Pure.
import type { ExpressionSpecification, LayerSpecification, SourceSpecification, StyleSpecification } from "maplibre-gl";
import type { MapFiles, TileSet } from "../../ipc/bindings";
import type { Language } from "../../i18n/language.svelte";
import { field } from "../../run/value";

/** The page's tokens that the ground is made of; each is a colour as CSS writes it. */
export const TOKENS = [
  "paper",
  "shade",
  "shade-strong",
  "sheet",
  "rule",
  "rule-strong",
  "ink-soft",
  "blue-wash",
  "blue-rule",
] as const;
export type MapColours = Record<(typeof TOKENS)[number], string>;

/** How the protocol is called by which tiles come over the border of the program, and how a tile is asked for. */
export const PROTOCOL = "pmtiles";
const TILE = `${PROTOCOL}://map/{z}/{x}/{y}`;
const SOURCE = "tiles";

const NAMES: Record<Language, string[]> = {
  en: ["name:en", "name:latin"],
  zh: ["name:zh-Hans", "name:zh"],
  ja: ["name:ja"],
};
const words = (list: string) => list.split(" ");
const GREEN = words(
  "park forest wood grass meadow nature_reserve garden pitch cemetery golf_course farmland scrub national_park",
);
const MAJOR = words("highway motorway trunk primary major_road secondary");
const PATHS = words("path track pedestrian steps footway");
const RAILS = words("rail transit");
const STATIONS = words("railway railway_station station");

/** What a feature is: Protomaps says `kind`, OpenMapTiles `class`. */
const KIND: ExpressionSpecification = ["to-string", ["coalesce", ["get", "kind"], ["get", "class"], ""]];
const isOne = (kinds: string[]): ExpressionSpecification => ["in", KIND, ["literal", kinds]];
const isArea: ExpressionSpecification = ["==", ["geometry-type"], "Polygon"];
const isLine: ExpressionSpecification = ["==", ["geometry-type"], "LineString"];
const wide = (most: number): ExpressionSpecification => [
  "interpolate",
  ["exponential", 1.6],
  ["zoom"],
  8,
  most / 12,
  13,
  most / 4,
  18,
  most * 2,
];

/** A tile source of the program, in place of whatever a style says of it. */
export function sourceOf({ format, min_zoom, max_zoom, bounds }: TileSet): SourceSpecification {
  const own = { tiles: [TILE], minzoom: min_zoom, maxzoom: max_zoom, bounds };
  if (format === "image") return { type: "raster", tileSize: 256, ...own };
  return { type: "vector", ...(format === "mlt" ? { encoding: "mlt" as const } : {}), ...own };
}

/** The ground of a map; alone its colour where there are no tiles. */
export function groundOf({ tiles, style }: MapFiles, colours: MapColours, language: Language): StyleSpecification {
  if (tiles && isStyle(style)) return { ...style, sources: ownSources(style.sources, sourceOf(tiles)) };
  const ground: LayerSpecification = { id: "ground", type: "background", paint: { "background-color": colours.paper } };
  if (!tiles) return { version: 8, sources: {}, layers: [ground] };
  const layers =
    tiles.format === "image"
      ? [{ id: "picture", type: "raster" as const, source: SOURCE }]
      : vectorLayers(tiles.layers, colours, language);
  return { version: 8, sources: { [SOURCE]: sourceOf(tiles) }, layers: [ground, ...layers] };
}

/** What the program let through as a style; MapLibre judges the rest. */
const isStyle = (style: unknown): style is StyleSpecification => field(style, "version") === 8;

function ownSources(sources: StyleSpecification["sources"], own: SourceSpecification): StyleSpecification["sources"] {
  const isOwn = (source: SourceSpecification) => JSON.stringify(source).includes(`"${PROTOCOL}://`);
  return Object.fromEntries(Object.entries(sources).map(([name, source]) => [name, isOwn(source) ? own : source]));
}

function vectorLayers(names: readonly string[], colours: MapColours, language: Language): LayerSpecification[] {
  /** The layers of the tiles that are called so; all that may be, where the file does not say which it has. */
  const of = (...wanted: string[]) => wanted.filter((name) => names.length === 0 || names.includes(name));
  const on = (name: string, role: string) => ({ id: `${name} ${role}`, source: SOURCE, "source-layer": name });
  const round = { "line-join": "round", "line-cap": "round" } as const;
  const text: ExpressionSpecification = [
    "coalesce",
    ...NAMES[language].map((name): ExpressionSpecification => ["get", name]),
    ["get", "name"],
    "",
  ];
  const lettering = { "text-field": text, "text-font": ["system-ui", "sans-serif"] };
  const ink = { "text-color": colours["ink-soft"], "text-halo-color": colours.paper, "text-halo-width": 1.25 };
  const isRoad: ExpressionSpecification = ["!", isOne([...PATHS, ...RAILS])];
  const roads = of("roads", "transportation");
  const width: ExpressionSpecification = [
    "interpolate",
    ["exponential", 1.6],
    ["zoom"],
    8,
    road(0.5, 0.2),
    13,
    road(3, 1),
    18,
    road(18, 10),
  ];
  const casing: ExpressionSpecification = [
    "interpolate",
    ["exponential", 1.6],
    ["zoom"],
    8,
    road(0.9, 0.4),
    13,
    road(4.5, 2),
    18,
    road(20, 12),
  ];
  return [
    ...of("landcover", "landuse", "park").map((name): LayerSpecification => ({
      ...on(name, "green"),
      type: "fill",
      filter: name === "park" ? isArea : ["all", isArea, isOne(GREEN)],
      paint: { "fill-color": colours.shade },
    })),
    ...of("water").map((name): LayerSpecification => ({
      ...on(name, "area"),
      type: "fill",
      filter: isArea,
      paint: { "fill-color": colours["blue-wash"] },
    })),
    ...of("water", "waterway").map((name): LayerSpecification => ({
      ...on(name, "line"),
      type: "line",
      filter: isLine,
      layout: round,
      paint: { "line-color": colours["blue-wash"], "line-width": wide(3) },
    })),
    ...of("buildings", "building").map((name): LayerSpecification => ({
      ...on(name, "area"),
      type: "fill",
      minzoom: 14,
      filter: isArea,
      paint: { "fill-color": colours["shade-strong"] },
    })),
    ...of("boundaries", "boundary").map((name): LayerSpecification => ({
      ...on(name, "line"),
      type: "line",
      paint: { "line-color": colours["rule-strong"], "line-width": 0.75, "line-dasharray": [4, 3] },
    })),
    ...roads.map((name): LayerSpecification => ({
      ...on(name, "path"),
      type: "line",
      minzoom: 14,
      filter: isOne(PATHS),
      paint: { "line-color": colours["rule-strong"], "line-width": 0.75, "line-dasharray": [3, 2] },
    })),
    ...roads.map((name): LayerSpecification => ({
      ...on(name, "edge"),
      type: "line",
      filter: isRoad,
      layout: round,
      paint: { "line-color": colours.rule, "line-width": casing },
    })),
    ...roads.map((name): LayerSpecification => ({
      ...on(name, "road"),
      type: "line",
      filter: isRoad,
      layout: round,
      paint: { "line-color": colours.sheet, "line-width": width },
    })),
    ...of("roads", "transportation", "transit").map((name): LayerSpecification => ({
      ...on(name, "rail"),
      type: "line",
      filter: ["all", isLine, isOne(RAILS)],
      paint: { "line-color": colours["rule-strong"], "line-width": wide(1.5) },
    })),
    ...of("roads", "transportation_name").map((name): LayerSpecification => ({
      ...on(name, "name"),
      type: "symbol",
      minzoom: 14,
      filter: isRoad,
      layout: { ...lettering, "symbol-placement": "line", "text-size": 10.5 },
      paint: ink,
    })),
    ...of("pois", "poi").map((name): LayerSpecification => ({
      ...on(name, "stop"),
      type: "symbol",
      minzoom: 13,
      filter: isOne(STATIONS),
      layout: { ...lettering, "text-size": 11 },
      paint: ink,
    })),
    ...of("places", "place").map((name): LayerSpecification => ({
      ...on(name, "name"),
      type: "symbol",
      layout: { ...lettering, "text-size": ["interpolate", ["linear"], ["zoom"], 4, 11, 14, 14], "text-max-width": 8 },
      paint: ink,
    })),
  ];
}

/** A width of roads, in pixels: of those that lead far, and of the others. */
function road(major: number, minor: number): ExpressionSpecification {
  return ["case", isOne(MAJOR), major, minor];
}
