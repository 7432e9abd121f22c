//! Decides which of the titles and stations that were found is meant: the only one with exactly the requested name.
//! Otherwise a model decides, and without a model, or if it is unsure, the person.

use engine::Acted;
use interpreter::{Accept, FunctionContext, Registry, Run, Shape, WithoutModel};
use kernel::{Delta, Note, Phrase};
use serde_json::{Value, json};
use tools::trips::{Station, Stations, TitleCandidate, Titles, without_station};
use unicode_normalization::UnicodeNormalization;

use super::words::Language;

/// The least confidence at which a model's choice is accepted.
const LEAST_CONFIDENCE: f64 = 0.6;
/// The default radius, and the least and the greatest radius of a search for points, in kilometres.
const USUAL_RADIUS_KM: f64 = 5.0;
pub(super) const LEAST_RADIUS_KM: f64 = 0.1;
pub(super) const MOST_RADIUS_KM: f64 = 20.0;

pub(super) fn register(registry: &mut Registry) {
    registry.shapes.insert("found_titles", found_titles as Shape);
    registry.shapes.insert("found_stations", found_stations as Shape);
    registry
        .without_model
        .insert("no_title", |_| Ok(json!({ "bangumi_id": null, "bangumi_confidence": null })));
    registry.without_model.insert("no_station", (|_| Ok(json!({ "station": null }))) as WithoutModel);
    registry.accept.insert("known_title", known_title as Accept);
    registry.accept.insert("known_station", known_station as Accept);
    registry.run.insert("take_title", take_title as Run);
    registry.run.insert("take_said_title", take_said_title as Run);
    registry.run.insert("take_station", take_station as Run);
}

/// How similar a title is to the requested name, 0 to 1: the similarity of its closest name.
fn nearness(said: &str, title: &TitleCandidate) -> f64 {
    names_of(title).map(|name| likeness(&plain(said), &plain(name))).fold(0.0, f64::max)
}

fn names_of(title: &TitleCandidate) -> impl Iterator<Item = &String> {
    [&title.name, &title.name_cn].into_iter().chain(&title.aliases)
}

fn likeness(said: &str, name: &str) -> f64 {
    if said.is_empty() || name.is_empty() {
        return 0.0;
    }
    // Only an equal name gets 1.
    if said == name { 1.0 } else { strsim::sorensen_dice(said, name).min(0.99) }
}

/// A name without case, spaces, accents and most punctuation. `!` and `?` stay, because sequels may differ in them
/// alone.
fn plain(name: &str) -> String {
    // Decomposing a Japanese character would remove the difference between が and か.
    let apart = |c: char| if c < '\u{2000}' { c.nfkd().collect() } else { String::from(c) };
    let letters: String = name.nfkc().map(apart).collect();
    letters.to_lowercase().chars().filter(|c| c.is_alphanumeric() || "!?".contains(*c)).collect()
}

/// The only one that has the requested name; `None` if several have it.
fn only<T>(all: &[T], is_meant: impl Fn(&T) -> bool) -> Option<&T> {
    let mut meant = all.iter().filter(|one| is_meant(one));
    meant.next().filter(|_| meant.next().is_none())
}

