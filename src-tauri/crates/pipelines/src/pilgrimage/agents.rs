//! The agents in code: they assign the session id, request routes, and complete the plan.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Agent, AgentError, Cx, Flow};
use interpreter::{CustomContext, Registry};
use itinerary::{Attribution, Choice, OfferedLeg, OrderOrigin, Ride, TravelMode, TripPlan};
use jiff::Timestamp;
use jiff::tz::Offset;
use kernel::{Coordinates, Delta, Error, Note, Outline, Phrase, phrase};
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tools::trips::{ESTIMATED_ROUTES, Routes, TitleCandidate};

use super::candidates::{LEAST_RADIUS_KM, MOST_RADIUS_KM};
use super::outcome::{Outcome, delta_of};
use super::points::wished_points;
use super::remarks::{self, VisitFacts};
use super::requests::RequestDetails;
use super::trip::{Departure, TripParts, route, value_of};
use super::words::Language;

/// The slots for routing tools.
const WALKING: &str = "routing";
const TRANSIT: &str = "transit";
/// Most requests to a transit service in one visit.
const MOST_RIDES: usize = 25;

pub(super) fn register(registry: &mut Registry) {
    registry
        .custom
        .insert("visit_start", |context| Ok(Arc::new(VisitStart(crate::outline(context))) as Arc<dyn Agent>));
    registry.custom.insert("visit_route", |context| {
        Ok(Arc::new(RouteAgent { outline: crate::outline(context), tool: tool(context, WALKING)? }))
    });
    registry.custom.insert("visit_transport", |context| {
        Ok(Arc::new(TransportAgent { outline: crate::outline(context), tool: tool(context, TRANSIT)? }))
    });
}

fn tool(context: &CustomContext<'_>, slot: &str) -> Result<String, Error> {
    let offer = context.tools.get(slot).ok_or_else(|| {
        let message = phrase!("`{agent}` needs a tool for `{slot}`", agent = context.agent, slot);
        Error::new(kernel::Code::BadInput, message)
    })?;
    Ok(offer.name.clone())
}

fn read<T: DeserializeOwned>(cx: &Cx, key: &str) -> Result<Option<T>, AgentError> {
    let value = cx.value(key)?;
    Ok(value.and_then(|value| T::deserialize(value.json_or_null()).ok()))
}

fn language(cx: &Cx) -> Result<Language, AgentError> {
    Ok(Language::of_locale(&read::<String>(cx, "locale")?.unwrap_or_default()))
}

/// The points to visit: the enriched ones, else the filtered ones, else all.
fn points(cx: &Cx) -> Result<Vec<Value>, AgentError> {
    for key in ["points_enriched", "points_filtered", "points"] {
        if let Some(points) = read::<Vec<Value>>(cx, key)? {
            return Ok(points);
        }
    }
    Ok(Vec::new())
}

async fn now(cx: &mut Cx) -> Result<Timestamp, AgentError> {
    Ok(Timestamp::from_millisecond(cx.now().await?).unwrap_or(Timestamp::UNIX_EPOCH))
}

/// Assigns the session its id and its language, and records when it began.
struct VisitStart(Outline);

#[async_trait]
impl Agent for VisitStart {
    fn outline(&self) -> &Outline {
        &self.0
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let id = cx.new_id().await?;
        let began = now(cx).await?;
        let chosen: String = read(cx, "answer_language")?.unwrap_or_default();
        let query: String = read(cx, "user_query")?.unwrap_or_default();
        let is_chosen = chosen.contains('-');
        let language = if is_chosen { Language::of_locale(&chosen) } else { Language::of_text(&query) };
        let delta = Delta::of("session_id", json!(id))
            .with("session_began_at", json!(began.to_string()))
            .with("locale", json!(language.locale()));
        cx.change(delta).await?;
        Ok(Flow::Continue)
    }
}

/// Orders the points and plans the times, with walking routes of a service or with estimates.
struct RouteAgent {
    outline: Outline,
    tool: String,
}

