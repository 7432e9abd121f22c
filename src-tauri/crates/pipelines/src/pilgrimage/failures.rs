//! Records why a search failed, for the question to the person, and reports when the title or the station stays
//! unknown.

use engine::Acted;
use interpreter::{FunctionContext, Registry, Run};
use kernel::{Delta, Phrase};
use prose::literal;
use serde_json::{Value, json};

use super::words::Language;

/// The keys that the searches for the title and for the station write.
const TITLE_KEYS: &[&str] = &["bangumi_id", "bangumi_title"];
const PLACE_KEYS: &[&str] = &["station", "user_coordinates", "search_radius_km"];

pub(super) fn register(registry: &mut Registry) {
    let run = &mut registry.run;
    run.insert("keep_title_failure", (|context| kept("title_failure", TITLE_KEYS, context)) as Run);
    run.insert("keep_place_failure", (|context| kept("place_failure", PLACE_KEYS, context)) as Run);
    run.insert("keep_points_failure", (|context| kept("points_failure", &[], context)) as Run);
    run.insert("search_failure", search_failure as Run);
    run.insert("search_again", search_again as Run);
    run.insert("tell_stopped_search", (|context| tell_stopped("search_failure", context)) as Run);
    run.insert("tell_stopped_points", (|context| tell_stopped("points_failure", context)) as Run);
    // A step of a flow needs its own name.
    run.insert("tell_unknown_title", tell_unknown as Run);
    run.insert("tell_unknown_place", tell_unknown as Run);
}

/// Records why a search failed; earlier results stay.
fn kept(key: &str, found: &[&str], context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let why = context.failure.map(|failure| failure.message.clone()).unwrap_or_default();
    let delta = found.iter().fold(Delta::of(key, json!(why)), |delta, key| {
        delta.with(*key, context.read::<Value>(key).unwrap_or_default())
    });
    Ok(Acted { delta, ..Acted::default() })
}

/// Why one of the two searches failed, for the question to the person; nothing if both answered.
fn search_failure(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    // Points from a file need no service that knows their title.
    let has_points = context.read::<Value>("imported_points").is_some_and(|points| !points.is_null());
    let of_title = context.read("title_failure").filter(|_| !has_points);
    let why: Option<String> = of_title.or_else(|| context.read("place_failure"));
    Ok(Acted { delta: Delta::of("search_failure", json!(why)), ..Acted::default() })
}

/// Clears the failures before the searches run again.
fn search_again(_: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let delta = Delta::of("title_failure", Value::Null).with("place_failure", Value::Null);
    Ok(Acted { delta, ..Acted::default() })
}

/// Reports why there is no plan after the person gave up on a failed search.
fn tell_stopped(failure: &str, context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let language = Language::of_locale(context.text("locale"));
    let why = match language {
        Language::English => literal(context.text(failure)),
        // Messages of services are in English, so other languages refer to the journal.
        Language::Chinese | Language::Japanese => language.say("in_journal", &[]),
    };
    let said = language.say("stopped", &[("why", why)]);
    Ok(Acted { delta: Delta::of("visit_answer", json!(said)), surface: true, ..Acted::default() })
}

/// Reports that the title or the station stayed unknown after all questions, and what may help.
fn tell_unknown(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let language = Language::of_locale(context.text("locale"));
    let said = language.say(
        "unknown",
        &[("title", context.text("bangumi_name").to_owned()), ("place", context.text("location").to_owned())],
    );
    Ok(Acted { delta: Delta::of("visit_answer", json!(said)), surface: true, ..Acted::default() })
}
