//! The names, times and words of a trip, prepared once for all its files.

use itinerary::{Leg, OpeningState, StopDetails, TripPlan, Visit};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;
use kernel::Coordinates;

use super::color::Color;
use super::words::{Words, length};

/// The separator of short notes in one line. No line begins with it.
pub(crate) const DOT: &str = "\u{A0}· ";

/// A trip with the texts for its files.
pub(crate) struct Sheet<'p> {
    /// The trip.
    pub(crate) plan: &'p TripPlan,
    /// The words of its language.
    pub(crate) words: &'static Words,
    /// The id of its run.
    pub(crate) run: &'p str,
    /// When its run last changed.
    pub(crate) changed_at: Timestamp,
    /// Its title.
    pub(crate) title: String,
    /// The name of its start.
    pub(crate) start: String,
    /// Its visits in order.
    pub(crate) entries: Vec<Entry<'p>>,
    /// The points that are not visited.
    pub(crate) left_out: Vec<LeftOutStop<'p>>,
}

/// A visit with the texts for files.
pub(crate) struct Entry<'p> {
    pub(crate) visit: &'p Visit,
    pub(crate) details: &'p StopDetails,
    pub(crate) name: String,
    /// Its name in the local language, if that is a different one.
    pub(crate) local_name: Option<String>,
    /// The colour of its work.
    pub(crate) color: Color,
    /// The times of arrival and departure for display.
    pub(crate) arrival: String,
    pub(crate) departure: String,
    /// How to get there, the wait and the stay, each as one note.
    pub(crate) way: String,
    pub(crate) pauses: String,
    /// The remark on its opening hours.
    pub(crate) opening: String,
    /// Whether the person has to check the hours.
    pub(crate) is_doubtful: bool,
    /// Further facts: name and value of each.
    pub(crate) facts: Vec<(&'static str, String)>,
}

/// A point that is not visited, with the texts for files.
pub(crate) struct LeftOutStop<'p> {
    pub(crate) id: &'p str,
    pub(crate) name: String,
    pub(crate) reason: &'static str,
    pub(crate) coordinates: Option<Coordinates>,
}

