//! Reads single tiles from a PMTiles 3 file.
//!
//! The file may be untrusted or truncated: every read and its decompressed size are limited, and the file is not
//! memory-mapped, because a file that shrinks would crash the program.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use kernel::{Code, phrase};
use pmtiles::{
    AsyncBackend, AsyncPmTilesReader, BackendResponse, Compression, PmtError, PmtResult, TileCoord, TileType,
};
use serde_json::Value;
use tokio::task::spawn_blocking;

use crate::ApiError;
use crate::api::{TileFormat, TileRef, TileSet};

/// Largest tile or directory, in bytes.
const MOST_BYTES: usize = 4 << 20;
/// Largest decompressed tile or directory, in bytes.
const MOST_UNPACKED: u64 = 16 << 20;
/// Longest attribution, in characters.
const MOST_ATTRIBUTION: usize = 2_000;
const MOST_LAYERS: usize = 200;
/// The highest zoom level of maps.
const MOST_ZOOM: u8 = 24;

/// Reads parts of a file, each of limited length.
struct BoundedFile(File);

impl AsyncBackend for BoundedFile {
    async fn read(&self, offset: u64, length: usize) -> PmtResult<BackendResponse> {
        if length > MOST_BYTES {
            return Err(too_long(length as u64).into());
        }
        let mut file = self.0.try_clone()?;
        let read = move || {
            let mut bytes = Vec::new();
            file.seek(SeekFrom::Start(offset))?;
            file.take(length as u64).read_to_end(&mut bytes)?;
            refuse_bomb(&bytes)?;
            Ok::<_, io::Error>(bytes)
        };
        let bytes = spawn_blocking(read).await.map_err(io::Error::other)??;
        Ok(BackendResponse::new(bytes.into()))
    }
}

/// Refuses data that decompresses to too much; the PMTiles reader has no limit of its own.
fn refuse_bomb(bytes: &[u8]) -> io::Result<()> {
    if !bytes.starts_with(b"\x1f\x8b") {
        return Ok(());
    }
    let unpacked = io::copy(&mut GzDecoder::new(bytes).take(MOST_UNPACKED + 1), &mut io::sink())?;
    if unpacked > MOST_UNPACKED { Err(too_long(unpacked)) } else { Ok(()) }
}

fn too_long(bytes: u64) -> io::Error {
    io::Error::new(io::ErrorKind::FileTooLarge, format!("a part of it has {bytes} bytes, too many for a map"))
}

/// An open file of tiles.
pub(super) struct Tiles {
    path: PathBuf,
    format: TileFormat,
    reader: AsyncPmTilesReader<BoundedFile>,
}

impl Tiles {
    /// Opens a file and checks whether its tiles can be shown.
    ///
    /// # Errors
    /// `bad_input` where it cannot be read, is no PMTiles file of version 3, or contains no map tiles.
    pub(super) async fn open(path: &Path) -> Result<Tiles, ApiError> {
        let named = path.to_owned();
        let file = spawn_blocking(move || disk::open_named(&named)).await.map_err(io::Error::other);
        let file = file.flatten().map_err(|error| {
            let message = phrase!(
                "The tiles file {path} cannot be opened: {error}; choose another in the settings",
                path = path.display(),
                error
            );
            ApiError::new(Code::BadInput, message)
        })?;
        let reader = AsyncPmTilesReader::try_from_source(BoundedFile(file)).await;
        let reader = reader.map_err(|error| unusable(path, &error))?;
        let header = reader.get_header();
        if header.spec_version() != 3 {
            return Err(unusable(path, &PmtError::UnsupportedPmTilesVersion));
        }
        if !matches!(header.tile_compression, Compression::None | Compression::Gzip) {
            return Err(unusable(path, &PmtError::UnsupportedCompression(header.tile_compression)));
        }
        let format = match header.tile_type {
            TileType::Mvt => TileFormat::Mvt,
            TileType::Mlt => TileFormat::Mlt,
            TileType::Png | TileType::Jpeg | TileType::Webp | TileType::Avif => TileFormat::Image,
            TileType::Unknown => return Err(unusable(path, &PmtError::InvalidTileType)),
        };
        if header.min_zoom > header.max_zoom || header.max_zoom > MOST_ZOOM {
            return Err(unusable(path, &PmtError::InvalidHeader));
        }
        Ok(Tiles { path: path.to_owned(), format, reader })
    }

    /// The metadata of the file.
    ///
    /// # Errors
    /// `bad_input` where the metadata cannot be read.
    pub(super) async fn describe(&self) -> Result<TileSet, ApiError> {
        let said = match self.reader.get_metadata().await {
            Ok(text) => serde_json::from_str(&text).unwrap_or(Value::Null),
            // The metadata is optional.
            Err(PmtError::InvalidMetadata) => Value::Null,
            Err(error) => return Err(unusable(&self.path, &error)),
        };
        let header = self.reader.get_header();
        let layers = said["vector_layers"].as_array().into_iter().flatten();
        let names = layers.filter_map(|layer| Some(layer["id"].as_str()?.to_owned()));
        let attribution = said["attribution"].as_str().unwrap_or_default();
        let corners = [header.min_longitude, header.min_latitude, header.max_longitude, header.max_latitude];
        Ok(TileSet {
            format: self.format,
            min_zoom: header.min_zoom,
            max_zoom: header.max_zoom,
            bounds: bounds(corners),
            attribution: attribution.chars().take(MOST_ATTRIBUTION).collect(),
            layers: names.take(MOST_LAYERS).collect(),
        })
    }

