//! Sets a person's price for a model in the table of the data folder.

use kernel::{BUILT_IN, Code, Phrase, phrase};

use crate::ApiError;
use crate::accounts::AccountService;
use crate::accounts::profile_card::find;
use crate::api::{ModelPrice, PriceOf, SetPrice, TokenPrice};

/// The highest price of a million tokens, in US dollars: a higher one is a mistake.
const MOST: f64 = 100_000.0;

impl AccountService {
    pub(crate) async fn model_price(&self, asked: PriceOf) -> Result<ModelPrice, ApiError> {
        let provider = self.provider_of(&asked.profile, &asked.model)?;
        self.prices.of_model(provider, asked.model)
    }

    pub(crate) async fn set_price(&self, request: SetPrice) -> Result<ModelPrice, ApiError> {
        let provider = self.provider_of(&request.profile, &request.model)?;
        let price = TokenPrice { input: amount(&request.input)?, output: amount(&request.output)? };
        self.prices.set(&provider, &request.model, price)?;
        self.prices.of_model(provider, request.model)
    }

    fn provider_of(&self, profile: &str, model: &str) -> Result<String, ApiError> {
        let provider = find(&self.settings, profile)?.provider;
        if provider == BUILT_IN {
            return Err(refused(phrase!("The built-in profile asks no model, so nothing of it has a price")));
        }
        if model.trim().is_empty() || model.chars().any(char::is_control) {
            return Err(refused(phrase!("A price is of one model; name the model")));
        }
        Ok(provider)
    }
}

/// Parses a price of digits and a point. An ambiguous text is refused.
fn amount(text: &str) -> Result<f64, ApiError> {
    let typed = text.trim();
    let is_plain = typed.chars().all(|character| character.is_ascii_digit() || character == '.');
    let read = typed.parse::<f64>().ok().filter(|_| is_plain);
    let Some(amount) = read else {
        return Err(refused(phrase!(
            "“{text}” is no price; write US dollars with a point, such as 0.25, or 0 where nobody is paid",
            text = typed
        )));
    };
    if amount > MOST {
        return Err(refused(phrase!(
            "“{text}” is too high for a million tokens; at most {most} US dollars can be set",
            text = typed,
            most = MOST
        )));
    }
    Ok(amount)
}

fn refused(phrase: Phrase) -> ApiError {
    ApiError::new(Code::BadInput, phrase)
}

#[cfg(test)]
mod tests {
    use super::amount;

    #[test]
    fn a_price_is_digits_and_a_point_and_anything_else_is_refused_in_words() {
        for (text, expected) in [("0", 0.0_f64), (" 2.5 ", 2.5), (".75", 0.75), ("100000", 100_000.0)] {
            assert_eq!(amount(text).unwrap().to_bits(), expected.to_bits(), "{text}");
        }
        for text in ["", ".", "-1", "1,500", "1e3", "inf", "NaN", "2.5.1", "$2", "２", "100001"] {
            let message = amount(text).unwrap_err().message;
            assert!(message.contains(text) && message.contains("US dollars"), "{message}");
        }
    }
}
