//! The person's words to an agent that asks a model: messages during the run, and changes asked for at a gate.

use kernel::USER_WORDS;

use crate::data_marks::{WHAT_MARKS_MEAN, marked_as_data};
use crate::{AgentError, Cx};

impl Cx {
    /// Appends the person's words to the message of an agent; `key` is the key that the agent writes.
    pub(crate) fn with_words_of_person(&self, mut message: String, key: &str) -> Result<String, AgentError> {
        if self.state.get(USER_WORDS).is_some() {
            let said = self.value(USER_WORDS)?.unwrap_or_default();
            let said = said.json_or_null().as_array().cloned().unwrap_or_default();
            let lines: Vec<String> =
                said.iter().filter_map(|words| words.as_str()).map(|words| format!("- {words}")).collect();
            if !lines.is_empty() {
                message.push_str("\n\nThe person said while this was going on:\n");
                message.push_str(&lines.join("\n"));
            }
        }
        let Some(asked) = &self.changes_asked else { return Ok(message) };
        if let Some(made) = asked.made.get(key) {
            if !message.starts_with(WHAT_MARKS_MEAN) {
                message.insert_str(0, WHAT_MARKS_MEAN);
            }
            let made = made.as_str().map_or_else(|| made.written(), str::to_owned);
            message.push_str("\n\nThis is what you made before:\n");
            message.push_str(&marked_as_data(&made));
        }
        message.push_str("\n\nThe person asks for changes:\n");
        message.push_str(&asked.words);
        Ok(message)
    }
}
