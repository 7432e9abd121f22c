//! Places, weather and ways in tasks and in a pipeline of the person, over the services that visits use.

use serde_json::{Value, json};
use testkit::TripServices;

use super::galley::Galley;
use super::tasks::{step, task, value};

fn galley(services: &TripServices) -> Galley {
    let galley = Galley::new();
    for (key, value) in services.settings() {
        galley.run(["config", "set", &key, &value]).ok();
    }
    galley
}

fn today() -> String {
    engine::now().to_zoned(jiff::tz::TimeZone::UTC).date().to_string()
}

#[test]
fn a_plan_finds_a_place_asks_for_its_weather_and_for_the_ways_around_it() {
    let services = TripServices::new(&[], false);
    let galley = galley(&services);
    let of = |field: &str| format!("@{{outputs.place.result_data.places.0.{field}}}");
    let (latitude, longitude) = (of("latitude"), of("longitude"));
    let points =
        json!([{"latitude": latitude, "longitude": longitude}, {"latitude": 35.7, "longitude": 139.71}]);
    let plan = json!([
        [step("place", "ResearchAgent", "FindPlaceTool", json!({"name": "Shinjuku"}))],
        [
            step(
                "sky",
                "ResearchAgent",
                "WeatherTool",
                json!({"latitude": latitude, "longitude": longitude, "date": today()})
            ),
            step("way", "ResearchAgent", "RouteTool", json!({"points": points, "mode": "walking"})),
        ],
    ]);
    task(&galley, &[("task", "Walk."), ("mode", "execute"), ("plan", &plan.to_string())]).ok();
    let results = value(&galley, "execution_context");
    let of = |id: &str| {
        let found = results.as_array().unwrap().iter().find(|step| step["stepId"] == id);
        found.map(|step| step["result_data"].clone()).unwrap_or_else(|| panic!("{id}: {results}"))
    };
    assert_eq!(of("place")["places"][0]["name"], "Shinjuku Station");
    assert_eq!((&of("sky")["condition"], &of("sky")["temperature_high_c"]), (&json!("rain"), &json!(12.4)));
    assert!(of("sky")["sources"][0].as_str().unwrap().contains("Open-Meteo"));
    let way = of("way")["ways"][0].clone();
    assert_eq!((&way["from"], &way["to"], &way["is_estimate"]), (&json!(0), &json!(1), &json!(true)));
    assert!(way["distance_m"].as_u64().unwrap() > 1_000, "{way}");
    assert_eq!(services.asked(), ["open-meteo-geocoding/search", "open-meteo/forecast"]);
}

const FORECAST: &str = r#"
id = "forecast"
title = "Forecast"
[input.day]
title = "Day"
[key.weather]
title = "Weather"
[key.note]
title = "Note"
role = "final"
[tool.weather]
kind = "weather"
default = "open-meteo"
[agent.asker]
reads = ["day"]
writes = ["weather"]
call = { tool = "weather", input = { coordinates = { latitude = 35.69, longitude = 139.7 }, date = "{{ day }}" } }
[flow]
steps = ["asker", { set = { note = "{{ weather.condition }}" } }]
"#;

#[test]
fn a_pipeline_of_the_person_asks_for_the_weather_by_a_slot() {
    let services = TripServices::new(&[], false);
    let galley = galley(&services);
    let folder = galley.data().join("pipelines");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("forecast.toml"), FORECAST).unwrap();
    let day = format!("day={}", today());
    let result =
        galley.run(["run", "forecast", "--input", &day, "--profile", "built-in", "--json"]).ok().result();
    assert_eq!(result["output"], Value::from("rain"), "{result}");
}
