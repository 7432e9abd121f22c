use jiff::civil::date;
use proptest::prelude::*;

use super::*;

const JAPAN: (Option<i16>, Option<&str>) = (Some(540), Some("JP"));

fn read(text: &str, (utc_offset_minutes, country): (Option<i16>, Option<&str>)) -> StopHours {
    let coordinates = Some(Coordinates { latitude: 35.68, longitude: 139.77 });
    let context = HoursContext { coordinates, utc_offset_minutes, country: country.map(str::to_owned) };
    StopHours::read(Some(text), &context)
}

fn time(text: &str) -> DateTime {
    text.parse().unwrap()
}

fn open(until: &str) -> OpeningState {
    OpeningState::Open { until: Some(time(until)) }
}

fn opens(at: &str) -> OpeningState {
    OpeningState::OpensAt { at: time(at) }
}

fn check(reason: CheckReason) -> OpeningState {
    OpeningState::Check { reason }
}

#[test]
fn a_point_is_open_closed_or_to_be_checked_at_an_arrival() {
    use CheckReason::{Uncertain, Unreadable};
    let table = [
        // 25 November 2026 is a Wednesday.
        ("Mo-Su 10:00-18:00", "2026-11-25T10:00:00", open("2026-11-25T18:00:00")),
        ("Mo-Su 10:00-18:00", "2026-11-25T17:59:59", open("2026-11-25T18:00:00")),
        ("Mo-Su 10:00-18:00", "2026-11-25T18:00:00", opens("2026-11-26T10:00:00")),
        ("Mo-Su 10:00-18:00", "2026-11-25T09:59:59", opens("2026-11-25T10:00:00")),
        ("10:00-12:00,13:00-17:00", "2026-11-25T12:30:00", opens("2026-11-25T13:00:00")),
        ("Mo-Fr 10:00-18:00; We off", "2026-11-25T12:00:00", opens("2026-11-26T10:00:00")),
        ("Sa,Su 11:00-15:00", "2026-11-25T12:00:00", opens("2026-11-28T11:00:00")),
        // Over midnight, and the night that began the day before.
        ("Mo-Su 18:00-02:00", "2026-11-25T23:00:00", open("2026-11-26T02:00:00")),
        ("Mo-Su 18:00-02:00", "2026-11-26T01:30:00", open("2026-11-26T02:00:00")),
        ("Mo-Su 18:00-02:00", "2026-11-26T02:00:00", opens("2026-11-26T18:00:00")),
        ("Th 18:00-26:00", "2026-11-27T01:00:00", open("2026-11-27T02:00:00")),
        ("24/7", "2026-11-25T03:00:00", OpeningState::Open { until: None }),
        ("off", "2026-11-25T12:00:00", OpeningState::Closed),
        ("Aug 1-31 10:00-18:00", "2026-11-25T12:00:00", OpeningState::Closed),
        // 23 November 2026, a Monday, is Labour Thanksgiving Day.
        ("Mo-Fr 10:00-18:00; PH off", "2026-11-23T12:00:00", opens("2026-11-24T10:00:00")),
        ("Mo 10:00-18:00; PH 12:00-15:00", "2026-11-23T10:00:00", opens("2026-11-23T12:00:00")),
        ("Mo-Fr 10:00-18:00; SH off", "2026-11-25T12:00:00", check(Uncertain)),
        ("10:00-18:00 unknown", "2026-11-25T12:00:00", check(Uncertain)),
        ("\"by appointment\"", "2026-11-25T12:00:00", check(Uncertain)),
        ("10:00-18:00 \"ring the bell\"", "2026-11-25T12:00:00", check(Uncertain)),
        ("10:00-18:00 unknown", "2026-11-25T08:00:00", opens("2026-11-25T10:00:00")),
        // The sun sets in Tokyo at half past four.
        ("09:00-sunset", "2026-11-25T16:00:00", open("2026-11-25T16:29:00")),
        ("nonsense", "2026-11-25T12:00:00", check(Unreadable)),
        ("不定休", "2026-11-25T12:00:00", check(Unreadable)),
        ("10時〜18時", "2026-11-25T12:00:00", check(Unreadable)),
        ("25:99-77:00", "2026-11-25T12:00:00", check(Unreadable)),
        ("  ", "2026-11-25T12:00:00", OpeningState::Unknown),
        // Around the new year the state follows the usual hours; a separate check reports that they may differ.
        ("Mo-Su 10:00-18:00", "2026-12-28T19:00:00", opens("2026-12-29T10:00:00")),
        ("Mo-Su 10:00-18:00", "2026-12-31T12:00:00", open("2026-12-31T18:00:00")),
        ("24/7", "2027-01-01T12:00:00", OpeningState::Open { until: None }),
        ("off", "2027-01-03T23:59:59", OpeningState::Closed),
        // The calendar ends.
        ("Mo-Su 10:00-18:00", "9999-12-31T12:00:00", open("9999-12-31T18:00:00")),
        ("Mo-Su 10:00-18:00", "9999-12-31T19:00:00", OpeningState::Closed),
        ("24/7", "9999-12-31T23:59:59", OpeningState::Open { until: None }),
    ];
    for (text, arrival, state) in table {
        assert_eq!(read(text, JAPAN).at(time(arrival)), state, "{text} on {arrival}");
    }
}

