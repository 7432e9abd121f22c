//! The outputs of a planned visit: the keys of the seed and the answer in words. Both are computed again when the
//! person changes the visit.

use interpreter::{ChangeVisit, FunctionContext, Registry, WithoutModel};
use itinerary::{
    Attribution, Itinerary, Leg, OpeningState, Operation, StopDetails, TravelMode, TripPlan, Visit, change,
    web_address,
};
use jiff::Timestamp;
use kernel::{Code, Delta, Error, Phrase, phrase};
use prose::literal;
use serde_json::{Value, json};

use super::remarks;
use super::trip::{final_plan, km, minutes, route, value_of};
use super::words::Language;

pub(super) fn register(registry: &mut Registry) {
    registry.without_model.insert("answer_of_plan", answer_of_plan as WithoutModel);
    registry.visits.insert("change_visit", changed as ChangeVisit);
}

/// A planned visit with the values that its keys are made from.
pub(super) struct Outcome<'a> {
    pub(super) planned: &'a TripPlan,
    pub(super) title: String,
    pub(super) station: &'a Value,
    pub(super) points: &'a [Value],
    pub(super) created_at: String,
    pub(super) updated_at: String,
    /// The fields of the session that are not part of the plan.
    pub(super) session: Value,
}

/// The delta with the keys that follow from a planned visit.
pub(super) fn delta_of(outcome: &Outcome<'_>) -> Delta {
    let Outcome { planned, title, station, points, created_at, updated_at, session } = outcome;
    let route = route(planned, station, points, created_at);
    let mut session = session.clone();
    session["station"] = (*station).clone();
    let chosen: Vec<&Value> = Some(&session["bangumi_id"]).filter(|id| !id.is_null()).into_iter().collect();
    session["selected_bangumi_ids"] = json!(chosen);
    session["nearby_bangumi"] = json!([]);
    session["points"] = json!(points);
    session["route"] = route.clone();
    session["weather"] = json!(planned.weather);
    // The tool for visit files makes its map, its booklet and other files from this.
    session["itinerary"] = json!(planned);
    session["updated_at"] = json!(updated_at);
    Delta::of("final_plan", final_plan(planned, title, &route, points))
        .with("route", route)
        .with("pilgrimage_session", session)
        .with("itinerary", value_of(planned))
}

/// The answer in words, from the plan alone.
fn answer_of_plan(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let planned: Option<TripPlan> = context.read("itinerary");
    let planned = planned.ok_or_else(|| phrase!("there is no plan to answer from"))?;
    Ok(json!({ interpreter::TEXT: answer(&planned, Language::of_locale(context.text("locale"))) }))
}

/// Applies the person's change to the order or the points at this time, and updates times, remarks, route, plan and
/// answer.
fn changed(context: &FunctionContext<'_>, operation: &Operation, now: Timestamp) -> Result<Delta, Error> {
    let Some(mut planned) = context.read::<TripPlan>("itinerary") else {
        return Err(Error::new(
            Code::BadInput,
            phrase!("There is no visit to change yet; wait until it is planned"),
        ));
    };
    let language = Language::of_locale(context.text("locale"));
    let answer_before = answer(&planned, language);
    let choice = change(&planned.itinerary, operation)?;
    planned.replan(&choice)?;
    remarks::renew(&mut planned, language);
    let station: Value = context.read("station").unwrap_or_default();
    let points = ["points_enriched", "points_filtered", "points"];
    let points: Vec<Value> = points.into_iter().find_map(|key| context.read(key)).unwrap_or_default();
    let before: Value = context.read("route").unwrap_or_default();
    let outcome = Outcome {
        planned: &planned,
        title: context.text("bangumi_title").to_owned(),
        station: &station,
        points: &points,
        created_at: before["created_at"].as_str().unwrap_or_default().to_owned(),
        updated_at: now.to_string(),
        session: context.read("pilgrimage_session").unwrap_or_else(|| json!({})),
    };
    let mut said = answer(&planned, language);
    // A model or the person wrote the current answer, and its times no longer hold.
    let written = context.text("visit_answer");
    if !written.is_empty() && written != answer_before {
        said = format!("{}\n\n{said}", language.say("changed_answer", &[]));
    }
    Ok(delta_of(&outcome).with("visit_answer", json!(said)))
}

/// The plan in words, as Markdown.
fn answer(planned: &TripPlan, language: Language) -> String {
    let itinerary = &planned.itinerary;
    let totals = &itinerary.totals;
    let station = itinerary.start_name.clone();
    let summary = language.say(
        "summary",
        &[
            ("date", language.day(itinerary.departure.date())),
            ("start", itinerary.clock(itinerary.departure)),
            ("end", itinerary.clock(totals.end)),
            ("points", itinerary.visits.len().to_string()),
            ("distance", format!("{:.1}", km(totals.distance_m))),
            ("travel", language.duration(totals.travel_s)),
            ("station", literal(&station)),
        ],
    );
    let mut lines = vec![format!("# {}", literal(&planned.title)), summary, weather(planned, language)];
    let visits: Vec<String> = itinerary
        .visits
        .iter()
        .map(|visit| format!("{}. {}", visit.position, line(planned, visit, language)))
        .collect();
    lines.push(visits.join("\n"));
    if let Some(back) = &itinerary.return_leg {
        let arrival = itinerary.clock(back.arrival);
        let values =
            [("station", literal(&station)), ("arrival", arrival), ("way", way(&back.leg, language))];
        lines.push(language.say("back", &values));
    }
    if !itinerary.left_out.is_empty() {
        let names: Vec<String> = itinerary.left_out.iter().map(|left| literal(&left.name)).collect();
        lines.push(language.say("left_out", &[("names", names.join(", "))]));
    }
    lines.extend(section(
        "remarks",
        planned.remarks.iter().map(|remark| literal(remark)).collect(),
        language,
    ));
    let sources = planned.attributions.iter().map(source).chain(origins(planned, language));
    lines.extend(section("sources", sources.collect(), language));
    lines.retain(|line| !line.is_empty());
    lines.join("\n\n")
}