/// The titles that were found, and the one that is meant if that is clear. Only otherwise a model is called.
fn found_titles(context: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    let Titles { candidates, attributions, notes } = serde_json::from_value(output).unwrap_or_default();
    let said = context.text("bangumi_name");
    let chosen = context.read::<i64>("bangumi_id");
    let mut ranked: Vec<(f64, TitleCandidate)> =
        candidates.into_iter().map(|title| (nearness(said, &title), title)).collect();
    // The service returns the likeliest first; the stable sort keeps that order among equals.
    ranked.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    let plain = plainly_meant(&ranked, said, context.text("user_query"));
    let confidence = |near: f64| if said.trim().is_empty() { Value::Null } else { json!(rounded(near)) };
    let listed: Vec<&TitleCandidate> = ranked.iter().map(|(_, title)| title).collect();
    let mut delta = Delta::of("bangumi_candidates", json!(listed))
        .with("title_choices", json!(listed.iter().map(|title| choice_of(title)).collect::<Vec<_>>()))
        .with("title_origin", json!({ "attributions": attributions, "notes": notes }));
    // A choice from an earlier round stays.
    match (chosen, plain) {
        (Some(id), _) => delta = delta.with("bangumi_id", json!(id)),
        (None, Some((near, title))) => delta = with_title(delta, title, confidence(*near)),
        // A model would have nothing to choose from either.
        (None, None) if ranked.is_empty() => delta = delta.with("bangumi_id", Value::Null),
        (None, None) => {}
    }
    let note = Note::decision("titles_found", json!({ "n": ranked.len() }));
    Acted {
        notes: vec![note],
        delta,
        surface: chosen.is_none() && plain.is_none() && ranked.len() > 1,
        ..Acted::default()
    }
}

/// The title that is meant without doubt; `None` if a model or the person has to choose.
fn plainly_meant<'r>(
    ranked: &'r [(f64, TitleCandidate)],
    said: &str,
    request: &str,
) -> Option<&'r (f64, TitleCandidate)> {
    if said.trim().is_empty() {
        // A request without a title takes the only one that was found.
        return ranked.first().filter(|_| ranked.len() == 1);
    }
    let (_, meant) = only(ranked, |(near, _)| *near >= 1.0)?;
    // The extracted name may be the beginning of a longer name that the request has in full.
    let (said, request) = (plain(said), plain(request));
    let is_said_whole = |title: &TitleCandidate| {
        names_of(title).map(|name| plain(name)).any(|name| name.len() > said.len() && request.contains(&name))
    };
    let has_rival = ranked.iter().any(|(_, other)| other.id != meant.id && is_said_whole(other));
    ranked.iter().find(|(_, title)| title.id == meant.id && (!has_rival || is_said_whole(title)))
}

fn rounded(near: f64) -> f64 {
    (near * 100.0).round() / 100.0
}

fn with_title(delta: Delta, title: &TitleCandidate, confidence: Value) -> Delta {
    let chinese = if title.name_cn.is_empty() { Value::Null } else { json!(title.name_cn) };
    delta
        .with("bangumi_id", json!(title.id))
        .with("bangumi_title", json!(title.name))
        .with("bangumi_title_cn", chinese)
        .with("bangumi_confidence", confidence)
}

/// A title as an option for the person.
fn choice_of(title: &TitleCandidate) -> Value {
    let names: Vec<&str> = [&title.name_cn, &title.date, &title.url]
        .into_iter()
        .map(String::as_str)
        .filter(|text| !text.is_empty())
        .collect();
    let details = format!("{}\n{}", names.join(" · "), title.summary);
    json!({
        "title": title.name,
        "details": details.trim(),
        "picture": title.image,
        "id": title.id,
    })
}

fn candidates(context: &FunctionContext<'_>) -> Vec<TitleCandidate> {
    context.read("bangumi_candidates").unwrap_or_default()
}

/// The title that a model chose; none if it is unsure or names one that was not found.
fn known_title(context: &FunctionContext<'_>, answer: Value) -> Result<Value, Vec<String>> {
    let Some(id) = answer["bangumi_id"].as_i64() else { return Ok(without_title()) };
    let candidates = candidates(context);
    let Some(title) = candidates.iter().find(|title| title.id == id) else {
        let known: Vec<String> = candidates.iter().map(|title| title.id.to_string()).collect();
        return Err(vec![format!("`bangumi_id` is none of the candidates; they are {}", known.join(", "))]);
    };
    let confidence = answer["bangumi_confidence"].as_f64().unwrap_or(0.0).clamp(0.0, 1.0);
    if confidence < LEAST_CONFIDENCE {
        return Ok(without_title());
    }
    let chosen = with_title(Delta::default(), title, json!(rounded(confidence)));
    Ok(chosen.set.into_iter().map(|(key, value)| (key, value.json_or_null().clone())).collect())
}

