use std::collections::BTreeSet;

use interpreter::Pipeline;

use super::*;

fn set(words: &[&str]) -> BTreeSet<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// The keys that seed 003 lets each agent read and write (section 3).
const SEED: [(&str, &[&str], &[&str]); 9] = [
    ("ExtractionAgent", &["user_query"], &["bangumi_name", "location", "extraction_meta"]),
    (
        "BangumiSearchAgent",
        &["bangumi_name"],
        &["bangumi_candidates", "bangumi_id", "bangumi_title", "bangumi_title_cn", "bangumi_confidence"],
    ),
    ("LocationSearchAgent", &["location"], &["station", "user_coordinates", "search_radius_km"]),
    ("PointsSearchAgent", &["bangumi_id", "user_coordinates"], &["points", "points_meta"]),
    // The two keys that the seed calls optional, although its agent writes them.
    ("FilterAgent", &[], &["points_filtered"]),
    ("POIAgent", &[], &["points_enriched"]),
    ("WeatherAgent", &["user_coordinates"], &["weather", "weather_raw"]),
    (
        "RouteOptimizationAgent",
        &["user_coordinates", "points", "points_filtered", "station"],
        &["route", "route_meta"],
    ),
    ("TransportAgent", &["route"], &["route", "final_plan", "pilgrimage_session"]),
];

/// The keys that agents read and write beyond the seed: the date and time, the language, the wishes and the radius of
/// the request, the questions to the person, the parts of the plan, and the origins of the data.
const BEYOND: [(&str, &[&str], &[&str]); 9] = [
    ("ExtractionAgent", &[], &[]),
    (
        "BangumiSearchAgent",
        &["user_query", "bangumi_candidates", "bangumi_id"],
        &["title_choices", "title_origin"],
    ),
    (
        "LocationSearchAgent",
        &["extraction_meta", "radius_km", "place_choices", "station"],
        &["place_choices", "place_origin"],
    ),
    ("PointsSearchAgent", &["search_radius_km", "bangumi_title"], &[]),
    ("FilterAgent", &["extraction_meta", "points", "user_coordinates"], &[]),
    (
        "POIAgent",
        &["user_coordinates", "locale", "points", "points_filtered", "points_meta"],
        &["points_meta"],
    ),
    ("WeatherAgent", &["station", "departure", "locale"], &[]),
    (
        "RouteOptimizationAgent",
        &["points_enriched", "departure", "locale", "return_to_start"],
        &["itinerary"],
    ),
    (
        "TransportAgent",
        &[
            "itinerary",
            "extraction_meta",
            "station",
            "points",
            "points_filtered",
            "points_enriched",
            "points_meta",
            "weather",
            "weather_raw",
            "route_meta",
            "bangumi_id",
            "bangumi_title",
            "bangumi_title_cn",
            "bangumi_candidates",
            "bangumi_confidence",
            "locale",
            "location",
            "user_coordinates",
            "search_radius_km",
            "session_id",
            "session_began_at",
            "title_origin",
            "place_origin",
        ],
        &["itinerary"],
    ),
];

#[test]
fn every_agent_reads_and_writes_the_keys_of_the_seed_and_those_listed_beyond_it() {
    let pipeline = Pipeline::from_text(DEFINITION.to_owned(), crate::registry()).unwrap();
    let definition = pipeline.definition();
    for ((agent, reads, writes), (_, more_reads, more_writes)) in SEED.into_iter().zip(BEYOND) {
        let contract = definition.contract(&definition.agents[agent]);
        let read: BTreeSet<String> = contract.reads.iter().chain(&contract.may_read).cloned().collect();
        let written: BTreeSet<String> = contract.writes.iter().cloned().collect();
        assert_eq!(read, &set(reads) | &set(more_reads), "{agent} reads");
        assert_eq!(written, &set(writes) | &set(more_writes), "{agent} writes");
    }
}
