//! Any server that speaks OpenAI's chat completions: llama.cpp, vLLM, LM Studio, gateways, OpenAI itself.
//!
//! Such servers know `max_tokens`; genai sends it, and `max_completion_tokens` only to models whose
//! names begin with gpt-5, gpt-6, o1, o3 or o4. genai's adapter for oMLX is used: of all it has, it is
//! the one that speaks the plain protocol and asks for no key; the one for OpenAI adds cache options
//! to some models' requests that other servers refuse.

use std::sync::Arc;

use engine::Model;
use genai::adapter::AdapterKind;
use genai::chat::{ChatOptions, ChatRequest, ReasoningEffort};
use kernel::{Fault, ModelRequest};

use crate::chat_completions::ChatCompletions;
use crate::line::{KeyHeader, Line};
use crate::list::Listing;
use crate::over_genai::{self, Dialect};
use crate::{Delivery, Provider, ProviderDescription, openai, request};

pub(crate) const PROVIDER: Provider = Provider {
    description: ProviderDescription {
        id: "openai-compatible",
        title: "OpenAI-compatible server",
        needs_key: false,
        key_page: "",
        key_variable: "",
        default_base_url: None,
        models: &[],
    },
    key_header: KeyHeader::Bearer,
    connect,
    listing: Listing { path: "models", headers: &[], read: openai::read_list },
};

/// Models that think by themselves: they refuse a temperature, and what they think counts as output.
const THINKING: &[&str] = &["gpt-5", "gpt-6", "o1", "o3", "o4"];

static DIALECT: Dialect = Dialect {
    adapter: AdapterKind::Omlx,
    is_key_given: false,
    translate,
    reader: || Box::new(ChatCompletions::default()),
};

pub(crate) fn connect(line: Line, delivery: Delivery) -> Result<Arc<dyn Model>, Fault> {
    over_genai::model(&DIALECT, line, delivery)
}

fn translate(request: &ModelRequest) -> Result<(ChatRequest, ChatOptions), Fault> {
    let (chat, mut options) = request::translated(request)?;
    if THINKING.iter().any(|start| request.model.starts_with(start)) {
        options.temperature = None;
        options = options.with_max_tokens(request.max_output_tokens.saturating_add(request::ROOM_TO_THINK));
    }
    // An effort that genai does not send: it keeps the model's name whole.
    Ok((chat, options.with_reasoning_effort(ReasoningEffort::Budget(0))))
}
