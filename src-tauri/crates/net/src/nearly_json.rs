//! Reads JSON with common errors of servers: raw control characters and lone surrogates in strings, and invalid
//! numbers. Not here: the output of models, which other code reads.

use std::borrow::Cow;

use serde_json::Value;

/// A lone surrogate becomes the character with its number plus this, in a private use plane, so that a reader of pieces
/// can join it with its other half.
pub const HALF_SHIFT: u32 = 0x10_F800 - 0xD800;
/// The byte order mark of UTF-8, which some servers send first.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// Parses JSON; `None` where it is invalid.
pub fn nearly_json(bytes: &[u8]) -> Option<Value> {
    read(bytes, false).map(|(value, _)| value)
}

/// Parses a piece of a stream, and returns whether [halves](HALF_SHIFT) of characters are in its strings.
pub fn nearly_json_piece(bytes: &[u8]) -> Option<(Value, bool)> {
    read(bytes, true)
}

fn read(bytes: &[u8], keeps_halves: bool) -> Option<(Value, bool)> {
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
    // Most input is valid UTF-8, and checking that is faster than replacing invalid bytes.
    let text = std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed);
    if let Ok(value) = serde_json::from_str(&text) {
        return Some((value, false));
    }
    let (mended, has_halves) = mended(&text, keeps_halves);
    serde_json::from_str(&mended).ok().map(|value| (value, has_halves))
}

/// The text as valid JSON, and whether it contained halves of characters.
fn mended(text: &str, keeps_halves: bool) -> (String, bool) {
    let mut out = String::with_capacity(text.len() + 16);
    let (mut is_in_string, mut has_halves) = (false, false);
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let mut taken = character.len_utf8();
        match character {
            '"' => {
                is_in_string = !is_in_string;
                out.push('"');
            }
            '\\' if is_in_string => match half_at(rest) {
                Some(first) => {
                    let second = rest.get(6..).and_then(half_at);
                    let is_pair = (0xD800..0xDC00).contains(&first)
                        && second.is_some_and(|second| (0xDC00..0xE000).contains(&second));
                    taken = if is_pair { 12 } else { 6 };
                    if is_pair {
                        out.push_str(&rest[..taken]);
                    } else {
                        let kept = if keeps_halves { char::from_u32(HALF_SHIFT + first) } else { None };
                        out.push(kept.unwrap_or(char::REPLACEMENT_CHARACTER));
                        has_halves = true;
                    }
                }
                None => {
                    taken += rest[1..].chars().next().map_or(0, char::len_utf8);
                    out.push_str(&rest[..taken]);
                }
            },
            control if is_in_string && control < ' ' => {
                out.push_str(&format!("\\u{:04x}", u32::from(control)))
            }
            _ if !is_in_string => {
                match ["-Infinity", "Infinity", "NaN"].iter().find(|word| rest.starts_with(**word)) {
                    Some(word) => {
                        taken = word.len();
                        out.push_str("null");
                    }
                    None => out.push(character),
                }
            }
            _ => out.push(character),
        }
        rest = &rest[taken..];
    }
    (out, has_halves)
}

/// The surrogate that is written at the start of a text: `\ud83d`.
fn half_at(text: &str) -> Option<u32> {
    let digits = text.strip_prefix("\\u")?.get(..4)?;
    let number = u32::from_str_radix(digits, 16).ok()?;
    (0xD800..0xE000).contains(&number).then_some(number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn nearly_json_is_parsed_as_intended() {
        let table = [
            ("{\"a\":\"one\ntwo\tthree\u{1}\"}", json!({"a": "one\ntwo\tthree\u{1}"})),
            (
                "{\"a\": NaN, \"b\": [-Infinity, 1], \"c\": \"NaN\"}",
                json!({"a": null, "b": [null, 1], "c": "NaN"}),
            ),
            ("{\"a\":\"\n\\\"q\\\\\"}", json!({"a": "\n\"q\\"})),
            ("{\"a\":\"\\ud83d\\ude00\n\"}", json!({"a": "😀\n"})),
        ];
        for (text, value) in table {
            assert_eq!(nearly_json(text.as_bytes()), Some(value), "{text}");
        }
        assert_eq!(nearly_json(b"\xef\xbb\xbf{}"), Some(json!({})));
        assert_eq!(nearly_json(br#"{"a":"b\ud83d"}"#), Some(json!({"a": "b\u{fffd}"})));
        for none in ["{no json}", "{\"a\":\"\\", "{\"a\":\"\\u12", "{\"a\":\"\\ud83"] {
            assert!(nearly_json(none.as_bytes()).is_none(), "{none}");
        }
    }
}