#[async_trait]
impl Agent for RouteAgent {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let station: Value = read(cx, "station")?.unwrap_or_default();
        let (Some(coordinates), Some(departure)) =
            (read::<Coordinates>(cx, "user_coordinates")?, read::<Departure>(cx, "departure")?)
        else {
            let message = phrase!("The visit has no start or no time to begin; give a station and a day");
            return Err(Error::new(kernel::Code::BadInput, message).into());
        };
        let points = points(cx)?;
        let parts = TripParts {
            station: station.clone(),
            coordinates,
            points: points.clone(),
            departure,
            returns_to_start: read(cx, "return_to_start")?.unwrap_or_default(),
            language: language(cx)?,
        };
        let (trip, _) = parts.trip();
        let stops = trip.stops.iter().map(|stop| stop.coordinates);
        // A point without a position keeps its place in the list, so that the indexes of the routes fit.
        let spots: Vec<Coordinates> =
            std::iter::once(Some(coordinates)).chain(stops).map(|at| at.unwrap_or(coordinates)).collect();
        let input = json!({ "points": spots, "mode": TravelMode::Walking });
        let (routes, failure) = ways(cx, &self.tool, input).await?;
        let Routes { legs, attributions, mut notes } = routes;
        notes.extend(failure);
        let placed = |leg: &OfferedLeg| {
            let is_placed = |index: u32| {
                index == 0
                    || trip.stops.get(index as usize - 1).is_some_and(|stop| stop.coordinates.is_some())
            };
            !leg.leg.is_estimate && is_placed(leg.from) && is_placed(leg.to)
        };
        // Only routes of a service are kept: estimates are computed again when needed.
        let offers: Vec<OfferedLeg> = legs.into_iter().filter(placed).collect();
        let planned = parts.planned(offers)?;
        let created_at = now(cx).await?.to_string();
        let meta = json!({
            "optimized": planned.itinerary.order != OrderOrigin::Person,
            "order": planned.itinerary.order,
            "waypoints_count": planned.itinerary.visits.len(),
            "attributions": attributions,
            "notes": notes,
        });
        let delta = Delta::of("route", route(&planned, &station, &points, &created_at))
            .with("route_meta", meta)
            .with("itinerary", value_of(&planned));
        cx.change(delta).await?;
        Ok(Flow::Continue)
    }
}

/// The routes from a routing service. If it fails, none, with the reason: the plan then uses estimates.
async fn ways(cx: &mut Cx, tool: &str, input: Value) -> Result<(Routes, Option<Phrase>), AgentError> {
    match cx.call_tool(tool, input).await {
        Ok(called) => Ok((serde_json::from_value(called.output.0).unwrap_or_default(), None)),
        Err(AgentError::Tool(fault)) => {
            let why = (*fault.phrase).clone();
            cx.note(Note::decision("routing_failed", json!({ "why": why })))?;
            let failure = phrase!("The ways could not be asked for, so they are estimated: {why}", why);
            Ok((Routes::default(), Some(failure)))
        }
        Err(error) => Err(error),
    }
}

/// Compares walking with transit where the way is long, and completes the plan.
struct TransportAgent {
    outline: Outline,
    tool: String,
}

#[async_trait]
impl Agent for TransportAgent {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        let Some(mut planned) = read::<TripPlan>(cx, "itinerary")? else {
            let message = phrase!("There is no route yet; let the route be planned first");
            return Err(Error::new(kernel::Code::BadInput, message).into());
        };
        let found = self.rides(cx, &mut planned).await?;
        let language = language(cx)?;
        planned.weather = read(cx, "weather")?;
        let mut origins = found.attributions;
        let mut notes = found.notes;
        for key in ["title_origin", "place_origin", "points_meta", "route_meta", "weather_raw"] {
            let value: Value = read(cx, key)?.unwrap_or_default();
            origins.extend(
                serde_json::from_value::<Vec<Attribution>>(value["attributions"].clone()).unwrap_or_default(),
            );
            notes.extend(serde_json::from_value::<Vec<Phrase>>(value["notes"].clone()).unwrap_or_default());
        }
        let title = title_in(cx, language)?;
        for details in planned.details.values_mut() {
            details.title.clone_from(&title);
        }
        planned.title =
            language.say("title", &[("title", title), ("station", planned.itinerary.start_name.clone())]);
        planned.attributions = each_once(origins);
        let created = now(cx).await?;
        let points = points(cx)?;
        planned.lasting_remarks = each_once(notes.iter().map(|note| language.note(note)).collect());
        planned.lasting_remarks.extend(lasting_remarks(cx, &planned, points.len(), created)?);
        remarks::renew(&mut planned, language);
        let station: Value = read(cx, "station")?.unwrap_or_default();
        let outcome = Outcome {
            planned: &planned,
            title: read::<String>(cx, "bangumi_title")?.unwrap_or_default(),
            station: &station,
            points: &points,
            created_at: created.to_string(),
            updated_at: created.to_string(),
            session: self.session(cx)?,
        };
        cx.surface(delta_of(&outcome)).await?;
        Ok(Flow::Continue)
    }
}

