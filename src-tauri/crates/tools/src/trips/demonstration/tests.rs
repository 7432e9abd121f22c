use engine::{Tool, Typed};
use serde_json::{Value, json};

use super::*;

async fn output(tool: &dyn Tool, input: Value) -> Value {
    tool.call(&input, &ToolContext::default()).await.unwrap().output.0
}

#[tokio::test]
async fn every_example_gives_its_result() {
    let tools: [Box<dyn Tool>; 7] = [
        Box::new(Typed(DemonstrationTitles)),
        Box::new(Typed(DemonstrationStations)),
        Box::new(Typed(DemonstrationPoints)),
        Box::new(Typed(DemonstrationWeather)),
        Box::new(Typed(DemonstrationRoutes)),
        Box::new(Typed(super::super::estimate::EstimatedRoutes)),
        Box::new(Typed(super::super::no_details::NoDetails)),
    ];
    for tool in tools {
        for example in tool.examples() {
            let output = output(tool.as_ref(), example.input).await.to_string();
            assert!(output.contains(example.output_contains), "{}: {output}", example.title);
        }
    }
}

#[tokio::test]
async fn the_area_has_twenty_points_near_its_station_and_more_beyond_all_marked_invented() {
    let near = |radius| json!({"title_id": 1, "coordinates": area().stations("")[0].coordinates, "radius_km": radius});
    let points = output(&Typed(DemonstrationPoints), near(5.0)).await;
    let count = points["points"].as_array().unwrap().len();
    assert!(count >= 20, "{count}");
    assert!(points["total"].as_u64().unwrap() > count as u64, "a larger radius has more");
    assert!(points["notes"][0]["id"].as_str().unwrap().contains("invented"));
    assert!(output(&Typed(DemonstrationPoints), near(0.01)).await["points"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn any_title_search_returns_the_invented_title_with_a_note_and_only_its_station() {
    for (keyword, notes) in [("Your Name", 2), ("glass hill", 1), ("", 1)] {
        let titles = output(&Typed(DemonstrationTitles), json!({"keyword": keyword})).await;
        assert_eq!(titles["candidates"].as_array().unwrap().len(), 1, "{keyword}");
        let phrases: Vec<Phrase> = serde_json::from_value(titles["notes"].clone()).unwrap();
        assert_eq!(phrases.len(), notes, "{keyword}");
        assert_eq!(phrases.last().unwrap().english().contains("not “Your Name”"), notes == 2);
    }
    let stations =
        output(&Typed(DemonstrationStations), json!({"station_name": "新宿", "radius_km": 5.0})).await;
    assert_eq!(stations["stations"], json!([]));
}

#[test]
fn the_weather_of_a_day_is_always_the_same_and_changes_with_the_seasons() {
    let of = |day: &str| weather::invented(day.parse().unwrap(), day);
    assert_eq!(of("2026-08-01"), of("2026-08-01"));
    assert!(of("2026-08-01").temperature_low_c > of("2026-01-31").temperature_high_c);
    let chances = (1..=28).map(|day| of(&format!("2026-11-{day:02}")).precipitation_chance);
    assert!(
        chances.collect::<Vec<_>>().windows(2).all(|two| two[0] != two[1]),
        "every day has a sky of its own"
    );
}