impl<'p> Sheet<'p> {
    /// The texts of a trip whose run last changed at this time.
    pub(crate) fn of(plan: &'p TripPlan, run: &'p str, changed_at: Timestamp) -> Sheet<'p> {
        let itinerary = &plan.itinerary;
        let mut sheet = Sheet {
            plan,
            words: Words::of(&plan.language),
            run,
            changed_at,
            title: line(&plan.title),
            start: line(&itinerary.start_name),
            entries: Vec::new(),
            left_out: Vec::new(),
        };
        if sheet.title.is_empty() {
            sheet.title = sheet.words.itinerary.to_owned();
        }
        sheet.entries = itinerary.visits.iter().map(|visit| sheet.entry(visit)).collect();
        let missed = itinerary.left_out.iter().map(|point| LeftOutStop {
            id: &point.id,
            name: line(&point.name),
            reason: sheet.words.reason(point.reason),
            coordinates: plan.stop(&point.id).and_then(|stop| stop.coordinates),
        });
        sheet.left_out = missed.collect();
        sheet
    }

    fn entry(&self, visit: &'p Visit) -> Entry<'p> {
        static NONE: StopDetails = StopDetails {
            local_name: String::new(),
            title: String::new(),
            color: String::new(),
            scene: String::new(),
            address: String::new(),
            admission: String::new(),
            description: String::new(),
            picture: String::new(),
            origin: String::new(),
            origin_url: String::new(),
        };
        let words = self.words;
        let details = self.plan.details.get(&visit.id).unwrap_or(&NONE);
        let name = line(&visit.name);
        let local_name = Some(line(&details.local_name)).filter(|local| !local.is_empty() && *local != name);
        let mut pauses = Vec::new();
        if visit.wait_s > 0 {
            pauses.push(words.pair(words.wait, &words.lasting(visit.wait_s)));
        }
        pauses.push(words.pair(words.stay, &words.lasting(visit.stay_s)));
        if visit.is_fixed {
            pauses.push(words.fixed.to_owned());
        }
        let hours = visit.opening_hours.as_deref().unwrap_or_default();
        let facts = [
            (words.title, &*details.title),
            (words.scene, &details.scene),
            (words.address, &details.address),
            (words.hours, hours),
            (words.admission, &details.admission),
            (words.origin, &details.origin),
        ];
        let facts = facts.into_iter().map(|(name, value)| (name, line(value)));
        Entry {
            visit,
            details,
            name,
            local_name,
            color: Color::read(&details.color),
            arrival: self.clock(visit.arrival),
            departure: self.clock(visit.departure),
            way: self.way(&visit.leg),
            pauses: pauses.join(DOT),
            opening: self.opening(visit),
            is_doubtful: is_doubtful(visit),
            facts: facts.filter(|(_, value)| !value.is_empty()).collect(),
        }
    }

    /// A time for display, with its day if that is not the day of the trip.
    pub(crate) fn clock(&self, time: DateTime) -> String {
        self.plan.itinerary.clock(time)
    }

    /// The way to a point as one note.
    pub(crate) fn way(&self, leg: &Leg) -> String {
        let words = self.words;
        let mut notes =
            vec![words.mode(leg.mode).to_owned(), length(leg.distance_m), words.lasting(leg.duration_s)];
        notes.extend(leg.instructions.as_deref().map(line).filter(|instructions| !instructions.is_empty()));
        if leg.is_estimate {
            notes.push(words.estimated.to_owned());
        }
        notes.join(DOT)
    }

    fn opening(&self, visit: &Visit) -> String {
        let words = self.words;
        let at = |form: &str, time: DateTime| form.replace("{}", &self.clock(time));
        let state = match &visit.opening {
            OpeningState::Open { until: Some(until) } => at(words.open_until, *until),
            OpeningState::Open { until: None } => words.open.to_owned(),
            OpeningState::OpensAt { at: time } => at(words.opens_at, *time),
            OpeningState::Closed => words.closed.to_owned(),
            OpeningState::Check { reason } => words.check(*reason).to_owned(),
            OpeningState::Unknown => words.hours_unknown.to_owned(),
        };
        let opens_later = matches!(visit.opening, OpeningState::OpensAt { .. }) && visit.is_closed_on_arrival;
        let notes = [
            opens_later.then(|| words.closed.to_owned()),
            Some(state),
            visit.closes_during_stay.then(|| words.closes_early.to_owned()),
            visit.check.map(|reason| words.check(reason).to_owned()),
        ];
        notes.into_iter().flatten().collect::<Vec<_>>().join(DOT)
    }

    /// The UTC time of a local time; `None` if the trip's offset is unknown.
    pub(crate) fn moment(&self, time: DateTime) -> Option<Timestamp> {
        self.offset()?.to_timestamp(time).ok()
    }

    /// A time for programs, with its offset if that is known.
    pub(crate) fn stamp(&self, time: DateTime) -> String {
        match self.offset().zip(self.moment(time)) {
            Some((offset, moment)) => moment.display_with_offset(offset).to_string(),
            None => time.strftime("%Y-%m-%dT%H:%M:%S").to_string(),
        }
    }

    fn offset(&self) -> Option<Offset> {
        let minutes = self.plan.itinerary.utc_offset_minutes.or(self.plan.trip.utc_offset_minutes)?;
        Offset::from_seconds(i32::from(minutes) * 60).ok()
    }

    /// The day of the trip.
    pub(crate) fn date(&self) -> String {
        self.plan.itinerary.departure.date().to_string()
    }

    /// Facts on the whole trip: name and value of each.
    pub(crate) fn facts(&self) -> Vec<(&'static str, String)> {
        let (words, totals) = (self.words, &self.plan.itinerary.totals);
        let estimated = |text: String| match totals.is_estimate {
            true => format!("{text} ({})", words.estimated),
            false => text,
        };
        vec![
            (words.date, self.date()),
            (words.station, format!("{} {}", self.start, self.clock(self.plan.itinerary.departure))),
            (words.points, self.entries.len().to_string()),
            (words.distance, estimated(length(totals.distance_m))),
            (words.duration, estimated(words.lasting(totals.duration_s))),
            (words.end, self.clock(totals.end)),
        ]
    }

    /// The weather in one line; `None` if it is unknown.
    pub(crate) fn weather(&self) -> Option<String> {
        let weather = self.plan.weather.as_ref()?;
        let words = self.words;
        let notes = [
            line(&weather.location),
            line(&weather.condition),
            format!("{}–{} °C", weather.temperature_low, weather.temperature_high),
            weather
                .precipitation_chance
                .map(|chance| format!("{} {chance} %", words.rain))
                .unwrap_or_default(),
            weather.wind_speed_kmh.map(|wind| format!("{} {wind} km/h", words.wind)).unwrap_or_default(),
            line(&weather.recommendation),
        ];
        Some(notes.into_iter().filter(|note| !note.is_empty()).collect::<Vec<_>>().join(DOT))
    }

    /// The remarks on the whole trip.
    pub(crate) fn remarks(&self) -> Vec<String> {
        self.plan.remarks.iter().map(|remark| line(remark)).filter(|remark| !remark.is_empty()).collect()
    }

    /// The attributions of the data: words, and a web address if there is one.
    pub(crate) fn attributions(&self) -> Vec<(String, Option<&'p str>)> {
        let attributions = self.plan.attributions.iter().map(|from| {
            let parts = [line(&from.name), line(&from.licence)];
            let parts: Vec<String> = parts.into_iter().filter(|part| !part.is_empty()).collect();
            let address = from.address();
            let words =
                if parts.is_empty() { address.unwrap_or_default().to_owned() } else { parts.join(DOT) };
            (words, address)
        });
        attributions.filter(|(words, _)| !words.is_empty()).collect()
    }

    /// The works of its points with their colours, in the order of the visits.
    pub(crate) fn works(&self) -> Vec<(String, Color)> {
        let mut works: Vec<(String, Color)> = Vec::new();
        for entry in &self.entries {
            let work = (line(&entry.details.title), entry.color);
            if !work.0.is_empty() && !works.contains(&work) {
                works.push(work);
            }
        }
        works
    }

    /// The language tag of local names, that of the country; `None` if it is unknown.
    pub(crate) fn local_language(&self) -> Option<&'static str> {
        let country = self.plan.trip.country.as_deref().unwrap_or_default().to_ascii_uppercase();
        match (&*country, self.plan.time_zone.as_deref().unwrap_or_default()) {
            ("JP", _) | ("", "Asia/Tokyo") => Some("ja"),
            ("CN", _) | ("", "Asia/Shanghai") => Some("zh-Hans"),
            ("TW" | "HK" | "MO", _) | ("", "Asia/Taipei" | "Asia/Hong_Kong") => Some("zh-Hant"),
            ("KR", _) | ("", "Asia/Seoul") => Some("ko"),
            _ => None,
        }
    }
}

