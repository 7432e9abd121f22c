//! The reader of one agent's answers: it collects candidates and chooses the answer.

use std::sync::atomic::AtomicBool;

use jsonschema::Validator;
use serde_json::Value;

use crate::done::Done;
use crate::echo::Examples;
use crate::lenient;
use crate::node::Node;
use crate::scanner::Failure;
use crate::schema::{EXAMPLES, NOTHING, Schema, SchemaError, asked};
use crate::shaper::{Misfit, Shaper};
use crate::work::Work;
use crate::{Fault, Rung, Unusable, encoded, labelled, named, plain, visible};

/// Most bytes of an answer, including its thinking.
pub const MAX_BYTES: usize = 1 << 20;
/// Most faults that are reported at once.
const MOST_FAULTS: usize = 8;

/// A model's reply as its service returned it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Answer<'a> {
    /// The visible text.
    pub text: &'a str,
    /// The thinking that the service returned; used only if the visible text has no answer.
    pub thinking: &'a str,
    /// Calls of tools that were not offered.
    pub tool_calls: &'a [ToolArguments<'a>],
    /// The titles that the model chooses from, by their numbers from 1; empty if it does not choose.
    pub titles: &'a [String],
    /// The model's input: a sentence that it contains is no chatter about a draft.
    pub shown: &'a str,
    /// Whether the service reported that its token limit ended the text.
    pub was_cut: bool,
    /// Aborts the reading when it is set.
    pub stop: Option<&'a AtomicBool>,
}

/// The arguments of a tool call.
#[derive(Debug, Clone, Copy)]
pub struct ToolArguments<'a> {
    /// The tool's name.
    pub name: &'a str,
    /// Its arguments.
    pub arguments: &'a Value,
}

/// The result of a reading.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    /// The value in the schema's shape, with defaults filled in.
    pub value: Value,
    /// The repairs that were made, in order; empty for plain JSON of the shape.
    pub rungs: Vec<Rung>,
}

/// The form of answer that a model was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asked {
    /// JSON of the schema.
    Json,
    /// A draft without JSON around it.
    Draft,
    /// Any text.
    Text,
}

/// Reads answers of one schema.
pub struct Reader {
    pub(crate) asked: Asked,
    pub(crate) schema: Value,
    validator: Validator,
    pub(crate) examples: Examples,
}

type Read = Result<Reading, Vec<Fault>>;
/// The content of a text that is no JSON, and how it was read.
type Found = Result<Option<(Node, Option<Rung>)>, Fault>;

impl Reader {
    /// Creates a reader for answers with the name `name` and this JSON Schema.
    ///
    /// # Errors
    /// [`SchemaError`] if the schema is invalid.
    pub fn new(name: &str, schema: Value) -> Result<Reader, SchemaError> {
        Reader::asking(Asked::Json, name, schema)
    }

    pub(crate) fn asking(asked: Asked, name: &str, schema: Value) -> Result<Reader, SchemaError> {
        let validator = jsonschema::validator_for(&schema)
            .map_err(|error| SchemaError { name: name.to_owned(), reason: error.to_string() })?;
        let mut reader = Reader { asked, schema, validator, examples: Examples::default() };
        let examples = reader.schema.get(EXAMPLES).and_then(Value::as_array).cloned().unwrap_or_default();
        let nothing = reader.schema.get(NOTHING).and_then(|nothing| reader.shape_of(nothing));
        let examples = examples.iter().filter_map(|example| reader.shape_of(example)).collect();
        reader.examples = Examples::of(examples, nothing);
        Ok(reader)
    }

    /// Reads a value from the instruction like an answer.
    fn shape_of(&self, value: &Value) -> Option<Value> {
        let mut work = Work::for_bytes(0, None);
        self.shaped(Node::from(value), false, &mut work).ok().map(|(value, _)| value)
    }

    /// The schema for the model: closed objects, all requested properties required, no defaults.
    pub fn asked(&self) -> Value {
        asked(&self.schema)
    }

    /// Reads an answer.
    ///
    /// # Errors
    /// [`Unusable`] with the faults, worded for the model.
    pub fn read(&self, answer: &Answer<'_>) -> Result<Reading, Unusable> {
        if answer.text.len() + answer.thinking.len() > MAX_BYTES {
            return Err(Fault::TooLong { most: MAX_BYTES }.into());
        }
        let mut work = Work::for_bytes(answer.text.len() + answer.thinking.len(), answer.stop);
        let read = match self.asked {
            Asked::Text => self.text(answer, &mut work),
            Asked::Json | Asked::Draft => self.read_within(answer, &mut work),
        };
        let read = read.map(|reading| self.without_chatter(reading, answer.shown));
        read.map_err(|mut faults| {
            faults.truncate(MOST_FAULTS);
            if self.asked == Asked::Draft {
                let is_other = |fault: &&mut Fault| **fault == Fault::NotJson;
                faults.iter_mut().filter(is_other).for_each(|fault| *fault = Fault::NoText);
            }
            Unusable { faults }
        })
    }

