//! The service `bangumi`: titles of animation with their Japanese and Chinese names.

use std::time::Duration;

use async_trait::async_trait;
use itinerary::Attribution;
use kernel::{Error, form, phrase};
use net::Request;
use serde_json::{Value, json};
use unicode_normalization::UnicodeNormalization;

use super::service_tool::{ServiceTool, TripService, open_data};
use super::{TitleCandidate, TitleRequest, Titles};
use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::web::json_fields::{day_of, harmless, list, number, text, title};
use crate::web::rate_limit::RateLimit;
use crate::web::service_client::Caller;

const SERVICE: ServiceDescription =
    ServiceDescription { name: "bangumi", title: "Bangumi", base_url: "https://api.bgm.tv", settings: &[] };

pub(super) const SOURCE: OfferedTool = OfferedTool {
    id: "bangumi",
    tool: "search_bangumi_subjects",
    title: SERVICE.title,
    purpose: form!("Titles of animation with their Japanese and Chinese names, by Bangumi. Needs no key."),
    key: KeyNeed::None,
    key_page: "",
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| ServiceTool::tool(parts, Bangumi),
};

/// The service states no limit; titles are not needed faster.
const RATE_LIMIT: RateLimit =
    RateLimit { name: SERVICE.name, apart: Duration::from_millis(500), patience: Duration::from_secs(20) };
/// Its subject types: animation, and books, games and live-action films. Books share names with animation, so the other
/// types are searched only when no animation matches.
const ANIMATION: &[u8] = &[2];
const OTHER_TYPES: &[u8] = &[1, 4, 6];
/// Longer keywords are cut, in characters: no title is longer.
const LONGEST_KEYWORD: usize = 200;
/// The longest summary that is kept, in characters.
const LONGEST_SUMMARY: usize = 600;
/// The infobox fields with names.
const NAME_FIELDS: [&str; 4] = ["中文名", "别名", "英文名", "其他译名"];

struct Bangumi;

#[async_trait]
impl TripService for Bangumi {
    type Question = TitleRequest;
    const ABOUT: OfferedTool = SOURCE;

    async fn answer(&self, question: &TitleRequest, caller: &Caller<'_>) -> Result<Titles, Error> {
        let keyword: String = question.keyword.trim().chars().take(LONGEST_KEYWORD).collect();
        // An empty keyword would return arbitrary subjects.
        if keyword.is_empty() {
            return Ok(Titles::default());
        }
        let service = open_data(caller, &SERVICE).await?;
        // The service returns 20 subjects at most, and 10 by default.
        let url = service.url("/v0/search/subjects", &[("limit", "20"), ("offset", "0")]);
        let search = async |kinds: &[u8]| -> Result<Vec<TitleCandidate>, Error> {
            let body = json!({"keyword": keyword, "sort": "match", "filter": {"type": kinds}});
            let _turn = service.turn(&url, &RATE_LIMIT).await?;
            let answer = service.ask_json(Request::post(url.clone(), &body), &["data", "total"]).await?;
            Ok(list(&answer, "data").iter().filter_map(candidate).collect())
        };
        let mut candidates = search(ANIMATION).await?;
        let mut notes = Vec::new();
        let is_called_so = |title: &TitleCandidate| {
            let names = [&title.name, &title.name_cn].into_iter().chain(&title.aliases);
            names.into_iter().any(|name| letters(name) == letters(&keyword))
        };
        if !candidates.iter().any(is_called_so) {
            match search(OTHER_TYPES).await {
                Ok(others) => {
                    let ids: Vec<i64> = candidates.iter().map(|title| title.id).collect();
                    candidates.extend(others.into_iter().filter(|title| !ids.contains(&title.id)));
                }
                // Titles that were found are kept when a further search fails.
                Err(error) if candidates.is_empty() => return Err(error),
                Err(_) => {
                    notes.push(phrase!("{service} was asked for animation only", service = SERVICE.title));
                }
            }
        }
        let attributions = vec![Attribution {
            name: "Bangumi 番组计划".to_owned(),
            url: "https://bgm.tv".to_owned(),
            licence: String::new(),
        }];
        Ok(Titles { candidates, attributions, notes })
    }
}

/// The letters and digits of a name in lower case: names that differ only in punctuation are the same work.
fn letters(name: &str) -> String {
    name.nfkc().flat_map(char::to_lowercase).filter(|c| c.is_alphanumeric()).collect()
}

/// A subject; `None` when it has no id or no name.
fn candidate(subject: &Value) -> Option<TitleCandidate> {
    let id = number(subject, "id").filter(|id| *id >= 1.0 && *id <= f64::from(u32::MAX))? as i64;
    let named = |field: &str| title(&harmless(&text(subject, field)));
    let (mut name, name_cn) = (named("name"), named("name_cn"));
    if name.is_empty() {
        name.clone_from(&name_cn);
    }
    if name.is_empty() {
        return None;
    }
    let mut aliases: Vec<String> = Vec::new();
    for alias in list(subject, "infobox").iter().flat_map(names_in) {
        let alias = title(&harmless(alias));
        if !alias.is_empty() && alias != name && alias != name_cn && !aliases.contains(&alias) {
            aliases.push(alias);
        }
    }
    Some(TitleCandidate {
        id,
        name,
        name_cn,
        aliases,
        date: day_of(subject, &["date", "air_date"]),
        summary: summary(&text(subject, "summary")),
        image: image(subject),
        url: format!("https://bgm.tv/subject/{id}"),
    })
}

/// The names in an infobox entry, whose value is a text, or a list of texts or of `{k?, v}`.
fn names_in(entry: &Value) -> Vec<&str> {
    if !NAME_FIELDS.contains(&text(entry, "key").trim()) {
        return Vec::new();
    }
    match entry.get("value") {
        Some(Value::String(name)) => vec![name],
        Some(Value::Array(values)) => {
            values.iter().filter_map(|value| value.as_str().or_else(|| value.get("v")?.as_str())).collect()
        }
        _ => Vec::new(),
    }
}

fn summary(text: &str) -> String {
    let text = harmless(&text.replace("\r\n", "\n").replace('\u{3000}', " "));
    let text = text.trim();
    match text.char_indices().nth(LONGEST_SUMMARY) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// The address of a picture, the larger ones first. Old records have none, or one without TLS.
fn image(subject: &Value) -> String {
    let Some(images) = subject.get("images") else { return String::new() };
    let found = ["common", "large", "medium", "small", "grid"].iter().map(|size| text(images, size));
    let url = found.into_iter().find(|url| !url.trim().is_empty()).unwrap_or_default();
    let url = url.trim();
    match url.strip_prefix("http://").or_else(|| url.strip_prefix("//")) {
        Some(rest) => format!("https://{rest}"),
        None if url.starts_with("https://") => url.to_owned(),
        None => String::new(),
    }
}