fn without_title() -> Value {
    json!({ "bangumi_id": null, "bangumi_title": null, "bangumi_title_cn": null, "bangumi_confidence": null })
}

/// Applies the person's answer on the title: one of the list, or another name to search for.
fn take_title(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let answer: Value = context.read("title_choice").unwrap_or_default();
    let title =
        answer["id"].as_i64().and_then(|id| candidates(context).into_iter().find(|title| title.id == id));
    let delta = match (title, answer.as_str()) {
        (Some(title), _) => with_title(Delta::default(), &title, json!(1.0)),
        (None, Some(name)) => Delta::of("bangumi_name", json!(name.trim())),
        (None, None) => Delta::default(),
    };
    Ok(Acted { delta, ..Acted::default() })
}

/// Takes the title from the request, for points from a file.
fn take_said_title(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let said = context.text("bangumi_name").trim();
    let language = Language::of_locale(context.text("locale"));
    let title = if said.is_empty() { language.say("own_points", &[]) } else { said.to_owned() };
    // A search without results is no origin.
    let delta = Delta::of("bangumi_title", json!(title)).with("title_origin", Value::Null);
    Ok(Acted { delta, ..Acted::default() })
}

/// The stations that were found, and the one that is meant if that is clear.
fn found_stations(context: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    let Stations { stations, attributions, notes } = serde_json::from_value(output).unwrap_or_default();
    let choices: Vec<Value> = stations.iter().map(place_choice).collect();
    let mut delta = Delta::of("place_choices", json!(choices))
        .with("place_origin", json!({ "attributions": attributions, "notes": notes }))
        .with("search_radius_km", json!(radius(context)));
    let chosen = context.read::<Station>("station");
    let said = context.text("location");
    let plain = match &stations[..] {
        // A request without a place takes the only one that was found.
        [alone] if said.trim().is_empty() => Some(alone),
        all => only(all, |station| is_called(station, said)),
    };
    match chosen.as_ref().or(plain) {
        Some(station) => delta = with_station(delta, station),
        None if stations.is_empty() => delta = delta.with("station", Value::Null),
        None => {}
    }
    let is_asked = chosen.is_none() && plain.is_none() && stations.len() > 1;
    Acted { delta, surface: is_asked, ..Acted::default() }
}

/// Whether the station has this name, with or without the word for a station.
fn is_called(station: &Station, said: &str) -> bool {
    let said = plain(without_station(said));
    let names = [Some(&station.name), station.name_en.as_ref(), station.name_cn.as_ref()];
    names.into_iter().flatten().any(|name| plain(without_station(name)) == said)
}

/// The radius in force: from the input, else from the request, else the default.
fn radius(context: &FunctionContext<'_>) -> f64 {
    let of_request = || context.read::<Value>("extraction_meta").and_then(|meta| meta["radius_km"].as_f64());
    let wanted = context.read::<f64>("radius_km").or_else(of_request).unwrap_or(USUAL_RADIUS_KM);
    wanted.clamp(LEAST_RADIUS_KM, MOST_RADIUS_KM)
}

fn with_station(delta: Delta, station: &Station) -> Delta {
    delta.with("station", json!(station)).with("user_coordinates", json!(station.coordinates))
}

fn place_choice(station: &Station) -> Value {
    let at = format!("{:.4}, {:.4}", station.coordinates.latitude, station.coordinates.longitude);
    let parts =
        [station.prefecture.clone().unwrap_or_default(), station.city.clone().unwrap_or_default(), at];
    let details: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    json!({ "title": station.name, "details": details.join(" · "), "station": station })
}

fn places(context: &FunctionContext<'_>) -> Vec<Value> {
    context.read("place_choices").unwrap_or_default()
}

