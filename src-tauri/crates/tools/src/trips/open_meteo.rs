//! The service `open-meteo`: the weather of a day at any place, up to 16 days ahead.

use std::time::Duration;

use async_trait::async_trait;
use itinerary::Attribution;
use jiff::ToSpan as _;
use jiff::civil::Date;
use jiff::tz::TimeZone;
use kernel::{Code, Error, form, phrase};
use net::Request;
use serde_json::Value;

use super::service_tool::{ServiceTool, TripService, open_data};
use super::{WeatherCondition, WeatherForecast, WeatherRequest};
use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::web::json_fields::{list, number_in};
use crate::web::rate_limit::RateLimit;
use crate::web::service_client::{Caller, Service};

const SERVICE: ServiceDescription = ServiceDescription {
    name: "open-meteo",
    title: "Open-Meteo",
    base_url: "https://api.open-meteo.com/v1",
    settings: &[],
};

pub(super) const SOURCE: OfferedTool = OfferedTool {
    id: "open-meteo",
    tool: "open_meteo_weather",
    title: SERVICE.title,
    purpose: form!(
        "The weather up to 16 days ahead, by Open-Meteo, for use that earns nothing. Needs no key."
    ),
    key: KeyNeed::None,
    key_page: "",
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| ServiceTool::tool(parts, OpenMeteo),
};

const RATE_LIMIT: RateLimit =
    RateLimit { name: SERVICE.name, apart: Duration::from_millis(200), patience: Duration::from_secs(20) };
/// The days of its forecast, including today.
const MOST_DAYS: u8 = 16;
const DAILY: &str =
    "weather_code,temperature_2m_max,temperature_2m_min,precipitation_probability_max,wind_speed_10m_max";

struct OpenMeteo;

#[async_trait]
impl TripService for OpenMeteo {
    type Question = WeatherRequest;
    const ABOUT: OfferedTool = SOURCE;

    async fn answer(&self, question: &WeatherRequest, caller: &Caller<'_>) -> Result<WeatherForecast, Error> {
        let day = day_asked_for(SERVICE.title, &question.date, MOST_DAYS)?.to_string();
        let service = open_data(caller, &SERVICE).await?;
        let (latitude, longitude) =
            (question.coordinates.latitude.to_string(), question.coordinates.longitude.to_string());
        let parameters = [
            ("latitude", latitude.as_str()),
            ("longitude", &longitude),
            ("daily", DAILY),
            // Without a time zone the days are in UTC.
            ("timezone", "auto"),
            ("start_date", &day),
            ("end_date", &day),
        ];
        let url = service.url("/forecast", &parameters);
        let answer = {
            let _turn = service.turn(&url, &RATE_LIMIT).await?;
            service.ask_json(Request::get(url), &["daily", "latitude", "[]"]).await
        };
        let answer = answer.map_err(|error| beyond(&service, with_its_limits(&service, error), &day))?;
        // The service may answer with a list of places.
        let answer = if let Value::Array(mut places) = answer {
            if places.is_empty() { Value::Null } else { places.swap_remove(0) }
        } else {
            answer
        };
        forecast(&answer, &day).ok_or_else(|| no_forecast(SERVICE.title, &day))
    }
}

/// The requested day, if a forecast of this many days may include it. The local date of a place may differ from the UTC
/// date by one day.
///
/// # Errors
/// `bad_input` when it is no date; `tool_failed` when it is outside the forecast.
pub(super) fn day_asked_for(service: &str, written: &str, most_days: u8) -> Result<Date, Error> {
    let day: Date = written.parse().map_err(|_| {
        Error::new(Code::BadInput, phrase!("`{day}` is no day; write it as 2026-11-29", day = written))
    })?;
    let today = engine::now().to_zoned(TimeZone::UTC).date();
    if day < today.saturating_sub(1.day()) {
        let message = phrase!(
            "{service} tells no weather of days that are over, as {day} is; plan a day that is to come, or without the weather",
            service,
            day = written
        );
        return Err(Error::new(Code::ToolFailed, message));
    }
    if day > today.saturating_add(i64::from(most_days).days()) {
        return Err(too_far(service, written, most_days));
    }
    Ok(day)
}

