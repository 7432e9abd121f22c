//! The model servers that people run on their own machine, as data: where each listens, what only it answers, and how
//! its models and their context windows are read.
//!
//! The formats are those of the servers' own documents: the README of llama.cpp's server, LM Studio's REST API v0,
//! vLLM's OpenAI-compatible server, Ollama's API.

use kernel::{Form, form, json_field};
use serde_json::Value;

use crate::listing::{ModelCard, Page};

/// The id of the provider that speaks to Ollama in its own dialect.
pub(crate) const OLLAMA: &str = "ollama";
/// The id of the provider for every other server.
pub(crate) const OPENAI_COMPATIBLE: &str = "openai-compatible";

/// A kind of model server.
pub(crate) struct ServerKind {
    /// Its id, which is also the usual name of its profile: `llama-cpp`.
    pub(crate) id: &'static str,
    /// Its name for people.
    pub(crate) title: &'static str,
    /// The provider of its profiles.
    pub(crate) provider: &'static str,
    /// The ports on which it listens unless it is told otherwise, by its version.
    pub(crate) ports: &'static [u16],
    /// The environment variable with its address; empty if it has none.
    pub(crate) address_variable: &'static str,
    /// The environment variable with its port alone; empty if it has none.
    pub(crate) port_variable: &'static str,
    /// What a profile's base URL has after the server's address: `v1`.
    pub(crate) base_path: &'static str,
    /// What only this kind answers.
    pub(crate) sign: Reading<bool>,
    /// The names of its models for conversations, the loaded ones first; `None` if another server answers.
    pub(crate) models: Reading<Option<Vec<String>>>,
    /// The window of a model.
    pub(crate) window: WindowReading,
    /// The field of the text in a request to `/tokenize`, if the server counts tokens.
    pub(crate) tokenized_field: Option<&'static str>,
    /// What to do when it has no model.
    pub(crate) way_to_model: Form,
    /// What makes its windows larger, if anything does.
    pub(crate) way_to_larger_window: Option<Form>,
}

/// A request with GET, and the reader of its answer.
pub(crate) struct Reading<T> {
    /// The path under the server's address.
    pub(crate) path: &'static str,
    /// Reads the answer.
    pub(crate) read: fn(&Value) -> T,
}

/// A request about one model, and the reader of its answer.
pub(crate) struct WindowReading {
    /// The path under the server's address.
    pub(crate) path: &'static str,
    /// Whether the model is named in a body, with POST; else in the query, with GET.
    pub(crate) is_post: bool,
    /// Reads the window of the model of this name; `None` if the answer does not have it.
    pub(crate) read: fn(&Value, &str) -> Option<Window>,
}

/// The context window of a model: prompt and answer together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Window {
    /// Its size in tokens.
    pub(crate) tokens: u64,
    /// Whether the model is loaded with it. A model that is loaded later may get less.
    pub(crate) is_settled: bool,
}

/// All kinds, in the order in which an answer is compared with them: some versions of llama.cpp also answer as Ollama
/// does.
pub(crate) const SERVER_KINDS: &[ServerKind] = &[
    ServerKind {
        id: "llama-cpp",
        title: "llama.cpp",
        provider: OPENAI_COMPATIBLE,
        // The second is that of future versions.
        ports: &[8080, 9931],
        address_variable: "",
        port_variable: "LLAMA_ARG_PORT",
        base_path: "v1",
        sign: Reading { path: "props", read: |body| body["default_generation_settings"].is_object() },
        models: Reading { path: "v1/models", read: |body| Some(ids(body)) },
        window: WindowReading { path: "props", is_post: false, read: |body, _| window_of_slot(body) },
        tokenized_field: Some("content"),
        way_to_model: form!("It serves no model. Start it with one: `llama-server -m FILE.gguf`."),
        way_to_larger_window: Some(form!(
            "Start the server with a larger context (`llama-server -c TOKENS`; `-np` divides it)."
        )),
    },
    ServerKind {
        id: "lm-studio",
        title: "LM Studio",
        provider: OPENAI_COMPATIBLE,
        ports: &[1234],
        address_variable: "",
        port_variable: "",
        base_path: "v1",
        sign: Reading { path: "api/v0/models", read: is_list_of_lm_studio },
        models: Reading { path: "api/v0/models", read: |body| Some(models_of_lm_studio(body)) },
        window: WindowReading { path: "api/v0/models", is_post: false, read: window_of_lm_studio },
        tokenized_field: None,
        way_to_model: form!("It has no model. Download one in LM Studio."),
        way_to_larger_window: Some(form!(
            "Load the model with a larger context length, in its load settings in LM Studio."
        )),
    },
    ServerKind {
        id: "vllm",
        title: "vLLM",
        provider: OPENAI_COMPATIBLE,
        ports: &[8000],
        address_variable: "",
        port_variable: "",
        base_path: "v1",
        sign: Reading { path: "version", read: |body| body["version"].is_string() },
        models: Reading { path: "v1/models", read: models_of_vllm },
        window: WindowReading { path: "v1/models", is_post: false, read: window_of_vllm },
        tokenized_field: Some("prompt"),
        way_to_model: form!("It serves no model. Start it with one: `vllm serve MODEL`."),
        way_to_larger_window: Some(form!(
            "Start the server with a larger window (`--max-model-len TOKENS`)."
        )),
    },
    ServerKind {
        id: "ollama",
        title: "Ollama",
        provider: OLLAMA,
        ports: &[11434],
        address_variable: "OLLAMA_HOST",
        port_variable: "",
        base_path: "",
        sign: Reading { path: "api/tags", read: |body| read_list_of_ollama(body).is_some() },
        models: Reading { path: "api/tags", read: models_of_ollama },
        window: WindowReading { path: "api/show", is_post: true, read: |body, _| window_of_ollama(body) },
        tokenized_field: None,
        way_to_model: form!("It has no model. Install one: `ollama pull MODEL`."),
        // Each request asks for its own context, up to what the model was trained for.
        way_to_larger_window: None,
    },
];

