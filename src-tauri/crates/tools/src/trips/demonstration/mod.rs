//! The source `demonstration`: an invented title with points around a real station, invented weather, and computed
//! routes. It needs no key and no network, and every answer says that its data are invented.

mod area;
mod weather;

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Access, ToolContext, ToolExample, ToolOutput, TypedTool};
use itinerary::{Attribution, Leg, TravelMode, distance_m, walking_leg};
use kernel::{Code, Coordinates, Error, Form, Phrase, form, phrase};
use serde_json::json;

use area::area;

use super::estimate::ways;
use super::{
    POINT_SEARCH, PointRequest, Points, ROUTING, Routes, RoutingRequest, STATION_SEARCH, StationRequest,
    Stations, TITLE_SEARCH, TitleRequest, Titles, WEATHER as WEATHER_KIND, WeatherForecast, WeatherRequest,
};
use crate::offered_tool::{KeyNeed, OfferedTool};

/// The id of the source.
const ID: &str = "demonstration";
/// The wait for the invented bus in seconds, and its speed as a multiple of walking.
const BUS_WAIT_S: u32 = 480;
const BUS_SPEED_FACTOR: u32 = 4;

const fn source(tool: &'static str, purpose: Form, make: crate::offered_tool::MakeTool) -> OfferedTool {
    OfferedTool {
        id: ID,
        tool,
        title: "Demonstration",
        purpose,
        key: KeyNeed::None,
        key_page: "",
        services: &[],
        collection: Some(form!("the demonstration area")),
        chooses_itself: false,
        make,
    }
}

pub(super) const TITLES: OfferedTool =
    source(DemonstrationTitles::NAME, form!("One invented title. Needs no network."), |_| {
        Arc::new(engine::Typed(DemonstrationTitles))
    });
pub(super) const STATIONS: OfferedTool = source(
    DemonstrationStations::NAME,
    form!("The station of the invented title. Needs no network."),
    |_| Arc::new(engine::Typed(DemonstrationStations)),
);
pub(super) const POINTS: OfferedTool =
    source(DemonstrationPoints::NAME, form!("The points of the invented title. Needs no network."), |_| {
        Arc::new(engine::Typed(DemonstrationPoints))
    });
pub(super) const WEATHER: OfferedTool = source(
    DemonstrationWeather::NAME,
    form!("An invented weather that depends on the day alone. Needs no network."),
    |_| Arc::new(engine::Typed(DemonstrationWeather)),
);
pub(super) const ROUTES: OfferedTool = source(
    DemonstrationRoutes::NAME,
    form!("Estimated ways on foot, and an invented bus. Needs no network."),
    |_| Arc::new(engine::Typed(DemonstrationRoutes)),
);

/// The note in every answer that its data are invented.
fn invented() -> Vec<Phrase> {
    vec![phrase!("Title, points, opening hours and weather are invented, to show how Galley plans a trip")]
}

fn attributions() -> Vec<Attribution> {
    vec![Attribution {
        name: "Galley demonstration area (invented)".to_owned(),
        licence: "CC0".to_owned(),
        ..Attribution::default()
    }]
}

fn example(title: &'static str, input: serde_json::Value, output_contains: &'static str) -> Vec<ToolExample> {
    vec![ToolExample { title, input, output_contains }]
}

/// Finds the invented title, also for other keywords.
pub(super) struct DemonstrationTitles;

#[async_trait]
impl TypedTool for DemonstrationTitles {
    type Input = TitleRequest;
    type Output = Titles;
    const NAME: &'static str = "demonstration_titles";
    const DESCRIPTION: &'static str =
        "Offers the one invented title of the demonstration, and says so where another one is looked for.";
    const SLOTS: &'static [&'static str] = &[TITLE_SEARCH];

    fn access(&self, _: &TitleRequest) -> Access {
        Access::looks()
    }

    fn title(&self, input: &TitleRequest) -> Phrase {
        phrase!("looked for the title “{title}” in the demonstration", title = input.keyword.as_str())
    }

    fn examples(&self) -> Vec<ToolExample> {
        example("a part of its name", json!({"keyword": "glass hill"}), "硝子坂の貸本屋")
    }

    async fn call(&self, input: TitleRequest, _: &ToolContext) -> Result<ToolOutput<Titles>, Error> {
        let title = area().title();
        let (mut summary, mut notes) = (phrase!("{n} titles", n = 1), invented());
        if !area().is_title(&input.keyword) {
            summary = phrase!(
                "The demonstration knows its invented title “{title}” only, not “{keyword}”",
                title = title.name.as_str(),
                keyword = input.keyword.as_str()
            );
            notes.push(summary.clone());
        }
        let titles = Titles { candidates: vec![title], attributions: attributions(), notes };
        Ok(ToolOutput::new(titles, summary))
    }
}

/// Finds the invented title's station.
pub(super) struct DemonstrationStations;

#[async_trait]
impl TypedTool for DemonstrationStations {
    type Input = StationRequest;
    type Output = Stations;
    const NAME: &'static str = "demonstration_stations";
    const DESCRIPTION: &'static str = "Finds the one station of the demonstration.";
    const SLOTS: &'static [&'static str] = &[STATION_SEARCH];

    fn access(&self, _: &StationRequest) -> Access {
        Access::looks()
    }

    fn title(&self, input: &StationRequest) -> Phrase {
        phrase!("looked for the station “{name}” in the demonstration", name = input.station_name.as_str())
    }

    fn examples(&self) -> Vec<ToolExample> {
        example("by its name", json!({"station_name": "松本", "radius_km": 5.0}), "松本駅")
    }

    async fn call(&self, input: StationRequest, _: &ToolContext) -> Result<ToolOutput<Stations>, Error> {
        let stations = area().stations(&input.station_name);
        let summary = phrase!("{n} stations", n = stations.len());
        Ok(ToolOutput::new(Stations { stations, attributions: attributions(), notes: invented() }, summary))
    }
}