impl TransportAgent {
    /// Requests rides one after the other for the ways that are too long to be walked for certain, each for the time of
    /// departure that follows from the rides before.
    async fn rides(&self, cx: &mut Cx, planned: &mut TripPlan) -> Result<Routes, AgentError> {
        let mut found = Routes::default();
        // The estimates include no trains and buses.
        if self.tool == ESTIMATED_ROUTES {
            return Ok(found);
        }
        let choice = planned.itinerary.choice.clone();
        let in_order = planned.itinerary.visits.iter().map(|visit| visit.id.clone()).collect();
        let in_order = Choice { order: Some(in_order), ..choice.clone() };
        let minutes = planned.itinerary.utc_offset_minutes;
        let offset = minutes.and_then(|minutes| Offset::from_seconds(i32::from(minutes) * 60).ok());
        let ways_now = planned.ways();
        let long = ways_now.iter().enumerate().filter(|(_, way)| way.is_long()).map(|(number, _)| number);
        for number in long.take(MOST_RIDES).collect::<Vec<_>>() {
            let Some(way) = planned.ways().get(number).copied() else { break };
            let (ends, departure) = (way.ends, way.departure);
            let at = offset.and_then(|offset| offset.to_timestamp(departure).ok());
            let input = json!({
                "points": way.coordinates, "mode": TravelMode::Transit, "in_order": true,
                "departure": at.map(|at| at.to_string()),
            });
            let (Routes { legs, attributions, notes }, failure) = ways(cx, &self.tool, input).await?;
            found.attributions.extend(attributions);
            found.notes.extend(notes);
            if let Some(failure) = failure {
                found.notes.push(failure);
                break;
            }
            let leg = legs.into_iter().next().map(|offer| offer.leg);
            let departure = at.map(|_| departure);
            planned.rides.push(Ride { from: ends.0, to: ends.1, departure, leg });
            planned.replan(&in_order)?;
        }
        if !planned.rides.is_empty() {
            planned.replan(&choice)?;
        }
        Ok(found)
    }

    /// The fields of the session that are not part of the plan.
    fn session(&self, cx: &Cx) -> Result<Value, AgentError> {
        let mut session = serde_json::Map::new();
        for (field, key) in [
            ("session_id", "session_id"),
            ("created_at", "session_began_at"),
            ("search_radius_km", "search_radius_km"),
            ("user_coordinates", "user_coordinates"),
            ("user_location", "location"),
            ("bangumi_id", "bangumi_id"),
            ("bangumi_name", "bangumi_title"),
            ("bangumi_confidence", "bangumi_confidence"),
        ] {
            session.insert(field.to_owned(), read(cx, key)?.unwrap_or_default());
        }
        Ok(Value::Object(session))
    }
}

/// The title in a language: its Chinese name, an English one among its other names, else as it was published.
fn title_in(cx: &Cx, language: Language) -> Result<String, AgentError> {
    let published: String = read(cx, "bangumi_title")?.unwrap_or_default();
    let own = match language {
        Language::Japanese => None,
        Language::Chinese => read::<String>(cx, "bangumi_title_cn")?,
        Language::English => {
            let id: Option<i64> = read(cx, "bangumi_id")?;
            let titles: Vec<TitleCandidate> = read(cx, "bangumi_candidates")?.unwrap_or_default();
            let title = titles.into_iter().find(|title| Some(title.id) == id);
            let names = title.map(|title| title.aliases).unwrap_or_default();
            names.into_iter().find(|name| name.is_ascii())
        }
    };
    Ok(own.filter(|name| !name.is_empty()).unwrap_or(published))
}

fn each_once<T: PartialEq>(all: Vec<T>) -> Vec<T> {
    let mut kept: Vec<T> = Vec::with_capacity(all.len());
    for one in all {
        if !kept.contains(&one) {
            kept.push(one);
        }
    }
    kept
}

/// The remarks on this visit that hold whatever the person changes.
fn lasting_remarks(
    cx: &Cx,
    planned: &TripPlan,
    points: usize,
    now: Timestamp,
) -> Result<Vec<String>, AgentError> {
    let meta: Value = read(cx, "points_meta")?.unwrap_or_default();
    let near: Vec<Value> = read(cx, "points")?.unwrap_or_default();
    let RequestDetails { wishes, unclear_day, end_time, radius_km: said_km, .. } =
        read(cx, "extraction_meta")?.unwrap_or_default();
    let center = read(cx, "user_coordinates")?;
    let wished = (!wishes.is_empty()).then(|| wished_points(&near, &wishes, center));
    let radius_km: f64 = read(cx, "search_radius_km")?.unwrap_or_default();
    let facts = VisitFacts {
        near: near.len() as u64,
        total: meta["total"].as_u64().unwrap_or(0),
        radius_km,
        wished: wished.as_ref(),
        too_many: points.saturating_sub(planned.trip.stops.len()),
        now,
        unclear_day: unclear_day.as_deref(),
        end_time: end_time.as_deref(),
        // A radius from the form, or from an earlier run, is the person's own choice.
        other_radius: said_km
            .filter(|said| said.clamp(LEAST_RADIUS_KM, MOST_RADIUS_KM) == radius_km && *said != radius_km),
    };
    Ok(remarks::of_visit(&facts, planned, language(cx)?))
}
