//! The MCP server behind the OAuth server: its two tools, and what it needs for each.

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use super::{Shared, lock};

pub(super) async fn mcp(
    State(shared): State<Shared>,
    headers: HeaderMap,
    Json(message): Json<Value>,
) -> Response {
    let mut record = lock(&shared);
    let token = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = token.and_then(|value| value.strip_prefix("Bearer ")).unwrap_or_default();
    let caller = record.grants.iter().position(|grant| grant.access.as_deref() == Some(token));
    let grant = caller.and_then(|caller| record.grants.get(caller));
    let metadata = format!("{}/.well-known/oauth-protected-resource/mcp", record.base_url);
    let challenge = |status: StatusCode, words: &str| {
        let value = format!("Bearer {words}resource_metadata=\"{metadata}\"");
        (status, [(header::WWW_AUTHENTICATE, value)]).into_response()
    };
    let Some(scopes) = grant.map(|grant| grant.scopes.clone()) else {
        return challenge(StatusCode::UNAUTHORIZED, "");
    };
    let tool = message["params"]["name"].as_str().unwrap_or_default();
    let needed = if tool == "erase" { "write" } else { "read" };
    if !scopes.iter().any(|scope| scope == needed) {
        let named = record.challenge.unwrap_or(needed);
        let words = format!("error=\"insufficient_scope\", scope=\"{named}\", ");
        return challenge(StatusCode::FORBIDDEN, &words);
    }
    let method = message["method"].as_str().unwrap_or_default();
    let result = match method {
        "initialize" => json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "guarded", "version": "1"},
        }),
        "tools/list" => json!({"tools": [
            {"name": "look", "description": "Looks.", "inputSchema": {"type": "object"}},
            {"name": "erase", "description": "Erases.", "inputSchema": {"type": "object"}},
        ]}),
        "tools/call" => {
            record.seen.called.push(tool.to_owned());
            record.seen.caller = caller;
            json!({"content": [{"type": "text", "text": format!("{tool}: done")}]})
        }
        _ if message["id"].is_null() => return StatusCode::ACCEPTED.into_response(),
        _ => {
            let error = json!({"code": -32601, "message": "no such method"});
            return Json(json!({"jsonrpc": "2.0", "id": message["id"], "error": error})).into_response();
        }
    };
    let answer = Json(json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
    match method {
        "initialize" => ([("mcp-session-id", "session")], answer).into_response(),
        _ => answer.into_response(),
    }
}

/// A connection tells that it ends.
pub(super) async fn end_session() -> StatusCode {
    StatusCode::OK
}
