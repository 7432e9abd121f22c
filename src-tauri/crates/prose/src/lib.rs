//! L0: measures of text, for the checks of every answer of a model and for the crates that work without a model.
//!
//! Everything here is a pure function of its arguments: no clock, no randomness, no files, no state, so the
//! same text gives the same answer on every machine and in every replay. Positions are byte offsets into the
//! given text and always lie on character borders. Time is linear in the text, whatever it contains.
//!
//! The crate depends on no pipeline, state key or event. Pipelines build their checks from these measures.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod characters;
mod citations;
mod clean;
mod contradictions;
mod differences;
mod figures;
mod grounding;
#[cfg(test)]
mod hostile_texts;
mod judgement;
mod kept_sentences;
mod keys;
mod known_words;
mod literal;
mod markup;
mod opposites;
mod paragraphs;
mod passages;
mod plain;
mod quotes;
mod references;
mod sentences;
mod sources;
mod stop_words;
mod support;
mod symbols;
pub mod tokens;
mod topic_words;
mod words;

pub use characters::{is_hiragana, is_ideographic};
pub use citations::{Citation, citations, out_of_range, sources_used, without_citations};
pub use clean::clean;
pub use differences::{TextChange, differences};
pub use grounding::{Claim, ClaimKind, claims, ungrounded};
pub use judgement::{JudgedSentence, JudgedSource, Verdict, judge_text};
pub use kept_sentences::{Collision, Restored, lost, restore};
pub use known_words::{MONTHS, SHORT_FORMS, spelt_number};
pub use literal::literal;
pub use markup::unread_ranges;
pub use opposites::{OPPOSITES_WITHOUT_SPACES, OppositeSide, opposite_sides, says_undenied};
pub use paragraphs::{clean_article, without_title};
pub use quotes::{TextQuote, similarity};
pub use references::{normalize_citations, without_inner_references, without_references};
pub use sentences::{Place, Sentence, sentences};
pub use sources::SourceTexts;
pub use stop_words::{STOP_WORDS, is_stop, is_stop_word};
pub use support::support;
pub use tokens::stem;
pub use topic_words::FILLERS;
pub use words::count_words;
