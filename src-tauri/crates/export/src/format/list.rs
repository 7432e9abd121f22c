//! The list of formats.

use kernel::form;

use super::{Format, Holds, Write};
use crate::trip::{geojson, gpx, ics, kml, links, map};
use crate::{events, report, run_file, session};

/// All formats, in the order in which they are offered.
pub const FORMATS: [Format; 16] = [
    Format {
        id: "md",
        title: form!("Markdown text"),
        extension: "md",
        media_type: "text/markdown;charset=utf-8",
        holds: Holds::Text,
        write: Write::Markdown,
    },
    Format {
        id: "html",
        title: form!("Web page"),
        extension: "html",
        media_type: "text/html;charset=utf-8",
        holds: Holds::Text,
        write: Write::WebPage,
    },
    Format {
        id: "pdf",
        title: form!("PDF"),
        extension: "pdf",
        media_type: "application/pdf",
        holds: Holds::Text,
        write: Write::Pages,
    },
    Format {
        id: "docx",
        title: form!("Word document"),
        extension: "docx",
        media_type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        holds: Holds::Text,
        write: Write::Word,
    },
    Format {
        id: "map",
        title: form!("Drawn map with itinerary"),
        extension: "map.html",
        media_type: "text/html;charset=utf-8",
        holds: Holds::Trip,
        write: Write::Trip(map::write),
    },
    Format {
        id: "booklet",
        title: form!("Booklet of the trip"),
        extension: "booklet.pdf",
        media_type: "application/pdf",
        holds: Holds::Trip,
        write: Write::Booklet,
    },
    Format {
        id: "ics",
        title: form!("Calendar"),
        extension: "ics",
        media_type: "text/calendar;charset=utf-8",
        holds: Holds::Trip,
        write: Write::Trip(ics::write),
    },
    Format {
        id: "links",
        title: form!("Links to Google Maps"),
        extension: "md",
        media_type: "text/markdown;charset=utf-8",
        holds: Holds::Trip,
        write: Write::Trip(links::write),
    },
    Format {
        id: "gpx",
        title: form!("GPX route"),
        extension: "gpx",
        media_type: "application/gpx+xml",
        holds: Holds::Trip,
        write: Write::Trip(gpx::write),
    },
    Format {
        id: "geojson",
        title: form!("GeoJSON"),
        extension: "geojson",
        media_type: "application/geo+json",
        holds: Holds::Trip,
        write: Write::Trip(geojson::write),
    },
    Format {
        id: "kml",
        title: form!("KML for globes"),
        extension: "kml",
        media_type: "application/vnd.google-earth.kml+xml",
        holds: Holds::Trip,
        write: Write::Trip(kml::write),
    },
    Format {
        id: "report",
        title: form!("Run report"),
        extension: "report.html",
        media_type: "text/html;charset=utf-8",
        holds: Holds::Events,
        write: Write::Whole(report::write),
    },
    Format {
        id: "json",
        title: form!("JSON with all events"),
        extension: "json",
        media_type: "application/json",
        holds: Holds::Events,
        write: Write::Whole(run_file::written),
    },
    Format {
        id: "csv",
        title: form!("Journal as CSV"),
        extension: "csv",
        media_type: "text/csv;charset=utf-8",
        holds: Holds::Journal,
        write: Write::Journal,
    },
    Format {
        id: "adk",
        title: form!("ADK session"),
        extension: "adk.json",
        media_type: "application/json",
        holds: Holds::Session,
        write: Write::Record(session::session),
    },
    Format {
        id: "seed",
        title: form!("Events as partial states"),
        extension: "events.json",
        media_type: "application/json",
        holds: Holds::Changes,
        write: Write::Record(events::partial_states),
    },
];
