//! What each search service refuses, and how: its key, its User-Agent, the parameters it knows. Written from the
//! contracts of the services.

use axum::http::Method;
use serde_json::{Value, json};

use crate::services::{Canned, ServiceRequest};

/// The answer of the service, and what was wrong in a sentence.
pub(crate) type Refusal = (Canned, String);

/// Whether the real service would take this request.
pub(crate) fn check(request: &ServiceRequest) -> Result<(), Refusal> {
    let agent = request.header("user-agent");
    let names_itself = agent
        .strip_prefix("Galley/")
        .is_some_and(|version| version.starts_with(|c: char| c.is_ascii_digit()));
    if !names_itself {
        let page = Canned::of(403, "text/html", "<h1>Please set a User-Agent</h1>");
        return Err((page, format!("the User-Agent `{agent}` names no program with its version")));
    }
    match request.service.as_str() {
        "tavily" => tavily(request),
        "brave" => brave(request),
        "searxng" => searxng(request),
        "google-cse" => google_cse(request),
        "gemini" => gemini(request),
        "hacker-news" => hacker_news(request),
        "arxiv" => arxiv(request),
        "wikipedia" => wikipedia(request),
        _ => Ok(()),
    }
}

fn refuse(status: u16, body: &Value, problem: impl Into<String>) -> Result<(), Refusal> {
    Err((Canned::json(status, body), problem.into()))
}

fn is_day(text: &str) -> bool {
    let shape: String = text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    shape == "0000-00-00"
}

/// Parameters that the service does not know, or a place that is not there.
fn unknown(request: &ServiceRequest, path: &str, known: &[&str]) -> Option<String> {
    if request.path != path || request.method != Method::GET {
        return Some(format!("{} {} is not there", request.method, request.path));
    }
    let stranger = request.parameters.iter().find(|(name, _)| !known.contains(&name.as_str()));
    stranger.map(|(name, _)| format!("the parameter `{name}` is unknown"))
}

fn tavily(request: &ServiceRequest) -> Result<(), Refusal> {
    let unauthorized = json!({"detail": {"error": "Unauthorized: missing or invalid API key."}});
    let (key, mode) = (request.header("authorization"), request.header("x-tavily-access-mode"));
    match (key.strip_prefix("Bearer "), mode) {
        (Some(key), "") if key.starts_with("tvly-") => {}
        (None, "keyless") if key.is_empty() => {}
        // A refused key is what some tests want: it is no problem of the client.
        (Some(_), "") => return Ok(()),
        _ => return refuse(401, &unauthorized, "neither a key nor the keyless mode"),
    }
    let bad = |words: &str| refuse(400, &json!({"detail": {"error": words}}), words);
    let Value::Object(body) = &request.body else { return bad("the body is no JSON object") };
    if request.path != "/search" || request.method != Method::POST {
        return bad("only POST /search is known here");
    }
    for (name, value) in body {
        let text = value.as_str().unwrap_or_default();
        let fits = match name.as_str() {
            "query" => !text.is_empty() && text.len() <= 400,
            "topic" => ["general", "news", "finance"].contains(&text),
            "search_depth" => ["basic", "advanced", "fast", "ultra-fast"].contains(&text),
            "start_date" | "end_date" => is_day(text),
            "max_results" => value.as_u64().is_some_and(|count| count <= 20),
            _ => false,
        };
        if !fits {
            return bad(&format!("the field `{name}` cannot be {value}"));
        }
    }
    if body.contains_key("query") { Ok(()) } else { bad("the query is missing") }
}

fn brave(request: &ServiceRequest) -> Result<(), Refusal> {
    let error =
        |code: &str| json!({"type": "ErrorResponse", "error": {"status": 422, "code": code, "detail": code}});
    if request.header("x-subscription-token").is_empty() {
        return refuse(422, &error("SUBSCRIPTION_TOKEN_INVALID"), "no token");
    }
    let known =
        ["q", "count", "offset", "freshness", "country", "search_lang", "safesearch", "extra_snippets"];
    let problem = unknown(request, "/news/search", &known).or_else(|| {
        let q = request.parameter("q").unwrap_or_default();
        let count = request.parameter("count").unwrap_or("20").parse::<u32>().unwrap_or(99);
        let freshness = request.parameter("freshness").unwrap_or("pd");
        let days = freshness.split_once("to").is_some_and(|(from, to)| is_day(from) && is_day(to));
        if q.is_empty() || q.chars().count() > 400 || q.split_whitespace().count() > 50 {
            Some("the question is empty or too long".to_owned())
        } else if count > 50 {
            Some("more than fifty results".to_owned())
        } else {
            (!days && !["pd", "pw", "pm", "py"].contains(&freshness))
                .then(|| format!("freshness {freshness}"))
        }
    });
    problem.map_or(Ok(()), |problem| refuse(422, &error("VALIDATION"), problem))
}

fn searxng(request: &ServiceRequest) -> Result<(), Refusal> {
    let known = ["q", "format", "categories", "language", "pageno", "time_range", "safesearch"];
    let problem = unknown(request, "/search", &known)
        .or_else(|| {
            (request.parameter("format") != Some("json")).then(|| "the format is not json".to_owned())
        })
        .or_else(|| request.parameter("q").is_none_or(str::is_empty).then(|| "no question".to_owned()))
        .or_else(|| {
            let range = request.parameter("time_range")?;
            (!["day", "month", "year"].contains(&range)).then(|| format!("time_range {range}"))
        });
    problem.map_or(Ok(()), |problem| Err((Canned::of(400, "text/html", "<h1>Bad Request</h1>"), problem)))
}

