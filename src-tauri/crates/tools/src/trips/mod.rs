//! The tools for planning trips, one folder or file per service: titles, stations, points, weather and routes. Their
//! input and output do not depend on the service.

mod anitabi;
mod bangumi;
mod demonstration;
mod estimate;
mod google_routes;
mod heartrails;
mod motis;
mod no_details;
mod nominatim;
mod on_foot;
mod open_meteo;
mod open_meteo_geocoding;
mod openweathermap;
mod osrm;
mod point_files;
mod service_tool;
mod shapes;
#[cfg(test)]
mod tests;
mod trip_file;
mod valhalla;
mod ways;

pub use crate::trip_files::TripFiles;
pub use open_meteo_geocoding::without_station;
pub use point_files::{PointFile, read_points};
pub use shapes::{
    PlaceDetails, PlaceDetailsRequest, PlaceInQuestion, Point, PointDetails, PointRequest, Points, Routes,
    RoutingRequest, Station, StationRequest, Stations, TitleCandidate, TitleRequest, Titles,
    WeatherCondition, WeatherForecast, WeatherRequest,
};
pub use trip_file::TripFileTool;

use crate::offered_tool::OfferedTool;

/// The kind of slot for a tool that finds titles of films, series, books and games.
pub const TITLE_SEARCH: &str = "title_search";
/// The kind of slot for a tool that finds stations and other places to start from.
pub const STATION_SEARCH: &str = "station_search";
/// The kind of slot for a tool that finds the points of a title.
pub const POINT_SEARCH: &str = "point_search";
/// The kind of slot for a tool that finds the addresses and opening hours of points.
pub const PLACE_DETAILS: &str = "place_details";
/// The kind of slot for a tool that returns the weather.
pub const WEATHER: &str = "weather";
/// The kind of slot for a tool that finds routes.
pub const ROUTING: &str = "routing";
/// The tool that estimates walking routes, without public transport.
pub const ESTIMATED_ROUTES: &str = "estimated_routes";

/// The tools of each kind, alphabetically by id.
pub(crate) const TITLE_SEARCHES: &[OfferedTool] = &[bangumi::SOURCE, demonstration::TITLES];
pub(crate) const STATION_SEARCHES: &[OfferedTool] =
    &[demonstration::STATIONS, heartrails::SOURCE, open_meteo_geocoding::SOURCE];
pub(crate) const POINT_SEARCHES: &[OfferedTool] = &[anitabi::SOURCE, demonstration::POINTS];
pub(crate) const PLACE_DETAIL_SERVICES: &[OfferedTool] = &[no_details::SOURCE, nominatim::SOURCE];
pub(crate) const WEATHER_SERVICES: &[OfferedTool] =
    &[demonstration::WEATHER, open_meteo::SOURCE, openweathermap::SOURCE];
pub(crate) const ROUTING_SERVICES: &[OfferedTool] = &[
    demonstration::ROUTES,
    estimate::SOURCE,
    google_routes::SOURCE,
    motis::SOURCE,
    osrm::SOURCE,
    valhalla::SOURCE,
];