/// Returns the invented points.
pub(super) struct DemonstrationPoints;

#[async_trait]
impl TypedTool for DemonstrationPoints {
    type Input = PointRequest;
    type Output = Points;
    const NAME: &'static str = "demonstration_points";
    const DESCRIPTION: &'static str = "Gives the points of the invented title around a place.";
    const SLOTS: &'static [&'static str] = &[POINT_SEARCH];

    fn access(&self, _: &PointRequest) -> Access {
        Access::looks()
    }

    fn title(&self, input: &PointRequest) -> Phrase {
        phrase!("looked for points within {radius} km in the demonstration", radius = input.radius_km)
    }

    fn examples(&self) -> Vec<ToolExample> {
        let matsumoto = json!({"latitude": 36.2306, "longitude": 137.9645});
        let input = json!({"title_id": 1, "coordinates": matsumoto, "radius_km": 5.0});
        example("those around the station", input, "駅前の大時計")
    }

    async fn call(&self, input: PointRequest, _: &ToolContext) -> Result<ToolOutput<Points>, Error> {
        let all = if input.title_id == area().title.id { area().points() } else { Vec::new() };
        let total = u32::try_from(all.len()).unwrap_or(u32::MAX);
        let near = |metres: u32| f64::from(metres) <= input.radius_km * 1000.0;
        let is_near =
            |point: &super::Point| distance_m(input.coordinates, point.coordinates).is_some_and(near);
        let points: Vec<_> = all.into_iter().filter(is_near).collect();
        let summary = phrase!("{n} of {total} points", n = points.len(), total);
        let points = Points {
            points,
            total,
            given: total,
            unplaced: 0,
            color: area().title.color.clone(),
            attributions: attributions(),
            notes: invented(),
        };
        Ok(ToolOutput::new(points, summary))
    }
}

/// Generates the weather of a day.
pub(super) struct DemonstrationWeather;

#[async_trait]
impl TypedTool for DemonstrationWeather {
    type Input = WeatherRequest;
    type Output = WeatherForecast;
    const NAME: &'static str = "demonstration_weather";
    const DESCRIPTION: &'static str =
        "Invents the weather of a day: the same day always has the same weather.";
    const SLOTS: &'static [&'static str] = &[WEATHER_KIND];

    fn access(&self, _: &WeatherRequest) -> Access {
        Access::looks()
    }

    fn title(&self, input: &WeatherRequest) -> Phrase {
        phrase!("invented the weather of {day}", day = input.date.as_str())
    }

    fn examples(&self) -> Vec<ToolExample> {
        let matsumoto = json!({"latitude": 36.2306, "longitude": 137.9645});
        example("a day", json!({"coordinates": matsumoto, "date": "2026-11-29"}), "temperature_high_c")
    }

    async fn call(
        &self,
        input: WeatherRequest,
        _: &ToolContext,
    ) -> Result<ToolOutput<WeatherForecast>, Error> {
        let day = input.date.parse().map_err(|_| {
            Error::new(
                Code::BadInput,
                phrase!("`{day}` is no day; write it as 2026-11-29", day = input.date.as_str()),
            )
        })?;
        let forecast = WeatherForecast {
            attributions: attributions(),
            notes: invented(),
            ..weather::invented(day, &input.date)
        };
        let summary = phrase!("the weather of {day}", day = input.date.as_str());
        Ok(ToolOutput::new(forecast, summary))
    }
}

/// Estimates walking routes, and invents a bus.
pub(super) struct DemonstrationRoutes;

#[async_trait]
impl TypedTool for DemonstrationRoutes {
    type Input = RoutingRequest;
    type Output = Routes;
    const NAME: &'static str = "demonstration_routes";
    const DESCRIPTION: &'static str =
        "Estimates ways on foot from straight lines, and invents a bus that goes from anywhere to anywhere.";
    const SLOTS: &'static [&'static str] = &[ROUTING];

    fn access(&self, _: &RoutingRequest) -> Access {
        Access::looks()
    }

    fn title(&self, input: &RoutingRequest) -> Phrase {
        phrase!("invented the ways between {n} points", n = input.points.len())
    }

    fn examples(&self) -> Vec<ToolExample> {
        let points = json!([{"latitude": 36.2306, "longitude": 137.9645}, {"latitude": 36.2587, "longitude": 137.9689}]);
        example("a ride", json!({"points": points, "mode": "transit"}), "\"mode\":\"transit\"")
    }

    async fn call(&self, input: RoutingRequest, _: &ToolContext) -> Result<ToolOutput<Routes>, Error> {
        let legs = ways(&input, |from, to| match input.mode {
            TravelMode::Walking => walking_leg(from, to),
            TravelMode::Transit => bus_leg(from, to),
            TravelMode::Driving => None,
        })?;
        let summary = phrase!("{n} ways", n = legs.len());
        let notes = if legs.is_empty() { Vec::new() } else { invented() };
        Ok(ToolOutput::new(Routes { legs, attributions: attributions(), notes }, summary))
    }
}

/// A ride on the invented bus: the wait, then the same distance as on foot.
fn bus_leg(from: Coordinates, to: Coordinates) -> Option<Leg> {
    let walk = walking_leg(from, to)?;
    Some(Leg {
        mode: TravelMode::Transit,
        duration_s: BUS_WAIT_S + walk.duration_s / BUS_SPEED_FACTOR,
        instructions: Some("Bus 7".to_owned()),
        ..walk
    })
}

#[cfg(test)]
mod tests;
