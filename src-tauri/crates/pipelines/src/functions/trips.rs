//! Slots for the trip tools. The tools' own schemas describe their input and output.

use interpreter::{Registry, SlotKind};
use tools::trips::{PLACE_DETAILS, POINT_SEARCH, ROUTING, STATION_SEARCH, TITLE_SEARCH, WEATHER};

pub(super) fn register(registry: &mut Registry) {
    for (kind, fields) in [
        (TITLE_SEARCH, &["keyword"] as &[&str]),
        (STATION_SEARCH, &["station_name", "radius_km"]),
        (POINT_SEARCH, &["title_id", "coordinates", "radius_km"]),
        (PLACE_DETAILS, &["points", "around", "language"]),
        (WEATHER, &["coordinates", "date"]),
        (ROUTING, &["points", "mode", "in_order", "departure"]),
    ] {
        let tools = tools::fitting(kind).iter().map(|tool| tool.id).collect();
        let slot = SlotKind {
            tools,
            fields,
            options: &[],
            setting: None,
            looks_back: None,
            complete: None,
            shape: None,
        };
        registry.slots.insert(kind, slot);
    }
}
