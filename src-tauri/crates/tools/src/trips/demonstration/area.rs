//! The invented title with its station and points, from `area.toml`.

use std::sync::LazyLock;

use kernel::Coordinates;
use serde::Deserialize;

use super::super::{Point, Station, TitleCandidate};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Area {
    pub(super) title: AreaTitle,
    station: AreaStation,
    point: Vec<AreaPoint>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct AreaTitle {
    pub(super) id: i64,
    name: String,
    name_cn: String,
    name_en: String,
    date: String,
    summary: String,
    pub(super) color: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AreaStation {
    name: String,
    name_cn: String,
    name_en: String,
    latitude: f64,
    longitude: f64,
    city: String,
    prefecture: String,
    time_zone: String,
    country: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AreaPoint {
    id: String,
    name: String,
    name_cn: String,
    name_en: String,
    latitude: f64,
    longitude: f64,
    episode: String,
    time_seconds: u32,
    kind: String,
    opening_hours: Option<String>,
    admission_fee: Option<String>,
}

/// The area. A test parses it, so that it is never empty.
pub(super) fn area() -> &'static Area {
    static AREA: LazyLock<Area> = LazyLock::new(|| {
        let read = toml_edit::de::from_str(include_str!("area.toml"));
        read.unwrap_or_else(|error| unreachable!("the area of demonstration cannot be read: {error}"))
    });
    &AREA
}

impl Area {
    /// Whether a name of the title matches the keyword, or the keyword is empty.
    pub(super) fn is_title(&self, keyword: &str) -> bool {
        let AreaTitle { name, name_cn, name_en, .. } = &self.title;
        is_named(keyword, &[name, name_cn, name_en])
    }

    /// The title as a search result.
    pub(super) fn title(&self) -> TitleCandidate {
        let AreaTitle { id, name, name_cn, name_en, date, summary, .. } = &self.title;
        TitleCandidate {
            id: *id,
            name: name.clone(),
            name_cn: name_cn.clone(),
            aliases: vec![name_en.clone()],
            date: date.clone(),
            summary: summary.clone(),
            ..TitleCandidate::default()
        }
    }

    /// The station, if one of its names matches or no name was given.
    pub(super) fn stations(&self, wanted: &str) -> Vec<Station> {
        let AreaStation { name, name_cn, name_en, latitude, longitude, city, prefecture, time_zone, country } =
            &self.station;
        if !is_named(wanted, &[name, name_cn, name_en]) {
            return Vec::new();
        }
        vec![Station {
            name: name.clone(),
            name_en: Some(name_en.clone()),
            name_cn: Some(name_cn.clone()),
            coordinates: Coordinates { latitude: *latitude, longitude: *longitude },
            city: Some(city.clone()),
            prefecture: Some(prefecture.clone()),
            time_zone: Some(time_zone.clone()),
            country: Some(country.clone()),
        }]
    }

    /// The points.
    pub(super) fn points(&self) -> Vec<Point> {
        let point = |point: &AreaPoint| Point {
            id: point.id.clone(),
            name: point.name.clone(),
            cn_name: point.name_cn.clone(),
            en_name: point.name_en.clone(),
            coordinates: Coordinates { latitude: point.latitude, longitude: point.longitude },
            episode: point.episode.clone(),
            time_seconds: point.time_seconds,
            screenshot_url: String::new(),
            address: None,
            opening_hours: point.opening_hours.clone(),
            admission_fee: point.admission_fee.clone(),
            kind: point.kind.clone(),
            origin: String::new(),
            origin_url: String::new(),
        };
        self.point.iter().map(point).collect()
    }
}

/// Whether one of the names contains the words or is part of them, ignoring case.
fn is_named(words: &str, names: &[&String]) -> bool {
    let words = words.trim().to_lowercase();
    names.iter().any(|name| {
        let name = name.to_lowercase();
        name.contains(&words) || words.contains(&name)
    })
}
