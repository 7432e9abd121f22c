//! The tools that fit each kind of slot.

use crate::offered_tool::OfferedTool;
use crate::search::SEARCH;
use crate::sources::SEARCH_SOURCES;
use crate::trips;

/// The tools for a kind of slot; empty for an unknown kind.
pub fn fitting(kind: &str) -> &'static [OfferedTool] {
    SLOT_TOOLS.iter().find(|(known, _)| *known == kind).map_or(&[], |(_, tools)| tools)
}

/// The tools of every kind of slot, by the kind.
pub(crate) const SLOT_TOOLS: &[(&str, &[OfferedTool])] = &[
    (SEARCH, SEARCH_SOURCES),
    (trips::TITLE_SEARCH, trips::TITLE_SEARCHES),
    (trips::STATION_SEARCH, trips::STATION_SEARCHES),
    (trips::POINT_SEARCH, trips::POINT_SEARCHES),
    (trips::PLACE_DETAILS, trips::PLACE_DETAIL_SERVICES),
    (trips::WEATHER, trips::WEATHER_SERVICES),
    (trips::ROUTING, trips::ROUTING_SERVICES),
];

/// Every tool of every kind of slot.
pub fn offered_tools() -> impl Iterator<Item = &'static OfferedTool> {
    SLOT_TOOLS.iter().flat_map(|(_, tools)| *tools)
}
