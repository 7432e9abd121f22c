//! The weather of the day in the form of the seed's state, and advice for walking.

use engine::Acted;
use interpreter::{FunctionContext, Registry, Shape};
use itinerary::DayWeather;
use kernel::Delta;
use serde_json::{Value, json};
use tools::trips::{WeatherCondition, WeatherForecast};

use super::trip::station_name;
use super::words::Language;

pub(super) fn register(registry: &mut Registry) {
    registry.shapes.insert("weather_of_day", weather_of_day as Shape);
}

fn weather_of_day(context: &FunctionContext<'_>, _: &Value, output: Value) -> Acted {
    let unknown = || Acted { delta: Delta::of("weather", Value::Null), ..Acted::default() };
    let Ok(forecast) = serde_json::from_value::<WeatherForecast>(output.clone()) else { return unknown() };
    let (Some(high), Some(low)) = (forecast.temperature_high_c, forecast.temperature_low_c) else {
        return unknown();
    };
    let language = Language::of_locale(context.text("locale"));
    let station: Value = context.read("station").unwrap_or_default();
    let at = station_name(&station, language);
    let weather = DayWeather {
        date: forecast.date.clone(),
        location: if forecast.location.is_empty() { at } else { forecast.location.clone() },
        condition: forecast
            .condition
            .map(|condition| language.say(name_of(condition), &[]))
            .unwrap_or_default(),
        temperature_high: whole(high),
        temperature_low: whole(low),
        precipitation_chance: forecast
            .precipitation_chance
            .and_then(|chance| u8::try_from(whole(chance)).ok()),
        wind_speed_kmh: forecast.wind_speed_kmh.and_then(|wind| u32::try_from(whole(wind)).ok()),
        recommendation: recommendation(&forecast, (high, low), language),
    };
    let delta = Delta::of("weather", json!(weather)).with("weather_raw", output);
    Acted { delta, ..Acted::default() }
}

/// The nearest whole number. The `as` cast saturates.
fn whole(number: f64) -> i32 {
    number.round() as i32
}

fn name_of(condition: WeatherCondition) -> &'static str {
    match condition {
        WeatherCondition::Clear => "clear",
        WeatherCondition::PartlyCloudy => "partly_cloudy",
        WeatherCondition::Cloudy => "cloudy",
        WeatherCondition::Fog => "fog",
        WeatherCondition::Drizzle => "drizzle",
        WeatherCondition::Rain => "rain",
        WeatherCondition::FreezingRain => "freezing_rain",
        WeatherCondition::Snow => "snow",
        WeatherCondition::Thunderstorm => "thunderstorm",
    }
}

/// Advice for walking, by the limits of the seed's program, in °C and percent.
fn recommendation(forecast: &WeatherForecast, (high, low): (f64, f64), language: Language) -> String {
    let is_wet = forecast.precipitation_chance.is_some_and(|chance| chance >= 50.0);
    let mut advice = Vec::new();
    match high {
        _ if high > 30.0 => advice.push("very_hot"),
        _ if high > 25.0 => advice.push("warm"),
        _ if low < 0.0 => advice.push("cold"),
        _ if low < 10.0 => advice.push("cool"),
        _ => {}
    }
    match forecast.condition {
        Some(WeatherCondition::Snow) => advice.push("slippery"),
        Some(WeatherCondition::FreezingRain) => advice.extend(["umbrella", "slippery"]),
        Some(WeatherCondition::Thunderstorm) => advice.extend(["umbrella", "thunder"]),
        Some(WeatherCondition::Rain | WeatherCondition::Drizzle) => advice.push("umbrella"),
        _ if is_wet => advice.push("umbrella"),
        _ => {}
    }
    if advice.is_empty() {
        advice.push("good");
    }
    let separator = if language == Language::English { " " } else { "" };
    advice.into_iter().map(|name| language.say(name, &[])).collect::<Vec<_>>().join(separator)
}
