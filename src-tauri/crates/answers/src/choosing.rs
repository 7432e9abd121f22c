//! Chooses the answer among the objects and lists in a text: the last one that fits.

use std::collections::VecDeque;
use std::ops::Range;

use crate::candidates::{self, Candidate, TOO_DEEP, around, repeats};
use crate::echo::is_schema;
use crate::node::Node;
use crate::schema::Schema;
use crate::shaper::Misfit;
use crate::text_features::cites;
use crate::work::Work;
use crate::{Fault, Reader, Reading, Rung};

impl Reader {
    /// The last candidate from `from` on that fits.
    pub(crate) fn last_fit(
        &self,
        text: &str,
        from: usize,
        was_cut: bool,
        work: &mut Work<'_>,
        faults: &mut Vec<Fault>,
    ) -> Result<Option<Reading>, Fault> {
        let found = candidates::find(text, from, work)?;
        if found.is_too_deep {
            faults.push(TOO_DEEP);
        }
        if let Some(reading) = self.items_one_by_one(text, &found.candidates, work)? {
            return Ok(Some(reading));
        }
        if let Some(reading) = self.parts_of_one(&found.candidates, work)? {
            return Ok(Some(reading));
        }
        let sources: Vec<&str> = found.candidates.iter().map(|known| &text[known.start..known.end]).collect();
        let mut second: Option<Reading> = None;
        let mut has_echo = false;
        for (at, candidate) in found.candidates.into_iter().enumerate().rev() {
            let (start, is_open) = (candidate.start, candidate.is_cut());
            let is_list = matches!(candidate.node, Node::List { .. });
            let (span, is_alone) = (candidate.start..candidate.end, candidate.is_alone(text));
            // Prose often has numbers in brackets.
            if is_list && !is_alone && !holds_objects(&candidate.node) {
                continue;
            }
            // A repetition of an earlier answer or of the schema is no truncated answer.
            let is_repetition =
                is_open && (repeats(sources[at], &sources[..at]) || at > 0 && is_schema(&candidate.node));
            if is_repetition {
                continue;
            }
            let mut rungs = around(text, &candidate, at > 0);
            if rungs.contains(&Rung::Lenient) && is_torn(&text[candidate.end..]) {
                faults.push(Fault::NotJson);
                continue;
            }
            match self.shaped(candidate.node, was_cut, work) {
                // An object in a text with citations is an example, unless it has the wanted field.
                Ok((_, done)) if done.plain_text.is_some() && is_sample(text, span, is_alone) => {}
                Ok((value, done)) => {
                    let is_second =
                        done.bare_list.is_some() || self.examples.nothing.as_ref() == Some(&value);
                    rungs.extend(done.rungs());
                    let reading = Reading { value, rungs };
                    if !is_second {
                        return Ok(Some(reading));
                    }
                    second.get_or_insert(reading);
                }
                Err(Misfit::Cut) => return Err(Fault::Cut),
                Err(Misfit::Ended(fault)) => return Err(fault),
                Err(Misfit::Wrong(fault)) => {
                    has_echo |= fault == Fault::Echo;
                    if faults.is_empty() {
                        faults.push(fault);
                    }
                    // A bracket that was opened before it and closed late or never may have swallowed the answer.
                    let may_hold = is_open || sources[at].len() > 2 && rungs.contains(&Rung::Lenient);
                    if may_hold
                        && work.may_look_again()
                        && let Some(reading) =
                            self.last_fit(&text[..candidate.end], behind(text, start), was_cut, work, faults)?
                    {
                        return Ok(Some(reading));
                    }
                }
            }
        }
        // A model that repeats the examples of the instruction also repeats the one for an empty answer.
        let says_nothing = |reading: &Reading| self.examples.nothing.as_ref() == Some(&reading.value);
        Ok(second.filter(|reading| !has_echo || !says_nothing(reading)))
    }

    /// Consecutive objects that are the items of the one required list.
    fn items_one_by_one(
        &self,
        text: &str,
        found: &VecDeque<Candidate>,
        work: &mut Work<'_>,
    ) -> Result<Option<Reading>, Fault> {
        let is_apart = |(one, next): (&Candidate, &Candidate)| {
            text[one.end..next.start].chars().all(|c| c.is_whitespace() || ",;`".contains(c))
        };
        let are_items = found.len() > 1
            && found.iter().all(|known| matches!(known.node, Node::Object { is_closed: true, .. }))
            && found.iter().zip(found.iter().skip(1)).all(is_apart);
        if !are_items || Schema::of(&self.schema).list_field().is_none() {
            return Ok(None);
        }
        let items = found.iter().map(|known| known.node.clone()).collect();
        match self.shaped(Node::List { items, is_closed: true }, false, work) {
            Ok((value, done)) if done.bare_list.is_some() => Ok(Some(Reading { value, rungs: done.rungs() })),
            Err(Misfit::Ended(fault)) => Err(fault),
            Ok(_) | Err(_) => Ok(None),
        }
    }

    /// Several objects that each have some of the fields, and share none, are one together.
    fn parts_of_one(
        &self,
        found: &VecDeque<Candidate>,
        work: &mut Work<'_>,
    ) -> Result<Option<Reading>, Fault> {
        let schema = Schema::of(&self.schema);
        let mut fields: Vec<(String, Node)> = Vec::new();
        let mut parts = 0;
        for candidate in found {
            let Node::Object { fields: own, is_closed } = &candidate.node else { continue };
            let known = |name: &str| schema.property(name).map(|(known, _)| known.to_owned());
            let own: Vec<(String, &Node)> =
                own.iter().filter_map(|(name, node)| Some((known(name)?, node))).collect();
            let is_shared = |name: &String| fields.iter().any(|(other, _)| other == name);
            if !own.is_empty() && (!is_closed || own.iter().any(|(name, _)| is_shared(name))) {
                return Ok(None);
            }
            parts += usize::from(!own.is_empty());
            fields.extend(own.into_iter().map(|(name, node)| (name, node.clone())));
        }
        if parts < 2 {
            return Ok(None);
        }
        match self.shaped(Node::Object { fields, is_closed: true }, false, work) {
            Ok((value, done)) => {
                let rungs = std::iter::once(Rung::Merged { parts }).chain(done.rungs()).collect();
                Ok(Some(Reading { value, rungs }))
            }
            Err(Misfit::Ended(fault)) => Err(fault),
            Err(_) => Ok(None),
        }
    }
}

/// Whether the text around a position cites sources, or continues on the same line.
fn is_sample(text: &str, span: Range<usize>, is_alone: bool) -> bool {
    !is_alone || cites(&text[..span.start]) || cites(&text[span.end..])
}

/// The position after the bracket at `start`.
fn behind(text: &str, start: usize) -> usize {
    start + text[start..].chars().next().map_or(1, char::len_utf8)
}

fn holds_objects(node: &Node) -> bool {
    matches!(node, Node::List { items, .. } if items.iter().any(|item| matches!(item, Node::Object { .. })))
}

/// Whether the rest of the line is the end of a text with its JSON.
fn is_torn(behind: &str) -> bool {
    let line = behind.split('\n').next().unwrap_or_default().trim_end();
    let inner = line.trim_end_matches(|c: char| "}]".contains(c) || c.is_whitespace());
    inner.len() < line.len() && inner.ends_with('"') && !inner.contains('{') && !inner.contains("\":")
}
