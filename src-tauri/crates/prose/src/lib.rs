//! L0: measures of text, for the checks that follow every model answer and for the functions that work
//! without a model.
//!
//! Everything here is a pure function of its arguments: no clock, no randomness, no files, no state, so the
//! same text gives the same answer on every machine and in every replay. Positions are byte offsets into the
//! text that was given and always lie on character borders. Time is linear in the text, whatever it holds.
//!
//! Deliberately not here: anything that knows a pipeline, a key or an event. A check is made of these
//! measures in the pipeline that owns the promise.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod candidates;
mod characters;
mod citations;
mod clean;
mod compose;
mod contradictions;
mod cues;
mod extract;
mod figures;
mod grounding;
#[cfg(test)]
mod hostile;
mod judgement;
mod kept_sentences;
mod keys;
mod known_words;
mod lead_ins;
mod literal;
mod markup;
mod measures;
mod opposites;
mod paragraphs;
mod passages;
mod plain;
mod quotation;
mod quotes;
mod ranking;
mod references;
mod related_words;
mod repeatable;
#[cfg(test)]
mod sample;
mod sentences;
mod shorter_text;
mod signs;
mod sources;
mod standing;
mod stop_words;
mod support;
mod tokens;
mod topic_words;
mod words;

pub use characters::{is_hiragana, is_ideographic};
pub use citations::{Citation, citations, out_of_range, sources_used};
pub use clean::clean;
pub use compose::{ArticleText, compose_post, is_file_name};
pub use extract::extract;
pub use grounding::{Claim, ClaimKind, claims, ungrounded};
pub use judgement::{JudgedSentence, JudgedSource, Verdict, judge_text};
pub use kept_sentences::{Collision, Restored, lost, restore};
pub use literal::literal;
pub use markup::unread_ranges;
pub use opposites::{OPPOSITES_WITHOUT_SPACES, OppositeSide, opposite_sides, says_undenied};
pub use paragraphs::{clean_article, without_title};
pub use quotation::quotation;
pub use quotes::{TextQuote, similarity};
pub use ranking::{
    Collection, Document, Frequencies, beside_field, is_known_word, is_of_field, query_terms, rank,
    rank_apart, rank_within, read_related_words, wider_query,
};
pub use references::{normalize_citations, without_inner_references, without_references};
pub use sentences::{Place, Sentence, sentences};
pub use shorter_text::shorten_text;
pub use sources::SourceTexts;
pub use stop_words::is_stop_word;
pub use support::support;
pub use tokens::stem;
pub use words::count_words;