/// A heading with a list; nothing if the list is empty.
fn section(name: &str, items: Vec<String>, language: Language) -> Vec<String> {
    if items.is_empty() {
        return Vec::new();
    }
    let items: Vec<String> = items.iter().map(|item| format!("- {item}")).collect();
    vec![format!("## {}", language.say(name, &[])), items.join("\n")]
}

/// The origin of data, with the address as a link.
fn source(origin: &Attribution) -> String {
    let address = origin.address().map(|address| format!("<{address}>"));
    let parts = [&origin.name, &origin.licence].map(|part| literal(part));
    parts.into_iter().filter(|part| !part.is_empty()).chain(address).collect::<Vec<_>>().join(" · ")
}

/// The sources of the visits' details, each with the numbers of its visits.
fn origins(planned: &TripPlan, language: Language) -> Vec<String> {
    let mut sources: Vec<(&StopDetails, Vec<String>)> = Vec::new();
    for visit in &planned.itinerary.visits {
        let Some(details) = planned.details.get(&visit.id).filter(|details| !details.origin.is_empty())
        else {
            continue;
        };
        let is_same = |(known, _): &&mut (&StopDetails, Vec<String>)| {
            (&known.origin, &known.origin_url) == (&details.origin, &details.origin_url)
        };
        match sources.iter_mut().find(is_same) {
            Some((_, numbers)) => numbers.push(visit.position.to_string()),
            None => sources.push((details, vec![visit.position.to_string()])),
        }
    }
    let said = sources.into_iter().map(|(details, numbers)| {
        let address = web_address(&details.origin_url).map(|address| format!(" · <{address}>"));
        let origin = format!("{}{}", literal(&details.origin), address.unwrap_or_default());
        language.say("points_from", &[("numbers", numbers.join(", ")), ("origin", origin)])
    });
    said.collect()
}

fn weather(planned: &TripPlan, language: Language) -> String {
    let Some(weather) = &planned.weather else { return language.say("no_weather", &[]) };
    let known = |name: &str, place: &str, value: Option<String>| {
        value.map(|value| language.say(name, &[(place, value)])).unwrap_or_default()
    };
    let rain = weather.precipitation_chance.map(|chance| chance.to_string());
    let wind = weather.wind_speed_kmh.map(|wind| wind.to_string());
    language.say(
        "weather",
        &[
            ("condition", literal(&weather.condition)),
            ("low", weather.temperature_low.to_string()),
            ("high", weather.temperature_high.to_string()),
            ("rain", known("weather_rain", "chance", rain)),
            ("wind", known("weather_wind", "wind", wind)),
            ("recommendation", literal(&weather.recommendation)),
        ],
    )
}

/// The line of one visit.
fn line(planned: &TripPlan, visit: &Visit, language: Language) -> String {
    let details = planned.details.get(&visit.id);
    let scene = details.map(|details| details.scene.as_str()).filter(|scene| !scene.is_empty());
    let brackets = if language == Language::English { (" (", ")") } else { ("（", "）") };
    let scene = scene.map(|scene| format!("{}{}{}", brackets.0, literal(scene), brackets.1));
    language.say(
        "visit",
        &[
            ("arrival", planned.itinerary.clock(visit.arrival)),
            ("name", literal(&visit.name)),
            ("scene", scene.unwrap_or_default()),
            ("way", way(&visit.leg, language)),
            ("hours", hours(&planned.itinerary, visit, language)),
        ],
    )
}

fn way(leg: &Leg, language: Language) -> String {
    let name = match leg.mode {
        TravelMode::Walking => "walking",
        TravelMode::Transit => "transit",
        TravelMode::Driving => "driving",
    };
    let ride = leg.instructions.as_deref().map(literal).filter(|instructions| !instructions.is_empty());
    let ride =
        ride.map(|instructions| language.say("ride", &[("instructions", instructions)])).unwrap_or_default();
    let (metres, minutes) = (leg.distance_m.to_string(), minutes(leg.duration_s).to_string());
    language.say(name, &[("metres", metres), ("minutes", minutes), ("ride", ride)])
}

/// The remark on the opening hours of a visit.
fn hours(itinerary: &Itinerary, visit: &Visit, language: Language) -> String {
    let state = match &visit.opening {
        _ if visit.is_closed_on_arrival => language.say("closed", &[]),
        _ if visit.closes_during_stay => language.say("closes", &[]),
        OpeningState::OpensAt { at } => {
            let wait = minutes(visit.wait_s).to_string();
            language.say("opens", &[("time", itinerary.clock(*at)), ("minutes", wait)])
        }
        _ => String::new(),
    };
    let is_to_check = visit.check.is_some() || matches!(visit.opening, OpeningState::Check { .. });
    let hours = visit.opening_hours.as_deref().map(literal).filter(|_| is_to_check);
    state + &hours.map(|hours| language.say("check", &[("hours", hours)])).unwrap_or_default()
}

#[cfg(test)]
#[path = "outcome_tests.rs"]
mod tests;
