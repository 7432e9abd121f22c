//! Fetches web pictures in a text when the person wants to see them: with the network client of tools, so that the same
//! hosts are refused, and only addresses in the run's own texts.
//!
//! The page gets them as data, because it has no network access.

use std::time::Duration;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use kernel::{Code, Seq, phrase};
use net::{Caps, Request};

use crate::ApiError;
use crate::api::{FetchImage, FetchedImage};
use crate::runs::RunService;

/// Largest picture, timeout and redirects.
const CAPS: Caps = Caps { most_bytes: 3 << 20, within: Duration::from_secs(15), redirects: 3 };

/// The first bytes of each format. SVG is not allowed, because it may contain scripts.
const KINDS: [(&str, &[u8]); 5] = [
    ("image/png", b"\x89PNG\r\n\x1a\n"),
    ("image/jpeg", b"\xff\xd8\xff"),
    ("image/gif", b"GIF87a"),
    ("image/gif", b"GIF89a"),
    ("image/webp", b"RIFF"),
];

impl RunService {
    pub(crate) async fn fetch_image(&self, request: FetchImage) -> Result<FetchedImage, ApiError> {
        let id = self.store.resolve_run(&request.run).await?;
        let state = self.store.state_at(&id, request.seq.unwrap_or(Seq::MAX)).await?;
        if !state.iter().any(|(_, value)| names(value.json_or_null(), &request.url)) {
            let message = phrase!("No text of this run names this picture, so it is not fetched");
            return Err(ApiError::new(Code::BadInput, message));
        }
        let url = request.url.parse().map_err(|_| {
            ApiError::new(Code::BadInput, phrase!("The address of this picture is none; nothing was fetched"))
        })?;
        let allowed = self.settings.allowed_addresses()?;
        let client = self.net.allowing(allowed.iter().map(String::as_str));
        let answer = client.send(Request::get(url).caps(CAPS)).await.map_err(|error| {
            ApiError::new(error.code(), phrase!("The picture cannot be shown: {why}", why = error.phrase()))
        })?;
        if !answer.is_success() {
            let message =
                phrase!("The picture is not there: its server answers {status}", status = answer.status);
            return Err(ApiError::new(Code::NotFound, message));
        }
        let kind = kind(&answer.body).ok_or_else(|| {
            ApiError::new(
                Code::BadInput,
                phrase!(
                    "What is at this address is no picture that can be shown here (PNG, JPEG, GIF, WebP)"
                ),
            )
        })?;
        Ok(FetchedImage { data_url: format!("data:{kind};base64,{}", STANDARD.encode(&answer.body)) })
    }
}

/// Whether a text in this value contains the address.
fn names(value: &serde_json::Value, url: &str) -> bool {
    match value {
        serde_json::Value::String(text) => text.contains(url),
        serde_json::Value::Array(values) => values.iter().any(|value| names(value, url)),
        serde_json::Value::Object(fields) => fields.values().any(|value| names(value, url)),
        serde_json::Value::Null | serde_json::Value::Bool(_) | serde_json::Value::Number(_) => false,
    }
}

/// The format of a picture by its first bytes; the server's content type is ignored.
pub(crate) fn kind(bytes: &[u8]) -> Option<&'static str> {
    let (kind, _) = KINDS.iter().find(|(_, first)| bytes.starts_with(first))?;
    (*kind != "image/webp" || bytes.get(8..12) == Some(b"WEBP".as_slice())).then_some(*kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_picture_is_identified_by_its_bytes_and_svg_is_refused() {
        assert_eq!(kind(b"\x89PNG\r\n\x1a\n...."), Some("image/png"));
        assert_eq!(kind(b"RIFF....WEBPVP8 "), Some("image/webp"));
        for other in [&b"RIFF....WAVE"[..], b"<svg onload='x()'/>", b"<html>", b"RIFF", b""] {
            assert_eq!(kind(other), None);
        }
    }
}
