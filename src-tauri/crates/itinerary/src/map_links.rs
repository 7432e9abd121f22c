//! Links that show the route in Google Maps. No request is made: they are addresses to open.

use std::fmt::Write;

use kernel::Coordinates;

use crate::{Itinerary, TravelMode};

/// Waypoints of a link between its first and last point: the documented limit. Browsers of phones support fewer.
const MOST_BETWEEN: usize = 9;

/// The part of the route in one link. Each part starts at the end of the last one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MapLink {
    /// The index of its first point on the route: 0 is the start, then come the visits, and on return the start again.
    pub from: usize,
    /// The index of its last point.
    pub to: usize,
    /// The travel mode.
    pub mode: TravelMode,
    /// The address.
    pub address: String,
}

/// The links of the whole route in order; empty without visits. A part with public transport is one leg, because Google
/// Maps supports no waypoints there.
pub fn map_links(itinerary: &Itinerary) -> Vec<MapLink> {
    let mut links: Vec<MapLink> = Vec::new();
    for (index, leg) in itinerary.legs().enumerate() {
        let mode = leg.mode;
        let goes_on = |link: &&mut MapLink| {
            link.mode == mode && mode != TravelMode::Transit && link.to - link.from <= MOST_BETWEEN
        };
        match links.last_mut().filter(goes_on) {
            Some(link) => link.to = index + 1,
            None => links.push(MapLink { from: index, to: index + 1, mode, address: String::new() }),
        }
    }
    let points = itinerary.way_points();
    for link in &mut links {
        link.address = address(&points[link.from..=link.to], link.mode);
    }
    links
}

fn address(points: &[Coordinates], mode: TravelMode) -> String {
    let written = |point: &Coordinates| format!("{:.6}%2C{:.6}", point.latitude, point.longitude);
    let mode = match mode {
        TravelMode::Walking => "walking",
        TravelMode::Transit => "transit",
        TravelMode::Driving => "driving",
    };
    let mut address = "https://www.google.com/maps/dir/?api=1".to_owned();
    // Writing into a string cannot fail.
    if let [first, between @ .., last] = points {
        let _ = write!(address, "&origin={}&destination={}", written(first), written(last));
        if !between.is_empty() {
            let between: Vec<String> = between.iter().map(written).collect();
            let _ = write!(address, "&waypoints={}", between.join("%7C"));
        }
    }
    let _ = write!(address, "&travelmode={mode}");
    address
}
