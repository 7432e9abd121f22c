//! When a visit begins: at the requested date and time, else at nine on the day of the run, in the time zone of the
//! station.

use engine::Acted;
use interpreter::FunctionContext;
use jiff::Timestamp;
use jiff::civil::Time;
use jiff::tz::TimeZone;
use kernel::{Delta, Phrase, phrase};
use serde_json::{Value, json};

use super::requests::{RequestDetails, SaidDay};
use super::trip::Departure;

/// The default time of departure.
const USUAL_START: Time = Time::constant(9, 0, 0, 0);

/// Writes the time of departure.
pub(super) fn set_departure(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let said: RequestDetails = context.read("extraction_meta").unwrap_or_default();
    let station: Value = context.read("station").unwrap_or_default();
    let name = station["time_zone"].as_str();
    let zone = name.and_then(|name| TimeZone::get(name).ok());
    let began: Timestamp = context.text("session_began_at").parse().unwrap_or(Timestamp::UNIX_EPOCH);
    let today = zone.clone().unwrap_or(TimeZone::UTC).to_datetime(began).date();
    let given = |key: &str, said: Option<String>| {
        Some(context.text(key).trim().to_owned()).filter(|text| !text.is_empty()).or(said)
    };
    let day = match given("visit_date", said.date) {
        Some(day) => SaidDay::of(&day)
            .and_then(|day| day.after(today))
            .ok_or_else(|| phrase!("`{day}` is no day; write it as 2026-11-29", day))?,
        None => today,
    };
    let time = match given("start_time", said.start_time) {
        Some(time) => Time::strptime("%H:%M", &time)
            .map_err(|_| phrase!("`{time}` is no time of a day; write it as 09:30", time))?,
        None => USUAL_START,
    };
    let local = day.to_datetime(time);
    let offset = zone.as_ref().map(|zone| zone.to_ambiguous_timestamp(local).compatible());
    let offset =
        offset.and_then(Result::ok).zip(zone.as_ref()).map(|(at, zone)| zone.to_offset(at).seconds());
    let departure = Departure {
        local,
        date: day.to_string(),
        time_zone: zone.and(name).map(str::to_owned),
        utc_offset_minutes: offset.and_then(|seconds| i16::try_from(seconds / 60).ok()),
    };
    Ok(Acted { delta: Delta::of("departure", json!(departure)), ..Acted::default() })
}
