//! Rules in plain English words, translated to cron.

use crate::error::RuleError;
use crate::time_of_day::{TimeOfDay, time_of_day};

/// Rules that can be read, one of each kind.
pub const EXAMPLES: [&str; 8] = [
    "every weekday at 7",
    "every day at 7:30 and 19:30",
    "every monday and friday at 8 pm",
    "every 6 hours",
    "every 15 minutes",
    "on the 1st at 9",
    "on the last friday of the month at noon",
    "on 24 december at 18:00",
];

const DAYS: [&str; 7] = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"];
/// The names of days in cron, in the order of [`DAYS`].
const CRON_DAYS: [&str; 7] = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"];
const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// Ordinals in words, by their number in the month.
const ORDINALS: [(&str, u8); 5] = [("first", 1), ("second", 2), ("third", 3), ("fourth", 4), ("fifth", 5)];

/// The last three fields of cron: day of the month, month, day of the week.
type Days = [String; 3];

/// The rule in cron's grammar.
pub(crate) fn cron(text: &str) -> Result<String, RuleError> {
    let mut words = Words::of(text);
    if let Some(interval) = words.interval()? {
        return words.end().map(|()| interval);
    }
    let leading = if words.take("at") { Some(words.times()?) } else { None };
    let [day, month, weekday] = words.days()?;
    let times = match leading {
        Some(times) => times,
        None if words.is_at_end() => return Err(RuleError::NoTime),
        None if words.take("at") => words.times()?,
        None => return Err(words.unreadable()),
    };
    words.end()?;
    let minute = times.first().map_or(0, |(_, minute)| *minute);
    if times.iter().any(|(_, other)| *other != minute) {
        return Err(RuleError::DifferentMinutes);
    }
    let hours: Vec<String> = times.iter().map(|(hour, _)| hour.to_string()).collect();
    Ok(format!("{minute} {} {day} {month} {weekday}", hours.join(",")))
}

/// The words of a rule, read from the left.
struct Words {
    all: Vec<String>,
    at: usize,
}

impl Words {
    fn of(text: &str) -> Words {
        let text = text.to_lowercase().replace(',', " and ");
        let mut all: Vec<String> = text.trim_end_matches('.').split_whitespace().map(str::to_owned).collect();
        // A list may have a comma before its last `and`.
        all.dedup_by(|one, other| one == "and" && other == "and");
        Words { all, at: 0 }
    }

    fn rest(&self) -> &[String] {
        self.all.get(self.at..).unwrap_or_default()
    }

    fn first(&self) -> &str {
        self.rest().first().map_or("", String::as_str)
    }

    fn is_at_end(&self) -> bool {
        self.rest().is_empty()
    }

    fn take(&mut self, word: &str) -> bool {
        let is_there = self.first() == word;
        self.at += usize::from(is_there);
        is_there
    }

    /// Takes these words if all of them come next.
    fn take_all(&mut self, words: &str) -> bool {
        let count = words.split(' ').count();
        let is_there = self.rest().iter().map(String::as_str).take(count).eq(words.split(' '));
        self.at += if is_there { count } else { 0 };
        is_there
    }

    fn take_any(&mut self, phrases: &[&str]) -> bool {
        phrases.iter().any(|words| self.take_all(words))
    }

    fn unreadable(&self) -> RuleError {
        RuleError::Unreadable { rest: self.rest().join(" ") }
    }

    fn end(&self) -> Result<(), RuleError> {
        if self.is_at_end() { Ok(()) } else { Err(self.unreadable()) }
    }

    /// `every 6 hours`, `every minute`, `hourly`.
    fn interval(&mut self) -> Result<Option<String>, RuleError> {
        if self.take_any(&["every hour", "each hour", "hourly"]) {
            return Ok(Some("0 * * * *".to_owned()));
        }
        if self.take_any(&["every minute", "each minute"]) {
            return Ok(Some("* * * * *".to_owned()));
        }
        let [every, number, unit, ..] = self.rest() else { return Ok(None) };
        let (Ok(number), true) = (number.parse::<u32>(), every == "every") else { return Ok(None) };
        let (is_hours, whole) = match unit.as_str() {
            "hour" | "hours" => (true, 24),
            "minute" | "minutes" => (false, 60),
            _ => return Ok(None),
        };
        self.at += 3;
        if number == 0 || number >= whole || whole % number != 0 {
            return Err(RuleError::UnequalSteps { number, is_hours });
        }
        let step = if number == 1 { "*".to_owned() } else { format!("*/{number}") };
        Ok(Some(if is_hours { format!("0 {step} * * *") } else { format!("{step} * * * *") }))
    }

