//! Why a rule cannot be read.

/// Why a rule cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RuleError {
    /// Words that are not understood, from the first unknown one on.
    Unreadable {
        /// The words.
        rest: String,
    },
    /// Days without a time of day.
    NoTime,
    /// Times of day in one rule whose minutes differ, which cron cannot say.
    DifferentMinutes,
    /// An interval that does not divide the hour or the day, so that its steps would be unequal.
    UnequalSteps {
        /// The number of units.
        number: u32,
        /// Whether the unit is hours; else it is minutes.
        is_hours: bool,
    },
    /// Not in cron's grammar.
    NotCron {
        /// The reason in the words of its reader.
        reason: String,
    },
}
