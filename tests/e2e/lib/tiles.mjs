// A small file of map tiles around the station of the demonstration: land for a lake, a park, roads with names, a
// railway and a town, named as Protomaps does. Written by the definitions of PMTiles 3 and Mapbox vector tiles, not
// by what reads them.
// @ts-check
import { writeFile } from "node:fs/promises";

const ZOOM = 11;
const EXTENT = 4096;
/** [longitude, latitude] of the south-west and the north-east corner of what is covered. */
const CORNERS = [
  [137.87, 36.2],
  [138.04, 36.29],
];

/** @param {number} value */
function varint(value) {
  const bytes = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest % 128) + 128);
  }
}
/**
 * A field of a protobuf message: a number, or what has a length.
 * @param {number} number
 * @param {number | string |
 * Buffer} value
 */
function field(number, value) {
  if (typeof value === "number") return Buffer.concat([varint(number * 8), varint(value)]);
  const bytes = Buffer.from(value);
  return Buffer.concat([varint(number * 8 + 2), varint(bytes.length), bytes]);
}
/** @param {number[]} values */
const packed = (values) => Buffer.concat(values.map(varint));
/** @param {number} value */
const zigzag = (value) => (value < 0 ? -2 * value - 1 : 2 * value);

/** Where a place stands in the grid of the zoom. @param {number[]} place */
function gridOf([longitude = 0, latitude = 0]) {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return [((longitude + 180) / 360) * 2 ** ZOOM, (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * 2 ** ZOOM];
}

/** @typedef {{ type: 1 | 2 | 3, places: number[][], tags: Record<string, string> }} Feature a point, a line, an area */

/** @param {string} name @param {Feature[]} features @param {number} x @param {number} y */
function layer(name, features, x, y) {
  const keys = [...new Set(features.flatMap(({ tags }) => Object.keys(tags)))];
  const values = [...new Set(features.flatMap(({ tags }) => Object.values(tags)))];
  const written = features.map(({ type, places, tags }) => {
    const points = places
      .map(gridOf)
      .map(([column = 0, row = 0]) => [Math.round((column - x) * EXTENT), Math.round((row - y) * EXTENT)]);
    let at = [0, 0];
    const steps = points.map(([column = 0, row = 0]) => {
      const step = [zigzag(column - (at[0] ?? 0)), zigzag(row - (at[1] ?? 0))];
      at = [column, row];
      return step;
    });
    const [first = [], ...others] = steps;
    const commands = [
      1 + 8,
      ...first,
      ...(others.length > 0 ? [2 + 8 * others.length, ...others.flat()] : []),
      ...(type === 3 ? [7 + 8] : []),
    ];
    const pairs = Object.entries(tags).flatMap(([key, value]) => [keys.indexOf(key), values.indexOf(value)]);
    return field(2, Buffer.concat([field(2, packed(pairs)), field(3, type), field(4, packed(commands))]));
  });
  const head = [field(15, 2), field(1, name), ...written];
  return field(
    3,
    Buffer.concat([
      ...head,
      ...keys.map((key) => field(3, key)),
      ...values.map((value) => field(4, field(1, value))),
      field(5, EXTENT),
    ]),
  );
}

/**
 * A corner and its opposite as an area, clockwise on the screen.
 * @param {number} west
 * @param {number} south @param
 * {number} east
 * @param {number} north
 */
const box = (west, south, east, north) => [
  [west, north],
  [east, north],
  [east, south],
  [west, south],
];

/** @returns {Record<string, Feature[]>} */
function town() {
  const roads = [...Array(7).keys()].flatMap((index) => {
    const [west, north] = [137.93 + index * 0.012, 36.215 + index * 0.009];
    const kind = index % 3 === 0 ? "major_road" : "minor_road";
    return /** @type {Feature[]} */ ([
      {
        type: 2,
        places: [137.9, 138.03].map((longitude) => [longitude, north]),
        tags: { kind, name: `Street ${index + 1}` },
      },
      {
        type: 2,
        places: [36.205, 36.285].map((latitude) => [west, latitude]),
        tags: { kind, name: `Avenue ${index + 1}` },
      },
    ]);
  });
  const rail = [
    [137.955, 36.2],
    [137.9645, 36.2306],
    [137.962, 36.288],
  ];
  return {
    landuse: [{ type: 3, places: box(137.968, 36.236, 137.976, 36.242), tags: { kind: "park" } }],
    water: [{ type: 3, places: box(137.932, 36.248, 137.952, 36.264), tags: { kind: "lake" } }],
    buildings: [{ type: 3, places: box(137.9635, 36.2295, 137.965, 36.2312), tags: { kind: "building" } }],
    roads: [...roads, { type: 2, places: rail, tags: { kind: "rail" } }],
    places: [
      {
        type: 1,
        places: [[137.985, 36.25]],
        tags: { kind: "locality", name: "松本市", "name:en": "Matsumoto", "name:ja": "松本市", "name:zh": "松本市" },
      },
    ],
  };
}

/** The number of a tile on the curve of Hilbert, after those of all lower zooms. @param {number} x @param {number} y */
function tileId(x, y) {
  let id = (4 ** ZOOM - 1) / 3;
  for (let size = 2 ** (ZOOM - 1); size >= 1; size /= 2) {
    const [right, down] = [(x & size) > 0 ? 1 : 0, (y & size) > 0 ? 1 : 0];
    id += size * size * ((3 * right) ^ down);
    if (down === 0) {
      if (right === 1) [x, y] = [size - 1 - (x & (size - 1)), size - 1 - (y & (size - 1))];
      [x, y] = [y, x];
    }
  }
  return id;
}

/** Writes the file. @param {string} path */
export async function writeTiles(path) {
  const [[west = 0, south = 0] = [], [east = 0, north = 0] = []] = CORNERS;
  const [[left = 0, top = 0], [right = 0, bottom = 0]] = [gridOf([west, north]), gridOf([east, south])];
  const tiles = [];
  for (let x = Math.floor(left); x <= right; x++) {
    for (let y = Math.floor(top); y <= bottom; y++) {
      tiles.push({
        id: tileId(x, y),
        bytes: Buffer.concat(Object.entries(town()).map(([name, features]) => layer(name, features, x, y))),
      });
    }
  }
  tiles.sort((one, other) => one.id - other.id);
  const directory = packed([
    tiles.length,
    ...tiles.map(({ id }, index) => id - (tiles[index - 1]?.id ?? 0)),
    ...tiles.map(() => 1),
    ...tiles.map(({ bytes }) => bytes.length),
    ...tiles.map((_, index) => (index === 0 ? 1 : 0)),
  ]);
  const layers = Object.keys(town()).map((id) => ({ id, fields: {} }));
  const attribution = '<a href="https://example.org/map">Invented map</a> for <b>tests</b>';
  const metadata = Buffer.from(JSON.stringify({ attribution, vector_layers: layers }));
  const data = Buffer.concat(tiles.map(({ bytes }) => bytes));
  const head = Buffer.alloc(127);
  head.write("PMTiles");
  head[7] = 3;
  const sections = [
    127,
    directory.length,
    127 + directory.length,
    metadata.length,
    0,
    0,
    127 + directory.length + metadata.length,
    data.length,
  ];
  [...sections, tiles.length, tiles.length, tiles.length].forEach((value, index) =>
    head.writeBigUInt64LE(BigInt(value), 8 + 8 * index),
  );
  // In order, nothing packed, vector tiles, of one zoom.
  head.set([1, 1, 1, 1, ZOOM, ZOOM], 96);
  [west, south, east, north].forEach((degrees, index) => head.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * index));
  await writeFile(path, Buffer.concat([head, directory, metadata, data]));
}
