//! Answers that are only a text, and drafts without chatter.

use serde_json::{Value, json};

use crate::reader::Asked;
use crate::schema::Schema;
use crate::work::Work;
use crate::{Answer, Fault, Reader, Reading, Rung, SchemaError, chatter, free_text};

impl Reader {
    /// A reader of drafts for this field: it takes the draft's text in whatever form it comes.
    ///
    /// # Errors
    /// As for [`Reader::new`].
    pub fn of_drafts(field: &str) -> Result<Reader, SchemaError> {
        Reader::asking(Asked::Draft, field, one_text(field, true))
    }

    /// A reader of free text for this field: any text is the answer, word for word.
    ///
    /// # Errors
    /// As for [`Reader::new`].
    pub fn of_texts(field: &str) -> Result<Reader, SchemaError> {
        Reader::asking(Asked::Text, field, one_text(field, false))
    }

    /// The text of an answer, whatever its form.
    pub(crate) fn text(&self, answer: &Answer<'_>, work: &mut Work<'_>) -> Result<Reading, Vec<Fault>> {
        if answer.was_cut {
            return Err(vec![Fault::Cut]);
        }
        let (text, was_cut) = free_text::read(answer.text, work).map_err(|fault| vec![fault])?;
        let field = Schema::of(&self.schema).text_field().filter(|_| !text.is_empty());
        let (field, _) = field.ok_or_else(|| vec![Fault::Empty])?;
        let rungs = was_cut.then_some(Rung::Thinking);
        Ok(Reading { value: json!({ field: text }), rungs: rungs.into_iter().collect() })
    }

    /// Reduces each draft field to the draft. Plain text was requested, so this is not reported as a repair.
    pub(crate) fn without_chatter(&self, mut reading: Reading, shown: &str) -> Reading {
        if self.asked == Asked::Draft {
            reading.rungs.retain(|rung| !matches!(rung, Rung::PlainText { .. }));
        }
        for field in Schema::of(&self.schema).draft_fields() {
            let Some(Value::String(text)) = reading.value.get_mut(field) else { continue };
            let draft = chatter::without(text, shown);
            if draft.len() < text.len() {
                *text = draft.to_owned();
                if !reading.rungs.contains(&Rung::Talk) {
                    reading.rungs.push(Rung::Talk);
                }
            }
        }
        reading
    }
}

/// The schema of an answer with one text.
fn one_text(field: &str, is_draft: bool) -> Value {
    json!({
        "type": "object", "additionalProperties": false, "required": [field],
        "properties": { field: { "type": "string", "x-draft": is_draft } }
    })
}
