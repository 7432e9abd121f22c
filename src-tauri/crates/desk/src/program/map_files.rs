//! The person's map files from the settings, as data for the page, which cannot read files.
//!
//! Each command opens the file again, so that a changed or missing file is noticed and no file stays open.

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kernel::{Code, phrase};

use super::map_style::read_style;
use super::map_tiles::Tiles;
use crate::ApiError;
use crate::api::{MapFiles, MapTile, Nothing, Setting, TileRef};
use crate::program::ProgramService;
use crate::settings::{MAP_STYLE, MAP_TILES};

/// Refuses an unreadable map file. Empty removes the setting.
pub(crate) async fn refuse(setting: &Setting) -> Result<(), ApiError> {
    if setting.key == MAP_TILES
        && let Some(path) = chosen(&setting.value)?
    {
        Tiles::open(&path).await?.describe().await?;
    }
    if setting.key == MAP_STYLE
        && let Some(path) = chosen(&setting.value)?
    {
        read_style(path).await?;
    }
    Ok(())
}

impl ProgramService {
    pub(crate) async fn describe_map(&self, _: Nothing) -> Result<MapFiles, ApiError> {
        let tiles = match self.map_file(MAP_TILES)? {
            Some(path) => Some(Tiles::open(&path).await?.describe().await?),
            None => None,
        };
        let style = match self.map_file(MAP_STYLE)? {
            Some(path) => Some(read_style(path).await?),
            None => None,
        };
        Ok(MapFiles { tiles, style })
    }

    pub(crate) async fn read_map_tile(&self, tile: TileRef) -> Result<MapTile, ApiError> {
        let path = self.map_file(MAP_TILES)?.ok_or_else(|| {
            ApiError::new(Code::NotFound, phrase!("No tiles file is set; choose one in the settings"))
        })?;
        let data = Tiles::open(&path).await?.tile(tile).await?;
        Ok(MapTile { data: data.map(|bytes| STANDARD.encode(bytes)) })
    }

    fn map_file(&self, key: &str) -> Result<Option<PathBuf>, ApiError> {
        chosen(&self.settings.get(key)?)
    }
}

/// The path in a setting, if it is set.
fn chosen(value: &str) -> Result<Option<PathBuf>, ApiError> {
    let path = Path::new(value.trim());
    match value.trim() {
        "" => Ok(None),
        _ if path.is_absolute() => Ok(Some(path.to_owned())),
        _ => Err(ApiError::new(
            Code::BadInput,
            phrase!(
                "`{path}` depends on the folder one is in; give the whole path of the file",
                path = value
            ),
        )),
    }
}