fn google_error(code: u16, status: &str, message: &str) -> Value {
    json!({"error": {"code": code, "message": message, "status": status}})
}

fn google_cse(request: &ServiceRequest) -> Result<(), Refusal> {
    let known = ["key", "cx", "q", "num", "start", "dateRestrict", "lr", "gl", "hl", "safe", "sort"];
    let number = |name: &str| request.parameter(name).and_then(|text| text.parse::<u32>().ok());
    let problem = unknown(request, "/customsearch/v1", &known)
        .or_else(|| {
            ["key", "cx", "q"]
                .iter()
                .find(|name| request.parameter(name).is_none_or(str::is_empty))
                .map(|name| format!("`{name}` is missing"))
        })
        .or_else(|| {
            (!number("num").is_some_and(|num| (1..=10).contains(&num)))
                .then(|| "num is not 1 to 10".to_owned())
        })
        .or_else(|| {
            let days = request.parameter("dateRestrict")?.strip_prefix('d')?.parse::<u32>();
            days.is_err().then(|| "dateRestrict is no number of days".to_owned())
        });
    problem.map_or(Ok(()), |problem| refuse(400, &google_error(400, "INVALID_ARGUMENT", &problem), problem))
}

fn gemini(request: &ServiceRequest) -> Result<(), Refusal> {
    let bad = |problem: &str| refuse(400, &google_error(400, "INVALID_ARGUMENT", problem), problem);
    if !request.path.starts_with("/v1beta/models/") || !request.path.ends_with(":generateContent") {
        return refuse(404, &google_error(404, "NOT_FOUND", "no such model"), "not a model's place");
    }
    if request.header("x-goog-api-key").is_empty() || request.parameter("key").is_some() {
        return bad("the key is not in its header");
    }
    let Value::Object(body) = &request.body else { return bad("the body is no JSON object") };
    if let Some(name) =
        body.keys().find(|name| !["contents", "tools", "generationConfig"].contains(&name.as_str()))
    {
        return bad(&format!("Unknown name \"{name}\""));
    }
    let text = request.body.pointer("/contents/0/parts/0/text").and_then(Value::as_str).unwrap_or_default();
    let filter = request.body.pointer("/tools/0/googleSearch/timeRangeFilter");
    let moment = |name: &str| {
        let text = filter.and_then(|filter| filter.get(name)?.as_str()).unwrap_or_default();
        text.split_once('T').is_some_and(|(day, time)| is_day(day) && time == "00:00:00Z")
    };
    if text.is_empty() {
        return bad("nothing is asked");
    }
    if !moment("startTime") || !moment("endTime") {
        return bad("a time range needs both its ends");
    }
    Ok(())
}

fn hacker_news(request: &ServiceRequest) -> Result<(), Refusal> {
    let known = ["query", "tags", "numericFilters", "hitsPerPage", "page"];
    let problem = unknown(request, "/api/v1/search", &known).or_else(|| {
        let filters = request.parameter("numericFilters").unwrap_or_default();
        let is_filter = |filter: &str| {
            let rest = ["created_at_i>=", "created_at_i<", "points>"]
                .iter()
                .find_map(|name| filter.strip_prefix(name));
            rest.is_some_and(|number| number.parse::<i64>().is_ok())
        };
        filters.split(',').any(|filter| !is_filter(filter)).then(|| format!("numericFilters {filters}"))
    });
    problem.map_or(Ok(()), |problem| refuse(400, &json!({"message": problem, "status": 400}), problem))
}

fn arxiv(request: &ServiceRequest) -> Result<(), Refusal> {
    let known = ["search_query", "id_list", "start", "max_results", "sortBy", "sortOrder"];
    let problem = unknown(request, "/api/query", &known)
        .or_else(|| {
            let most = request.parameter("max_results").unwrap_or("10").parse::<u32>();
            (!most.is_ok_and(|most| most <= 2_000)).then(|| "max_results is above 2000".to_owned())
        })
        .or_else(|| {
            let query = request.parameter("search_query").unwrap_or_default();
            let is_dated = query.contains("submittedDate:[20") && query.contains(" TO 20");
            (!is_dated || !query.contains("all:")).then(|| format!("search_query {query}"))
        });
    problem.map_or(Ok(()), |problem| Err((Canned::recorded("arxiv/error-400-bad-id.xml"), problem)))
}

fn wikipedia(request: &ServiceRequest) -> Result<(), Refusal> {
    let problem = (request.path != "/w/api.php")
        .then(|| format!("{} is not there", request.path))
        .or_else(|| {
            (request.parameter("format") != Some("json")).then(|| "the format is not json".to_owned())
        })
        .or_else(|| (request.parameter("list") != Some("search")).then(|| "nothing is listed".to_owned()));
    let error = json!({"error": {"code": "badvalue", "info": "Unrecognized value"}});
    problem.map_or(Ok(()), |problem| refuse(200, &error, problem))
}
