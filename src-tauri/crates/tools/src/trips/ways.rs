//! The common parts of all routing services: which routes are requested, and the checks of their results.

use itinerary::{Attribution, Leg, OfferedLeg, TravelMode, WALKING_DETOUR, distance_m, is_on_earth};
use kernel::{Code, Coordinates, Error, Phrase, phrase};

use super::{Routes, RoutingRequest};
use crate::web::refusal::with_provider_words;

/// A longer route is treated as an invalid number of seconds.
const LONGEST_S: f64 = 30.0 * 86_400.0;

/// Checks the coordinates and the number of points.
///
/// # Errors
/// `bad_input` when either is invalid.
pub(super) fn checked(service: &str, request: &RoutingRequest, most: usize) -> Result<(), Error> {
    let count = request.points.len();
    if count > most {
        let message = phrase!(
            "{service} is asked for the ways between {most} points at most, and these are {count}; choose fewer",
            service,
            most,
            count
        );
        return Err(Error::new(Code::BadInput, message));
    }
    match request.points.iter().position(|point| !is_on_earth(*point)) {
        None => Ok(()),
        Some(index) => {
            let message = phrase!(
                "Point {index} is not on the earth: latitude is -90 to 90, longitude -180 to 180",
                index
            );
            Err(Error::new(Code::BadInput, message))
        }
    }
}

/// A leg from a service's numbers; `None` when they are invalid. Without a length it is the straight line times the
/// walking detour.
pub(super) fn offered(
    request: &RoutingRequest,
    (from, to): (usize, usize),
    metres: Option<f64>,
    seconds: Option<f64>,
    instructions: Option<String>,
) -> Option<OfferedLeg> {
    let seconds = seconds.filter(|seconds| (0.0..=LONGEST_S).contains(seconds))?;
    let metres = metres.filter(|metres| *metres >= 0.0);
    let metres = metres.or_else(|| straight(*request.points.get(from)?, *request.points.get(to)?))?;
    let leg = Leg {
        mode: request.mode,
        distance_m: metres.round() as u32,
        duration_s: seconds.round() as u32,
        is_estimate: false,
        instructions,
    };
    Some(OfferedLeg { from: u32::try_from(from).ok()?, to: u32::try_from(to).ok()?, leg })
}

/// Duration and length of a route.
pub(super) struct Measures {
    pub(super) metres: Option<f64>,
    pub(super) seconds: Option<f64>,
}

/// The routes from each point to the next. `ask` gets points in order and returns their routes, or `None` when no route
/// passes through all of them: then each half is requested separately, so that only the missing routes are left out.
///
/// # Errors
/// The first error of `ask`.
pub(super) async fn in_order<F>(
    request: &RoutingRequest,
    ask: impl Fn(Vec<Coordinates>) -> F,
) -> Result<Vec<OfferedLeg>, Error>
where
    F: Future<Output = Result<Option<Vec<Measures>>, Error>>,
{
    let mut legs = Vec::new();
    let mut open = vec![(0, request.points.len().saturating_sub(1))];
    while let Some((first, last)) = open.pop() {
        let Some(points) = request.points.get(first..=last).filter(|points| points.len() > 1) else {
            continue;
        };
        match ask(points.to_vec()).await? {
            Some(ways) => {
                legs.extend(ways.into_iter().zip(first..last).filter_map(|(way, from)| {
                    offered(request, (from, from + 1), way.metres, way.seconds, None)
                }))
            }
            None if last - first > 1 => {
                let middle = first.midpoint(last);
                open.extend([(middle, last), (first, middle)]);
            }
            None => {}
        }
    }
    Ok(legs)
}

/// The estimated length of a route between two positions.
pub(super) fn straight(from: Coordinates, to: Coordinates) -> Option<f64> {
    Some(f64::from(distance_m(from, to)?) * WALKING_DETOUR)
}

/// The number of requested routes between these points.
pub(super) fn wanted(request: &RoutingRequest) -> usize {
    let count = request.points.len();
    if request.in_order { count.saturating_sub(1) } else { count * count.saturating_sub(1) }
}

/// The found routes, with a note if some are missing.
pub(super) fn routes(
    service: &str,
    request: &RoutingRequest,
    legs: Vec<OfferedLeg>,
    attribution: Attribution,
) -> Routes {
    let is_whole = legs.len() >= wanted(request);
    let note = || phrase!("{service} knows no way between some of the points", service);
    let notes = if is_whole { Vec::new() } else { vec![note()] };
    Routes { legs, attributions: vec![attribution], notes }
}

/// The note that a service failed from a point on; routes found before are kept.
pub(super) fn failed_from(service: &str, index: usize, error: &Error) -> Phrase {
    phrase!(
        "{service} did not answer for the ways from point {index} on: {why}",
        service,
        index,
        why = with_provider_words(error)
    )
}

/// The note that a service failed at a point.
pub(super) fn failed_at(service: &str, point: &str, error: &Error) -> Phrase {
    phrase!(
        "{service} did not answer from the point “{point}” on: {why}",
        service,
        point,
        why = with_provider_words(error)
    )
}

/// No routes, with the reason.
pub(super) fn none(why: Phrase) -> Routes {
    Routes { notes: vec![why], ..Routes::default() }
}

/// The empty result for other travel modes of a service for walking routes.
pub(super) fn other_than_on_foot(service: &str, request: &RoutingRequest) -> Option<Routes> {
    let is_on_foot = request.mode == TravelMode::Walking;
    (!is_on_foot).then(|| none(phrase!("{service} gives ways on foot only", service)))
}

/// The attribution of walking routes.
pub(super) fn open_street_map() -> Attribution {
    Attribution {
        name: "© OpenStreetMap contributors".to_owned(),
        url: "https://www.openstreetmap.org/copyright".to_owned(),
        licence: "ODbL".to_owned(),
    }
}
