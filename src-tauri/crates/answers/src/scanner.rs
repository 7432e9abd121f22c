//! The position of the lenient reader in a text: the open brackets, blanks and quotes.

use crate::Fault;
use crate::work::Work;

/// Why no value was read.
#[derive(Debug, PartialEq)]
pub(crate) enum Failure {
    /// No JSON begins here.
    NotJson,
    /// It is nested too deep from this byte on.
    TooDeep(usize),
    /// The whole reading is aborted.
    Ended(Fault),
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        Failure::Ended(fault)
    }
}

/// The role of a text, which decides what may follow its closing quote.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Place {
    Key,
    InObject,
    InList,
}

/// A text that is read as lenient JSON, and the position in it.
pub(crate) struct Scanner<'t, 'w, 's> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
    /// The open brackets, outermost first.
    pub(crate) open: Vec<char>,
    /// Whether a name without quotes was read.
    pub(crate) has_bare_names: bool,
    pub(crate) work: &'w mut Work<'s>,
}

impl<'t> Scanner<'t, '_, '_> {
    pub(crate) fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Failure> {
        Ok(self.work.spend(steps)?)
    }

    pub(crate) fn is_open(&self, bracket: char) -> bool {
        self.open.contains(&bracket)
    }

    /// Whether the object being read is an item of a list.
    pub(crate) fn is_in_item(&self) -> bool {
        self.open.iter().rev().nth(1) == Some(&'[')
    }

    /// White space of all kinds and comments.
    pub(crate) fn skip_blanks(&mut self) -> Result<(), Failure> {
        loop {
            let rest = self.rest();
            let kept = rest.trim_start_matches(is_blank);
            let skipped = rest.len() - kept.len();
            self.spend(skipped + 1)?;
            self.at += skipped;
            let comment = if kept.starts_with("//") || kept.starts_with('#') {
                Some(kept.find('\n').unwrap_or(kept.len()))
            } else if kept.starts_with("/*") {
                Some(kept.find("*/").map_or(kept.len(), |end| end + 2))
            } else {
                None
            };
            // Line breaks between fields that were written as escapes.
            let comment = comment.or_else(|| {
                ["\\n", "\\r", "\\t"].into_iter().find(|escape| kept.starts_with(escape)).map(str::len)
            });
            let Some(comment) = comment else { return Ok(()) };
            self.spend(comment)?;
            self.at += comment;
        }
    }
}

pub(crate) fn is_blank(character: char) -> bool {
    character.is_whitespace() || matches!(character, '\u{feff}' | '\u{200b}')
}

pub(crate) fn is_quote(character: char) -> bool {
    matches!(character, '"' | '\'' | '`' | '“' | '”' | '„' | '‘' | '’' | '«' | '「' | '＂')
}
