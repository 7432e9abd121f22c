//! Reads a field of a JSON object that is still streaming.

/// The text of a string field as far as it has arrived, escapes decoded; empty when it has not begun. Looks only at the
/// object's own fields, after any fence or text before it.
pub(crate) fn field(partial: &str, name: &str) -> String {
    let bytes = partial.as_bytes();
    let Some(mut at) = partial.find('{') else { return String::new() };
    let mut depth = 0_usize;
    while at < bytes.len() {
        match bytes[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth = depth.saturating_sub(1),
            b'"' => {
                let (text, end) = string(partial, at + 1);
                let Some(end) = end else { return String::new() };
                let rest = partial[end..].trim_start();
                if depth == 1 && text == name && rest.starts_with(':') {
                    let value = rest[1..].trim_start();
                    return match value.strip_prefix('"') {
                        Some(_) => string(value, 1).0,
                        None => String::new(),
                    };
                }
                at = end;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    String::new()
}

/// Decodes from behind an opening quote. Returns the text, and the position behind the closing quote if that has
/// arrived.
fn string(text: &str, from: usize) -> (String, Option<usize>) {
    let mut decoded = String::new();
    let mut characters = text[from..].char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return (decoded, Some(from + at + 1)),
            '\\' => match characters.next().map(|(_, escaped)| escaped) {
                Some('n') => decoded.push('\n'),
                Some('t') => decoded.push('\t'),
                Some('r') => decoded.push('\r'),
                Some('b' | 'f') | None => {}
                Some('u') => {
                    let Some(unit) = unit(&mut characters) else { return (decoded, None) };
                    let code = if (0xD800..0xDC00).contains(&unit) {
                        let mut ahead = characters.clone();
                        let is_pair = ahead.next().is_some_and(|(_, c)| c == '\\')
                            && ahead.next().is_some_and(|(_, c)| c == 'u');
                        match is_pair.then(|| self::unit(&mut ahead)).flatten() {
                            Some(low) if (0xDC00..0xE000).contains(&low) => {
                                characters = ahead;
                                0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00)
                            }
                            // The second half has not arrived yet.
                            _ => return (decoded, None),
                        }
                    } else {
                        unit
                    };
                    decoded.push(char::from_u32(code).unwrap_or('\u{FFFD}'));
                }
                Some(other) => decoded.push(other),
            },
            other => decoded.push(other),
        }
    }
    (decoded, None)
}

fn unit(characters: &mut std::str::CharIndices<'_>) -> Option<u32> {
    let mut code = 0;
    for _ in 0..4 {
        code = code * 16 + characters.next()?.1.to_digit(16)?;
    }
    Some(code)
}

#[cfg(test)]
mod tests {
    use super::field;

    #[test]
    fn the_field_grows_with_the_text() {
        let whole = r#"```json
{"other": {"post": "no"}, "list": ["post"], "post": "Zeile\n\"zwei\" 聖地 \ud83d\ude00 end", "n": 1}"#;
        let mut last = String::new();
        for (end, _) in whole.char_indices() {
            let now = field(&whole[..end], "post");
            assert!(now.starts_with(&last), "{now:?} continues {last:?}");
            last = now;
        }
        assert_eq!(field(whole, "post"), "Zeile\n\"zwei\" 聖地 😀 end");
        assert_eq!(field(whole, "absent"), "");
        assert_eq!(field("no object", "post"), "");
    }
}