fn too_far(service: &str, day: &str, most_days: u8) -> Error {
    let message = phrase!(
        "{service} forecasts {most} days and {day} is beyond them; ask again nearer to the day, or plan without the weather",
        service,
        most = most_days,
        day
    );
    Error::new(Code::ToolFailed, message)
}

/// The error for an answer without this day.
pub(super) fn no_forecast(service: &str, day: &str) -> Error {
    let message = phrase!(
        "{service} has no weather of {day} for this place; ask again nearer to the day, or plan without the weather",
        service,
        day
    );
    Error::new(Code::ToolFailed, message)
}

/// Replaces the service's error for a day outside its range with a clear one.
fn beyond(service: &Service, error: Error, day: &str) -> Error {
    let is_beyond = error.provider_words.as_ref().is_some_and(|words| words.contains("out of allowed range"));
    if is_beyond {
        Error { provider_words: error.provider_words, ..too_far(service.title, day, MOST_DAYS) }
    } else {
        error
    }
}

/// Adds Open-Meteo's limits to its refusal: a daily limit does not end within a minute.
pub(super) fn with_its_limits(service: &Service, error: Error) -> Error {
    let words = error.provider_words.clone().unwrap_or_default();
    if error.code == Code::RateLimited && words.starts_with("Daily") {
        let message = phrase!(
            "{service} answers this connection no more today; try again tomorrow, or choose another source",
            service = service.title
        );
        return Error { code: Code::QuotaExhausted, retry_after_ms: None, ..error }.reworded(message);
    }
    error
}

/// Reads the forecast from parallel lists with optional values; `None` when it has neither condition nor temperatures.
fn forecast(answer: &Value, day: &str) -> Option<WeatherForecast> {
    let daily = answer.get("daily")?;
    let index = list(daily, "time").iter().position(|time| time.as_str() == Some(day))?;
    let value = |field: &str| list(daily, field).get(index).and_then(number_in);
    let either = |one: &str, other: &str| value(one).or_else(|| value(other));
    let condition = either("weather_code", "weathercode").and_then(|code| condition(code as u16));
    let (high, low) = (value("temperature_2m_max"), value("temperature_2m_min"));
    (condition.is_some() || high.is_some() || low.is_some()).then(|| WeatherForecast {
        date: day.to_owned(),
        location: String::new(),
        condition,
        temperature_high_c: high,
        temperature_low_c: low,
        precipitation_chance: value("precipitation_probability_max").map(|chance| chance.clamp(0.0, 100.0)),
        wind_speed_kmh: either("wind_speed_10m_max", "windspeed_10m_max"),
        raw: answer.clone(),
        attributions: vec![Attribution {
            name: "Weather data by Open-Meteo.com".to_owned(),
            url: "https://open-meteo.com/".to_owned(),
            licence: "CC BY 4.0".to_owned(),
        }],
        notes: Vec::new(),
    })
}

/// The meaning of a WMO code; `None` for codes that the service does not use.
fn condition(code: u16) -> Option<WeatherCondition> {
    Some(match code {
        0 | 1 => WeatherCondition::Clear,
        2 => WeatherCondition::PartlyCloudy,
        3 => WeatherCondition::Cloudy,
        45..=49 => WeatherCondition::Fog,
        56 | 57 | 66 | 67 => WeatherCondition::FreezingRain,
        50..=59 => WeatherCondition::Drizzle,
        60..=65 | 80..=82 => WeatherCondition::Rain,
        68..=79 | 83..=86 => WeatherCondition::Snow,
        95..=99 => WeatherCondition::Thunderstorm,
        _ => return None,
    })
}
