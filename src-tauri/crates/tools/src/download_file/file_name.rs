//! The name of a downloaded file: from the `Content-Disposition` header (RFC 6266), else from the end of its address.
//! Both are untrusted and are sanitized before use.

use encoding_rs::Encoding;
use net::Answer;
use percent_encoding::{percent_decode, percent_decode_str};

use super::media_types;
use crate::readers::decode;
use crate::run_folder::path::safe_name;

/// The name of a file when neither the header nor the address has one.
pub(super) const FALLBACK_NAME: &str = "download";

/// The name for an answer; the extension of its media type is added when the name has none.
pub(super) fn of(answer: &Answer, media_type: &str) -> String {
    let header = answer.headers.get("content-disposition");
    let given = header.map(|header| given_names(&text_of(header.as_bytes()))).unwrap_or_default();
    let last = answer.url.path_segments().and_then(|mut parts| parts.next_back());
    let of_address = last.map(|last| text_of(&percent_decode_str(last).collect::<Vec<u8>>()));
    let names = given.into_iter().chain(of_address);
    let name = names.filter_map(|name| safe_name(&name)).next().unwrap_or_else(|| FALLBACK_NAME.to_owned());
    match media_types::extension_of(media_type) {
        Some(extension) if media_types::extension(&name).is_none() => {
            safe_name(&format!("{name}.{extension}")).unwrap_or(name)
        }
        _ => name,
    }
}

/// The names in a `Content-Disposition` header: `filename*`, which declares its encoding, before the plain `filename`.
fn given_names(header: &str) -> Vec<String> {
    let parameters = parameters(header);
    let value = |wanted: &str| parameters.iter().find(|(name, _)| name == wanted).map(|(_, value)| value);
    let encoded = value("filename*").and_then(|value| encoded_text(value));
    // Many servers encode the plain name as well, and browsers decode it.
    let plain = value("filename").map(|value| {
        let decoded = percent_decode_str(value).decode_utf8();
        decoded.map_or_else(|_| value.clone(), |decoded| decoded.into_owned())
    });
    encoded.into_iter().chain(plain).collect()
}

/// The parameters of a header with their values; parameter names in lower case.
fn parameters(header: &str) -> Vec<(String, String)> {
    let (mut found, mut characters) = (Vec::new(), header.chars());
    let (mut name, mut value, mut is_value, mut is_quoted) = (String::new(), String::new(), false, false);
    loop {
        match characters.next() {
            Some('"') if is_value => is_quoted = !is_quoted,
            Some('\\') if is_quoted => value.extend(characters.next()),
            Some(character) if is_quoted => value.push(character),
            Some(';') | None => {
                found.push((name.trim().to_lowercase(), value.trim().to_owned()));
                if characters.as_str().is_empty() {
                    return found;
                }
                (name, value, is_value) = (String::new(), String::new(), false);
            }
            Some('=') if !is_value => is_value = true,
            Some(character) if is_value => value.push(character),
            Some(character) => name.push(character),
        }
    }
}

/// Decodes an extended value (RFC 8187): `UTF-8''%E6%BD%AE.pdf`.
fn encoded_text(value: &str) -> Option<String> {
    let mut parts = value.splitn(3, '\'');
    let (label, text) = (parts.next()?, parts.nth(1)?);
    let encoding = Encoding::for_label(label.trim().as_bytes())?;
    let bytes: Vec<u8> = percent_decode(text.as_bytes()).collect();
    let (text, is_malformed) = encoding.decode_without_bom_handling(&bytes);
    (!is_malformed).then(|| text.into_owned())
}

/// Decodes a value without a declared encoding: Latin-1 by the standard, but UTF-8 or an East Asian encoding in
/// practice.
fn text_of(bytes: &[u8]) -> String {
    decode(bytes, None).unwrap_or_else(|| bytes.iter().map(|byte| char::from(*byte)).collect())
}
