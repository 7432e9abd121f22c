//! The service `anitabi`: filming and scene locations of animation, collected by its visitors.

use std::time::Duration;

use async_trait::async_trait;
use itinerary::{Attribution, distance_m, is_on_earth};
use kernel::{Code, Coordinates, Error, Phrase, form, phrase};
use net::{Caps, Request};
use serde_json::Value;

use super::service_tool::{ServiceTool, TripService, open_data};
use super::shapes::with_own_ids;
use super::{Point, PointRequest, Points};
use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::readers::web_address;
use crate::web::json_fields::{harmless, list, number, number_in, text, title};
use crate::web::rate_limit::RateLimit;
use crate::web::service_client::{Caller, Service};

const SERVICE: ServiceDescription = ServiceDescription {
    name: "anitabi",
    title: "Anitabi",
    base_url: "https://api.anitabi.cn",
    settings: &[],
};

pub(super) const SOURCE: OfferedTool = OfferedTool {
    id: "anitabi",
    tool: "get_anitabi_points",
    title: SERVICE.title,
    purpose: form!(
        "Where scenes of a title were seen, by Anitabi, for use that earns nothing. Needs no key."
    ),
    key: KeyNeed::None,
    key_page: "",
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| ServiceTool::tool(parts, Anitabi),
};

/// 30 requests a minute, as other clients use.
const RATE_LIMIT: RateLimit =
    RateLimit { name: SERVICE.name, apart: Duration::from_secs(2), patience: Duration::from_secs(20) };
/// The points of the largest titles take several megabytes.
const CAPS: Caps = Caps { most_bytes: 16 << 20, within: Duration::from_secs(20), redirects: 5 };
/// The base URL of its pictures.
const PICTURES: &str = "https://image.anitabi.cn/";

struct Anitabi;

#[async_trait]
impl TripService for Anitabi {
    type Question = PointRequest;
    const ABOUT: OfferedTool = SOURCE;

    async fn answer(&self, question: &PointRequest, caller: &Caller<'_>) -> Result<Points, Error> {
        let id = question.title_id;
        let service = open_data(caller, &SERVICE).await?;
        let (lite, detail) = (format!("/bangumi/{id}/lite"), format!("/bangumi/{id}/points/detail"));
        let lite = asked(&service, &lite, &["id", "pointsLength", "litePoints"]).await?;
        let Some(lite) = lite else { return Ok(unknown(id)) };
        let detail = asked(&service, &detail, &["[]", "points"]).await?;
        let Some(detail) = detail else { return Ok(unknown(id)) };
        let given = detail.as_array().map_or_else(|| list(&detail, "points"), Vec::as_slice);
        Ok(points(question, &lite, given))
    }
}

/// The answer at this path; `None` when the service does not know the title.
async fn asked(service: &Service, path: &str, own: &[&str]) -> Result<Option<Value>, Error> {
    let url = service.url(path, &[]);
    let answer = {
        let _turn = service.turn(&url, &RATE_LIMIT).await?;
        service.send(Request::get(url).caps(CAPS)).await.map_err(unreachable)?
    };
    match answer.status {
        404 => Ok(None),
        200..=299 => service.json(&answer, own).map(Some).map_err(unreachable),
        status => Err(unreachable_because(service.refusal(&answer), phrase!("HTTP {status}", status))),
    }
}

/// Adds the alternatives to the error of an unreachable service, because Anitabi is unreachable from some networks.
/// Errors of the settings stay unchanged.
fn unreachable(error: Error) -> Error {
    if !matches!(error.code, Code::Overloaded | Code::Timeout | Code::Network) {
        return error;
    }
    let why = (*error.phrase).clone();
    unreachable_because(error, why)
}

fn unreachable_because(error: Error, why: Phrase) -> Error {
    error.reworded(phrase!(
        "{service} cannot be reached ({why}); import points, take those of an earlier run, or try again later",
        service = SERVICE.title,
        why
    ))
}

