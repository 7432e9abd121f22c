//! Remarks on a plan: those on its data and the request are written once, those on its times whenever these change.

use itinerary::{MOST_POINTS, TravelMode, TripPlan, Way};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

use super::points::WishedPoints;
use super::words::Language;

/// Seconds above which a visit takes more than one day.
const LONG_DAY_S: u32 = 12 * 3600;

/// The facts behind the remarks that hold whatever the person changes.
pub(super) struct VisitFacts<'a> {
    /// How many points of the title lie within the radius.
    pub(super) near: u64,
    /// How many points the title has in all.
    pub(super) total: u64,
    pub(super) radius_km: f64,
    /// The result of the request's wishes; `None` without wishes.
    pub(super) wished: Option<&'a WishedPoints>,
    /// How many points were left out because there were too many.
    pub(super) too_many: usize,
    /// When the plan is made.
    pub(super) now: Timestamp,
    /// Words of the request that name a day ambiguously.
    pub(super) unclear_day: Option<&'a str>,
    /// The requested end of the visit, `HH:MM`.
    pub(super) end_time: Option<&'a str>,
    /// The radius in the request, in kilometres, if another one is used.
    pub(super) other_radius: Option<f64>,
}

/// The remarks that hold whatever the person changes, without the notes of tools.
pub(super) fn of_visit(facts: &VisitFacts<'_>, planned: &TripPlan, language: Language) -> Vec<String> {
    let VisitFacts { near, total, radius_km, wished, too_many, now, unclear_day, end_time, other_radius } =
        facts;
    let mut remarks = Vec::new();
    let mut say = |name: &str, values: &[(&str, String)]| remarks.push(language.say(name, values));
    let begins = planned.trip.departure;
    let there = local(planned, *now);
    if begins.date() < there.date() {
        say("past_day", &[]);
    } else if begins < there && planned.trip.utc_offset_minutes.is_some() {
        say("past_start", &[("time", begins.strftime("%H:%M").to_string())]);
    }
    if let Some(km) = other_radius {
        say("other_radius", &[("said", km.to_string()), ("radius", radius_km.to_string())]);
    }
    if let Some(words) = unclear_day {
        let date = language.day(planned.trip.departure.date());
        say("unclear_day", &[("words", (*words).to_owned()), ("date", date)]);
    }
    if let Some(time) = end_time {
        say("end_time", &[("time", (*time).to_owned())]);
    }
    if near < total {
        let values =
            [("n", near.to_string()), ("total", total.to_string()), ("radius", radius_km.to_string())];
        say("points_of", &values);
    }
    if let Some(wished) = wished {
        if wished.none_fits {
            say("no_filtered", &[("n", near.to_string())]);
        }
        if wished.without_episode > 0 {
            say("no_episodes", &[("n", wished.without_episode.to_string()), ("total", near.to_string())]);
        }
    }
    if *too_many > 0 {
        say("too_many", &[("n", too_many.to_string()), ("most", MOST_POINTS.to_string())]);
    }
    remarks
}

/// A time in the time zone of the start.
fn local(planned: &TripPlan, time: Timestamp) -> DateTime {
    let minutes = planned.trip.utc_offset_minutes.map_or(0, i32::from);
    Offset::from_seconds(minutes * 60).unwrap_or(Offset::UTC).to_datetime(time)
}

