//! The flaws of a model's answer, worded for the model and for the journal.

use answers::Fault as Flaw;
use kernel::{ModelReply, Phrase, phrase};
use serde_json::json;

/// The message that asks the model to repair an unusable answer.
pub(crate) fn repair_request(flaws: &[Flaw], is_text: bool) -> String {
    let wrong = worded(flaws);
    let way = match (is_text, flaws.contains(&Flaw::Cut)) {
        (true, false) => "Answer again with the whole text and nothing else: no fence, no remark",
        (true, true) => {
            "Answer again with the whole text in fewer words and nothing else: no fence, no remark"
        }
        (false, true) => {
            "Answer again, whole and in fewer words: one JSON object of the required shape and nothing else"
        }
        (false, false) => {
            "Answer again with one JSON object of the required shape and nothing else: no fence, no remark, every field present"
        }
    };
    format!("Your last answer cannot be used: {wrong}. {way}.")
}

fn worded(flaws: &[Flaw]) -> String {
    flaws.iter().map(Flaw::to_string).collect::<Vec<_>>().join("; ")
}

/// How a reply ended, and which limits of tokens it had.
pub(crate) struct Ending<'a> {
    pub(crate) reply: &'a ModelReply,
    /// The limit of output tokens in the request.
    pub(crate) asked: u32,
    /// The value of `max_output_tokens`.
    pub(crate) limit: u32,
    /// The agent that sets this limit; `None` where the run sets it.
    pub(crate) agent: Option<&'a str>,
}

impl Ending<'_> {
    /// Whether the service reports that a limit of tokens ended the reply.
    fn is_at_limit(&self) -> bool {
        self.reply.stop == "length"
    }

    /// Whether our own limit ended it. A context window, or a limit of the server, ends an answer long before.
    pub(crate) fn is_at_own_limit(&self) -> bool {
        let used = self.reply.usage.output_tokens;
        self.is_at_limit() && !(used > 0 && used < self.asked / 2)
    }

    /// Names the limit that cut off the reply, and where it is set.
    fn of_cut(&self) -> Phrase {
        let Ending { asked, limit, agent, .. } = *self;
        let used = self.reply.usage.output_tokens;
        if !self.is_at_own_limit() {
            return phrase!(
                "the service cut it off after {used} tokens, although `max_output_tokens` is {limit}: the model or its server allows no more",
                used,
                limit
            );
        }
        match agent {
            Some(agent) => phrase!(
                "it was cut off at {asked} tokens: the limit `max_output_tokens` of `{agent}` is {limit}",
                asked,
                agent,
                limit
            ),
            None => phrase!(
                "it was cut off at {asked} tokens: the limit `max_output_tokens` of the run is {limit}",
                asked,
                limit
            ),
        }
    }

    /// The flaws for the journal.
    pub(crate) fn phrases(&self, flaws: &[Flaw]) -> Vec<Phrase> {
        let is_usual = ["", "stop", "tool_calls", "empty"].contains(&self.reply.stop.as_str());
        let phrase = |flaw: &Flaw| match flaw {
            Flaw::Cut if self.is_at_limit() => self.of_cut(),
            Flaw::Empty if !is_usual => phrase!(
                "it is empty, and the service says why it ended: `{reason}`",
                reason = self.reply.stop.to_uppercase()
            ),
            Flaw::Shape { field, problem } if field.is_empty() => {
                Phrase::new("flaw.whole_shape", json!({ "problem": problem }))
            }
            flaw => Phrase::of_tagged("flaw", "fault", flaw),
        };
        flaws.iter().map(phrase).collect()
    }
}

/// A reply as the conversation keeps it, because services refuse empty messages.
pub(crate) fn message_text(reply: &ModelReply) -> String {
    match reply.tool_requests.first() {
        Some(request) if reply.text.trim().is_empty() => format!("(a call of `{}`)", request.tool),
        None if reply.text.trim().is_empty() => "(nothing)".to_owned(),
        _ => reply.text.clone(),
    }
}
