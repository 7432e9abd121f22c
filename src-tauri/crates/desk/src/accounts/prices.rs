//! Computes the cost of an answer from dated price tables: the one in the data folder, then the program's own. An
//! unknown price stays unknown and never counts as 0.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use jiff::civil::Date;
use kernel::{Code, Phrase, PhraseParameter, TokenUsage, phrase};
use serde::Deserialize;

use crate::ApiError;
use crate::accounts::price_table::{with_changed_price, with_first_price};
use crate::api::{Finding, ModelPrice, TokenPrice};

/// The price table of the program.
const OWN: &str = include_str!("../../../../../data/prices.toml");
/// The price table of the person, in the data folder.
pub(crate) const FILE: &str = "prices.toml";
/// Largest table, in bytes.
const LARGEST: u64 = 4 << 20;

/// The prices of a data folder: the person's table, then the program's. The person's table is read again when it
/// changed. Where it cannot be read, every price is unknown, because the program's prices may differ from the person's.
pub(crate) struct PriceList {
    file: PathBuf,
    read: Mutex<Option<Reading>>,
}

/// The parsed table with the stamp of its file.
struct Reading {
    of: Stamp,
    found: Result<Arc<Prices>, Phrase>,
}

/// The modification time and length of the person's table; `None` where there is none.
type Stamp = Option<(SystemTime, u64)>;

impl PriceList {
    pub(crate) fn of(folder: &Path) -> PriceList {
        PriceList { file: folder.join(FILE), read: Mutex::default() }
    }

    /// The present prices; empty while the person's table cannot be read.
    pub(crate) fn current(&self) -> Arc<Prices> {
        self.read().unwrap_or_default()
    }

    /// The sources of the prices.
    ///
    /// # Errors
    /// The reason why the person's table cannot be read.
    pub(crate) fn state(&self) -> Result<Finding, Phrase> {
        self.read()?;
        let file = self.file.display().to_string();
        Ok(if self.file.exists() { Finding::PricesIn { file } } else { Finding::OwnPrices })
    }

    /// The present price of a model.
    ///
    /// # Errors
    /// `bad_input` when the person's table cannot be read.
    pub(crate) fn of_model(&self, provider: String, model: String) -> Result<ModelPrice, ApiError> {
        let prices = self.read().map_err(unreadable)?;
        let price = prices.price(&provider, &model, today());
        let price = price.map(|price| TokenPrice { input: price.input, output: price.output });
        Ok(ModelPrice { provider, model, price, file: self.file.display().to_string() })
    }

    /// Adds a price to the person's table, which is created if missing. A table that cannot be read is not changed.
    ///
    /// # Errors
    /// `bad_input` when the table cannot be read, `read_only` when it cannot be written.
    pub(crate) fn set(&self, provider: &str, model: &str, price: TokenPrice) -> Result<(), ApiError> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let is_link = self.file.is_symlink();
        let text = match disk::read_text(&self.file, LARGEST) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && !is_link => String::new(),
            Err(error) => return Err(unreadable(in_file(&self.file, error))),
        };
        let next =
            with_price(&text, provider, model, price).map_err(|why| unreadable(in_file(&self.file, why)))?;
        let written = match is_link {
            true => disk::write_export(&self.file, next.as_bytes(), true),
            false => disk::write_private(&self.file, next.as_bytes()),
        };
        // Two tables of the same length may be written within one tick of the clock.
        *read = None;
        written.map_err(|error| {
            let file = self.file.display();
            let message =
                phrase!("The prices {file} cannot be written: {error}; nothing was changed", file, error);
            ApiError::new(Code::ReadOnly, message)
        })
    }

    fn read(&self) -> Result<Arc<Prices>, Phrase> {
        let stamp = std::fs::metadata(&self.file).and_then(|file| Ok((file.modified()?, file.len()))).ok();
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(unchanged) = read.as_ref().filter(|read| read.of == stamp) {
            return unchanged.found.clone();
        }
        let found = Prices::of(&self.file).map(Arc::new);
        if let Err(why) = &found {
            tracing::warn!(%why, "all prices are unknown");
        }
        *read = Some(Reading { of: stamp, found: found.clone() });
        found
    }
}

fn today() -> Date {
    engine::now().to_zoned(jiff::tz::TimeZone::UTC).date()
}

fn in_file(file: &Path, why: impl PhraseParameter) -> Phrase {
    phrase!("{name}: {why}", name = file.display(), why)
}