    fn read_within(&self, answer: &Answer<'_>, work: &mut Work<'_>) -> Read {
        let text = answer.text.trim();
        // An answer that is only JSON of the shape needs no repair.
        if text.starts_with('{')
            && let Ok(node) = serde_json::from_str::<Node>(text)
            && let Ok((value, done)) = self.shaped(node, false, work)
        {
            return Ok(Reading { value, rungs: done.rungs() });
        }
        let parts = visible::parts(answer.text, work).map_err(|fault| vec![fault])?;
        let mut rungs = Vec::new();
        let shown = visible::without_marks(parts.visible.trim_start_matches('\u{feff}'));
        if parts.has_thinking() {
            rungs.push(Rung::Thinking);
        }
        let mut faults = Vec::new();
        let found = self.read_text(shown, answer, work, &mut faults).map_err(|fault| vec![fault])?;
        if let Some(reading) = found {
            rungs.extend(reading.rungs);
            return Ok(Reading { rungs, value: reading.value });
        }
        if !shown.is_empty() {
            return Err(faults);
        }
        if answer.was_cut {
            return Err(vec![Fault::Cut]);
        }
        for (thinking, has_ended) in [(parts.thinking, parts.has_ended), (answer.thinking, false)] {
            // If the thinking may never have ended, only its end can be the answer.
            let end = thinking.trim_end_matches(|c: char| c == '`' || c.is_whitespace());
            if !has_ended && !end.ends_with(['}', ']']) {
                continue;
            }
            let found = self.json_in(thinking, false, work, &mut faults).map_err(|fault| vec![fault])?;
            if let Some(mut reading) = found {
                reading.rungs.retain(|rung| !matches!(rung, Rung::Talk | Rung::Drafts));
                reading.rungs.insert(0, Rung::FromThinking);
                return Ok(reading);
            }
        }
        Err(vec![Fault::Empty])
    }

    /// Tries the readings of a text in turn: its JSON, the arguments of a tool call, its named fields, the text itself.
    fn read_text(
        &self,
        text: &str,
        answer: &Answer<'_>,
        work: &mut Work<'_>,
        faults: &mut Vec<Fault>,
    ) -> Result<Option<Reading>, Fault> {
        if let Some(reading) = self.json_in(text, answer.was_cut, work, faults)? {
            return Ok(Some(reading));
        }
        for call in answer.tool_calls.iter().rev() {
            match self.shaped(Node::from(call.arguments), false, work) {
                // The text of a call without a wanted field may be a question to any tool.
                Ok((_, done)) if done.plain_text.is_some() => {}
                Ok((value, done)) => {
                    let from = Rung::FromToolCall { tool: call.name.to_owned() };
                    let rungs = std::iter::once(from).chain(done.rungs()).collect();
                    return Ok(Some(Reading { value, rungs }));
                }
                Err(Misfit::Ended(fault)) => return Err(fault),
                Err(Misfit::Wrong(_) | Misfit::Cut) => {}
            }
        }
        let others = [Self::calls_in, Self::fields_in, Self::named_in, Self::scalar_of, Self::plain_of];
        for other in others {
            let Some((node, rung)) = other(self, text, answer, work)? else { continue };
            match self.shaped(node, false, work) {
                // Without JSON it is unknown whether the text is complete.
                Ok(_) if answer.was_cut => return Err(Fault::Cut),
                Ok((value, done)) => {
                    return Ok(Some(Reading {
                        value,
                        rungs: rung.into_iter().chain(done.rungs()).collect(),
                    }));
                }
                Err(Misfit::Ended(fault)) => return Err(fault),
                Err(Misfit::Cut) => return Err(Fault::Cut),
                Err(Misfit::Wrong(fault)) => faults.push(fault),
            }
        }
        if faults.is_empty() || answer.was_cut {
            faults.insert(0, if answer.was_cut { Fault::Cut } else { Fault::NotJson });
        }
        Ok(None)
    }

    /// The JSON in a text: directly, or after decoding the text.
    fn json_in(
        &self,
        text: &str,
        was_cut: bool,
        work: &mut Work<'_>,
        faults: &mut Vec<Fault>,
    ) -> Result<Option<Reading>, Fault> {
        if let Some(copy) = encoded::with_doubled_marks(text)
            && let Ok(Some(reading)) = self.last_fit(&copy, 0, was_cut, work, &mut Vec::new())
        {
            return Ok(Some(reading));
        }
        if let Some(reading) = self.last_fit(text, 0, was_cut, work, faults)? {
            return Ok(Some(reading));
        }
        for (copy, rung) in encoded::copies(text) {
            work.spend(text.len())?;
            if let Some(mut reading) = self.last_fit(&copy, 0, was_cut, work, faults)? {
                reading.rungs.retain(|known| !matches!(known, Rung::Fence | Rung::Talk) && *known != rung);
                reading.rungs.insert(0, rung);
                return Ok(Some(reading));
            }
        }
        Ok(None)
    }