    fn times(&mut self) -> Result<Vec<TimeOfDay>, RuleError> {
        let mut times = Vec::new();
        loop {
            let Some((time, taken)) = time_of_day(self.rest()) else { return Err(self.unreadable()) };
            self.at += taken;
            times.push(time);
            if !self.take("and") {
                times.sort_unstable();
                times.dedup();
                return Ok(times);
            }
            self.take("at");
        }
    }

    fn days(&mut self) -> Result<Days, RuleError> {
        let of_week = |days: String| ["*".to_owned(), "*".to_owned(), days];
        if self.take_any(&["every day", "each day", "daily"]) {
            return Ok(of_week("*".to_owned()));
        }
        if self.take_any(&["every weekday", "each weekday", "on weekdays", "weekdays"]) {
            return Ok(of_week("MON-FRI".to_owned()));
        }
        if self.take_any(&["every weekend", "each weekend", "on weekends", "weekends"]) {
            return Ok(of_week("SAT,SUN".to_owned()));
        }
        if self.take_any(&["every month on", "each month on", "monthly on"]) {
            self.take("the");
            return self.days_of_month();
        }
        if self.take_any(&["on the", "the"]) {
            return self.days_of_month();
        }
        let is_yearly = self.take_any(&["every year on", "each year on", "yearly on"]);
        let begins = is_yearly
            || self.take_any(&["every week on", "each week on", "weekly on", "every", "each", "on"]);
        if let Some(date) = self.date() {
            return Ok(date);
        }
        if !begins || is_yearly {
            return Err(self.unreadable());
        }
        self.days_of_week().map(of_week)
    }

    /// `monday`, `tuesdays and friday`.
    fn days_of_week(&mut self) -> Result<String, RuleError> {
        let mut days = Vec::new();
        loop {
            let Some(day) = day_of_week(self.first()) else { return Err(self.unreadable()) };
            self.at += 1;
            days.push(CRON_DAYS[day]);
            if !self.take("and") {
                return Ok(days.join(","));
            }
            self.take("on");
        }
    }

    /// `1st and 15th`, `last day`, `first monday`, each with `of the month` or without.
    fn days_of_month(&mut self) -> Result<Days, RuleError> {
        let (mut days, mut weekdays) = (Vec::new(), Vec::new());
        loop {
            let (place, day) = match (self.rest(), ordinal(self.first())) {
                ([_, day, ..], place) if place.is_some() || self.first() == "last" => {
                    (place, day_of_week(day))
                }
                (_, place) => (place, None),
            };
            let is_last = self.first() == "last";
            match (place, day) {
                (Some(place), Some(day)) if place <= 5 => {
                    weekdays.push(format!("{}#{place}", CRON_DAYS[day]));
                    self.at += 2;
                }
                (None, Some(day)) => {
                    weekdays.push(format!("{}#L", CRON_DAYS[day]));
                    self.at += 2;
                }
                (Some(place), None) if place <= 31 => {
                    days.push(place.to_string());
                    self.at += 1;
                    self.take("day");
                }
                (None, None) if is_last => {
                    days.push("L".to_owned());
                    self.at += 1;
                    self.take("day");
                }
                _ => return Err(self.unreadable()),
            }
            if !self.take("and") {
                break;
            }
            self.take("the");
        }
        self.take_any(&["of the month", "of every month", "of each month", "every month", "each month"]);
        // Cron joins days of the month and days of the week by “or”.
        let all = |list: Vec<String>| if list.is_empty() { "*".to_owned() } else { list.join(",") };
        Ok([all(days), "*".to_owned(), all(weekdays)])
    }

