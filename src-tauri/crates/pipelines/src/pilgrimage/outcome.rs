//! What a planned visit comes to: the keys of the seed, the answer in words, and both anew where the person changes the
//! visit.

use interpreter::{ChangeVisit, FunctionContext, Registry, WithoutModel};
use itinerary::{Leg, OpeningState, Operation, TravelMode, TripPlan, Visit, change};
use jiff::civil::DateTime;
use kernel::{Code, Delta, Error, Phrase, phrase};
use serde_json::{Value, json};

use super::trip::{final_plan, km, minutes, route, value_of};
use super::words::Language;

pub(super) fn register(registry: &mut Registry) {
    registry.without_model.insert("answer_of_plan", answer_of_plan as WithoutModel);
    registry.visits.insert("change_visit", changed as ChangeVisit);
}

/// A planned visit with what its keys are made of.
pub(super) struct Outcome<'a> {
    pub(super) planned: &'a TripPlan,
    pub(super) title: String,
    pub(super) station: &'a Value,
    pub(super) points: &'a [Value],
    pub(super) created_at: String,
    /// The fields of the session that are not part of the plan.
    pub(super) session: Value,
}

/// The keys that follow from a planned visit.
pub(super) fn delta_of(outcome: &Outcome<'_>) -> Delta {
    let Outcome { planned, title, station, points, created_at, session, .. } = outcome;
    let route = route(planned, station, points, created_at);
    let mut session = session.clone();
    session["station"] = (*station).clone();
    session["selected_bangumi_ids"] = json!([session["bangumi_id"]]);
    session["nearby_bangumi"] = json!([]);
    session["points"] = json!(points);
    session["route"] = route.clone();
    session["weather"] = json!(planned.weather);
    session["updated_at"] = json!(created_at);
    Delta::of("final_plan", final_plan(planned, title, &route, points))
        .with("route", route)
        .with("pilgrimage_session", session)
        .with("itinerary", value_of(planned))
}

/// The answer in words, of the plan alone.
fn answer_of_plan(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let planned: Option<TripPlan> = context.read("itinerary");
    let planned = planned.ok_or_else(|| phrase!("there is no plan to answer from"))?;
    Ok(json!({ interpreter::TEXT: answer(&planned, Language::of_locale(context.text("locale"))) }))
}

/// What the person changes of the visit: the order, the points; times, route, plan and answer follow.
fn changed(context: &FunctionContext<'_>, operation: &Operation) -> Result<Delta, Error> {
    let Some(mut planned) = context.read::<TripPlan>("itinerary") else {
        return Err(Error::new(
            Code::BadInput,
            phrase!("There is no visit to change yet; wait until it is planned"),
        ));
    };
    let choice = change(&planned.itinerary, operation)?;
    planned.replan(&choice)?;
    let language = Language::of_locale(context.text("locale"));
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
        session: context.read("pilgrimage_session").unwrap_or_else(|| json!({})),
    };
    Ok(delta_of(&outcome).with("visit_answer", json!(answer(&planned, language))))
}

fn clock(time: DateTime) -> String {
    time.strftime("%H:%M").to_string()
}

