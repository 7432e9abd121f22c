//! Reads answers of Ollama's `/api/chat`: JSON lines, or one object.
//!
//! An error line in the middle of a stream is detected in `reader`.

use kernel::{Json, ModelReply, TokenUsage, ToolRequest};
use serde_json::Value;

use crate::reader::{Content, MOST_CALLS, ReadReply, Reader, content_of, input_of, stop_word, text_in};
use crate::thinking::Thoughts;
use crate::tokens::Tokens;

/// The content of the lines of an answer so far.
#[derive(Default)]
pub(crate) struct NdjsonChat {
    reply: ModelReply,
    thinking: Thoughts,
    tokens: Tokens,
    is_done: bool,
    has_reason: bool,
    has_message: bool,
}

impl Reader for NdjsonChat {
    fn frame(&mut self, line: &Value) -> String {
        let message = line.get("message");
        self.has_message |= message.is_some() || line.get("response").is_some();
        self.tokens.read(line);
        if let Some(model) = line.get("model").and_then(Value::as_str).filter(|_| self.reply.model.is_empty())
        {
            self.reply.model = model.to_owned();
        }
        let calls = message.and_then(|message| message.get("tool_calls")?.as_array());
        for call in calls.into_iter().flatten() {
            let place = self.reply.tool_requests.len();
            let text = |path: &str| call.pointer(path).and_then(Value::as_str).map(str::to_owned);
            if place < MOST_CALLS {
                self.reply.tool_requests.push(ToolRequest {
                    id: text("/id").unwrap_or_else(|| format!("call_{place}")),
                    tool: text("/function/name").unwrap_or_default(),
                    input: Json(match call.pointer("/function/arguments") {
                        Some(Value::String(text)) => input_of(text.clone()),
                        input => input.cloned().unwrap_or_default(),
                    }),
                    opaque: None,
                });
            }
        }
        let is_done = line.get("done").and_then(Value::as_bool);
        let reason = line.get("done_reason").and_then(Value::as_str).filter(|said| !said.is_empty());
        self.is_done |= is_done == Some(true);
        // Some servers omit `done` in the last line; a reason in a line with `done: false` does not count.
        self.has_reason |= reason.is_some() && is_done != Some(false);
        if self.is_complete() {
            self.reply.stop = stop_word(reason.unwrap_or("stop"));
        }
        // The older endpoint has the same fields under other names.
        let holder = message.unwrap_or(line);
        self.thinking.push(text_in(holder, "thinking"));
        let content = holder.get("content").or_else(|| holder.get("response"));
        let Content { text, thinking } = content.map(content_of).unwrap_or_default();
        self.thinking.push(&thinking);
        text
    }

    fn is_complete(&self) -> bool {
        self.is_done || self.has_reason
    }

    fn is_over(&self) -> bool {
        self.is_done
    }

    fn usage(&self) -> TokenUsage {
        self.tokens.usage()
    }

    fn is_answer(&self) -> bool {
        self.has_message
    }

    fn read(&mut self) -> ReadReply {
        let is_complete = self.is_complete();
        let (thinking, usage) = (self.thinking.take(), self.tokens.usage());
        let reply = ModelReply { thinking, usage, ..std::mem::take(&mut self.reply) };
        ReadReply { reply, refusal: None, is_complete }
    }
}
