//! The sample library that is part of the program, so that it does real work with no key and no network: 600 records
//! of arXiv of June 2026 (metadata, CC0; see `data/library/SOURCES.md`). Not in here: putting them into an index.

use crate::readers::{Document, records};

/// The name under which the sample's documents say where they came from.
pub const SAMPLE_ORIGIN: &str = "arxiv-2026-06.jsonl";

const SAMPLE: &str = include_str!("../../../../data/library/arxiv-2026-06.jsonl");

/// The documents of the sample library, in the order of the file.
pub fn sample_documents() -> impl Iterator<Item = Document> {
    records(SAMPLE, SAMPLE_ORIGIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sample_has_six_hundred_whole_records_of_june_2026() {
        let documents: Vec<Document> = sample_documents().collect();
        assert_eq!(documents.len(), 600);
        for document in &documents {
            assert_eq!(document.source, "arXiv");
            assert!(document.url.as_deref().is_some_and(|url| url.starts_with("https://arxiv.org/abs/")));
            let published = document.published.as_deref().unwrap();
            assert!(("2026-06-01"..="2026-07-01").contains(&published), "{published}");
            assert!(
                document.text.len() > 200 && !document.authors.is_empty() && !document.categories.is_empty()
            );
        }
    }
}
