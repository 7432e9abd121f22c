//! Strings in the lenient reader: which quote ends one, and what its escapes mean.
//!
//! A quote ends a string only if the following text could follow a string: an unescaped quote inside one is followed by
//! more of its sentence.

use crate::node::Node;
use crate::scanner::{Failure, Place, Scanner, is_blank, is_quote};

/// Longest name in bytes; anything longer is a sentence with quotes.
const LONGEST_NAME: usize = 160;

impl Scanner<'_, '_, '_> {
    /// One string, or several joined by a plus.
    pub(crate) fn texts(&mut self, place: Place) -> Result<Node, Failure> {
        let Some(mut joined) = self.quoted(place)? else { return Ok(Node::Cut) };
        if place == Place::Key {
            return Ok(Node::Text(joined));
        }
        loop {
            let before = self.at;
            self.skip_blanks()?;
            let after_plus = self.rest().strip_prefix('+').map(|rest| rest.trim_start_matches(is_blank));
            let Some(next) = after_plus.filter(|rest| rest.starts_with(is_quote)) else {
                self.at = before;
                return Ok(Node::Text(joined));
            };
            self.at = self.text.len() - next.len();
            let Some(more) = self.quoted(place)? else { return Ok(Node::Cut) };
            joined.push_str(&more);
        }
    }

    /// One quoted string; `None` if the text ends in it.
    fn quoted(&mut self, place: Place) -> Result<Option<String>, Failure> {
        let Some(opening) = self.peek() else { return Ok(None) };
        // JSON has no three quotes at the beginning of a string.
        if let Some(quotes) = ["\"\"\"", "'''"].into_iter().find(|quotes| self.rest().starts_with(quotes)) {
            return self.triple(quotes);
        }
        let start = self.at;
        self.at += opening.len_utf8();
        let closers = closers(opening, place);
        let mut decoded = String::new();
        let mut has_inner = false;
        loop {
            let rest = self.rest();
            let plain = rest.find(|c: char| c == '\\' || closers.contains(c)).unwrap_or(rest.len());
            self.spend(plain + 1)?;
            decoded.push_str(&rest[..plain]);
            self.at += plain;
            if place == Place::Key && self.at - start > LONGEST_NAME {
                return Err(Failure::NotJson);
            }
            match rest[plain..].chars().next() {
                None => return Ok(None),
                Some('\\') => {
                    if !self.escape(&mut decoded)? {
                        return Ok(None);
                    }
                }
                Some(closer) => {
                    let quote = &rest[plain..];
                    self.at += closer.len_utf8();
                    if self.may_end(place)? {
                        let is_last = self.rest().trim_start_matches(is_blank).is_empty();
                        // The text ends after a mark that may be part of the string: an apostrophe, or one of several
                        // quotes.
                        let may_be_inner =
                            has_inner || "'’".contains(closer) || decoded.ends_with(char::is_whitespace);
                        return Ok((place == Place::Key || !is_last || !may_be_inner).then_some(decoded));
                    }
                    let comma = decoded.trim_end_matches(is_blank).strip_suffix(',').map(str::len);
                    if let Some(end) = comma
                        && place == Place::InObject
                        && self.is_name_ahead(quote)?
                    {
                        // The next field begins, so the closing quote of this string is missing.
                        decoded.truncate(end);
                        self.at -= closer.len_utf8();
                        return Ok(Some(decoded));
                    }
                    if let Some(end) = comma
                        && place == Place::InList
                        && !has_inner
                        && self.is_item_ahead(closer)?
                    {
                        // The next item begins, so the closing quote of this one is missing.
                        decoded.truncate(end);
                        self.at -= closer.len_utf8();
                        return Ok(Some(decoded));
                    }
                    if place == Place::InObject && !has_inner && self.comma_and_mark_follow(closer)? {
                        return Ok(Some(decoded));
                    }
                    has_inner = true;
                    decoded.push(closer);
                    // Doubled quotes are one quote, as in SQL and CSV.
                    if self.rest().starts_with(closer) {
                        self.at += closer.len_utf8();
                        if self.may_end(place)? {
                            self.at -= closer.len_utf8();
                        }
                    }
                }
            }
        }
    }

    /// Whether the next quote ends an item of the list, so that this one begins it.
    fn is_item_ahead(&mut self, mark: char) -> Result<bool, Failure> {
        let rest = self.rest();
        let Some(end) = rest.find(['"', '\'', '\n', '\\']).filter(|end| rest[*end..].starts_with(mark))
        else {
            return Ok(false);
        };
        let behind = &rest[end + mark.len_utf8()..];
        self.spend(end + 1)?;
        Ok(end > 0
            && !rest.starts_with(char::is_whitespace)
            && behind.trim_start_matches(is_blank).starts_with([',', ']']))
    }

    /// Skips a comma and a second closing quote after the first, if the string may end after them.
    fn comma_and_mark_follow(&mut self, closer: char) -> Result<bool, Failure> {
        let before = self.at;
        let Some(rest) = self.rest().strip_prefix(',').and_then(|rest| rest.strip_prefix(closer)) else {
            return Ok(false);
        };
        self.at = self.text.len() - rest.len();
        let may_end = self.may_end(Place::InObject)?;
        if !may_end {
            self.at = before;
        }
        Ok(may_end)
    }

    fn triple(&mut self, quotes: &str) -> Result<Option<String>, Failure> {
        self.at += 3;
        let rest = self.rest();
        let Some(end) = rest.find(quotes) else { return Ok(None) };
        self.spend(end)?;
        self.at += end + 3;
        Ok(Some(rest[..end].trim_matches('\n').to_owned()))
    }

    /// Whether a string may end here, after a quote.
    fn may_end(&mut self, place: Place) -> Result<bool, Failure> {
        let rest = self.rest();
        let mut next = rest.trim_start_matches(is_blank);
        while let Some(after) = ["\\n", "\\r", "\\t"].into_iter().find_map(|escape| next.strip_prefix(escape))
        {
            next = after.trim_start_matches(is_blank);
        }
        self.spend(rest.len() - next.len() + 1)?;
        let has_break = rest[..rest.len() - next.len()].contains('\n');
        let Some(first) = next.chars().next() else { return Ok(true) };
        if place == Place::Key {
            return Ok(first == ':' || first == '：' || next.starts_with('='));
        }
        let is_comment = next.starts_with("//") || next.starts_with("/*") || (has_break && first == '#');
        let is_joined = first == '+' && next[1..].trim_start_matches(is_blank).starts_with(is_quote);
        if is_comment || is_joined {
            return Ok(true);
        }
        Ok(match (place, first) {
            (Place::InList, ']' | '］') | (Place::InObject, '}' | '｝') => true,
            (_, ']' | '］') => self.is_open('['),
            (_, '}' | '｝') => self.is_open('{'),
            (_, ')') => self.is_open('('),
            (_, ',' | ';' | '，' | '、' | '；') => {
                let after = next[first.len_utf8()..].trim_start_matches([',', ';', '，', '、', '；']);
                let after = after.trim_start_matches(is_blank);
                self.spend(next.len() - after.len())?;
                match after.chars().next() {
                    None | Some('}' | ']' | ')' | '｝' | '］' | '/' | '#') => true,
                    // In a document with quoted names, a bare word before a colon is no name.
                    Some(':') if place == Place::InObject => self.is_name_ahead(&after[1..])?,
                    Some('{') if place == Place::InObject => {
                        self.is_in_item() && self.is_name_ahead(after[1..].trim_start_matches(is_blank))?
                    }
                    Some(start) if place == Place::InObject => {
                        (is_quote(start) || self.has_bare_names) && self.is_name_ahead(after)?
                    }
                    Some(start) => is_quote(start) || is_value_ahead(after) || is_ellipsis_ahead(after),
                }
            }
            (Place::InObject, '{') if has_break => {
                self.is_in_item() && self.is_name_ahead(next[1..].trim_start_matches(is_blank))?
            }
            (Place::InObject, _) => is_quote(first) && self.is_name_ahead(next)?,
            (_, _) => next.len() < rest.len() && is_quote(first),
        })
    }

    /// Reads one escape; returns false if the text ends in it.
    fn escape(&mut self, decoded: &mut String) -> Result<bool, Failure> {
        self.at += 1;
        let Some(character) = self.peek() else { return Ok(false) };
        self.spend(1)?;
        self.at += character.len_utf8();
        match character {
            'n' => decoded.push('\n'),
            't' => decoded.push('\t'),
            'r' => decoded.push('\r'),
            'b' => decoded.push('\u{8}'),
            'f' => decoded.push('\u{c}'),
            'u' => match self.unicode() {
                Some(Some(character)) => decoded.push(character),
                Some(None) => decoded.push_str("\\u"),
                None => return Ok(false),
            },
            'U' => match self.hexadecimal(8) {
                Some(code) => decoded.push(char::from_u32(code).unwrap_or('\u{fffd}')),
                None => decoded.push_str("\\U"),
            },
            'x' => match self.hexadecimal(2) {
                Some(code) => decoded.push(char::from_u32(code).unwrap_or('\u{fffd}')),
                None => decoded.push_str("\\x"),
            },
            // An escaped quote is a quote; before a letter the backslash itself is meant, as in formulas and paths.
            '\n' => {}
            mark if mark.is_ascii_punctuation() || is_quote(mark) => decoded.push(mark),
            other => decoded.extend(['\\', other]),
        }
        Ok(true)
    }

    /// Reads after `\u`: a character, `Some(None)` if it is no escape, `None` if the text ends in it.
    fn unicode(&mut self) -> Option<Option<char>> {
        if let Some(inner) = self.rest().strip_prefix('{') {
            let (digits, _) = inner.split_once('}')?;
            let code = u32::from_str_radix(digits, 16).ok().filter(|_| digits.len() <= 6);
            let Some(code) = code else { return Some(None) };
            self.at += digits.len() + 2;
            return Some(Some(char::from_u32(code).unwrap_or('\u{fffd}')));
        }
        if self.rest().len() < 4 && self.rest().chars().all(|c| c.is_ascii_hexdigit()) {
            return None;
        }
        let Some(unit) = self.hexadecimal(4) else { return Some(None) };
        if !(0xD800..0xDC00).contains(&unit) {
            return Some(Some(char::from_u32(unit).unwrap_or('\u{fffd}')));
        }
        let before = self.at;
        if self.rest().starts_with("\\u") {
            self.at += 2;
            if let Some(low) = self.hexadecimal(4).filter(|low| (0xDC00..0xE000).contains(low)) {
                let code = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
                return Some(Some(char::from_u32(code).unwrap_or('\u{fffd}')));
            }
            self.at = before;
        }
        Some(Some('\u{fffd}'))
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<u32> {
        let digits = self.rest().get(..digits).filter(|text| text.bytes().all(|b| b.is_ascii_hexdigit()))?;
        let code = u32::from_str_radix(digits, 16).ok()?;
        self.at += digits.len();
        Some(code)
    }

    /// Whether a field begins with this text: a name and a colon.
    pub(crate) fn is_name_ahead(&mut self, text: &str) -> Result<bool, Failure> {
        let Some(first) = text.chars().next() else { return Ok(false) };
        let mut characters = text.char_indices().take(LONGEST_NAME).skip(1);
        let closers = if is_quote(first) { closers(first, Place::Key) } else { "" };
        let end = loop {
            let Some((at, character)) = characters.next() else { break None };
            if character == '\n' {
                break None;
            }
            if closers.is_empty() {
                if !(character.is_alphanumeric() || "_-$".contains(character)) {
                    break Some(at);
                }
            } else if character == '\\' {
                characters.next();
            } else if closers.contains(character) {
                break Some(at + character.len_utf8());
            }
        };
        self.spend(end.unwrap_or(LONGEST_NAME))?;
        let Some(end) = end else { return Ok(unclosed_name(text).is_some()) };
        let rest = text[end..].trim_start_matches(is_blank);
        let is_address = rest.starts_with("://");
        if is_quote(first) && !rest.starts_with([':', '：', '=']) {
            return Ok(unclosed_name(text).is_some());
        }
        let may_be_bare = first.is_alphabetic() || first == '_' || first == '$';
        Ok(rest.starts_with([':', '：', '=']) && (is_quote(first) || (may_be_bare && !is_address)))
    }
}

