//! L1: texts without a model. Sentences of articles are chosen by their nearness in meaning to a topic and to their
//! article, and are quoted word for word with title, source and day; a text is shortened by leaving sentences out.
//!
//! Nothing is rewritten or concluded. The encoder of `embedding` measures nearness; without its files, shared words do.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod article;
mod choice;
mod language;
mod meaning;
mod post;
mod ranking;
mod related_words;
mod shorter;
mod standing;
mod tables;

pub use article::{Article, is_file_name};
pub use choice::{extract, quotation};
pub use post::post;
pub use ranking::{
    Collection, Document, Frequencies, beside_field, is_known_word, is_of_field, query_terms, rank,
    rank_apart, rank_within, read_related_words, wider_query,
};
pub use shorter::shorten;