    /// `24 december`, `december 24th`, `24th of december`.
    fn date(&mut self) -> Option<Days> {
        let (day, month, taken) = match self.rest() {
            [day, of, month, ..] if of == "of" => (day, month, 3),
            [one, other, ..] if month_number(one).is_some() => (other, one, 2),
            [one, other, ..] => (one, other, 2),
            _ => return None,
        };
        let (day, month) = (ordinal(day).filter(|day| (1..=31).contains(day))?, month_number(month)?);
        self.at += taken;
        Some([day.to_string(), month.to_string(), "*".to_owned()])
    }
}

/// A day of the week, in the singular, the plural or with three letters; an index of [`DAYS`].
fn day_of_week(word: &str) -> Option<usize> {
    DAYS.iter().position(|day| word == *day || word.strip_suffix('s') == Some(day) || word == &day[..3])
}

fn month_number(word: &str) -> Option<usize> {
    MONTHS.iter().position(|month| word == *month || word == &month[..3]).map(|at| at + 1)
}

/// A number such as `1st`, `2nd`, `15` or `first`.
fn ordinal(word: &str) -> Option<u8> {
    let named = ORDINALS.iter().find(|(name, _)| *name == word).map(|(_, number)| *number);
    let bare = ["st", "nd", "rd", "th"].iter().find_map(|ending| word.strip_suffix(ending)).unwrap_or(word);
    named.or_else(|| bare.parse().ok()).filter(|number| *number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rule;

    #[test]
    fn words_are_translated_to_cron() {
        for (words, wanted) in [
            ("every weekday at 7", "0 7 * * MON-FRI"),
            ("Every day at 7:30, 19:30.", "30 7,19 * * *"),
            ("daily at noon", "0 12 * * *"),
            ("at 6 pm on weekends", "0 18 * * SAT,SUN"),
            ("every monday, wednesday, and friday at 8:15am", "15 8 * * MON,WED,FRI"),
            ("on Tuesdays at midnight", "0 0 * * TUE"),
            ("every week on sun at 12 am", "0 0 * * SUN"),
            ("every 6 hours", "0 */6 * * *"),
            ("every 1 hours", "0 * * * *"),
            ("hourly", "0 * * * *"),
            ("every 15 minutes", "*/15 * * * *"),
            ("every minute", "* * * * *"),
            ("on the 1st at 9", "0 9 1 * *"),
            ("on the 1st and the 15th of the month at 9 o'clock", "0 9 1,15 * *"),
            ("every month on the last day at 23:59", "59 23 L * *"),
            ("on the last friday of the month at noon", "0 12 * * FRI#L"),
            ("on the first monday of every month at 8", "0 8 * * MON#1"),
            ("on 24 December at 18:00", "0 18 24 12 *"),
            ("every year on the 24th", ""),
            ("every year on may 1st at 9", "0 9 1 5 *"),
        ] {
            match Rule::read(words) {
                Ok(rule) => assert_eq!(rule.cron(), wanted, "{words}"),
                Err(error) => assert!(wanted.is_empty(), "{words}: {error:?}"),
            }
        }
        EXAMPLES.iter().for_each(|words| assert!(Rule::read(words).is_ok(), "{words}"));
    }

    #[test]
    fn words_without_a_clear_meaning_are_refused_with_what_is_wrong() {
        let error = |words: &str| Rule::read(words).unwrap_err();
        assert_eq!(error("every day"), RuleError::NoTime);
        assert_eq!(error("every 5 hours"), RuleError::UnequalSteps { number: 5, is_hours: true });
        assert_eq!(error("every 90 minutes"), RuleError::UnequalSteps { number: 90, is_hours: false });
        assert_eq!(error("every day at 7 and 7:30"), RuleError::DifferentMinutes);
        for (words, rest) in [
            ("", ""),
            ("soon", "soon"),
            ("every day at 25", "25"),
            ("every day at 13 pm", "13 pm"),
            ("every day at 7 sharp", "sharp"),
            ("every fortnight at 7", "fortnight at 7"),
            ("on the 32nd at 9", "32nd at 9"),
            ("every 2 days at 9", "2 days at 9"),
            ("jeden Tag um 7", "jeden tag um 7"),
        ] {
            assert_eq!(error(words), RuleError::Unreadable { rest: rest.to_owned() }, "{words}");
        }
    }
}