/// A name without its closing quote before a list, an object or a literal: `"issues: []`.
pub(crate) fn unclosed_name(text: &str) -> Option<&str> {
    let rest = text.strip_prefix('"')?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    let value = rest[end..].strip_prefix(':')?.trim_start_matches(is_blank);
    let is_value = ["[", "{", "true", "false", "null"].iter().any(|start| value.starts_with(start));
    (end > 0 && is_value).then(|| &rest[..end])
}

fn closers(opening: char, place: Place) -> &'static str {
    match opening {
        '"' if place == Place::Key => "\"”",
        '"' => "\"",
        '“' | '”' | '„' | '＂' => "”“\"＂",
        '‘' | '’' => "’‘'",
        '\'' if place == Place::Key => "'’",
        '\'' => "'",
        '«' => "»",
        '「' => "」",
        _ => "`",
    }
}

/// Whether a list ends here with an ellipsis: `["a", ...]`.
fn is_ellipsis_ahead(text: &str) -> bool {
    let rest = text.strip_prefix("...").or_else(|| text.strip_prefix('…'));
    rest.is_some_and(|rest| rest.trim_start_matches(is_blank).starts_with([']', ',']))
}

/// Whether an unquoted value of a list begins here.
fn is_value_ahead(text: &str) -> bool {
    if text.starts_with(['{', '[']) {
        return true;
    }
    let end = text.find(|c: char| c.is_whitespace() || ",;]}".contains(c)).unwrap_or(text.len());
    let after = text[end..].trim_start_matches(is_blank);
    let word = text[..end].to_ascii_lowercase();
    let is_literal =
        ["true", "false", "null", "none"].contains(&word.as_str()) || crate::written::number(&word).is_some();
    is_literal && (after.is_empty() || after.starts_with([',', ';', ']', '}']))
}
