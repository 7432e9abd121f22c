//! Time zones by their IANA names.

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

/// The name of the zone where the system names none.
const UTC: &str = "UTC";

/// A time zone with an IANA name.
#[derive(Debug, Clone)]
pub struct Zone {
    name: String,
    zone: TimeZone,
}

impl Zone {
    /// The zone of this name, such as `Europe/Berlin`; `None` if this machine does not know it.
    pub fn named(name: &str) -> Option<Zone> {
        let zone = TimeZone::get(name.trim()).ok()?;
        let name = zone.iana_name()?.to_owned();
        Some(Zone { name, zone })
    }

    /// The present zone of the system; UTC where it has none with a name.
    pub fn of_system() -> Zone {
        let zone = TimeZone::system();
        match zone.iana_name().and_then(Zone::named) {
            Some(zone) => zone,
            None => Zone { name: UTC.to_owned(), zone: TimeZone::UTC },
        }
    }

    /// Its IANA name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A time as the clocks of the zone show it, with its distance from UTC: `2026-12-07 07:00 +01:00`.
    pub fn written(&self, at_ms: i64) -> String {
        self.at(at_ms).strftime("%Y-%m-%d %H:%M %:z").to_string()
    }

    /// The beginning of the month of a time, in milliseconds since 1970 UTC.
    pub fn month_begin_ms(&self, at_ms: i64) -> i64 {
        let first = self.at(at_ms).first_of_month().and_then(|day| day.start_of_day());
        first.map_or(at_ms, |begin| begin.timestamp().as_millisecond())
    }

    /// A time in whole seconds.
    pub(crate) fn at(&self, at_ms: i64) -> Zoned {
        let second = Timestamp::from_second(at_ms.div_euclid(1000)).unwrap_or(Timestamp::UNIX_EPOCH);
        second.to_zoned(self.zone.clone())
    }
}