/// Updates the remarks to the current plan.
pub(super) fn renew(planned: &mut TripPlan, language: Language) {
    let ways = planned.ways();
    let asked = |way: &Way<'_>| planned.rides.iter().rfind(|ride| (ride.from, ride.to) == way.ends);
    let ride = |way: &Way<'_>| asked(way).filter(|_| way.leg.mode == TravelMode::Transit);
    let is_estimated = |way: &Way<'_>| match ride(way).and_then(|ride| ride.leg.as_ref()) {
        // The ride as the service returned it; a separate remark reports that it is taken at another time.
        Some(leg) => leg.is_estimate,
        None => way.leg.is_estimate,
    };
    let is_moved = |way: &Way<'_>| ride(way).is_some_and(|ride| ride.departure != Some(way.departure));
    let is_not_asked = |way: &&Way<'_>| way.is_long() && asked(way).is_none();
    let not_asked = if planned.rides.is_empty() { 0 } else { ways.iter().filter(is_not_asked).count() };
    let mut remarks = planned.lasting_remarks.clone();
    let mut say = |name: &str, values: &[(&str, String)]| remarks.push(language.say(name, values));
    if ways.iter().any(is_estimated) {
        say("estimated", &[]);
    }
    if ways.iter().any(is_moved) {
        say("rides_of_other_times", &[]);
    }
    if not_asked > 0 {
        say("rides_not_asked", &[("n", not_asked.to_string())]);
    }
    let duration_s = planned.itinerary.totals.duration_s;
    if duration_s > LONG_DAY_S {
        say("long_day", &[("length", language.duration(duration_s))]);
    }
    planned.remarks = remarks;
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::points::wished_points;
    use super::super::requests::Wishes;
    use super::super::trip::{Departure, TripParts};
    use super::*;

    fn planned() -> TripPlan {
        let parts = TripParts {
            station: json!({ "name": "Uji" }),
            coordinates: kernel::Coordinates { latitude: 35.0, longitude: 135.0 },
            points: Vec::new(),
            departure: Departure {
                local: jiff::civil::date(2026, 12, 5).at(9, 0, 0, 0),
                date: "2026-12-05".to_owned(),
                time_zone: None,
                utc_offset_minutes: Some(540),
            },
            returns_to_start: false,
            language: Language::English,
        };
        parts.planned(Vec::new()).unwrap()
    }

    fn remarks(total: u64, too_many: usize, wished: Option<&WishedPoints>, now: &str) -> Vec<String> {
        let now = now.parse().unwrap();
        let facts = VisitFacts {
            near: 3,
            total,
            radius_km: 2.5,
            wished,
            too_many,
            now,
            unclear_day: None,
            end_time: None,
            other_radius: None,
        };
        of_visit(&facts, &planned(), Language::English)
    }

    #[test]
    fn an_ambiguous_day_and_a_requested_end_get_remarks() {
        let now = "2026-12-05T01:00:00Z".parse().unwrap();
        let (unclear_day, end_time) = (Some("next Saturday"), Some("18:00"));
        let facts = VisitFacts {
            near: 3,
            total: 3,
            radius_km: 2.5,
            wished: None,
            too_many: 0,
            now,
            unclear_day,
            end_time,
            other_radius: Some(50.0),
        };
        let remarks = of_visit(&facts, &planned(), Language::English);
        // It is ten o'clock in Japan: the visit was to begin an hour ago.
        assert!(remarks[0].contains("09:00"), "{remarks:?}");
        assert!(remarks[1].contains("50 km"), "{remarks:?}");
        assert!(
            remarks[2].contains("“next Saturday”") && remarks[2].contains("5 December 2026"),
            "{remarks:?}"
        );
        assert!(remarks[3].contains("18:00"), "{remarks:?}");
    }

    #[test]
    fn a_day_ends_by_the_clock_of_the_start() {
        // In Japan the fifth ends at 15:00 UTC.
        assert_eq!(remarks(3, 0, None, "2026-12-04T23:59:59Z"), Vec::<String>::new());
        assert!(remarks(3, 0, None, "2026-12-05T14:59:59Z")[0].contains("09:00"));
        assert_eq!(remarks(3, 0, None, "2026-12-05T15:00:00Z"), ["The day of this visit is over."]);
    }

    #[test]
    fn points_that_are_not_planned_are_counted() {
        let remarks = remarks(9, 1, None, "2026-12-01T00:00:00Z");
        assert_eq!(
            remarks,
            [
                "3 of 9 points of the title lie within 2.5 km.",
                "1 point further away is not planned: a visit has at most 400.",
            ]
        );
    }

    #[test]
    fn wishes_that_no_point_meets_get_a_remark_and_the_number_of_points_is_kept() {
        let point = |episode: u32, latitude: f64| {
            json!({ "id": "", "name": "", "kind": "cafe", "episode": episode,
                    "coordinates": { "latitude": latitude, "longitude": 135.0 } })
        };
        let points = [point(1, 35.2), point(0, 35.1), point(0, 35.3)];
        let center = Some(kernel::Coordinates { latitude: 35.0, longitude: 135.0 });
        let of = |wishes: Wishes| {
            let wished = wished_points(&points, &wishes, center);
            (wished.kept.len(), remarks(3, 0, Some(&wished), "2026-12-01T00:00:00Z").join(" "))
        };
        let none = of(Wishes { kinds: vec!["shrine".to_owned()], most_points: Some(2), ..Wishes::default() });
        assert_eq!(none.0, 2);
        assert!(none.1.contains("None of the 3 points fits the wishes"), "{}", none.1);
        let first = of(Wishes { episodes: vec![1], ..Wishes::default() });
        assert_eq!(first.0, 1);
        assert!(first.1.starts_with("The episode of 2 of 3 points is not known."), "{}", first.1);
        assert_eq!(of(Wishes { kinds: vec!["cafe".to_owned()], ..Wishes::default() }), (3, String::new()));
    }
}
