//! Dates and times in a text, to detect a date that is assembled from the figures of two others.

use crate::tokens::{Token, TokenKind, tokens};
use std::ops::Range;

use prose::MONTHS;

/// A date, as far as it is written.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Day {
    pub(crate) year: Option<u64>,
    month: Option<u64>,
    day: Option<u64>,
}

#[derive(Clone, Debug)]
pub(crate) enum Moment {
    /// One for each date in "14 and 15 April 2026".
    Days(Vec<Day>),
    /// Hour and minute.
    Time((u64, u64)),
}

impl Moment {
    /// Whether one of the others contains the same information; for a year, `has_year` is enough.
    pub(crate) fn is_among(&self, others: &[Moment], has_year: impl Fn(u64) -> bool) -> bool {
        match self {
            // A time on a twelve-hour clock may be either of two.
            Self::Time((hour, minute)) => others.iter().any(|other| match other {
                Self::Time((own, minutes)) => hour % 12 == own % 12 && minute == minutes,
                Self::Days(_) => false,
            }),
            Self::Days(days) => days.iter().all(|day| {
                let theirs = others.iter().filter_map(|other| match other {
                    Self::Days(days) => Some(days),
                    Self::Time(_) => None,
                });
                theirs.flatten().any(|own| day.is_said_by(own, &has_year))
            }),
        }
    }
}

impl Day {
    fn is_said_by(&self, own: &Day, has_year: impl Fn(u64) -> bool) -> bool {
        let agrees = |ours: Option<u64>, theirs: Option<u64>| ours.is_none() || ours == theirs;
        agrees(self.month, own.month)
            && agrees(self.day, own.day)
            && (agrees(self.year, own.year) || own.year.is_none() && self.year.is_none_or(has_year))
    }
}

/// The dates and times of a text, in order.
pub(crate) fn moments(text: &str) -> Vec<(Range<usize>, Moment)> {
    let reader = Reader { text, tokens: tokens(text, 0..text.len()) };
    let mut found = Vec::new();
    let mut at = 0;
    while at < reader.tokens.len() {
        let Some((moment, end)) = reader.day(at).or_else(|| reader.time(at)) else {
            at += 1;
            continue;
        };
        found.push((reader.tokens[at].start..reader.tokens[end - 1].end, moment));
        at = end;
    }
    found
}

struct Reader<'a> {
    text: &'a str,
    tokens: Vec<Token>,
}

impl Reader<'_> {
    fn is(&self, at: usize, written: &[&str]) -> bool {
        self.tokens.get(at).is_some_and(|token| written.contains(&token.text(self.text)))
    }

    /// An integer of at most `most`.
    fn number(&self, at: usize, most: u64) -> Option<u64> {
        let token = self.tokens.get(at).filter(|token| token.kind == TokenKind::Figure)?;
        let value = f64::from_bits(token.key);
        (value.fract() == 0.0 && value >= 0.0 && value <= most as f64).then_some(value as u64)
    }

    fn year(&self, at: usize) -> Option<u64> {
        self.number(at, 2100).filter(|year| *year >= 1900)
    }

    fn month(&self, at: usize) -> Option<u64> {
        let word = self.tokens.get(at)?.text(self.text);
        let lowered = word.to_lowercase();
        let place = MONTHS.iter().position(|(long, short)| lowered == *long || lowered == *short)?;
        word.starts_with(char::is_uppercase).then_some(place as u64 + 1)
    }

    fn day(&self, at: usize) -> Option<(Moment, usize)> {
        let one =
            |year, month, day, end| Some((Moment::Days(vec![Day { year, month: Some(month), day }]), end));
        let wide = |at: usize| match (self.number(at, 31), self.is(at + 1, &["日", "号"])) {
            (Some(day), true) => (Some(day), at + 2),
            _ => (None, at),
        };
        if let Some(year) = self.year(at) {
            if self.is(at + 1, &["年"]) && self.is(at + 3, &["月"]) {
                let (day, end) = wide(at + 4);
                return one(Some(year), self.number(at + 2, 12)?, day, end);
            }
            if self.is(at + 1, &["-", "/"]) && self.is(at + 3, &["-", "/"]) {
                return one(Some(year), self.number(at + 2, 12)?, Some(self.number(at + 4, 31)?), at + 5);
            }
        }
        if let Some(month) = self.number(at, 12).filter(|_| self.is(at + 1, &["月"])) {
            let (day, end) = wide(at + 2);
            return day.and_then(|day| one(None, month, Some(day), end));
        }
        if let Some(month) = self.month(at) {
            if let Some(year) = self.year(at + 1) {
                return one(Some(year), month, None, at + 2);
            }
            let day = self.number(at + 1, 31)?;
            let comma = at + 2 + usize::from(self.is(at + 2, &[","]));
            let year = self.year(comma);
            return one(year, month, Some(day), if year.is_some() { comma + 1 } else { at + 2 });
        }
        let mut days = vec![self.number(at, 31)?];
        let mut next = at + 1;
        if self.is(next, &["and", "to", "-", "–"])
            && let Some(more) = self.number(next + 1, 31)
        {
            days.push(more);
            next += 2;
        }
        let month = self.month(next)?;
        let year = self.year(next + 1);
        let days = days.into_iter().map(|day| Day { year, month: Some(month), day: Some(day) }).collect();
        Some((Moment::Days(days), next + 1 + usize::from(year.is_some())))
    }

    fn time(&self, at: usize) -> Option<(Moment, usize)> {
        let hour = self.number(at, 24)?;
        let follows =
            |at: usize| self.tokens.get(at).is_some_and(|next| next.start == self.tokens[at - 1].end);
        if self.is(at + 1, &[":", "："]) && follows(at + 1) && follows(at + 2) {
            return Some((Moment::Time((hour, self.number(at + 2, 59)?)), at + 3));
        }
        if self.is(at + 1, &["時", "时", "点", "點"]) && follows(at + 1) && !self.is(at + 2, &["間", "间"])
        {
            let minute = self.number(at + 2, 59).filter(|_| self.is(at + 3, &["分"]));
            return Some((
                Moment::Time((hour, minute.unwrap_or(0))),
                at + if minute.is_some() { 4 } else { 2 },
            ));
        }
        None
    }
}
