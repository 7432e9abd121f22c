//! What the person says to an agent that asks a model: words to the run while it goes on, and changes asked for at a gate.

use kernel::USER_WORDS;

use crate::{AgentError, Cx};

impl Cx {
    /// What the person said, as it stands behind the message of an agent; `key` holds what the agent made before. Empty where
    /// nothing was said.
    pub(crate) fn said_by_person(&self, key: &str) -> Result<String, AgentError> {
        let mut text = String::new();
        if self.state.get(USER_WORDS).is_some() {
            let said = self.value(USER_WORDS)?.unwrap_or_default();
            let said = said.json_or_null().as_array().cloned().unwrap_or_default();
            let lines: Vec<String> =
                said.iter().filter_map(|words| words.as_str()).map(|words| format!("- {words}")).collect();
            if !lines.is_empty() {
                text.push_str("\n\nThe person said while this was going on:\n");
                text.push_str(&lines.join("\n"));
            }
        }
        if let Some(words) = &self.changes_asked {
            if let Some(made) = self.state.get(key) {
                let made = made.as_str().map_or_else(|| made.written(), str::to_owned);
                text.push_str("\n\nThis is what you made before:\n");
                text.push_str(&made);
            }
            text.push_str("\n\nThe person asks for changes:\n");
            text.push_str(words);
        }
        Ok(text)
    }
}