#[test]
fn around_the_new_year_hours_that_are_known_are_to_be_checked_unless_the_point_never_closes() {
    let check = |text: &str, arrival: &str| {
        let (hours, arrival) = (read(text, JAPAN), time(arrival));
        hours.check(arrival, &hours.at(arrival))
    };
    let new_year = Some(CheckReason::NewYear);
    for (text, arrival, reason) in [
        ("10:00-18:00", "2026-12-28T23:59:59", None),
        ("10:00-18:00", "2026-12-29T00:00:00", new_year),
        ("10:00-18:00", "2027-01-03T23:59:59", new_year),
        ("10:00-18:00", "2027-01-04T00:00:00", None),
        ("off", "2026-12-31T12:00:00", new_year),
        ("24/7", "2026-12-31T12:00:00", None),
        // These states already show that the hours have to be checked, or that there are none.
        ("nonsense", "2026-12-31T12:00:00", None),
        ("", "2026-12-31T12:00:00", None),
    ] {
        assert_eq!(check(text, arrival), reason, "{text} on {arrival}");
    }
}

#[test]
fn hours_that_depend_on_what_is_not_known_are_to_be_checked() {
    let noon = time("2026-11-25T12:00:00");
    let cases = [
        ("Mo-Fr 10:00-18:00; PH off", (Some(540), None)),
        ("Mo-Fr 10:00-18:00; PH off", (Some(540), Some("Nippon"))),
        ("sunrise-sunset", (None, Some("JP"))),
        ("sunrise-sunset", (Some(9999), Some("JP"))),
    ];
    for (text, context) in cases {
        assert_eq!(read(text, context).at(noon), check(CheckReason::Uncertain), "{text} {context:?}");
    }
    let everywhere = read("Mo-Fr 10:00-18:00", (None, None));
    assert_eq!(everywhere.at(noon), open("2026-11-25T18:00:00"));
}

#[test]
fn a_text_that_is_too_long_is_not_read() {
    let text = "Mo 10:00-18:00; ".repeat(100);
    assert_eq!(read(&text, JAPAN).at(time("2026-11-25T12:00:00")), check(CheckReason::Unreadable));
}

#[test]
fn windows_join_at_midnight_and_go_on_over_the_new_year() {
    let hour = 3600;
    let windows = |text: &str, day, days| read(text, JAPAN).windows(day, days).unwrap();
    let night = windows("18:00-26:00", date(2026, 11, 25), 2);
    assert_eq!(night, [0..2 * hour, 18 * hour..26 * hour, 42 * hour..48 * hour]);
    let new_year = windows("10:00-18:00", date(2026, 12, 31), 2);
    assert_eq!(new_year, [10 * hour..18 * hour, 34 * hour..42 * hour]);
    assert_eq!(windows("off", date(2026, 11, 25), 3), Vec::<Range<u64>>::new());
    for decides_nothing in ["nonsense", "24/7"] {
        assert!(read(decides_nothing, JAPAN).windows(date(2026, 11, 25), 3).is_none());
    }
    assert!(read("24/7", JAPAN).windows(Date::MAX, 3).is_some(), "days beyond the last are left out");
}

/// Parts of valid and invalid texts of opening hours.
fn piece() -> impl Strategy<Value = String> {
    let known = [
        "Mo-Fr",
        "Sa",
        "Su[1]",
        "Su[-1]",
        "PH",
        "SH",
        "PH -1 day",
        "Jan-Mar",
        "easter",
        "easter +2 days",
        "week 1-53/2",
        "2026",
        "2026-2030/2",
        "10:00-18:00",
        "18:00-02:00",
        "10:00+",
        "sunrise-sunset",
        "(sunset-01:00)-26:00",
        "off",
        "closed",
        "unknown",
        "open",
        "24/7",
        "\"by appointment\"",
        ";",
        ",",
        "||",
        "Dec 31-Jan 2",
        "00:00-48:00",
        "10:00-16:00/01:30",
        "Feb 29",
        "-",
        ":",
        "99:99",
        "dusk",
    ];
    prop_oneof![9 => proptest::sample::select(known.to_vec()).prop_map(str::to_owned), 1 => ".{0,4}"]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_has_a_state_at_any_time(
        pieces in proptest::collection::vec(piece(), 0..8), day in 0..1_000_000_i64, latitude in -90.0..90.0_f64
    ) {
        let context = HoursContext {
            coordinates: Some(Coordinates { latitude, longitude: 139.0 }),
            utc_offset_minutes: Some(540),
            country: Some("JP".to_owned()),
        };
        let hours = StopHours::read(Some(&pieces.join(" ")), &context);
        let arrival = date(1890, 1, 1).at(11, 30, 0, 0).saturating_add(jiff::SignedDuration::from_mins(day * 1440 / 50));
        let state = hours.at(arrival);
        let Some(windows) = hours.windows(arrival.date(), 2) else { return Ok(()) };
        prop_assert!(windows.is_sorted_by(|one, next| one.end < next.start), "{windows:?}");
        let second = u64::from(minute_of_day(arrival.time())) * 60;
        let is_open = windows.iter().any(|window| window.contains(&second));
        let may_enter = matches!(state, OpeningState::Open { .. } | OpeningState::Check { .. });
        prop_assert_eq!(is_open, may_enter, "{:?} {:?}", state, windows);
    }
}