    /// The decompressed bytes of a tile; `None` where the file has no such tile.
    ///
    /// # Errors
    /// `bad_input` where the coordinates are invalid or the bytes cannot be read.
    pub(super) async fn tile(&self, TileRef { z, x, y }: TileRef) -> Result<Option<Vec<u8>>, ApiError> {
        let place = TileCoord::new(z, x, y).map_err(|_| {
            ApiError::new(Code::BadInput, phrase!("There is no tile {z}/{x}/{y} on the earth", z, x, y))
        })?;
        let bytes = self.reader.get_tile_decompressed(place).await.map_err(|error| {
            let message = phrase!(
                "The tile {z}/{x}/{y} of {path} cannot be read: {error}; the file may be cut off, so fetch it once more",
                z,
                x,
                y,
                path = self.path.display(),
                error = error.to_string()
            );
            ApiError::new(Code::BadInput, message)
        })?;
        Ok(bytes.map(Into::into))
    }
}

/// The bounds of the tiles, or the whole earth where the corners enclose no area.
fn bounds([west, south, east, north]: [f64; 4]) -> [f64; 4] {
    let is_box =
        (-180.0..east).contains(&west) && east <= 180.0 && (-90.0..north).contains(&south) && north <= 90.0;
    if is_box { [west, south, east, north] } else { [-180.0, -90.0, 180.0, 90.0] }
}

fn unusable(path: &Path, error: &PmtError) -> ApiError {
    let message = phrase!(
        "{path} cannot be used as a file of map tiles: {error}; choose a whole PMTiles file of version 3 in the settings",
        path = path.display(),
        error = error.to_string()
    );
    ApiError::new(Code::BadInput, message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pmtiles::PmTilesWriter;
    use std::io::Write;

    const TILE: &[u8] = b"the bytes of a tile";

    /// A file with the tile 1/0/0, and its path; it is deleted with the folder.
    fn file(kind: TileType, metadata: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pmtiles");
        let writer = PmTilesWriter::new(kind).min_zoom(1).max_zoom(1).bounds(10.0, 50.0, 11.0, 51.0);
        let mut writer = writer.metadata(metadata).create(File::create(&path).unwrap()).unwrap();
        writer.add_tile(TileCoord::new(1, 0, 0).unwrap(), TILE).unwrap();
        writer.finalize().unwrap();
        (folder, path)
    }

    /// The message of the refusal.
    async fn refusal(path: &Path) -> String {
        let Err(error) = Tiles::open(path).await else { panic!("{} was taken", path.display()) };
        assert!(error.message.contains(&path.display().to_string()), "{error}");
        error.message
    }

    #[tokio::test]
    async fn a_file_returns_its_metadata_and_one_decompressed_tile() {
        let said = r#"{"attribution": "<a>us</a>", "vector_layers": [{"id": "earth"}, {"no": 1}]}"#;
        let (_folder, path) = file(TileType::Mvt, said);
        let tiles = Tiles::open(&path).await.unwrap();
        let set = tiles.describe().await.unwrap();
        assert_eq!((set.format, set.min_zoom, set.max_zoom), (TileFormat::Mvt, 1, 1));
        assert_eq!(set.bounds, [10.0, 50.0, 11.0, 51.0]);
        assert_eq!((set.attribution.as_str(), set.layers), ("<a>us</a>", vec!["earth".to_owned()]));
        assert_eq!(tiles.tile(TileRef { z: 1, x: 0, y: 0 }).await.unwrap().unwrap(), TILE);
        assert_eq!(tiles.tile(TileRef { z: 1, x: 1, y: 0 }).await.unwrap(), None);
        assert!(tiles.tile(TileRef { z: 1, x: 2, y: 0 }).await.unwrap_err().message.contains("1/2/0"));
        let (_folder, path) = file(TileType::Png, "[]");
        let set = Tiles::open(&path).await.unwrap().describe().await.unwrap();
        assert_eq!((set.format, set.layers.len()), (TileFormat::Image, 0));
    }

    #[tokio::test]
    async fn an_incomplete_file_of_tiles_is_refused_with_its_path() {
        let (folder, path) = file(TileType::Mvt, "{}");
        let whole = std::fs::read(&path).unwrap();
        let other = folder.path().join("b");
        assert!(refusal(&other).await.contains("cannot be opened"));
        std::fs::create_dir(&other).unwrap();
        refusal(&other).await;
        let other = folder.path().join("c");
        let mut version = whole.clone();
        version[7] = 4;
        let mut packed = whole.clone();
        packed[98] = 4;
        for bytes in [&b"PK\x03\x04 a zip"[..], b"", &whole[..90], &version, &packed] {
            std::fs::write(&other, bytes).unwrap();
            refusal(&other).await;
        }
        // Cut behind the directory: the file opens, and only the tile cannot be read.
        std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let error = Tiles::open(&path).await.unwrap().tile(TileRef { z: 1, x: 0, y: 0 }).await.unwrap_err();
        assert!(error.message.contains("1/0/0") && error.message.contains("cut off"), "{error}");
    }

    #[tokio::test]
    async fn decompression_is_limited() {
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
        packed.write_all(&vec![0; MOST_UNPACKED as usize + 1]).unwrap();
        let bomb = packed.finish().unwrap();
        assert!(bomb.len() < MOST_BYTES && refuse_bomb(&bomb).is_err());
        let (_folder, path) =
            file(TileType::Mvt, &format!("{{\"a\": \"{}\"}}", "a".repeat(MOST_UNPACKED as usize)));
        let tiles = Tiles::open(&path).await.unwrap();
        assert!(tiles.describe().await.unwrap_err().message.contains("too many"));
        assert_eq!(bounds([170.0, 0.0, -170.0, f64::NAN]), [-180.0, -90.0, 180.0, 90.0]);
    }
}
