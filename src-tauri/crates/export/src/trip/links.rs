//! Links that show the way in Google Maps. Nothing is asked for: they are addresses to be opened.

use std::fmt::Write;

use itinerary::TravelMode;
use kernel::Coordinates;

use super::sheet::{DOT, Sheet};

/// How many points a link takes between its first and its last: the documented limit. Browsers of phones take fewer.
const MOST_BETWEEN: usize = 9;

/// A part of the way that one link shows.
struct Part {
    /// The indices of its points on the way.
    from: usize,
    to: usize,
    mode: TravelMode,
}

/// The trip as a list of links.
pub(crate) fn write(sheet: &Sheet<'_>) -> String {
    let itinerary = &sheet.plan.itinerary;
    let points = sheet.way_points();
    let mut names = vec![sheet.start.clone()];
    names.extend(sheet.entries.iter().map(|entry| format!("({}) {}", entry.visit.position, entry.name)));
    names.extend(itinerary.return_leg.iter().map(|_| sheet.start.clone()));
    let visits = itinerary.visits.iter().map(|visit| visit.leg.mode);
    let modes: Vec<TravelMode> =
        visits.chain(itinerary.return_leg.iter().map(|back| back.leg.mode)).collect();
    // Writing into a string cannot fail.
    let mut text = String::new();
    let _ = writeln!(text, "# {}\n\n{}\n", escaped(&sheet.title), sheet.words.directions);
    for (index, part) in parts(&modes).iter().enumerate() {
        let between = &names[part.from..=part.to];
        let (first, last) = (&between[0], &between[between.len() - 1]);
        let _ = writeln!(
            text,
            "{}. [{} → {}]({}){DOT}{}",
            index + 1,
            escaped(first),
            escaped(last),
            address(&points[part.from..=part.to], part.mode),
            sheet.words.mode(part.mode),
        );
        for name in between {
            let _ = writeln!(text, "    - {}", escaped(name));
        }
    }
    for (words, _) in sheet.attributions() {
        let _ = writeln!(text, "\n{}", escaped(&words));
    }
    text
}

/// The parts of a way with these modes. A part with public transport is one leg: Google Maps takes no points between
/// there. Each part starts where the last one ended.
fn parts(modes: &[TravelMode]) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for (leg, &mode) in modes.iter().enumerate() {
        match parts.last_mut() {
            Some(part)
                if part.mode == mode
                    && mode != TravelMode::Transit
                    && part.to - part.from <= MOST_BETWEEN =>
            {
                part.to = leg + 1;
            }
            _ => parts.push(Part { from: leg, to: leg + 1, mode }),
        }
    }
    parts
}

fn address(points: &[Coordinates], mode: TravelMode) -> String {
    let written = |point: &Coordinates| format!("{:.6}%2C{:.6}", point.latitude, point.longitude);
    let mode = match mode {
        TravelMode::Walking => "walking",
        TravelMode::Transit => "transit",
        TravelMode::Driving => "driving",
    };
    let mut address = "https://www.google.com/maps/dir/?api=1".to_owned();
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

/// A text of one line in which no sign means anything to Markdown.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        if "\\`*_{}[]<>#|~&!:@".contains(character) {
            escaped.push('\\');
        }
        escaped.push(character);
    }
    escaped
}
