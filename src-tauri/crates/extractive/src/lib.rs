//! L1: texts without a model. The crate ranks articles for a topic, chooses sentences of them by nearness in meaning,
//! quotes them word for word with title, source and day, and shortens a text by leaving sentences out.
//!
//! Nothing is rewritten. The encoder of `embedding` measures nearness; if its files are missing, shared words do.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod article;
mod choice;
mod language;
mod meaning;
mod post;
mod ranking;
mod related_words;
mod sentence_filter;
mod shorten;
mod tables;

pub use article::{Article, is_file_name, without_markup};
pub use choice::{extract, quotation};
pub use post::post;
pub use ranking::{
    Collection, Document, Frequencies, beside_field, is_known_word, is_of_field, query_terms, rank,
    rank_apart, rank_within, read_related_words, wider_query,
};
pub use shorten::{can_be_shortened, shorten};