fn station_of(choice: &Value) -> Option<Station> {
    serde_json::from_value(choice["station"].clone()).ok()
}

/// The station that a model chose by its number; none if it is unsure.
fn known_station(context: &FunctionContext<'_>, answer: Value) -> Result<Value, Vec<String>> {
    let nothing = json!({ "station": null, "user_coordinates": null });
    let Some(number) = answer["number"].as_u64() else { return Ok(nothing) };
    let places = places(context);
    let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
    let Some(station) = index.and_then(|index| places.get(index)).and_then(station_of) else {
        return Err(vec![format!("`number` is none of the candidates; they are 1 to {}", places.len())]);
    };
    Ok(json!({ "station": station, "user_coordinates": station.coordinates }))
}

/// Applies the person's answer on the place: one of the list, or another name to search for.
fn take_station(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let answer: Value = context.read("place_choice").unwrap_or_default();
    let delta = match (station_of(&answer), answer.as_str()) {
        (Some(station), _) => with_station(Delta::default(), &station),
        (None, Some(name)) => Delta::of("location", json!(name.trim())),
        (None, None) => Delta::default(),
    };
    Ok(Acted { delta, ..Acted::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_matched_by_any_of_its_names_regardless_of_case_and_punctuation() {
        let title = TitleCandidate {
            name: "君の名は。".to_owned(),
            aliases: vec!["Your Name.".to_owned()],
            ..TitleCandidate::default()
        };
        assert!((nearness("your name", &title) - 1.0).abs() < f64::EPSILON);
        assert!((nearness("君の名は", &title) - 1.0).abs() < f64::EPSILON);
        for other in ["Weathering with you", "Your", "Your Name 2", ""] {
            assert!(nearness(other, &title) < 1.0, "{other}");
        }
    }

    #[test]
    fn titles_that_differ_only_in_marks_and_longer_names_in_the_request_are_not_clear() {
        let ranked = |said: &str, names: &[&str]| -> Vec<(f64, TitleCandidate)> {
            let title = |(id, name): (i64, &&str)| TitleCandidate {
                id,
                name: (*name).to_owned(),
                ..TitleCandidate::default()
            };
            (1..).zip(names).map(title).map(|title| (nearness(said, &title), title)).collect()
        };
        let meant = |said: &str, names: &[&str], request: &str| {
            plainly_meant(&ranked(said, names), said, request).map(|(_, title)| title.id)
        };
        let rabbit = "ご注文はうさぎですか？";
        assert_eq!(meant(rabbit, &["ご注文はうさぎですか？？"], rabbit), None);
        assert_eq!(meant(rabbit, &["ご注文はうさぎですか？？", "ご注文はうさぎですか？"], rabbit), Some(2));
        let wars = ["Star Wars", "Star Wars: Episode IV"];
        assert_eq!(meant("Star Wars", &wars, "the places of Star Wars: Episode IV on 12 May"), None);
        assert_eq!(meant("Star Wars", &wars, "the places of Star Wars on 12 May"), Some(1));
        assert_eq!(meant("", &["Your Name."], "a walk"), Some(1));
    }

    #[test]
    fn a_station_is_matched_with_or_without_accents_and_the_word_for_a_station() {
        let named = |name: &str| -> Station {
            let at = json!({ "latitude": 35.0, "longitude": 139.0 });
            serde_json::from_value(json!({ "name": name, "coordinates": at })).unwrap()
        };
        assert!(is_called(&named("新宿駅"), "新宿"));
        assert!(is_called(&named("Ōsaka Station"), "osaka"));
        assert!(!is_called(&named("新宿三丁目駅"), "新宿"));
        assert!(!is_called(&named("かがみ駅"), "かかみ"));
    }

    #[test]
    fn two_with_the_same_name_are_not_clear() {
        assert_eq!(only(&[1, 2, 3], |number| *number == 2), Some(&2));
        assert_eq!(only(&[2, 2], |number| *number == 2), None);
    }
}