fn unreadable(why: Phrase) -> ApiError {
    let message =
        phrase!("The table of prices cannot be read, so nothing was changed; mend or remove it. {why}", why);
    ApiError::new(Code::BadInput, message)
}

/// The table with a price that holds for the model today: changes its own line, or inserts a new one at the front where
/// another line would take precedence.
fn with_price(text: &str, provider: &str, model: &str, price: TokenPrice) -> Result<String, Phrase> {
    Prices::read(text)?;
    let holds = |text: &str| -> Result<bool, Phrase> {
        let prices = Prices::read(text)?;
        let found = prices.price(provider, model, today());
        Ok(found.is_some_and(|found| (found.input, found.output) == (price.input, price.output)))
    };
    let is_past =
        |since: Option<&str>| since.is_none_or(|day| day.parse::<Date>().is_ok_and(|day| day <= today()));
    let changed = with_changed_price(text, provider, model, price, is_past)
        .map_err(|error| Phrase::verbatim(error.to_string()))?;
    if holds(&changed)? {
        return Ok(changed);
    }
    let added = with_first_price(&changed, provider, model, price);
    match holds(&added)? {
        true => Ok(added),
        false => Err(phrase!("another line of the table holds for `{model}`", model)),
    }
}

/// Prices by provider and model.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Prices {
    #[serde(default, rename = "price")]
    prices: Vec<Price>,
}

#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Price {
    provider: String,
    /// The model's name; a name that ends with `*` matches all that begin so.
    model: String,
    /// US dollars for a million input tokens.
    input: f64,
    /// US dollars for a million output tokens.
    output: f64,
    /// US dollars for a million cached input tokens; `input` when it is not set.
    cached: Option<f64>,
    /// US dollars for a thousand searches of the model itself; unknown when it is not set.
    searches: Option<f64>,
    /// The first day on which it holds, in UTC.
    #[serde(default, deserialize_with = "day")]
    since: Option<Date>,
    /// Whether it comes from the program's table.
    #[serde(skip)]
    is_own: bool,
}

/// A date as a string or as a TOML date.
fn day<'de, D: serde::Deserializer<'de>>(from: D) -> Result<Option<Date>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Day {
        Text(Date),
        Own(toml_edit::Datetime),
    }
    match Day::deserialize(from)? {
        Day::Text(day) => Ok(Some(day)),
        Day::Own(day) => day.to_string().parse().map(Some).map_err(serde::de::Error::custom),
    }
}

impl Prices {
    fn of(file: &Path) -> Result<Prices, Phrase> {
        let mut prices = match disk::read_text(file, LARGEST) {
            Ok(text) => Prices::read(&text).map_err(|why| in_file(file, why))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Prices::default(),
            Err(error) => return Err(in_file(file, error)),
        };
        let own = Prices::read(OWN)?.prices.into_iter().map(|price| Price { is_own: true, ..price });
        prices.prices.extend(own);
        Ok(prices)
    }

    fn read(text: &str) -> Result<Prices, Phrase> {
        let prices: Prices =
            toml_edit::de::from_str(text).map_err(|error| Phrase::verbatim(error.to_string()))?;
        let is_no_price = |price: &f64| !price.is_finite() || *price < 0.0;
        for Price { provider, model, input, output, cached, searches, .. } in &prices.prices {
            let all = [Some(input), Some(output), cached.as_ref(), searches.as_ref()];
            if let Some(price) = all.into_iter().flatten().find(|price| is_no_price(price)) {
                return Err(phrase!(
                    "{price} is no price (`{model}` of `{provider}`)",
                    price,
                    model,
                    provider
                ));
            }
        }
        Ok(prices)
    }

    /// The present cost of tokens with a model, in US dollars.
    pub(crate) fn cost(&self, provider: &str, model: &str, tokens: TokenUsage) -> Option<f64> {
        self.cost_of(provider, model, tokens, 0)
    }

    /// The present cost of tokens and searches with a model, in US dollars.
    pub(crate) fn cost_of(
        &self,
        provider: &str,
        model: &str,
        tokens: TokenUsage,
        searches: u32,
    ) -> Option<f64> {
        self.price(provider, model, today())?.of(tokens, searches)
    }

    /// The first line that matches and holds on that day; of several for the same name in the same table, the latest.
    fn price(&self, provider: &str, model: &str, day: Date) -> Option<&Price> {
        let mut fitting = self.prices.iter().filter(|price| {
            price.provider == provider
                && price.since.is_none_or(|since| since <= day)
                && match price.model.strip_suffix('*') {
                    Some(beginning) => model.starts_with(beginning),
                    None => price.model == model,
                }
        });
        let first = fitting.next()?;
        let same = fitting.filter(|price| (price.is_own, &price.model) == (first.is_own, &first.model));
        Some(same.fold(first, |latest, price| if price.since > latest.since { price } else { latest }))
    }
}

