//! Which part of a request a refusal is about.

use super::*;
use kernel::{ReplyShape, ToolOffer};
use serde_json::json;

fn request() -> ModelRequest {
    ModelRequest {
        agent: "a".into(),
        profile: "p".into(),
        model: "m".into(),
        instruction: Value::text("Write."),
        messages: vec![Message::new(Speaker::User, "About proofs.")],
        shape: Some(ReplyShape { name: "post".into(), schema: json!({"type": "object"}).into() }),
        tools: vec![ToolOffer { name: "f".into(), description: String::new(), schema: json!({}).into() }],
        temperature: 0.4,
        max_output_tokens: 100,
    }
}

fn refused(status: u16, body: &str, before: &[RequestPart]) -> Option<RequestPart> {
    let sent = AllowedParts::new(&RequestPart::ALL, before.iter().copied().collect(), true);
    sent.refused_by(&ProviderError::from_body(status, body), &request())
}

#[test]
fn the_refused_part_is_detected_by_the_words_of_the_error() {
    use RequestPart::{
        JsonObject, JsonSchema, MaxCompletionTokens, MaxTokens, Stream, StreamOptions, SystemMessage,
        Temperature, Thinking, Tools,
    };
    let table: &[(u16, &str, RequestPart)] = &[
        // llama-cpp-python's server
        (
            500,
            r#"{"error":{"message":"[{'type': 'literal_error', 'loc': ('body', 'response_format', 'type'), 'msg': \"Input should be 'text' or 'json_object'\", 'input': 'json_schema', 'ctx': {'expected': \"'text' or 'json_object'\"}}]","type":"internal_server_error","param":null,"code":null}}"#,
            JsonSchema,
        ),
        // vLLM, FastAPI
        (
            400,
            r#"{"object":"error","message":"[{'type': 'extra_forbidden', 'loc': ('body', 'stream_options'), 'msg': 'Extra inputs are not permitted', 'input': {'include_usage': True}}]","type":"BadRequestError","param":null,"code":400}"#,
            StreamOptions,
        ),
        (
            422,
            r#"{"detail":[{"type":"extra_forbidden","loc":["body","temperature"],"msg":"Extra inputs are not permitted","input":{"response_format":{"type":"json_schema"},"tools":[]}}]}"#,
            Temperature,
        ),
        (
            400,
            r#"{"object":"error","message":"\"auto\" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set","type":"BadRequestError","code":400}"#,
            Tools,
        ),
        // llama.cpp
        (
            500,
            r#"{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}"#,
            Tools,
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"Failed to parse grammar","type":"invalid_request_error"}}"#,
            JsonSchema,
        ),
        (
            500,
            r#"{"error":{"code":500,"message":"System role not supported at row 1, column 41","type":"server_error"}}"#,
            SystemMessage,
        ),
        // LM Studio, Groq, Mistral, DeepSeek, older models of OpenAI
        (400, r#"{"error":"'response_format.type' must be 'json_schema' or 'text'"}"#, JsonSchema),
        (
            400,
            r#"{"error":{"message":"This model does not support response format `json_schema`. See supported models","type":"invalid_request_error"}}"#,
            JsonSchema,
        ),
        (
            400,
            r#"{"error":{"message":"This response_format type is unavailable now","type":"invalid_request_error"}}"#,
            JsonSchema,
        ),
        (
            400,
            r#"{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.","type":"invalid_request_error","param":null,"code":null}}"#,
            JsonSchema,
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}"#,
            MaxTokens,
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported value: 'temperature' does not support 0.4 with this model. Only the default (1) value is supported.","param":"temperature","code":"unsupported_value"}}"#,
            Temperature,
        ),
        (
            400,
            r#"{"error":{"message":"Unsupported value: 'stream' does not support true with this model.","param":"stream","code":"unsupported_value"}}"#,
            Stream,
        ),
        (
            400,
            r#"{"error":{"message":"Unrecognized request argument supplied: max_completion_tokens"}}"#,
            MaxCompletionTokens,
        ),
        // Ollama, Gemini, OpenRouter
        (400, r#"{"error":"registry.ollama.ai/library/gemma:2b does not support tools"}"#, Tools),
        (
            400,
            r#"{"error":"json: cannot unmarshal object into Go struct field ChatRequest.format of type string"}"#,
            JsonSchema,
        ),
        (400, r#"{"error":"think value \"false\" is not supported for this model"}"#, Thinking),
        (
            400,
            r#"{"error":{"code":400,"message":"Invalid JSON payload received. Unknown name \"responseJsonSchema\" at 'generation_config': Cannot find field.","status":"INVALID_ARGUMENT"}}"#,
            JsonSchema,
        ),
        (
            400,
            r#"{"error":{"code":400,"message":"Developer instruction is not enabled for models/gemma-3-1b-it","status":"INVALID_ARGUMENT"}}"#,
            SystemMessage,
        ),
        (404, r#"{"error":{"message":"No endpoints found that support tool use.","code":404}}"#, Tools),
        (501, "streaming is not implemented", Stream),
    ];
    for (status, body, part) in table {
        assert_eq!(refused(*status, body, &before_of(*part)), Some(*part), "{body}");
    }
    let no_schema = "This model does not support response format json_schema";
    assert_eq!(refused(400, no_schema, &[JsonSchema]), Some(JsonObject));
    assert_eq!(refused(400, no_schema, &[JsonSchema, JsonObject]), None);
}

/// Only one of the two names of the limit is sent.
fn before_of(part: RequestPart) -> Vec<RequestPart> {
    match part {
        RequestPart::MaxCompletionTokens => vec![RequestPart::MaxTokens],
        _ => vec![],
    }
}

#[test]
fn other_errors_remove_nothing_from_a_request() {
    for (status, body) in [
        (500, "upstream connect error or disconnect/reset before headers. reset reason: overflow"),
        (500, r#"{"error":{"message":"The server had an error while processing your request"}}"#),
        (503, "upstream request failed"),
        (
            400,
            r#"{"error":{"message":"'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 4096 tokens"}}"#,
        ),
        (404, r#"{"error":{"message":"The model `m` does not exist","code":"model_not_found"}}"#),
        (401, r#"{"error":{"message":"Your organization must be verified to stream this model"}}"#),
        (429, "response_format is limited just now"),
        (400, r#"{"error":{"code":"content_filter","message":"response_format"}}"#),
    ] {
        assert_eq!(refused(status, body, &[]), None, "{body}");
    }
}

#[test]
fn a_part_without_a_field_is_described_in_words() {
    use RequestPart::{JsonObject, JsonSchema, SystemMessage, Tools};
    let request = request();
    let sent = |refused: &[RequestPart]| {
        AllowedParts::new(&RequestPart::ALL, refused.iter().copied().collect(), true)
    };
    assert!(matches!(sent(&[]).adapted(&request).unwrap(), Cow::Borrowed(_)));
    let adapted =
        sent(&[JsonSchema, JsonObject, SystemMessage, Tools]).adapted(&request).unwrap().into_owned();
    let text = text_of(&adapted.messages[0].content).unwrap().into_owned();
    assert!(
        text.starts_with("Write.\n\nAnswer with one JSON object")
            && text.ends_with("{\"type\":\"object\"}\n\nAbout proofs."),
        "{text}"
    );
    assert!(adapted.tools.is_empty() && text_of(&adapted.instruction).unwrap().is_empty());
}
