use jiff::ToSpan as _;
use jiff::tz::TimeZone;
use kernel::Code;

use super::*;

pub(super) fn in_days(days: i64) -> String {
    (engine::now().to_zoned(TimeZone::UTC).date() + days.days()).to_string()
}

async fn weather(service: &Service, date: &str) -> Result<Value, Error> {
    let input = json!({"coordinates": {"latitude": 36.23, "longitude": 137.96}, "date": date});
    ask(WEATHER, "open-meteo", &service.server, "", input).await
}

/// A server that checks the required parameters and returns the values of a day.
fn open_meteo(values: Value, is_list: bool) -> Service {
    Service::start(move |asked| {
        let wrong =
            |reason: &str| Reply::json(&json!({"error": true, "reason": reason})).status("400 Bad Request");
        let day = asked.parameter("start_date");
        match () {
            () if asked.method != "GET" || asked.path() != "/forecast" => return wrong("path"),
            () if asked.parameter("latitude") != "36.23" => return wrong("latitude"),
            () if asked.parameter("longitude") != "137.96" => return wrong("longitude"),
            () if asked.parameter("timezone") != "auto" => return wrong("Timezone is required"),
            () if day != asked.parameter("end_date") => return wrong("end_date"),
            () => (),
        }
        let mut daily = json!({"time": [day]});
        for field in asked.parameter("daily").split(',') {
            daily[field] = json!([values.get(field)]);
        }
        let answer = json!({"latitude": 36.25, "longitude": 138.0, "elevation": 590.0, "timezone": "Asia/Tokyo",
            "daily_units": {"time": "iso8601"}, "daily": daily});
        Reply::json(&if is_list { json!([answer]) } else { answer })
    })
}

#[tokio::test]
async fn the_forecast_is_read_from_lists_and_with_null_values() {
    let values = json!({"weather_code": 61, "temperature_2m_max": 12.5, "temperature_2m_min": 3.0,
        "precipitation_probability_max": 80, "wind_speed_10m_max": 14.2});
    for is_list in [false, true] {
        let day = in_days(2);
        let forecast = weather(&open_meteo(values.clone(), is_list), &day).await.unwrap();
        assert_eq!((&forecast["date"], &forecast["condition"]), (&json!(day), &json!("rain")));
        assert_eq!(
            (&forecast["temperature_high_c"], &forecast["temperature_low_c"]),
            (&json!(12.5), &json!(3.0))
        );
        assert_eq!(
            (&forecast["precipitation_chance"], &forecast["wind_speed_kmh"]),
            (&json!(80.0), &json!(14.2))
        );
        let attribution = &forecast["attributions"][0];
        assert_eq!(
            (&attribution["licence"], &attribution["url"]),
            (&json!("CC BY 4.0"), &json!("https://open-meteo.com/"))
        );
        assert_eq!(forecast["raw"]["timezone"], "Asia/Tokyo");
    }
    let few = json!({"weather_code": "2", "temperature_2m_max": 12.5});
    let forecast = weather(&open_meteo(few, false), &in_days(0)).await.unwrap();
    assert_eq!(
        (&forecast["condition"], &forecast["temperature_high_c"]),
        (&json!("partly_cloudy"), &json!(12.5))
    );
    for unknown in ["temperature_low_c", "precipitation_chance", "wind_speed_kmh"] {
        assert!(forecast[unknown].is_null(), "{unknown}");
    }
    let odd = json!({"weather_code": 30, "temperature_2m_min": -1});
    let forecast = weather(&open_meteo(odd, false), &in_days(0)).await.unwrap();
    assert_eq!((&forecast["condition"], &forecast["temperature_low_c"]), (&Value::Null, &json!(-1.0)));
    let error = weather(&open_meteo(json!({}), false), &in_days(3)).await.unwrap_err();
    assert!(error.code == Code::ToolFailed && error.message.contains("no weather of"), "{error:?}");
}

#[tokio::test]
async fn every_wmo_code_has_a_condition() {
    for (code, condition) in [
        (0, "clear"),
        (1, "clear"),
        (2, "partly_cloudy"),
        (3, "cloudy"),
        (45, "fog"),
        (48, "fog"),
        (51, "drizzle"),
        (56, "freezing_rain"),
        (57, "freezing_rain"),
        (65, "rain"),
        (66, "freezing_rain"),
        (67, "freezing_rain"),
        (73, "snow"),
        (77, "snow"),
        (82, "rain"),
        (86, "snow"),
        (95, "thunderstorm"),
        (99, "thunderstorm"),
    ] {
        let values = json!({"weather_code": code, "temperature_2m_max": 1, "temperature_2m_min": 0});
        let forecast = weather(&open_meteo(values, false), &in_days(1)).await.unwrap();
        assert_eq!(forecast["condition"], condition, "{code}");
    }
}

#[tokio::test]
async fn a_day_outside_the_forecast_is_refused_before_any_request() {
    for (date, code, says) in [
        (in_days(40), Code::ToolFailed, "16 days"),
        (in_days(-5), Code::ToolFailed, "over"),
        ("tomorrow".to_owned(), Code::BadInput, "2026-11-29"),
    ] {
        let service = open_meteo(json!({}), false);
        let error = weather(&service, &date).await.unwrap_err();
        assert_eq!(error.code, code, "{date}");
        assert!(error.message.contains(says), "{}", error.message);
        assert!(service.paths().is_empty());
    }
    let reason = "Parameter 'start_date' is out of allowed range from 2026-08-01 to 2026-12-14";
    let service = Service::refusing("400 Bad Request", json!({"error": true, "reason": reason}));
    let error = weather(&service, &in_days(16)).await.unwrap_err();
    assert!(error.code == Code::ToolFailed && error.message.contains("16 days"), "{error:?}");
}

#[tokio::test]
async fn minutely_and_daily_limits_are_distinguished() {
    for (reason, code) in [
        ("Minutely API request limit exceeded. Please try again in one minute.", Code::RateLimited),
        ("Hourly API request limit exceeded. Please try again in the next hour.", Code::RateLimited),
        ("Daily API request limit exceeded. Please try again tomorrow.", Code::QuotaExhausted),
        ("Too many concurrent requests", Code::RateLimited),
    ] {
        let service = Service::refusing("429 Too Many Requests", json!({"error": true, "reason": reason}));
        let error = weather(&service, &in_days(1)).await.unwrap_err();
        assert_eq!(error.code, code, "{reason}");
        assert_eq!(error.provider_words.as_deref(), Some(reason));
    }
    let overloaded = json!({"error": true, "reason": "The service is overloaded"});
    let error =
        weather(&Service::refusing("503 Service Unavailable", overloaded), &in_days(1)).await.unwrap_err();
    assert_eq!(error.code, Code::Overloaded);
}