    /// A call in the syntax of a programming language.
    fn calls_in(&self, text: &str, _: &Answer<'_>, work: &mut Work<'_>) -> Found {
        let mut last = None;
        let mut at = 0;
        while let Some(offset) = text[at..].find('(') {
            work.spend(offset + 1)?;
            let start = at + offset;
            match lenient::read(text, start, work) {
                Ok((node @ Node::Object { is_closed: true, .. }, end)) => {
                    last = Some(node);
                    at = end;
                }
                Err(Failure::Ended(fault)) => return Err(fault),
                Ok(_) | Err(Failure::NotJson | Failure::TooDeep(_)) => at = start + 1,
            }
        }
        Ok(last.map(|node| (node, Some(Rung::Labelled))))
    }

    fn fields_in(&self, text: &str, _: &Answer<'_>, work: &mut Work<'_>) -> Found {
        let schema = Schema::of(&self.schema);
        work.spend(text.len() * schema.properties().count().max(1))?;
        Ok(labelled::read(text, schema).map(|node| (node, Some(Rung::Labelled))))
    }

    /// A list of the titles that the model was shown.
    fn named_in(&self, text: &str, answer: &Answer<'_>, work: &mut Work<'_>) -> Found {
        let node = named::read(text, false, answer.titles, Schema::of(&self.schema), work)?;
        Ok(node.map(|node| (node, Some(Rung::Named))))
    }

    /// A single word, if one choice is nearly all that is requested.
    fn scalar_of(&self, text: &str, _: &Answer<'_>, _: &mut Work<'_>) -> Found {
        const LONGEST_WORD: usize = 24;
        let schema = Schema::of(&self.schema);
        let mut needed = schema.needed();
        let word = text.trim_matches(|c: char| c.is_whitespace() || "*`.。!\"'".contains(c));
        Ok(match (needed.next(), needed.next()) {
            (Some((field, property)), None)
                if (property.is("boolean") || property.get("enum").is_some())
                    && schema.properties().count() <= 2
                    && word.len() <= LONGEST_WORD =>
            {
                let fields = vec![(field.to_owned(), Node::Text(word.to_owned()))];
                let rung = Rung::PlainText { field: field.to_owned() };
                Some((Node::Object { fields, is_closed: true }, Some(rung)))
            }
            _ => None,
        })
    }

    /// The text as the only required field.
    fn plain_of(&self, text: &str, _: &Answer<'_>, _: &mut Work<'_>) -> Found {
        let Some((field, _)) = Schema::of(&self.schema).text_field() else { return Ok(None) };
        let Some(body) = plain::body(text) else { return Ok(None) };
        // Unreadable JSON must not be published as text.
        let names_field = body.contains(&format!("\"{field}\"")) || body.contains(&format!("'{field}'"));
        let is_call = ["<tool_call", "<function", "<invoke", "\"arguments\":", "\"parameters\":"];
        if names_field || is_mostly_json(body) || is_call.iter().any(|mark| body.contains(mark)) {
            return Ok(None);
        }
        let fields = vec![(field.to_owned(), Node::Text(body.to_owned()))];
        let rung = Rung::PlainText { field: field.to_owned() };
        Ok(Some((Node::Object { fields, is_closed: true }, Some(rung))))
    }

    /// Shapes a value and validates it against the schema.
    pub(crate) fn shaped(
        &self,
        node: Node,
        was_cut: bool,
        work: &mut Work<'_>,
    ) -> Result<(Value, Done), Misfit> {
        let schema = Schema::of(&self.schema);
        let mut shaper = Shaper::new(was_cut, work);
        let value = shaper.value(node, schema)?;
        let done = shaper.done;
        if let Some(error) = self.validator.iter_errors(&value).next() {
            let problem: String = error.to_string().chars().take(300).collect();
            let field = error.instance_path().to_string().trim_start_matches('/').to_owned();
            return Err(Misfit::Wrong(Fault::Shape { field, problem: format!("is wrong: {problem}") }));
        }
        if self.examples.are_echoed_by(&value) {
            return Err(Misfit::Wrong(Fault::Echo));
        }
        Ok((value, done))
    }
}

fn is_mostly_json(text: &str) -> bool {
    let begins = text.starts_with('{') || text.starts_with("[{");
    begins || (text.ends_with('}') && text.contains("{\"")) || serde_json::from_str::<Node>(text).is_ok()
}
