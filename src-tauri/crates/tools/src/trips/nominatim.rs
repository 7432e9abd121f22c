//! The service `nominatim`: the address of a point, and its opening hours if OpenStreetMap has the place under the same
//! name. It is used only if the user chose it: its policy forbids heavy use
//! (<https://operations.osmfoundation.org/policies/nominatim/>), so it gets one request per second for a few points.

use std::time::Duration;

use async_trait::async_trait;
use itinerary::distance_m;
use kernel::{Error, Phrase, form, phrase};
use net::Request;
use serde_json::Value;

use super::service_tool::{ServiceTool, TripService, open_data};
use super::ways::{failed_at, open_street_map};
use super::{PlaceDetails, PlaceDetailsRequest, PlaceInQuestion, PointDetails};
use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::web::json_fields::{harmless, text, title};
use crate::web::rate_limit::RateLimit;
use crate::web::service_client::{Caller, Service};

const SERVICE: ServiceDescription = ServiceDescription {
    name: "nominatim",
    title: "Nominatim",
    base_url: "https://nominatim.openstreetmap.org",
    settings: &[],
};

pub(super) const SOURCE: OfferedTool = OfferedTool {
    id: "nominatim",
    tool: "nominatim_details",
    title: SERVICE.title,
    purpose: form!(
        "Addresses and opening hours of the nearest points, by Nominatim of OpenStreetMap or one of your own. Needs no key."
    ),
    key: KeyNeed::None,
    key_page: "",
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| ServiceTool::tool(parts, Nominatim),
};

/// The policy allows one request per second for all users of a program together.
const RATE_LIMIT: RateLimit =
    RateLimit { name: SERVICE.name, apart: Duration::from_secs(1), patience: Duration::from_secs(60) };
/// The most points of a request that are looked up, the nearest ones.
const MOST_POINTS: usize = 20;
/// The error for an unknown place, which comes with a status of success.
const UNKNOWN_PLACE: &str = "Unable to geocode";

struct Nominatim;

#[async_trait]
impl TripService for Nominatim {
    type Question = PlaceDetailsRequest;
    const ABOUT: OfferedTool = SOURCE;

    async fn answer(
        &self,
        question: &PlaceDetailsRequest,
        caller: &Caller<'_>,
    ) -> Result<PlaceDetails, Error> {
        let mut open: Vec<&PlaceInQuestion> = question.points.iter().filter(|point| lacks(point)).collect();
        open.sort_by_key(|point| distance_m(question.around, point.coordinates).unwrap_or(u32::MAX));
        let mut found = PlaceDetails { attributions: vec![open_street_map()], ..PlaceDetails::default() };
        if open.is_empty() {
            return Ok(PlaceDetails::default());
        }
        let service = open_data(caller, &SERVICE).await?;
        if let Some(note) = service.no_contact() {
            return Ok(PlaceDetails { notes: vec![note], ..PlaceDetails::default() });
        }
        found.notes.extend(limited(open.len()));
        for (index, point) in open.into_iter().take(MOST_POINTS).enumerate() {
            match details(&service, point, &question.language).await {
                Ok(details) => found.details.extend(details),
                // Details that were already found are kept.
                Err(error) if index > 0 => {
                    found.notes.push(failed_at(SERVICE.title, &point.name, &error));
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }
}

fn lacks(point: &PlaceInQuestion) -> bool {
    let is_missing = |field: &Option<String>| field.as_ref().is_none_or(|text| text.trim().is_empty());
    is_missing(&point.address) || is_missing(&point.opening_hours)
}

fn limited(count: usize) -> Option<Phrase> {
    (count > MOST_POINTS).then(|| {
        phrase!(
            "{service} was asked about the nearest {most} of {count} points: it is run by volunteers",
            service = SERVICE.title,
            most = MOST_POINTS,
            count
        )
    })
}

/// The details of the place at a point; `None` when the service knows none.
async fn details(
    service: &Service,
    point: &PlaceInQuestion,
    language: &str,
) -> Result<Option<PointDetails>, Error> {
    let (latitude, longitude) =
        (format!("{:.6}", point.coordinates.latitude), format!("{:.6}", point.coordinates.longitude));
    let language = if language.is_empty() { "ja" } else { language };
    let parameters = [
        ("lat", latitude.as_str()),
        ("lon", &longitude),
        ("format", "jsonv2"),
        ("zoom", "18"),
        ("extratags", "1"),
        ("namedetails", "1"),
        ("accept-language", language),
    ];
    let url = service.url("/reverse", &parameters);
    let answer = {
        let _turn = service.turn(&url, &RATE_LIMIT).await?;
        service.send(Request::get(url)).await?
    };
    let json: Value = serde_json::from_slice(&answer.body).unwrap_or_default();
    if answer.is_success() && text(&json, "error") == UNKNOWN_PLACE {
        return Ok(None);
    }
    let place = service.json(&answer, &["display_name"])?;
    let read = |text: &str| Some(title(&harmless(text))).filter(|text| !text.is_empty());
    // The nearest place may be the shop next door: its hours count only if it has the same name.
    let hours = place.get("extratags").map(|tags| text(tags, "opening_hours")).unwrap_or_default();
    let opening_hours = read(&hours).filter(|_| is_named(&place, &point.name));
    Ok(Some(PointDetails {
        id: point.id.clone(),
        address: read(&text(&place, "display_name")),
        opening_hours,
    }))
}

/// Whether the place has this name in any language.
fn is_named(place: &Value, name: &str) -> bool {
    let plain = |name: &str| -> String {
        name.chars().filter(|sign| sign.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(name);
    let others = place.get("namedetails").and_then(Value::as_object);
    let others = others.into_iter().flat_map(serde_json::Map::values).filter_map(Value::as_str);
    let own = text(place, "name");
    !wanted.is_empty() && others.chain([own.as_ref()]).any(|known| plain(known) == wanted)
}
