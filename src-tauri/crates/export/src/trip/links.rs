//! The route as a list of Google Maps links.

use std::fmt::Write;

use itinerary::map_links;
use prose::literal;

use super::sheet::{DOT, Sheet};

/// Writes the trip as a list of links.
pub(crate) fn write(sheet: &Sheet<'_>) -> String {
    let itinerary = &sheet.plan.itinerary;
    let mut names = vec![sheet.start.clone()];
    names.extend(sheet.entries.iter().map(|entry| format!("({}) {}", entry.visit.position, entry.name)));
    names.extend(itinerary.return_leg.iter().map(|_| sheet.start.clone()));
    // Writing into a string cannot fail.
    let mut text = String::new();
    let _ = writeln!(text, "# {}\n\n{}\n", literal(&sheet.title), sheet.words.directions);
    for (index, part) in map_links(itinerary).iter().enumerate() {
        let between = &names[part.from..=part.to];
        let (first, last) = (&between[0], &between[between.len() - 1]);
        let _ = writeln!(
            text,
            "{}. [{} → {}]({}){DOT}{}",
            index + 1,
            literal(first),
            literal(last),
            part.address,
            sheet.words.mode(part.mode),
        );
        for name in between {
            let _ = writeln!(text, "    - {}", literal(name));
        }
    }
    for remark in sheet.remarks() {
        let _ = writeln!(text, "\n{}", literal(&remark));
    }
    for (words, address) in sheet.attributions() {
        let address = address.map(|address| format!("{DOT}<{address}>")).unwrap_or_default();
        let _ = writeln!(text, "\n{}{address}", literal(&words));
    }
    text
}
