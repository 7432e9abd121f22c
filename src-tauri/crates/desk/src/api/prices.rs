//! Prices of models in the API.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// A model whose price is asked for.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct PriceOf {
    /// The profile that asks the model.
    pub profile: String,
    /// The model's name.
    pub model: String,
}

/// A price for the table of the data folder.
#[derive(Debug, Clone, Serialize, Deserialize, TS)]
pub struct SetPrice {
    /// The profile that asks the model: the price is one of its provider.
    pub profile: String,
    /// The model's name.
    pub model: String,
    /// US dollars for a million tokens of requests, as it was typed.
    pub input: String,
    /// US dollars for a million tokens of answers, as it was typed.
    pub output: String,
}

/// What is known of a model's price today.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, TS)]
pub struct ModelPrice {
    /// The provider that has this price.
    pub provider: String,
    /// The model's name.
    pub model: String,
    /// The price; none where it is not known.
    pub price: Option<TokenPrice>,
    /// The table of the data folder, where a price of one's own is kept.
    pub file: String,
}

/// A price of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, TS)]
pub struct TokenPrice {
    /// US dollars for a million tokens of requests.
    pub input: f64,
    /// US dollars for a million tokens of answers.
    pub output: f64,
}
