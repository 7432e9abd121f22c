//! Embeddings: texts as vectors whose angle shows how similar their meaning is, in English, Chinese, Japanese and 13
//! other languages, also across languages.
//!
//! The model is Google's Universal Sentence Encoder, multilingual, version 3 (Apache-2.0): word pieces, their context
//! in windows of two, three and five, their sum, and a small network over it. `scripts/prepare` downloads its files;
//! without them there is no [`Encoder`], and callers compare words only.

#![cfg_attr(not(test), warn(unused_crate_dependencies))]

mod encoder;
mod files;
mod vector;
mod weights;

pub use encoder::Encoder;
pub use files::{Unavailable, shared};
pub use vector::Embedding;

#[cfg(test)]
mod tests;
