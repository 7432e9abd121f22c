//! Makes text safe for a terminal: text of models, pages and files may contain control sequences.

use std::borrow::Cow;
use std::io::{Result, Write};

/// The text without control characters except line breaks and tabs, and without direction marks and other invisible
/// formatting characters.
pub fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_steering) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().filter(|character| !is_steering(*character)).collect())
}

/// JSON with the same characters written as escapes, which programs read alike and a terminal ignores.
pub fn printable_json(text: String) -> String {
    if !text.contains(is_steering) {
        return text;
    }
    let mut escaped = String::with_capacity(text.len() + 64);
    for character in text.chars() {
        if is_steering(character) {
            for unit in character.encode_utf16(&mut [0; 2]) {
                escaped.push_str(&format!("\\u{unit:04x}"));
            }
        } else {
            escaped.push(character);
        }
    }
    escaped
}

fn is_steering(character: char) -> bool {
    let is_control = character.is_control() && !matches!(character, '\n' | '\t');
    is_control
        || matches!(character,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Standard error for log lines, each written in one call.
pub(crate) struct PrintableError;

impl Write for PrintableError {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let text = String::from_utf8_lossy(bytes);
        std::io::stderr().lock().write_all(printable(&text).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<()> {
        std::io::stderr().lock().flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_sequences_are_removed_and_letters_of_every_script_stay() {
        let hostile = "a\u{1b}[2J\u{9b}31m\u{7}\u{7f}\r\u{8}b\u{202e}c\u{2066}d\u{200f}\u{e0041}\n\t聖地 שלום 👩\u{200d}🔬";
        assert_eq!(printable(hostile), "a[2J31mbcd\n\t聖地 שלום 👩\u{200d}🔬");
        let json = serde_json::to_string(hostile).unwrap();
        let escaped = printable_json(json);
        assert_eq!(printable(&escaped), escaped);
        assert_eq!(serde_json::from_str::<String>(&escaped).unwrap(), hostile);
    }
}
