//! Generated weather: a year of warm summers and cold winters, and a sky that depends only on the date.

use std::f64::consts::TAU;

use jiff::civil::Date;

use super::super::{WeatherCondition, WeatherForecast};

/// The warmest day of the year, counted from 1 January.
const WARMEST_DAY: f64 = 212.0;
/// The mean temperature of the year, and the amplitude of the seasons, °C.
const MEAN_C: f64 = 12.0;
const SEASONAL_AMPLITUDE_C: f64 = 13.0;
/// The distance of a day's highest and lowest temperature from its mean, °C.
const DAILY_AMPLITUDE_C: f64 = 5.5;
/// At or below this highest temperature rain falls as snow, °C.
const SNOW_AT_MOST_C: f64 = 3.0;

/// The weather of a day.
pub(super) fn invented(day: Date, written: &str) -> WeatherForecast {
    let chance = u8::try_from(scattered(day) % 101).unwrap_or(0);
    let wind = f64::from(u8::try_from(scattered(day) / 101 % 30).unwrap_or(0));
    let mean =
        MEAN_C + SEASONAL_AMPLITUDE_C * (TAU * (f64::from(day.day_of_year()) - WARMEST_DAY) / 365.25).cos();
    let high = mean + DAILY_AMPLITUDE_C - f64::from(chance) / 25.0;
    let condition = match chance {
        0..=19 => WeatherCondition::Clear,
        20..=44 => WeatherCondition::PartlyCloudy,
        45..=69 => WeatherCondition::Cloudy,
        _ if high <= SNOW_AT_MOST_C => WeatherCondition::Snow,
        _ => WeatherCondition::Rain,
    };
    WeatherForecast {
        date: written.to_owned(),
        location: String::new(),
        condition: Some(condition),
        temperature_high_c: Some(high.round()),
        temperature_low_c: Some((mean - DAILY_AMPLITUDE_C).round()),
        precipitation_chance: Some(f64::from(chance)),
        wind_speed_kmh: Some(wind),
        raw: serde_json::Value::Null,
        attributions: Vec::new(),
        notes: Vec::new(),
    }
}

/// A pseudo-random number of a day.
fn scattered(day: Date) -> u32 {
    let days = u32::try_from(day.duration_since(Date::constant(1970, 1, 1)).as_hours() / 24).unwrap_or(0);
    (days.wrapping_mul(2_654_435_761) >> 7) ^ days
}
