//! Rules of time and zones from what a person wrote, with what is wrong in words.

use kernel::{Code, phrase};
use schedule::{EXAMPLES, Rule, RuleError, Zone};

use crate::ApiError;

/// Reads a rule.
///
/// # Errors
/// `bad_input` with what cannot be read, and examples.
pub(crate) fn read_rule(when: &str) -> Result<Rule, ApiError> {
    Rule::read(when).map_err(|error| {
        let examples = EXAMPLES.map(|example| format!("“{example}”")).join(", ");
        let message = match error {
            RuleError::Unreadable { rest } if rest.is_empty() => {
                phrase!("It is not said when; write one of these kinds: {examples}, or cron as `0 7 * * 1-5`", examples)
            }
            RuleError::Unreadable { rest } => phrase!(
                "“{rest}” is not understood as a time; write one of these kinds: {examples}, or cron as `0 7 * * 1-5`",
                rest,
                examples
            ),
            RuleError::NoTime => phrase!("“{when}” names no time of day; add one, as in “{when} at 7:30”", when),
            RuleError::DifferentMinutes => phrase!(
                "The times of “{when}” have different minutes, which one rule cannot say; make a schedule for each",
                when
            ),
            RuleError::UnequalSteps { number, is_hours: true } => phrase!(
                "{number} hours do not divide the day, so the steps would not be equal; choose 1, 2, 3, 4, 6, 8 or 12 hours",
                number
            ),
            RuleError::UnequalSteps { number, is_hours: false } => phrase!(
                "{number} minutes do not divide the hour, so the steps would not be equal; choose 1, 2, 3, 4, 5, 6, 10, 12, 15, 20 or 30 minutes",
                number
            ),
            RuleError::NotCron { reason } => phrase!(
                "“{when}” is not cron with five fields (minute, hour, day, month, weekday): {reason}; or write words: {examples}",
                when,
                reason,
                examples
            ),
        };
        ApiError::new(Code::BadInput, message)
    })
}

/// The zone of a name; that of the system for none.
///
/// # Errors
/// `bad_input` for an unknown name.
pub(crate) fn read_zone(name: &str) -> Result<Zone, ApiError> {
    if name.trim().is_empty() {
        return Ok(Zone::of_system());
    }
    Zone::named(name).ok_or_else(|| {
        let message = phrase!(
            "This computer knows no time zone `{name}`; write an IANA name such as `Europe/Berlin` or `Asia/Tokyo`",
            name
        );
        ApiError::new(Code::BadInput, message)
    })
}

/// The error of a rule without an instant.
pub(crate) fn never_fires(when: &str) -> ApiError {
    ApiError::new(Code::BadInput, phrase!("“{when}” never comes; choose a day that exists", when))
}
