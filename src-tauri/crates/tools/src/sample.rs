//! The bundled sample library, so that the program works without a key or network: 600 arXiv records of June 2026
//! (metadata, CC0; see `data/library/SOURCES.md`). Not in here: indexing them.

use crate::readers::{Document, records};

/// The `origin` of the sample's documents.
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
