//! A style for the map that the person wrote: it may take nothing from the network, since the page may not reach it.

use std::path::{Path, PathBuf};

use kernel::{Code, Json, phrase};
use serde_json::Value;
use tokio::task::spawn_blocking;

use crate::ApiError;

/// No style that is meant for people is longer.
const MOST_BYTES: u64 = 2 << 20;
/// How tiles of the program's own file are named.
const OWN: &str = "pmtiles://";
/// Fields in which an address is only told.
const TOLD: [&str; 3] = ["attribution", "metadata", "name"];

/// Reads a style of MapLibre's version 8.
///
/// # Errors
/// `bad_input` where the file cannot be read, holds no style, or names an address of the network.
pub(super) async fn read_style(path: PathBuf) -> Result<Json, ApiError> {
    let read = move || {
        let text = disk::read_text(&path, MOST_BYTES).map_err(|error| {
            let message = phrase!(
                "The style {path} cannot be read: {error}; choose another in the settings",
                path = path.display(),
                error
            );
            ApiError::new(Code::BadInput, message)
        })?;
        style_in(&path, &text)
    };
    spawn_blocking(read).await.map_err(|_| crate::interrupted())?
}

fn style_in(path: &Path, text: &str) -> Result<Json, ApiError> {
    let style: Value = serde_json::from_str(text).map_err(|error| {
        let message = phrase!(
            "The style {path} is not JSON: {error}; mend it, or choose another in the settings",
            path = path.display(),
            error
        );
        ApiError::new(Code::BadInput, message)
    })?;
    if style["version"] != 8 || !style["layers"].is_array() || !style["sources"].is_object() {
        let message = phrase!(
            "{path} is no style of a map; it should have `version` 8, `sources` and `layers`",
            path = path.display()
        );
        return Err(ApiError::new(Code::BadInput, message));
    }
    if let Some(address) = remote(&style) {
        let message = phrase!(
            "The style {path} takes {address} from the network, where the map takes nothing from; name its tiles `pmtiles://map`, and leave out `glyphs` and `sprite`",
            path = path.display(),
            address
        );
        return Err(ApiError::new(Code::BadInput, message));
    }
    Ok(Json(style))
}

/// The first address in a style that is not of the program's own tiles.
fn remote(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => (text.contains("//") && !text.starts_with(OWN)).then_some(text),
        Value::Array(values) => values.iter().find_map(remote),
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| !TOLD.contains(&name.as_str()))
            .find_map(|(_, value)| remote(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_style_takes_its_tiles_from_the_file_and_nothing_from_the_network() {
        let style = |sources: Value, more: Value| {
            let style = json!({"version": 8, "layers": [], "sources": sources, "metadata": more});
            style_in(Path::new("/s.json"), &style.to_string())
        };
        let own = json!({"m": {"type": "vector", "url": "pmtiles://map", "attribution": "<a href='https://e.org'>E</a>"}});
        style(own, json!({"from": "https://example.org"})).unwrap();
        for source in [
            json!({"url": "https://e.org/t.json"}),
            json!({"tiles": ["//e.org/{z}"]}),
            json!({"url": "pmtiles:https://e.org/a"}),
            json!({"data": "http://127.0.0.1/x"}),
        ] {
            let error = style(json!({"m": source}), Value::Null).unwrap_err();
            assert!(
                error.message.contains("/s.json takes") && error.message.contains("pmtiles://map"),
                "{error}"
            );
        }
        let glyphs =
            json!({"version": 8, "layers": [], "sources": {}, "glyphs": "https://e.org/{fontstack}"});
        assert!(style_in(Path::new("/s.json"), &glyphs.to_string()).is_err());
        for text in ["{", "[]", "{\"version\": 7, \"layers\": [], \"sources\": {}}", "{\"version\": 8}"] {
            assert!(style_in(Path::new("/s.json"), text).unwrap_err().message.contains("/s.json"), "{text}");
        }
    }
}
