use kernel::Code;

use super::open_meteo::in_days;
use super::*;

const KEY: &str = "0123456789abcdef0123456789abcdef";

async fn weather(service: &Service, key: &'static str, date: &str) -> Result<Value, Error> {
    let input = json!({"coordinates": {"latitude": 36.23, "longitude": 137.96}, "date": date});
    ask(WEATHER, "openweathermap", &service.server, key, input).await
}

/// A step of three hours. Japan is nine hours ahead of UTC.
fn step(day: &str, hour: i64, of: Value) -> Value {
    let begins: jiff::Timestamp = format!("{day}T00:00:00+09:00").parse().unwrap();
    let mut step = json!({"dt": begins.as_second() + 3600 * hour, "sys": {"pod": "d"}});
    step.as_object_mut().unwrap().extend(of.as_object().unwrap().clone());
    step
}

/// A server that checks the key and the place and returns these steps.
fn openweathermap(cod: Value, steps: Vec<Value>) -> Service {
    Service::start(move |asked| {
        let refused = |status, cod: Value, message: &str| {
            Reply::json(&json!({"cod": cod, "message": message})).status(status)
        };
        match () {
            () if asked.parameter("appid") != KEY => refused(
                "401 Unauthorized",
                json!(401),
                "Invalid API key. Please see https://openweathermap.org/faq#error401 for more info.",
            ),
            () if asked.path() != "/data/2.5/forecast" => {
                refused("404 Not Found", json!("404"), "Internal error")
            }
            () if asked.parameter("lat") != "36.23" => {
                refused("400 Bad Request", json!("400"), "wrong latitude")
            }
            () if asked.parameter("lon") != "137.96" => {
                refused("400 Bad Request", json!("400"), "wrong longitude")
            }
            () if asked.parameter("units") != "metric" => refused("400 Bad Request", json!("400"), "Kelvin"),
            () => Reply::json(&json!({"cod": cod, "message": 0, "cnt": steps.len(), "list": steps,
                "city": {"id": 1, "name": "Glass Town", "country": "JP", "timezone": 32_400}})),
        }
    })
}

#[tokio::test]
async fn the_steps_of_the_local_day_give_its_weather() {
    let (day, next) = (in_days(2), in_days(3));
    let of = |low: f64, high: f64, code: u32, pop: Value, wind: f64| {
        json!({"main": {"temp": low, "temp_min": low, "temp_max": high}, "weather": [{"id": code}], "pop": pop,
               "wind": {"speed": wind}})
    };
    let steps = vec![
        step(&day, -3, of(-20.0, 40.0, 211, json!(1), 99.0)),
        step(&day, 0, of(1.0, 2.0, 800, json!(0), 1.0)),
        step(&day, 12, of(5.0, 11.5, 500, json!(0.32), 5.0)),
        step(&day, 15, of(6.0, 9.0, 501, json!("0.6"), 2.0)),
        step(&day, 21, json!({"main": {"temp": 3.0}, "weather": []})),
        step(&next, 0, of(-20.0, 40.0, 211, json!(1), 99.0)),
        json!({"dt": null}),
    ];
    for cod in [json!("200"), json!(200)] {
        let forecast = weather(&openweathermap(cod, steps.clone()), KEY, &day).await.unwrap();
        assert_eq!((&forecast["location"], &forecast["condition"]), (&json!("Glass Town"), &json!("rain")));
        assert_eq!(
            (&forecast["temperature_high_c"], &forecast["temperature_low_c"]),
            (&json!(11.5), &json!(1.0))
        );
        assert_eq!(
            (&forecast["precipitation_chance"], &forecast["wind_speed_kmh"]),
            (&json!(60.0), &json!(18.0))
        );
        assert!(!forecast.to_string().contains(KEY));
    }
    let error = weather(&openweathermap(json!("200"), steps), KEY, &in_days(5)).await.unwrap_err();
    assert!(error.code == Code::ToolFailed && error.message.contains("no weather of"), "{error:?}");
}

#[tokio::test]
async fn a_missing_key_sends_no_request_and_a_refused_one_is_not_shown() {
    let day = in_days(1);
    let service = openweathermap(json!("200"), Vec::new());
    let error = weather(&service, "", &day).await.unwrap_err();
    assert!(error.code == Code::KeyUnavailable && service.paths().is_empty(), "{error:?}");
    let error = weather(&service, "another key", &day).await.unwrap_err();
    assert_eq!(error.code, Code::KeyRefused);
    assert!(error.message.contains("after some hours"), "{}", error.message);
    assert!(error.provider_words.unwrap().starts_with("Invalid API key"));
    let error = weather(&openweathermap(json!("404"), Vec::new()), KEY, &day).await.unwrap_err();
    assert!(error.message.starts_with("OpenWeatherMap refused the request"), "{}", error.message);
    let error = weather(&service, KEY, &in_days(9)).await.unwrap_err();
    assert!(error.code == Code::ToolFailed && error.message.contains("6 days"), "{error:?}");
}
