//! Joins UTF-16 surrogates that arrive in different frames, because a server splits texts by UTF-16 units.

use net::HALF_SHIFT;

const HALVES: std::ops::RangeInclusive<char> = '\u{10F800}'..='\u{10FFFF}';

/// The half that waits for the other one.
#[derive(Default)]
pub(crate) struct SurrogateJoiner {
    is_needed: bool,
    held: Option<u32>,
}

impl SurrogateJoiner {
    /// Enables the joiner: from now on halves may come.
    pub(crate) fn expect(&mut self) {
        self.is_needed = true;
    }

    /// Returns the text with halves joined. A half at its end waits for the next text.
    pub(crate) fn pass(&mut self, text: String) -> String {
        if !self.is_needed {
            return text;
        }
        let mut out = String::with_capacity(text.len() + 3);
        for character in text.chars() {
            let half = HALVES.contains(&character).then(|| u32::from(character) - HALF_SHIFT);
            match (self.held.take(), half) {
                (Some(first), Some(second)) if second >= 0xDC00 => {
                    let joined = 0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00);
                    out.push(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
                    continue;
                }
                (Some(_), _) => out.push(char::REPLACEMENT_CHARACTER),
                (None, _) => {}
            }
            match half {
                Some(first) if first < 0xDC00 => self.held = Some(first),
                Some(_) => out.push(char::REPLACEMENT_CHARACTER),
                None => out.push(character),
            }
        }
        out
    }

    /// The replacement for a half without its counterpart.
    pub(crate) fn rest(&mut self) -> &'static str {
        if self.held.take().is_some() { "\u{fffd}" } else { "" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_are_joined_across_frames_and_a_single_one_loses_only_itself() {
        let mut joiner = SurrogateJoiner::default();
        let mut text = String::new();
        for frame in
            [r#"{"t":"a \ud83d"}"#, r#"{"t":"\ude00 b"}"#, r#"{"t":"\udc00c\ud800"}"#, r#"{"t":"d\ud83d"}"#]
        {
            let (value, has_halves) = net::nearly_json_piece(frame.as_bytes()).unwrap();
            if has_halves {
                joiner.expect();
            }
            text += &joiner.pass(value["t"].as_str().unwrap().to_owned());
        }
        text += joiner.rest();
        assert_eq!(text, "a 😀 b\u{fffd}c\u{fffd}d\u{fffd}");
        assert_eq!(SurrogateJoiner::default().pass("\u{10F801}".to_owned()), "\u{10F801}");
    }
}
