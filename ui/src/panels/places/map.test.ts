import { expect, test } from "vitest";
import type { MapFiles, TileSet } from "../../ipc/bindings";
import type { Way } from "../../run/places";
import { attributionOf, boundsOf, linesOf, spotsOf } from "./map-overlay";
import { groundOf, TOKENS, type MapColours } from "./map-style";

const colours = Object.fromEntries(TOKENS.map((name, index) => [name, `#00000${index}`])) as MapColours;
const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const tiles = (more: Partial<TileSet> = {}): TileSet => ({
  format: "mvt",
  min_zoom: 2,
  max_zoom: 11,
  bounds: [10, 50, 11, 51],
  attribution: "",
  layers: ["water", "roads", "places"],
  ...more,
});
const ground = (files: Partial<MapFiles>, language: "en" | "zh" | "ja" = "en") =>
  groundOf({ tiles: null, style: null, ...files }, colours, language);

test("places on both sides of the date line are shown together, with the way between them", () => {
  const [east, west] = [at(-17, 179.9), at(-16, -179.9)];
  const ways: Way[] = [{ line: [east, west], isEstimate: true }];
  const spots = spotsOf([east, west, ...ways.flatMap(({ line }) => line)]);
  const bounds = boundsOf(spots);
  expect([bounds?.[0], bounds?.[2]].map((degrees) => degrees?.toFixed(1))).toEqual(["179.9", "180.1"]);
  const [line] = linesOf(ways, spots.slice(2)).features;
  expect(line?.properties).toEqual({ isEstimate: true });
  expect(line?.geometry.coordinates.map(([longitude]) => longitude?.toFixed(1))).toEqual(["179.9", "180.1"]);
  expect([boundsOf([]), boundsOf(spotsOf([at(1, 2)]))]).toEqual([null, [2, 1, 2, 1]]);
});

test("the ground has the layers that the tiles have, in the colours and the language of the page, and asks the program alone", () => {
  const style = ground({ tiles: tiles() }, "ja");
  const layers = new Set(style.layers.flatMap((layer) => ("source-layer" in layer ? [layer["source-layer"]] : [])));
  expect([...layers].sort()).toEqual(["places", "roads", "water"]);
  expect(style.layers[0]).toMatchObject({ type: "background", paint: { "background-color": colours.paper } });
  expect(JSON.stringify(style.layers.at(-1))).toContain('["get","name:ja"]');
  expect(style.sources["tiles"]).toMatchObject({
    type: "vector",
    tiles: ["pmtiles://map/{z}/{x}/{y}"],
    minzoom: 2,
    maxzoom: 11,
    bounds: [10, 50, 11, 51],
  });
  expect(JSON.stringify(style)).not.toMatch(/https?:/);
  const open = ground({ tiles: tiles({ layers: ["transportation", "place", "water_name"] }) });
  expect(open.layers.map(({ id }) => id)).toEqual([
    "ground",
    "transportation path",
    "transportation edge",
    "transportation road",
    "transportation rail",
    "place name",
  ]);
});

test("pictures are laid on the ground as they are; without tiles there is the ground alone", () => {
  expect(ground({ tiles: tiles({ format: "image" }) }).layers.map(({ type }) => type)).toEqual([
    "background",
    "raster",
  ]);
  expect(ground({ tiles: tiles({ format: "mlt" }) }).sources["tiles"]).toMatchObject({ encoding: "mlt" });
  expect(ground({})).toMatchObject({ sources: {}, layers: [{ type: "background" }] });
});

test("a style of the person's own has the tiles of the file wherever it names them; one without tiles is not taken", () => {
  const shapes = { type: "geojson", data: { type: "FeatureCollection", features: [] } };
  const style = {
    version: 8,
    layers: [{ id: "x", type: "background" }],
    sources: { base: { type: "vector", url: "pmtiles://any" }, shapes },
  };
  const made = ground({ tiles: tiles(), style });
  expect(made.layers).toEqual(style.layers);
  expect(made.sources["base"]).toMatchObject({ tiles: ["pmtiles://map/{z}/{x}/{y}"] });
  expect(made.sources["shapes"]).toEqual(shapes);
  expect(ground({ style }).layers.map(({ id }) => id)).toEqual(["ground"]);
});

test("whose data a file has is text with links, whatever its HTML does", () => {
  const html =
    '© <a href="https://a.example/x" onclick="alert(1)">A</a> and <b>B <a href="javascript:alert(2)">C</a></b><script>alert(3)</script><img src=x>';
  expect(attributionOf(html)).toEqual([
    { text: "©", url: "" },
    { text: "A", url: "https://a.example/x" },
    { text: "and", url: "" },
    { text: "B C", url: "javascript:alert(2)" },
  ]);
  expect(attributionOf("")).toEqual([]);
});
