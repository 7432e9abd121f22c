//! What an answer cost: a dated table of prices, the program's own and, before it, the one in the data folder. What it
//! does not know stays unknown; it is never taken for nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use async_trait::async_trait;
use engine::{Doing, Model, TextSink, Tool, ToolDescription, ToolExample};
use kernel::{AskedModel, Fault, ModelReply, ModelRequest, Through, TokenUsage, ToolResult};
use serde::Deserialize;
use serde_json::Value;

/// The table of the program.
const OWN: &str = include_str!("../../../../data/prices.toml");
/// The table of the person, in the data folder.
const FILE: &str = "prices.toml";

/// Prices by provider and model.
#[derive(Debug, Clone, Default, Deserialize)]
pub(crate) struct Prices {
    #[serde(default, rename = "price")]
    prices: Vec<Price>,
}

#[derive(Debug, Clone, Deserialize)]
struct Price {
    provider: String,
    /// The model's name; one that ends with `*` stands for all that begin so.
    model: String,
    /// US dollars for a million tokens of requests.
    input: f64,
    /// US dollars for a million tokens of answers.
    output: f64,
    /// US dollars for a million tokens of requests that the provider still had; as `input` when it is not known.
    cached: Option<f64>,
    /// US dollars for a thousand searches that the model makes itself; unknown when it is not said.
    searches: Option<f64>,
}

impl Prices {
    /// The prices of a data folder: the person's first, then the program's. Where the person's table cannot be read every
    /// price is unknown: the program's own would look like those that were meant.
    pub(crate) fn of(folder: &Path) -> Prices {
        let file: PathBuf = folder.join(FILE);
        let mut prices = match std::fs::read_to_string(&file).map(|text| Prices::read(&text)) {
            Ok(Ok(prices)) => prices,
            Ok(Err(error)) => {
                tracing::warn!(file = %file.display(), %error, "the table of prices cannot be read; all prices are unknown");
                return Prices::default();
            }
            Err(_) => Prices::default(),
        };
        prices.prices.extend(Prices::read(OWN).unwrap_or_default().prices);
        prices
    }

    fn read(text: &str) -> Result<Prices, toml_edit::de::Error> {
        let mut prices: Prices = toml_edit::de::from_str(text)?;
        let is_price = |price: &f64| price.is_finite() && *price >= 0.0;
        prices.prices.retain(|price| {
            is_price(&price.input)
                && is_price(&price.output)
                && price.cached.as_ref().is_none_or(is_price)
                && price.searches.as_ref().is_none_or(is_price)
        });
        Ok(prices)
    }

    /// What tokens cost with a model, in US dollars.
    pub(crate) fn cost(&self, provider: &str, model: &str, tokens: TokenUsage) -> Option<f64> {
        self.cost_of(provider, model, tokens, 0)
    }

    /// What tokens cost with a model that searched so often, in US dollars.
    pub(crate) fn cost_of(
        &self,
        provider: &str,
        model: &str,
        tokens: TokenUsage,
        searches: u32,
    ) -> Option<f64> {
        let price = self.prices.iter().find(|price| {
            price.provider == provider
                && match price.model.strip_suffix('*') {
                    Some(beginning) => model.starts_with(beginning),
                    None => price.model == model,
                }
        })?;
        let of = |tokens: u32, price: f64| f64::from(tokens) * price / 1e6;
        let cached = tokens.cached_tokens.min(tokens.input_tokens);
        let input =
            of(tokens.input_tokens - cached, price.input) + of(cached, price.cached.unwrap_or(price.input));
        let searched = match searches {
            0 => 0.0,
            _ => f64::from(searches) * price.searches? / 1e3,
        };
        Some(input + of(tokens.output_tokens, price.output) + searched)
    }
}

/// A model whose answers say what they cost, and whose host is on the list of those contacted.
pub(crate) struct Priced {
    pub(crate) model: Arc<dyn Model>,
    pub(crate) provider: String,
    /// Where it is asked, for the list of hosts.
    pub(crate) address: Option<net::Url>,
    pub(crate) prices: Arc<Prices>,
}