/// The plan in words, Markdown.
fn answer(planned: &TripPlan, language: Language) -> String {
    let itinerary = &planned.itinerary;
    let totals = &itinerary.totals;
    let station = itinerary.start_name.clone();
    let summary = language.say(
        "summary",
        &[
            ("date", language.day(itinerary.departure.date())),
            ("start", clock(itinerary.departure)),
            ("end", clock(totals.end)),
            ("points", itinerary.visits.len().to_string()),
            ("distance", format!("{:.1}", km(totals.distance_m))),
            ("travel", language.duration(totals.travel_s)),
            ("station", station.clone()),
        ],
    );
    let mut lines = vec![format!("# {}", inert(&planned.title)), inert(&summary), weather(planned, language)];
    let visits: Vec<String> = itinerary
        .visits
        .iter()
        .map(|visit| format!("{}. {}", visit.position, line(planned, visit, language)))
        .collect();
    lines.push(visits.join("\n"));
    if let Some(back) = &itinerary.return_leg {
        let values = [("station", station), ("arrival", clock(back.arrival))];
        lines.push(inert(&language.say("back", &values)));
    }
    if !itinerary.left_out.is_empty() {
        let names: Vec<&str> = itinerary.left_out.iter().map(|left| left.name.as_str()).collect();
        lines.push(inert(&language.say("left_out", &[("names", names.join(", "))])));
    }
    let mut remarks = planned.remarks.clone();
    if totals.is_estimate {
        remarks.push(language.say("estimated", &[]));
    }
    if !remarks.is_empty() {
        lines.push(format!("## {}", language.say("remarks", &[])));
        lines
            .push(remarks.iter().map(|remark| format!("- {}", inert(remark))).collect::<Vec<_>>().join("\n"));
    }
    if !planned.attributions.is_empty() {
        lines.push(format!("## {}", language.say("sources", &[])));
        let origins = planned.attributions.iter().map(|origin| {
            let parts = [&origin.name, &origin.licence, &origin.url].into_iter();
            let parts: Vec<String> = parts.filter(|part| !part.is_empty()).map(|part| inert(part)).collect();
            format!("- {}", parts.join(" · "))
        });
        lines.push(origins.collect::<Vec<_>>().join("\n"));
    }
    lines.retain(|line| !line.is_empty());
    lines.join("\n\n")
}

/// Text of services without the marks that Markdown would read; one line.
fn inert(text: &str) -> String {
    let mut said = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => said.push(' '),
            '\\' | '*' | '_' | '`' | '[' | ']' | '<' | '>' | '#' | '|' | '!' => said.extend(['\\', c]),
            _ => said.push(c),
        }
    }
    said
}

fn weather(planned: &TripPlan, language: Language) -> String {
    let Some(weather) = &planned.weather else { return language.say("no_weather", &[]) };
    language.say(
        "weather",
        &[
            ("condition", inert(&weather.condition)),
            ("low", weather.temperature_low.to_string()),
            ("high", weather.temperature_high.to_string()),
            ("chance", weather.precipitation_chance.to_string()),
            ("wind", weather.wind_speed_kmh.to_string()),
            ("recommendation", inert(&weather.recommendation)),
        ],
    )
}

/// One visit in a line.
fn line(planned: &TripPlan, visit: &Visit, language: Language) -> String {
    let details = planned.details.get(&visit.id);
    let scene = details.map(|details| details.scene.as_str()).filter(|scene| !scene.is_empty());
    let brackets = if language == Language::English { (" (", ")") } else { ("（", "）") };
    let scene = scene.map(|scene| format!("{}{}{}", brackets.0, inert(scene), brackets.1));
    language.say(
        "visit",
        &[
            ("arrival", clock(visit.arrival)),
            ("name", inert(&visit.name)),
            ("scene", scene.unwrap_or_default()),
            ("way", way(&visit.leg, language)),
            ("hours", hours(visit, language)),
        ],
    )
}

fn way(leg: &Leg, language: Language) -> String {
    let name = match leg.mode {
        TravelMode::Walking => "walking",
        TravelMode::Transit => "transit",
        TravelMode::Driving => "driving",
    };
    language.say(
        name,
        &[("metres", leg.distance_m.to_string()), ("minutes", minutes(leg.duration_s).to_string())],
    )
}

fn hours(visit: &Visit, language: Language) -> String {
    if visit.is_closed_on_arrival {
        return language.say("closed", &[]);
    }
    if visit.closes_during_stay {
        return language.say("closes", &[]);
    }
    match &visit.opening {
        OpeningState::OpensAt { at } => {
            let wait = minutes(visit.wait_s).to_string();
            language.say("opens", &[("time", clock(*at)), ("minutes", wait)])
        }
        OpeningState::Check { .. } => {
            let hours = visit.opening_hours.clone().unwrap_or_default();
            language.say("check", &[("hours", inert(&hours))])
        }
        _ => String::new(),
    }
}
