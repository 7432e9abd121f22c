//! The lenient reader of one JSON value: linear time, bounded depth, and it never invents a value.
//!
//! For valid JSON it gives the same result as a strict reader, which a property test checks. Beyond that it accepts
//! comments, missing or extra commas, single, curly and triple quotes, bare names, other spellings of literals, and the
//! text errors in `quoted`. Not here: where a value may begin in a text (`candidates`).

use crate::Fault;
use crate::node::Node;
use crate::quoted::unclosed_name;
use crate::scanner::{Failure, Place, Scanner, is_blank, is_quote};
use crate::work::Work;
use crate::written::{number, thousands};

/// Most levels that are read.
pub(crate) const MAX_DEPTH: usize = 100;

/// Most items of a list that are read.
pub(crate) const MOST_ITEMS: usize = 10_000;

/// Reads the object or list that begins at `start`, and returns it with its end.
pub(crate) fn read(text: &str, start: usize, work: &mut Work<'_>) -> Result<(Node, usize), Failure> {
    let mut reader = Scanner { text, at: start, open: Vec::new(), has_bare_names: false, work };
    let node = reader.value(Place::InList)?;
    Ok((node, reader.at))
}

impl<'t> Scanner<'t, '_, '_> {
    fn value(&mut self, place: Place) -> Result<Node, Failure> {
        self.skip_blanks()?;
        match self.peek() {
            None => Ok(Node::Cut),
            Some('{' | '｛') => self.nested('{', Self::object),
            Some('[' | '［') => self.nested('[', Self::list),
            Some('(') => self.nested('(', Self::parenthesis),
            Some('`') if self.rest().starts_with("```") => Err(Failure::NotJson),
            Some(quote) if is_quote(quote) => self.texts(place),
            Some(',' | '}') if place == Place::InObject => Ok(Node::Null),
            Some(character) if character.is_alphanumeric() || "-+._$".contains(character) => self.bare(place),
            Some(_) => Err(Failure::NotJson),
        }
    }

    fn nested(
        &mut self,
        bracket: char,
        read: impl FnOnce(&mut Self) -> Result<Node, Failure>,
    ) -> Result<Node, Failure> {
        if self.open.len() >= MAX_DEPTH {
            return Err(Failure::TooDeep(self.at));
        }
        self.open.push(bracket);
        self.at += self.peek().map_or(1, char::len_utf8);
        let node = read(self)?;
        self.open.pop();
        Ok(node)
    }

    /// Skips separators. Returns `Some` when this level ends: true if a bracket closed it; a bracket that closes an
    /// outer level is not consumed.
    fn ends(&mut self) -> Result<Option<bool>, Failure> {
        loop {
            self.skip_blanks()?;
            let Some(character) = self.peek() else { return Ok(Some(false)) };
            let opening = match character {
                '}' | '｝' => '{',
                ']' | '］' => '[',
                ')' => '(',
                ',' | ';' | '，' | '、' | '；' | '…' => {
                    self.at += character.len_utf8();
                    continue;
                }
                '.' if self.rest().starts_with("...") => {
                    self.at += 3;
                    continue;
                }
                _ => return Ok(None),
            };
            let is_of_outer = self.open.last() != Some(&opening) && self.is_open(opening);
            if self.is_one_too_many(opening) {
                self.at += character.len_utf8();
                continue;
            }
            if !is_of_outer {
                self.at += character.len_utf8();
            }
            return Ok(Some(true));
        }
    }

    /// Whether a closing bracket matches no open one, and the object continues after it.
    fn is_one_too_many(&mut self, opening: char) -> bool {
        let mut after = self.rest().chars();
        after.next();
        let after = after.as_str().trim_start_matches(is_blank);
        let goes_on = after.strip_prefix(',').is_some_and(|rest| {
            let rest = rest.trim_start_matches(is_blank);
            rest.starts_with(is_quote)
        });
        opening == '[' && self.open.last() == Some(&'{') && !self.is_open('[') && goes_on
    }

    fn object(&mut self) -> Result<Node, Failure> {
        let mut fields = Vec::new();
        loop {
            if let Some(is_closed) = self.ends()? {
                return Ok(Node::Object { fields, is_closed });
            }
            if self.is_in_item() && !fields.is_empty() && self.rest().starts_with(['{', '｛']) {
                // The next item begins, so the closing brace of this one is missing.
                return Ok(Node::Object { fields, is_closed: true });
            }
            if !fields.is_empty() && self.rest().starts_with("```") {
                // The fence ends, so the bracket is missing.
                return Ok(Node::Object { fields, is_closed: false });
            }
            let Some(name) = self.name()? else { return Ok(Node::Object { fields, is_closed: false }) };
            self.skip_blanks()?;
            let rest = self.rest();
            let Some(colon) = ["=>", ":=", ":", "=", "："].into_iter().find(|colon| rest.starts_with(colon))
            else {
                if rest.is_empty() {
                    fields.push((name, Node::Cut));
                    return Ok(Node::Object { fields, is_closed: false });
                }
                return Err(Failure::NotJson);
            };
            self.at += colon.len();
            let node = self.value(Place::InObject)?;
            fields.push((name, node));
        }
    }

    /// The content of parentheses: named arguments, adjacent texts, or a list.
    fn parenthesis(&mut self) -> Result<Node, Failure> {
        self.skip_blanks()?;
        let rest = self.rest();
        if self.is_name_ahead(rest)? {
            return self.object();
        }
        let start = self.at;
        let list = self.list()?;
        let has_comma = self.text[start..self.at].contains([',', '，']);
        match list {
            Node::List { items, is_closed: true } if !has_comma && !items.is_empty() => {
                let texts = items.iter().map(|item| match item {
                    Node::Text(text) => Some(text.as_str()),
                    _ => None,
                });
                texts.collect::<Option<String>>().map(Node::Text).ok_or(Failure::NotJson)
            }
            list => Ok(list),
        }
    }