impl Price {
    fn of(&self, tokens: TokenUsage, searches: u32) -> Option<f64> {
        let of = |tokens: u32, price: f64| f64::from(tokens) * price / 1e6;
        let cached = tokens.cached_tokens.min(tokens.input_tokens);
        let input =
            of(tokens.input_tokens - cached, self.input) + of(cached, self.cached.unwrap_or(self.input));
        let searched = match searches {
            0 => 0.0,
            _ => f64::from(searches) * self.searches? / 1e3,
        };
        Some(input + of(tokens.output_tokens, self.output) + searched)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKENS: TokenUsage =
        TokenUsage { input_tokens: 1_000_000, output_tokens: 500_000, cached_tokens: 0 };

    fn day(text: &str) -> Date {
        text.parse().unwrap()
    }

    #[test]
    fn every_model_that_the_program_suggests_has_a_price_and_what_it_does_not_know_is_unknown() {
        let prices = PriceList::of(Path::new("/nowhere")).current();
        for provider in models::providers() {
            for (_, model) in provider.models {
                assert!(prices.cost(provider.id, model, TOKENS).is_some(), "{model} of {}", provider.id);
            }
        }
        assert_eq!(prices.cost("gemini", "a-model-of-next-year", TOKENS), None);
        assert_eq!(prices.cost("ollama", "anything:8b", TOKENS), Some(0.0));
    }

    #[test]
    fn a_price_holds_from_its_day_on() {
        let prices = PriceList::of(Path::new("/nowhere")).current();
        let of = |on: &str| prices.price("gemini", "gemini-3.8-flash", day(on))?.of(TOKENS, 0);
        assert_eq!(of("2026-12-31"), Some(0.75 + 3.75 / 2.0));
        assert_eq!(of("2027-01-01"), Some(1.5 + 7.5 / 2.0));
        assert_eq!(of("2026-09-01"), None, "before it was sold");
    }

    #[test]
    fn a_persons_price_overrides_the_programs_once_it_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let list = PriceList::of(folder.path());
        let write = |text: &str| std::fs::write(folder.path().join(FILE), text).unwrap();
        let text = "[[price]]\nprovider = \"openai\"\nmodel = \"house-*\"\ninput = 2.0\noutput = 8.0\n";
        let cost = |tokens| list.current().cost("openai", "house-large", tokens);
        assert_eq!((cost(TOKENS), list.state()), (None, Ok(Finding::OwnPrices)));
        write(text);
        assert_eq!(cost(TOKENS), Some(6.0));
        let cached = TokenUsage { cached_tokens: 400_000, ..TOKENS };
        assert_eq!(cost(cached), Some(6.0), "no price of its own");
        write(&format!("{text}cached = 0.5\nsince = 2026-01-01\n"));
        assert_eq!(cost(cached), Some(5.4));
        // Of one model's lines the latest holds, in any order.
        let later = |since: &str| text.replace("input = 2.0", &format!("input = 4.0\nsince = \"{since}\""));
        write(&format!("{text}since = \"2026-01-01\"\n{}{}", later("2026-02-01"), later("2999-01-01")));
        assert_eq!(cost(TOKENS), Some(8.0));
    }

    #[test]
    fn a_table_that_cannot_be_read_leaves_every_price_unknown_and_says_why() {
        let folder = tempfile::tempdir().unwrap();
        let list = PriceList::of(folder.path());
        let price = |input: &str| {
            format!("[[price]]\nprovider = \"openai\"\nmodel = \"house\"\n{input}\noutput = 8.0\n")
        };
        let odd = [
            ("[[price".to_owned(), "line 1"),
            (price("input = -2.0"), "-2 is no price (`house` of `openai`)"),
            (price("input = 2.0\ncahced = 1.0"), "cahced"),
            (price("input = 2.0\nsince = \"soon\""), "since"),
        ];
        for (text, why) in odd {
            std::fs::write(folder.path().join(FILE), &text).unwrap();
            let message = list.state().unwrap_err().english();
            assert!(message.contains(why) && message.contains(FILE), "{message}");
            assert_eq!(list.current().cost("gemini", "gemini-3.8-flash", TOKENS), None, "{text}");
        }
    }
}