fn entries(body: &Value) -> &[Value] {
    body["data"].as_array().map_or(&[], Vec::as_slice)
}

fn ids(body: &Value) -> Vec<String> {
    entries(body).iter().filter_map(|model| Some(model["id"].as_str()?.to_owned())).collect()
}

fn count(body: &Value, name: &str) -> Option<u64> {
    json_field(body, name)?.as_u64().filter(|count| *count > 0)
}

/// llama.cpp divides its context among its slots, and a request has one of them.
fn window_of_slot(body: &Value) -> Option<Window> {
    let tokens = count(&body["default_generation_settings"], "n_ctx")?;
    Some(Window { tokens, is_settled: true })
}

fn is_list_of_lm_studio(body: &Value) -> bool {
    body["object"] == "list"
        && body["data"]
            .as_array()
            .is_some_and(|models| models.iter().all(|model| count(model, "max_context_length").is_some()))
}

fn models_of_lm_studio(body: &Value) -> Vec<String> {
    let mut chatting: Vec<&Value> =
        entries(body).iter().filter(|model| model["type"] != "embeddings").collect();
    chatting.sort_by_key(|model| model["state"] != "loaded");
    chatting.into_iter().filter_map(|model| Some(model["id"].as_str()?.to_owned())).collect()
}

fn window_of_lm_studio(body: &Value, name: &str) -> Option<Window> {
    // A model that is loaded twice is listed twice.
    let of_model = entries(body).iter().filter(|model| model["id"] == name);
    let (loaded, other): (Vec<&Value>, Vec<&Value>) = of_model.partition(|model| model["state"] == "loaded");
    let window =
        |model: &&Value, field: &str, is_settled| Some(Window { tokens: count(model, field)?, is_settled });
    let settled = loaded.first().and_then(|model| window(model, "loaded_context_length", true));
    let either = loaded.first().or(other.first());
    settled.or_else(|| either.and_then(|model| window(model, "max_context_length", false)))
}

fn models_of_vllm(body: &Value) -> Option<Vec<String>> {
    let is_of_vllm = entries(body).iter().all(|model| model["owned_by"] == "vllm");
    (body["data"].is_array() && is_of_vllm).then(|| ids(body))
}

fn window_of_vllm(body: &Value, name: &str) -> Option<Window> {
    let of_model = |model: &&Value| model["owned_by"] == "vllm" && model["id"] == name;
    let tokens = count(entries(body).iter().find(of_model)?, "max_model_len")?;
    Some(Window { tokens, is_settled: true })
}

fn models_of_ollama(body: &Value) -> Option<Vec<String>> {
    Some(read_list_of_ollama(body)?.models.into_iter().map(|model| model.name).collect())
}

/// `{"models": [{"name", "details": {"parameter_size"}}]}`; old servers send null if there are none.
pub(crate) fn read_list_of_ollama(body: &Value) -> Option<Page> {
    let models = match body.get("models")? {
        Value::Array(models) => models.as_slice(),
        Value::Null => &[],
        _ => return None,
    };
    let card = |model: &Value| {
        let text = |path: &str| model.pointer(path).and_then(Value::as_str).unwrap_or_default().to_owned();
        ModelCard { name: text("/name"), title: text("/details/parameter_size"), ..ModelCard::default() }
    };
    Some(Page { models: models.iter().map(card).collect(), next: None })
}

/// `{"model_info": {"qwen3.context_length": 40960}}`, under the name of the model's architecture.
fn window_of_ollama(body: &Value) -> Option<Window> {
    let info = body["model_info"].as_object()?;
    let tokens = info.iter().find_map(|(name, value)| {
        name.ends_with(".context_length").then(|| value.as_u64().filter(|count| *count > 0))?
    })?;
    Some(Window { tokens, is_settled: true })
}
