//! A calendar (RFC 5545) with an event for each visit.

use jiff::civil::DateTime;
use sha2::{Digest, Sha256};

use itinerary::web_address;

use super::sheet::{Entry, Sheet};

/// Longest line in octets, without its end.
const LONGEST_LINE: usize = 75;
const MOMENT: &str = "%Y%m%dT%H%M%SZ";
/// A floating time without a time zone.
const FLOATING: &str = "%Y%m%dT%H%M%S";

/// Writes the trip.
pub(crate) fn write(sheet: &Sheet<'_>) -> String {
    let mut calendar = Calendar::default();
    calendar.line("BEGIN", "VCALENDAR");
    calendar.line("VERSION", "2.0");
    calendar.line("PRODID", "-//Galley//Trip//EN");
    calendar.line("CALSCALE", "GREGORIAN");
    calendar.text("X-WR-CALNAME", &sheet.title);
    if let Some(zone) = sheet.plan.time_zone.as_deref() {
        calendar.text("X-WR-TIMEZONE", zone);
    }
    let about = about(sheet);
    // The first property is in the standard, the second one is shown by programs.
    calendar.text("DESCRIPTION", &about);
    calendar.text("X-WR-CALDESC", &about);
    sheet.entries.iter().for_each(|entry| event(&mut calendar, sheet, entry, &about));
    calendar.line("END", "VCALENDAR");
    calendar.0
}

/// The remarks on the whole trip and its attributions, one per line. Each event has them, because programs show events
/// one by one.
fn about(sheet: &Sheet<'_>) -> String {
    let sources = sheet.attributions().into_iter().map(|(words, address)| match address {
        Some(address) if address != words => format!("{words} {address}"),
        _ => words,
    });
    sheet.remarks().into_iter().chain(sources).collect::<Vec<_>>().join("\n")
}

fn event(calendar: &mut Calendar, sheet: &Sheet<'_>, entry: &Entry<'_>, about: &str) {
    let visit = entry.visit;
    calendar.line("BEGIN", "VEVENT");
    calendar.line("UID", &uid(sheet.run, &visit.id));
    calendar.line("DTSTAMP", &sheet.changed_at.strftime(MOMENT).to_string());
    calendar.line("DTSTART", &time(sheet, visit.arrival));
    // An event that ends at its start has no end.
    if visit.departure > visit.arrival {
        calendar.line("DTEND", &time(sheet, visit.departure));
    }
    calendar.text("SUMMARY", &format!("{}. {}", visit.position, entry.name));
    let address = super::sheet::line(&entry.details.address);
    let place = if address.is_empty() { entry.name.clone() } else { format!("{}, {address}", entry.name) };
    calendar.text("LOCATION", &place);
    calendar.line("GEO", &format!("{:.6};{:.6}", visit.coordinates.latitude, visit.coordinates.longitude));
    let description = format!("{}\n\n{about}", entry.lines(sheet.words).join("\n"));
    calendar.text("DESCRIPTION", description.trim_end());
    if let Some(address) = web_address(&entry.details.origin_url) {
        calendar.line("URL", address);
    }
    calendar.line("END", "VEVENT");
}

/// A visit of a run always gets the same id, so that reading a calendar again updates its events.
fn uid(run: &str, id: &str) -> String {
    let digest = Sha256::digest(format!("{run}\n{id}"));
    let hex: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    format!("{hex}@galley.invalid")
}

/// A time in UTC if the trip's offset is known; else a floating time.
fn time(sheet: &Sheet<'_>, time: DateTime) -> String {
    match sheet.moment(time) {
        Some(moment) => moment.strftime(MOMENT).to_string(),
        None => time.strftime(FLOATING).to_string(),
    }
}

#[derive(Default)]
struct Calendar(String);

impl Calendar {
    /// Writes a text property; nothing if the text is empty.
    fn text(&mut self, name: &str, text: &str) {
        let mut escaped = String::with_capacity(text.len());
        for character in text.chars() {
            match character {
                '\\' | ';' | ',' => escaped.extend(['\\', character]),
                '\n' => escaped.push_str("\\n"),
                character if character.is_control() => {}
                character => escaped.push(character),
            }
        }
        if !escaped.is_empty() {
            self.line(name, &escaped);
        }
    }

    /// Writes a property with its value unchanged, folded at the length limit but never within a character.
    fn line(&mut self, name: &str, value: &str) {
        let mut octets = 0;
        for character in format!("{name}:{value}").chars() {
            if octets + character.len_utf8() > LONGEST_LINE {
                self.0.push_str("\r\n ");
                octets = 1;
            }
            self.0.push(character);
            octets += character.len_utf8();
        }
        self.0.push_str("\r\n");
    }
}
