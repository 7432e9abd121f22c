//! The headings of a text: which of them stand above a position.

use crate::tokens::key;
use prose::{Place, Sentence, sentences};

/// The positions of the headings of a text, each with the headings above the text after it. A title, which is the only
/// heading of the first level, separates nothing.
pub(crate) struct Sections(Vec<(usize, Option<String>)>);

impl Sections {
    pub(crate) fn new(text: &str) -> Self {
        let mut headings = sentences(text);
        headings.retain(|sentence| sentence.place == Place::Heading);
        let has_title = headings.iter().filter(|one| level(text, one.start) == 1).count() == 1;
        let mut above: Vec<(usize, String)> = Vec::new();
        let path = |heading: Sentence<'_>| {
            let level = level(text, heading.start);
            above.retain(|(other, _)| *other < level);
            if level > 1 || !has_title {
                above.push((level, key(heading.text)));
            }
            let path: Vec<&str> = above.iter().map(|(_, key)| key.as_str()).collect();
            (heading.start, Some(path.join("/")).filter(|path| !path.is_empty()))
        };
        Self(headings.into_iter().map(path).collect())
    }

    pub(crate) fn at(&self, place: usize) -> Option<String> {
        let before = self.0.partition_point(|(start, _)| *start <= place);
        self.0.get(before.checked_sub(1)?)?.1.clone()
    }
}

/// The number of heading marks before a position on its line.
pub(crate) fn level(text: &str, place: usize) -> usize {
    text[..place].rsplit('\n').next().unwrap_or_default().matches('#').count()
}
