//! The person's files of map tiles and map style for the page.

use kernel::Json;
use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// What the settings say of the map.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct MapFiles {
    /// The tiles, where a file of them is chosen.
    pub tiles: Option<TileSet>,
    /// The style, where a file of one is chosen: as MapLibre reads it, its tiles named `pmtiles://…`.
    pub style: Option<Json>,
}

/// Of which kind tiles are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, TS)]
#[serde(rename_all = "snake_case")]
pub enum TileFormat {
    /// Mapbox vector tiles.
    Mvt,
    /// MapLibre's own vector tiles.
    Mlt,
    /// Pictures.
    Image,
}

/// A file of map tiles.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct TileSet {
    /// The kind of its tiles.
    pub format: TileFormat,
    /// The lowest zoom that it has.
    pub min_zoom: u8,
    /// The highest zoom that it has.
    pub max_zoom: u8,
    /// West, south, east, north, in degrees.
    pub bounds: [f64; 4],
    /// Whose data it has, in HTML of the file: not to be shown as it is.
    pub attribution: String,
    /// The names of its layers, of vector tiles.
    pub layers: Vec<String>,
}

/// A tile by its zoom and its place in the grid of that zoom, counted from the north-west from 0 on.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, TS)]
pub struct TileRef {
    /// The zoom.
    pub z: u8,
    /// The column.
    pub x: u32,
    /// The row.
    pub y: u32,
}

/// What a tile holds.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct MapTile {
    /// Its bytes, unpacked, in base64; `null` where the file has no such tile.
    pub data: Option<String>,
}