fn attribution(id: i64) -> Attribution {
    Attribution {
        name: "Anitabi".to_owned(),
        url: format!("https://anitabi.cn/map?bangumiId={id}"),
        licence: "CC BY-NC-SA 4.0".to_owned(),
    }
}

fn unknown(id: i64) -> Points {
    let note = phrase!("{service} has no points of the title {id}", service = SERVICE.title, id);
    Points { notes: vec![note], attributions: vec![attribution(id)], ..Points::default() }
}

fn points(question: &PointRequest, lite: &Value, given: &[Value]) -> Points {
    let count = whole(given.len() as f64);
    let total = number(lite, "pointsLength").map_or(0, whole).max(count);
    let (mut points, mut unplaced) = (Vec::new(), 0);
    for value in given {
        let Some(coordinates) = position(value) else {
            unplaced += 1;
            continue;
        };
        let is_near = distance_m(question.coordinates, coordinates)
            .is_some_and(|metres| f64::from(metres) <= question.radius_km * 1000.0);
        if !is_near {
            continue;
        }
        points.push(point(value, coordinates));
    }
    with_own_ids(&mut points, &question.title_id.to_string());
    let mut notes: Vec<Phrase> = Vec::new();
    if count < total {
        notes.push(phrase!(
            "{service} gave {given} of the {total} points that it counts for this title",
            service = SERVICE.title,
            given = count,
            total
        ));
    }
    if unplaced > 0 {
        notes.push(phrase!("{unplaced} points were left out: nobody wrote down where they are", unplaced));
    }
    let attributions = vec![attribution(question.title_id)];
    Points { points, total, given: count, unplaced, color: color(lite), attributions, notes }
}

/// The position of a point; `None` when it is invalid. Zeros mean a missing position, not the sea off Ghana.
fn position(value: &Value) -> Option<Coordinates> {
    let [latitude, longitude, ..] = list(value, "geo") else { return None };
    let at = Coordinates { latitude: number_in(latitude)?, longitude: number_in(longitude)? };
    let is_null = at.latitude == 0.0 && at.longitude == 0.0;
    (is_on_earth(at) && !is_null).then_some(at)
}

fn point(value: &Value, coordinates: Coordinates) -> Point {
    let read = |field: &str| title(&harmless(&text(value, field)));
    let (name, cn_name) = (read("name"), read("cn"));
    let origin_url = text(value, "originURL");
    Point {
        id: read("id"),
        name: if name.is_empty() { cn_name.clone() } else { name },
        cn_name,
        en_name: String::new(),
        coordinates,
        episode: read("ep"),
        time_seconds: number(value, "s").map_or(0, whole),
        screenshot_url: picture(&text(value, "image")),
        address: None,
        opening_hours: None,
        admission_fee: None,
        kind: String::new(),
        origin: read("origin"),
        origin_url: web_address(origin_url.trim()).unwrap_or_default(),
    }
}

/// The address of a picture. Some addresses lack their host, and some have `&` where `?` belongs.
fn picture(given: &str) -> String {
    let given = given.trim();
    let whole = match given.strip_prefix("//") {
        Some(rest) => format!("https://{rest}"),
        None => match given.strip_prefix('/') {
            Some(path) => format!("{PICTURES}{}", path.strip_prefix("images/").unwrap_or(path)),
            None => given.to_owned(),
        },
    };
    let whole = if whole.contains('?') { whole } else { whole.replacen('&', "?", 1) };
    web_address(&whole).unwrap_or_default()
}

/// The colour of the title; empty when it is not in the form `#rrggbb`.
fn color(lite: &Value) -> String {
    let color = text(lite, "color");
    let digits = color.strip_prefix('#').unwrap_or_default();
    let is_color = digits.len() == 6 && digits.chars().all(|digit| digit.is_ascii_hexdigit());
    if is_color { color.to_ascii_lowercase() } else { String::new() }
}

/// A count without its fraction; `as` turns an invalid one into 0.
fn whole(number: f64) -> u32 {
    number.round() as u32
}