impl Entry<'_> {
    /// All texts on the visit, one per line, for programs that show a text with a point.
    pub(crate) fn lines(&self, words: &Words) -> Vec<String> {
        let mut lines: Vec<String> = self.local_name.iter().cloned().collect();
        lines.push(format!("{}–{}", self.arrival, self.departure));
        lines.push(words.pair(words.way, &self.way));
        lines.push(self.pauses.clone());
        lines.push(words.pair(words.opening, &self.opening));
        lines.extend(self.facts.iter().map(|(name, value)| words.pair(name, value)));
        lines.extend(Some(line(&self.details.description)).filter(|text| !text.is_empty()));
        lines
    }
}

/// Whether the opening hours may not allow the visit.
fn is_doubtful(visit: &Visit) -> bool {
    let is_open = matches!(visit.opening, OpeningState::Open { .. } | OpeningState::Unknown);
    let opens_soon = matches!(visit.opening, OpeningState::OpensAt { .. }) && !visit.is_closed_on_arrival;
    visit.closes_during_stay || visit.check.is_some() || !(is_open || opens_soon)
}

/// A text as one line, without characters that change how others are displayed.
pub(crate) fn line(text: &str) -> String {
    let seen = text.chars().map(|c| if c.is_whitespace() { ' ' } else { c });
    let seen: String = seen
        .filter(|c| {
            let turns =
                matches!(*c, '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}');
            // XML cannot contain the last two.
            !c.is_control() && !turns && !matches!(*c, '\u{FFFE}' | '\u{FFFF}')
        })
        .collect();
    seen.split_whitespace().collect::<Vec<_>>().join(" ")
}