#[async_trait]
impl Model for Priced {
    async fn answer(&self, request: &ModelRequest, sink: &TextSink) -> Result<ModelReply, Fault> {
        if let Some(address) = &self.address {
            net::note_contact(address);
        }
        let (prices, provider, model) = (self.prices.clone(), self.provider.clone(), request.model.clone());
        sink.meter().price(move |tokens, searches| prices.cost_of(&provider, &model, tokens, searches));
        let reply = self.model.answer(request, sink).await?;
        // A provider that counts nothing leaves the price unknown, whatever the table says.
        let is_counted = reply.usage != TokenUsage::default();
        let of = |model: &str| self.prices.cost(&self.provider, model, reply.usage);
        let cost = is_counted.then(|| of(&reply.model).or_else(|| of(&request.model))).flatten();
        Ok(ModelReply { cost, ..reply })
    }
}

/// A tool whose calls of a model say what they cost.
pub(crate) struct PricedTool {
    pub(crate) tool: Arc<dyn Tool>,
    pub(crate) prices: Arc<Prices>,
}

#[async_trait]
impl Tool for PricedTool {
    fn describe(&self) -> ToolDescription {
        self.tool.describe()
    }

    fn title(&self, input: &Value) -> String {
        self.tool.title(input)
    }

    fn examples(&self) -> Vec<ToolExample> {
        self.tool.examples()
    }

    fn through(&self, profile: Option<&str>) -> Option<Through> {
        self.tool.through(profile)
    }

    async fn call(&self, input: &Value, doing: &Doing) -> Result<ToolResult, Fault> {
        let asked = self.tool.through(doing.profile.as_deref()).and_then(|through| through.model);
        if let Some(AskedModel { provider, name }) = asked {
            let prices = self.prices.clone();
            doing.meter.price(move |tokens, searches| prices.cost_of(&provider, &name, tokens, searches));
        }
        self.tool.call(input, doing).await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKENS: TokenUsage =
        TokenUsage { input_tokens: 1_000_000, output_tokens: 500_000, cached_tokens: 0 };

    #[test]
    fn the_table_of_the_program_is_whole_and_what_it_does_not_know_is_unknown() {
        let own: toml_edit::DocumentMut = OWN.parse().unwrap();
        let written = own["price"].as_array_of_tables().unwrap().len();
        assert_eq!(Prices::read(OWN).unwrap().prices.len(), written);
        let prices = Prices::of(Path::new("/nowhere"));
        assert_eq!(prices.cost("gemini", "a-model-of-next-year", TOKENS), None);
        assert_eq!(prices.cost("ollama", "anything:8b", TOKENS), Some(0.0));
    }

    #[test]
    fn a_persons_price_comes_before_the_programs() {
        let folder = tempfile::tempdir().unwrap();
        let text = "[[price]]\nprovider = \"openai\"\nmodel = \"house-*\"\ninput = 2.0\noutput = 8.0\n";
        std::fs::write(folder.path().join(FILE), text).unwrap();
        assert_eq!(Prices::of(folder.path()).cost("openai", "house-large", TOKENS), Some(6.0));
        let cached = TokenUsage { cached_tokens: 400_000, ..TOKENS };
        assert_eq!(
            Prices::of(folder.path()).cost("openai", "house-large", cached),
            Some(6.0),
            "no price of its own"
        );
        std::fs::write(folder.path().join(FILE), format!("{text}cached = 0.5\n")).unwrap();
        assert_eq!(Prices::of(folder.path()).cost("openai", "house-large", cached), Some(5.4));
        std::fs::write(folder.path().join(FILE), "[[price").unwrap();
        assert!(Prices::of(Path::new("/nowhere")).cost("gemini", "gemini-2.5-flash", TOKENS).is_some());
        for (provider, model) in [("openai", "house-large"), ("gemini", "gemini-2.5-flash")] {
            assert_eq!(Prices::of(folder.path()).cost(provider, model, TOKENS), None, "{model}");
        }
    }
}
