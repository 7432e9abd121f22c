//! Reads a person's map style. It may not refer to the network, which the page cannot reach.

use std::path::{Path, PathBuf};

use kernel::{Code, Json, phrase};
use serde_json::Value;
use tokio::task::spawn_blocking;

use crate::ApiError;

/// Largest style, in bytes.
const MOST_BYTES: u64 = 2 << 20;
/// The prefix of addresses of the program's own tiles.
const OWN: &str = "pmtiles://";
/// Fields in which an address is only displayed, never fetched.
const DISPLAYED_FIELDS: [&str; 3] = ["attribution", "metadata", "name"];

/// Reads a MapLibre style of version 8.
///
/// # Errors
/// `bad_input` where the file cannot be read, contains no style, or refers to the network.
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

/// The first address in a style that does not refer to the program's own tiles.
fn remote(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => (text.contains("//") && !text.starts_with(OWN)).then_some(text),
        Value::Array(values) => values.iter().find_map(remote),
        Value::Object(fields) => fields
            .iter()
            .filter(|(name, _)| !DISPLAYED_FIELDS.contains(&name.as_str()))
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