    /// The name of a field; `None` if the text ends in it.
    fn name(&mut self) -> Result<Option<String>, Failure> {
        match self.peek() {
            Some(quote) if is_quote(quote) && quote != '`' => {
                let start = self.at;
                match self.texts(Place::Key) {
                    Ok(Node::Text(name)) => Ok(Some(name)),
                    Ok(_) => Ok(None),
                    Err(Failure::NotJson) => {
                        let name = unclosed_name(&self.text[start..]).ok_or(Failure::NotJson)?;
                        self.at = start + 1 + name.len();
                        Ok(Some(name.to_owned()))
                    }
                    Err(failure) => Err(failure),
                }
            }
            // A Ruby symbol.
            Some(':') if self.rest()[1..].starts_with(is_bare_name) => {
                self.at += 1;
                self.name()
            }
            Some(character) if is_bare_name(character) => {
                let rest = self.rest();
                let end = rest.find(|c: char| !is_bare_name(c) && c != '-').unwrap_or(rest.len());
                self.at += end;
                self.spend(end)?;
                self.has_bare_names = true;
                // The opening quote is missing.
                let mark = rest[end..].chars().next().filter(|mark| is_quote(*mark));
                self.at += mark.map_or(0, char::len_utf8);
                Ok((end < rest.len()).then(|| rest[..end].to_owned()))
            }
            _ => Err(Failure::NotJson),
        }
    }

    fn list(&mut self) -> Result<Node, Failure> {
        let mut items = Vec::new();
        loop {
            self.skip_blanks()?;
            if self.is_brace_too_many(items.last()) {
                self.at += 1;
            }
            if let Some(is_closed) = self.ends()? {
                return Ok(Node::List { items, is_closed });
            }
            let rest = self.rest();
            if items.is_empty() && rest.starts_with(is_quote) && self.is_name_ahead(rest)? {
                // Fields between brackets are one item.
                return self.object().map(|item| Node::List { items: vec![item], is_closed: true });
            }
            if self.is_open('{') && rest.starts_with(is_quote) && self.is_name_ahead(rest)? {
                // A field is no item, so the list's bracket is missing.
                return Ok(Node::List { items, is_closed: true });
            }
            let item = self.value(Place::InList)?;
            items.push(item);
            if items.len() > MOST_ITEMS {
                return Err(Failure::Ended(Fault::Entangled));
            }
        }
    }

    /// Whether a second brace closes the last object of a list, and the list continues with the next one.
    fn is_brace_too_many(&self, last: Option<&Node>) -> bool {
        let follows = |rest: &'t str, mark: char| rest.trim_start_matches(is_blank).strip_prefix(mark);
        let is_inside_list_item = self.open.iter().rev().nth(2) == Some(&'[');
        matches!(last, Some(Node::Object { is_closed: true, .. }))
            && !is_inside_list_item
            && follows(self.rest(), '}')
                .and_then(|rest| follows(rest, ','))
                .and_then(|rest| follows(rest, '{'))
                .is_some()
    }

    /// A literal, a number, or unquoted words.
    fn bare(&mut self, place: Place) -> Result<Node, Failure> {
        let rest = self.rest();
        let is_end = |c: char| c.is_whitespace() || ",;，、；：{}[]()｛｝［］\"'`“”「".contains(c);
        let end = rest.find(is_end).unwrap_or(rest.len());
        // A word or number at the end of the text may be incomplete.
        let is_cut = end == rest.len();
        let word = &rest[..end];
        self.spend(end)?;
        self.at += end;
        let literal = match word.to_ascii_lowercase().as_str() {
            "true" => Some(Node::Bool(true)),
            "false" => Some(Node::Bool(false)),
            "null" | "none" | "nil" | "undefined" | "nan" => Some(Node::Null),
            _ => None,
        };
        if let Some(literal) = literal {
            return Ok(literal);
        }
        if is_cut {
            return Ok(Node::Cut);
        }
        if let Some(parsed) = number(word) {
            let groups = if place == Place::InObject { thousands(&rest[end..]) } else { 0 };
            if groups == 0 {
                return Ok(Node::Number(parsed));
            }
            self.at += groups;
            let digits = rest[..end + groups].replace(',', "");
            return number(&digits).map(Node::Number).ok_or(Failure::NotJson);
        }
        self.words(rest, place)
    }

    /// Unquoted words: one anywhere, several only if the next field or the end of the object shows their end.
    fn words(&mut self, rest: &str, place: Place) -> Result<Node, Failure> {
        if !rest.starts_with(char::is_alphanumeric) {
            return Err(Failure::NotJson);
        }
        let stop = rest.find(|c: char| ",，;\n}]{[\"".contains(c)).unwrap_or(rest.len());
        self.spend(stop)?;
        let words = rest[..stop].trim_end();
        let is_one = !words.contains(char::is_whitespace);
        let is_ended = match rest[stop..].chars().next() {
            Some('}') => true,
            Some(']' | '\n') => is_one,
            Some(comma @ (',' | '，' | ';')) => {
                is_one
                    || (place == Place::InObject && {
                        let after = rest[stop + comma.len_utf8()..].trim_start_matches(is_blank);
                        self.is_name_ahead(after)?
                    })
            }
            _ => false,
        };
        if !is_ended || words.contains("://") && !is_one {
            return Err(Failure::NotJson);
        }
        self.at = self.text.len() - rest.len() + words.len();
        Ok(Node::Word(words.to_owned()))
    }
}

fn is_bare_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '$')
}
