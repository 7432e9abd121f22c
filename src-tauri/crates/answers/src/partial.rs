//! Uses part of an answer that stays unusable after another request: its complete items, or the titles that it
//! mentions.

use crate::candidates::{self, Candidate};
use crate::node::Node;
use crate::reader::MAX_BYTES;
use crate::schema::{PARTIAL, Schema};
use crate::shaper::Misfit;
use crate::work::Work;
use crate::{Answer, Fault, Reader, Reading, Rung, Unusable, labelled, named, visible};

impl Reader {
    /// Reads the complete items of a truncated answer, if its schema marks its only list with `"x-partial": true`. Only
    /// for an answer that was truncated again.
    ///
    /// # Errors
    /// [`Unusable`] if the schema marks none, or no item is complete.
    pub fn read_partial(&self, answer: &Answer<'_>) -> Result<Reading, Unusable> {
        let list = Schema::of(&self.schema).list_field();
        let Some((field, _)) = list.filter(|(_, list)| list.get(PARTIAL).is_some()) else {
            return Err(Fault::Cut.into());
        };
        if answer.text.len() > MAX_BYTES {
            return Err(Fault::TooLong { most: MAX_BYTES }.into());
        }
        let mut work = Work::for_bytes(answer.text.len(), answer.stop);
        let parts = visible::parts(answer.text, &mut work)?;
        let found = candidates::find(parts.visible, 0, &mut work)?;
        let open = found.candidates.into_iter().rev().find(Candidate::is_cut);
        // The last line of a text may be incomplete.
        let lines = parts.visible.trim_end().rsplit_once('\n').map_or("", |(lines, _)| lines);
        let schema = Schema::of(&self.schema);
        let links = || Some(Node::Object { fields: labelled::links(lines, schema)?, is_closed: true });
        let whole = open.and_then(|candidate| candidate.node.whole_part()).or_else(links);
        let whole = match whole {
            None => named::read(lines, true, answer.titles, schema, &mut work)?,
            found => found,
        };
        let whole = whole.ok_or(Fault::Cut)?;
        match self.shaped(whole, false, &mut work) {
            Ok((value, done)) if value[field].as_array().is_some_and(|items| !items.is_empty()) => {
                let partial = Rung::Partial { field: field.to_owned() };
                Ok(Reading { value, rungs: std::iter::once(partial).chain(done.rungs()).collect() })
            }
            Err(Misfit::Ended(fault) | Misfit::Wrong(fault)) => Err(fault.into()),
            Ok(_) | Err(Misfit::Cut) => Err(Fault::Cut.into()),
        }
    }

    /// Reads the shown titles that an answer mentions, if its schema asks for a list of these. Only for an answer that
    /// was no better on another request.
    ///
    /// # Errors
    /// [`Unusable`] if it mentions no full title, mentions all of them, or has a negation.
    pub fn read_mentioned(&self, answer: &Answer<'_>) -> Result<Reading, Unusable> {
        if answer.text.len() > MAX_BYTES {
            return Err(Fault::TooLong { most: MAX_BYTES }.into());
        }
        let mut work = Work::for_bytes(answer.text.len(), answer.stop);
        let parts = visible::parts(answer.text, &mut work)?;
        let node = named::mentioned(parts.visible, answer.titles, Schema::of(&self.schema), &mut work)?;
        match self.shaped(node.ok_or(Fault::NotJson)?, false, &mut work) {
            Ok((value, done)) => {
                Ok(Reading { value, rungs: std::iter::once(Rung::Named).chain(done.rungs()).collect() })
            }
            Err(Misfit::Ended(fault) | Misfit::Wrong(fault)) => Err(fault.into()),
            Err(Misfit::Cut) => Err(Fault::Cut.into()),
        }
    }
}
