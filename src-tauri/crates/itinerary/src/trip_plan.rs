//! A planned trip with all that is shown of it: the one value that lists, maps, booklets, calendars and links are made
//! from, as a key with the role of places holds it.

use std::collections::BTreeMap;

use jiff::civil::DateTime;
use kernel::{Coordinates, Error, Place, Places};
use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{Choice, Itinerary, Leg, OfferedLeg, Ride, Stop, Trip, WALKING_LIMIT_M, distance_m, plan};

/// A planned trip.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct TripPlan {
    /// What it is called, for people.
    pub title: String,
    /// The language of its texts and of the names of its points: `en`, `zh`, `ja`.
    pub language: String,
    /// The time zone of its clock as IANA names it (`Asia/Tokyo`); nothing where that is not known.
    #[serde(default)]
    pub time_zone: Option<String>,
    /// Where it starts, its points, and when it begins.
    pub trip: Trip,
    /// The ways that services gave.
    #[serde(default)]
    pub offers: Vec<OfferedLeg>,
    /// The rides that were asked for, of those ways that are too long to be walked for sure.
    #[serde(default)]
    #[ts(skip)]
    pub rides: Vec<Ride>,
    /// What is to be known of the points, by their ids.
    #[serde(default)]
    pub details: BTreeMap<String, StopDetails>,
    /// The weather of the day; nothing where it is not known.
    #[serde(default)]
    pub weather: Option<DayWeather>,
    /// What the person should know of it, each a sentence: that the data are invented, that points are missing, ….
    #[serde(default)]
    pub remarks: Vec<String>,
    /// Those of the remarks that hold whatever the person changes.
    #[serde(default)]
    #[ts(skip)]
    pub lasting_remarks: Vec<String>,
    /// Where its data are from.
    #[serde(default)]
    pub attributions: Vec<Attribution>,
    /// The order, the ways and the times.
    pub itinerary: Itinerary,
}

/// What is to be known of a point beside where it is and when it is open.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
#[serde(default)]
pub struct StopDetails {
    /// Its name in the language of the place, where that is another one.
    pub local_name: String,
    /// What it belongs to: the title of the work.
    pub title: String,
    /// The colour of its title, as `#rrggbb`; empty where there is none.
    pub color: String,
    /// Where it is seen in the work: `Episode 3, 12:40`.
    pub scene: String,
    /// Its address.
    pub address: String,
    /// What it costs.
    pub admission: String,
    /// What is to be known of it, in a sentence.
    pub description: String,
    /// The address of a picture; it is asked for only when the person wants pictures.
    pub picture: String,
    /// Who made the picture or told of the point.
    pub origin: String,
    /// The address of the origin.
    pub origin_url: String,
}

/// The weather of a day.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, schemars::JsonSchema, TS)]
pub struct DayWeather {
    /// The day, `YYYY-MM-DD`.
    pub date: String,
    /// Where.
    pub location: String,
    /// What it is like, in words.
    pub condition: String,
    /// Its highest temperature, °C.
    pub temperature_high: i32,
    /// Its lowest temperature, °C.
    pub temperature_low: i32,
    /// The chance of rain or snow, percent; nothing where it is not known.
    #[serde(default)]
    pub precipitation_chance: Option<u8>,
    /// The wind, km/h; nothing where it is not known.
    #[serde(default)]
    pub wind_speed_kmh: Option<u32>,
    /// What that means for the visit, a sentence or two.
    pub recommendation: String,
}

/// Where data are from.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, schemars::JsonSchema, TS)]
#[serde(default)]
pub struct Attribution {
    /// Who gave them.
    pub name: String,
    /// Its address; empty where there is none.
    pub url: String,
    /// The licence or the terms in short; empty where there are none.
    pub licence: String,
}

/// A way of an itinerary.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Way<'a> {
    /// The indexes of the points it leaves and reaches, as in [`OfferedLeg`].
    pub ends: (u32, u32),
    /// Where these are.
    pub coordinates: [Coordinates; 2],
    /// When one leaves, by the clock of the trip.
    pub departure: DateTime,
    /// How one travels.
    pub leg: &'a Leg,
}

impl<'a> Way<'a> {
    fn new(from: (u32, Coordinates, DateTime), to: (u32, Coordinates), leg: &'a Leg) -> Way<'a> {
        Way { ends: (from.0, to.0), coordinates: [from.1, to.1], departure: from.2, leg }
    }

    /// Whether one would rather not walk so far.
    pub fn is_long(&self) -> bool {
        let [from, to] = self.coordinates;
        distance_m(from, to).is_some_and(|metres| metres > WALKING_LIMIT_M)
    }
}

impl Attribution {
    /// Its address where that leads to the web.
    pub fn address(&self) -> Option<&str> {
        web_address(&self.url)
    }
}

/// The address if it leads to the web, and nothing else is in it.
pub fn web_address(address: &str) -> Option<&str> {
    let address = address.trim();
    let begin = address.get(..8).unwrap_or(address).to_ascii_lowercase();
    let leads = begin.starts_with("https://") || begin.starts_with("http://");
    let is_plain = !address.chars().any(|c| c.is_whitespace() || c.is_control() || "<>\"\\^`{|}".contains(c));
    (leads && is_plain).then_some(address)
}

impl TripPlan {
    /// Plans the visits anew, as the person chose.
    ///
    /// # Errors
    /// Those of [`plan`].
    pub fn replan(&mut self, choice: &Choice) -> Result<(), Error> {
        self.itinerary = plan(&self.trip, &self.trip.legs(&self.offers).with_rides(&self.rides), choice)?;
        Ok(())
    }

    /// The ways of the itinerary in order, the one back included.
    pub fn ways(&self) -> Vec<Way<'_>> {
        let Itinerary { visits, start_coordinates, departure, return_leg, .. } = &self.itinerary;
        let index = |id: &str| self.trip.stops.iter().position(|stop| stop.id == id);
        let number = |id: &str| index(id).and_then(|index| u32::try_from(index + 1).ok()).unwrap_or(0);
        let mut ways = Vec::with_capacity(visits.len() + 1);
        let mut from = (0, *start_coordinates, *departure);
        for visit in visits {
            let to = (number(&visit.id), visit.coordinates);
            ways.push(Way::new(from, to, &visit.leg));
            from = (to.0, to.1, visit.departure);
        }
        ways.extend(return_leg.iter().map(|back| Way::new(from, (0, *start_coordinates), &back.leg)));
        ways
    }

    /// The stop with this id.
    pub fn stop(&self, id: &str) -> Option<&Stop> {
        self.trip.stops.iter().find(|stop| stop.id == id)
    }

    /// Its points and the way through them, as every value of places has them.
    pub fn places(&self) -> Places {
        let place = |stop: &Stop| {
            let details = self.details.get(&stop.id);
            let text = |field: fn(&StopDetails) -> &String| details.map(field).cloned().unwrap_or_default();
            Place {
                name: stop.name.clone(),
                coordinates: stop.coordinates,
                description: text(|details| &details.description),
                title: text(|details| &details.title),
            }
        };
        let index = |id: &str| self.trip.stops.iter().position(|stop| stop.id == id);
        let route = self.itinerary.visits.iter().filter_map(|visit| index(&visit.id));
        Places {
            places: self.trip.stops.iter().map(place).collect(),
            route: route.filter_map(|index| u32::try_from(index).ok()).collect(),
        }
    }
}
