//! Reads answers of Ollama's `/api/chat`: lines of JSON, or one object.
//!
//! An error line in the middle of a stream is found in `reading`.

use kernel::{Json, ModelReply, TokenUsage, ToolRequest};
use serde_json::Value;

use crate::reading::{MOST_CALLS, Read, Reader, count, stop_word};

/// What the lines of an answer have told so far.
#[derive(Default)]
pub(crate) struct NdjsonChat {
    reply: ModelReply,
    is_done: bool,
    has_message: bool,
}

impl Reader for NdjsonChat {
    fn frame(&mut self, line: &Value) -> String {
        let message = line.get("message");
        self.has_message |= message.is_some();
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
                    input: Json(call.pointer("/function/arguments").cloned().unwrap_or_default()),
                });
            }
        }
        if line.get("done").and_then(Value::as_bool).unwrap_or_default() {
            self.is_done = true;
            let said = line.get("done_reason").and_then(Value::as_str).unwrap_or("stop");
            self.reply.stop = stop_word(said);
            self.reply.usage = TokenUsage {
                input_tokens: count(line, "prompt_eval_count"),
                output_tokens: count(line, "eval_count"),
                // What it still had is in neither count.
                cached_tokens: 0,
            };
        }
        let text = message.and_then(|message| message.get("content")?.as_str());
        text.unwrap_or_default().to_owned()
    }

    fn is_complete(&self) -> bool {
        self.is_done
    }

    fn is_over(&self) -> bool {
        self.is_done
    }

    fn usage(&self) -> TokenUsage {
        self.reply.usage
    }

    fn is_answer(&self) -> bool {
        self.has_message
    }

    fn read(&mut self) -> Read {
        Read { reply: std::mem::take(&mut self.reply), refusal: None, is_complete: self.is_done }
    }
}
