//! The service `openweathermap`: the weather of the next five days in steps of three hours.

use async_trait::async_trait;
use itinerary::Attribution;
use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};
use kernel::{Code, Error, form, phrase};
use net::Request;
use secrecy::ExposeSecret as _;
use serde_json::Value;

use super::open_meteo::{day_asked_for, no_forecast};
use super::service_tool::{ServiceTool, TripService};
use super::{WeatherCondition, WeatherForecast, WeatherRequest};
use crate::offered_tool::{KeyNeed, OfferedTool, ServiceDescription};
use crate::web::json_fields::{harmless, list, number, text, title};
use crate::web::refusal::Wish;
use crate::web::service_client::Caller;

const SERVICE: ServiceDescription = ServiceDescription {
    name: "openweathermap",
    title: "OpenWeatherMap",
    base_url: "https://api.openweathermap.org",
    settings: &[],
};
const KEY_PAGE: &str = "https://home.openweathermap.org/api_keys";

pub(super) const SOURCE: OfferedTool = OfferedTool {
    id: "openweathermap",
    tool: "openweathermap_weather",
    title: SERVICE.title,
    purpose: form!("The weather of the next five days, by OpenWeatherMap. Needs a key."),
    key: KeyNeed::Required,
    key_page: KEY_PAGE,
    services: &[SERVICE],
    collection: None,
    chooses_itself: false,
    make: |parts| ServiceTool::tool(parts, OpenWeatherMap),
};

/// The days of its forecast, including today: its 40 steps end on the sixth.
const MOST_DAYS: u8 = 6;
/// km/h per m/s.
const KMH: f64 = 3.6;

struct OpenWeatherMap;

#[async_trait]
impl TripService for OpenWeatherMap {
    type Question = WeatherRequest;
    const ABOUT: OfferedTool = SOURCE;

    async fn answer(&self, question: &WeatherRequest, caller: &Caller<'_>) -> Result<WeatherForecast, Error> {
        let day = day_asked_for(SERVICE.title, &question.date, MOST_DAYS)?.to_string();
        let service = caller.service(&SERVICE, Wish::data(SOURCE.key)).await?;
        let key = service.key(SERVICE.name, KEY_PAGE)?.expose_secret().trim();
        let (latitude, longitude) =
            (question.coordinates.latitude.to_string(), question.coordinates.longitude.to_string());
        let parameters =
            [("lat", latitude.as_str()), ("lon", &longitude), ("appid", key), ("units", "metric")];
        let request = Request::get(service.url("/data/2.5/forecast", &parameters));
        let answer = service.send(request).await?;
        let json = service.json(&answer, &["list", "city"]).map_err(|error| match error.code {
            Code::KeyRefused => error.reworded(phrase!(
                "{service} refused the key; a new key works after some hours: wait, check it, or set another",
                service = SERVICE.title
            )),
            _ => error,
        })?;
        // The code is a number or a text; an error may come with a status of success.
        if number(&json, "cod").is_some_and(|code| code != 200.0) {
            return Err(service.refusal(&answer));
        }
        forecast(json, &day).ok_or_else(|| no_forecast(SERVICE.title, &day))
    }
}

/// The weather of the steps on this local day; `None` if there are none.
fn forecast(answer: Value, day: &str) -> Option<WeatherForecast> {
    let city = answer.get("city").cloned().unwrap_or_default();
    let offset = number(&city, "timezone").unwrap_or(0.0) as i32;
    let zone = TimeZone::fixed(Offset::from_seconds(offset).unwrap_or(Offset::UTC));
    let is_of_day = |step: &&Value| {
        let begins = number(step, "dt").and_then(|seconds| Timestamp::from_second(seconds as i64).ok());
        begins.is_some_and(|begins| begins.to_zoned(zone.clone()).date().to_string() == day)
    };
    let steps: Vec<&Value> = list(&answer, "list").iter().filter(is_of_day).collect();
    let all =
        |of: &dyn Fn(&Value) -> Option<f64>| steps.iter().filter_map(|step| of(step)).collect::<Vec<_>>();
    let temperature = |step: &Value, field: &str| {
        let main = step.get("main")?;
        number(main, field).or_else(|| number(main, "temp"))
    };
    let high = all(&|step| temperature(step, "temp_max")).into_iter().reduce(f64::max);
    let low = all(&|step| temperature(step, "temp_min")).into_iter().reduce(f64::min);
    let chance = all(&|step| number(step, "pop")).into_iter().reduce(f64::max);
    let wind = all(&|step| number(step.get("wind")?, "speed")).into_iter().reduce(f64::max);
    let condition = condition(&steps);
    (condition.is_some() || high.is_some()).then(|| WeatherForecast {
        date: day.to_owned(),
        location: title(&harmless(&text(&city, "name"))),
        condition,
        temperature_high_c: high,
        temperature_low_c: low,
        precipitation_chance: chance.map(|chance| (chance * 100.0).round().clamp(0.0, 100.0)),
        wind_speed_kmh: wind.map(|speed| (speed * KMH * 10.0).round() / 10.0),
        raw: answer,
        attributions: vec![Attribution {
            name: "Weather data provided by OpenWeather".to_owned(),
            url: "https://openweathermap.org/".to_owned(),
            licence: "ODbL / CC BY-SA 4.0".to_owned(),
        }],
        notes: Vec::new(),
    })
}

/// The most frequent condition of the steps; of equally frequent ones the worst.
fn condition(steps: &[&Value]) -> Option<WeatherCondition> {
    use WeatherCondition::{
        Clear, Cloudy, Drizzle, Fog, FreezingRain, PartlyCloudy, Rain, Snow, Thunderstorm,
    };
    let of =
        |step: &&Value| number(list(step, "weather").first()?, "id").and_then(|id| condition_of(id as u16));
    let conditions: Vec<WeatherCondition> = steps.iter().filter_map(of).collect();
    // From best to worst: of equally frequent ones the last is taken.
    let ranked = [Clear, PartlyCloudy, Cloudy, Fog, Drizzle, Rain, Snow, FreezingRain, Thunderstorm];
    let count = |condition: &WeatherCondition| conditions.iter().filter(|one| *one == condition).count();
    ranked.into_iter().filter(|condition| count(condition) > 0).max_by_key(count)
}

/// The meaning of the service's condition code; `None` for unknown codes.
fn condition_of(code: u16) -> Option<WeatherCondition> {
    Some(match code {
        200..=299 => WeatherCondition::Thunderstorm,
        300..=399 => WeatherCondition::Drizzle,
        511 => WeatherCondition::FreezingRain,
        500..=599 => WeatherCondition::Rain,
        600..=699 => WeatherCondition::Snow,
        700..=799 => WeatherCondition::Fog,
        800 | 801 => WeatherCondition::Clear,
        802 => WeatherCondition::PartlyCloudy,
        803..=899 => WeatherCondition::Cloudy,
        _ => return None,
    })
}
