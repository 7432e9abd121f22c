//! Texts as vectors whose angle tells how near they are in meaning, in English, Chinese, Japanese and 13 other languages,
//! also across them.
//!
//! The model is Google's Universal Sentence Encoder, multilingual, version 3 (Apache-2.0): pieces of words, what stands
//! beside each in windows of two, three and five, their sum, and a small network over it. `scripts/prepare` brings its
//! files; without them there is no [`Encoder`] and whoever asks goes on by words alone.

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
