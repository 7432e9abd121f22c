//! Finds what a summary states that can stand at a placeholder: figures, dates, times, amounts, names, codes.

use crate::measures::{MEASURES, is_time_unit};
use crate::spelt::spelt;
use crate::tokens::{Token, TokenKind, number_value};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ValueKind {
    Number,
    Percent,
    Range,
    Date,
    Month,
    Year,
    Time,
    Duration,
    Money,
    Name,
    /// A reference such as "CA-07", a word in code marks.
    Code,
    /// An address of mail or web, a telephone number.
    Address,
    /// Words that stand where the placeholder stands.
    Phrase,
}

/// A value of the summary: tokens `first..last`, of which `first..core` are the figure without its unit.
#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) kind: ValueKind,
    pub(crate) first: usize,
    pub(crate) core: usize,
    pub(crate) last: usize,
    pub(crate) number: Option<f64>,
}

static MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

fn scale(written: &str) -> Option<f64> {
    match written {
        "百" => Some(1e2),
        "千" => Some(1e3),
        "万" => Some(1e4),
        "億" | "亿" => Some(1e8),
        _ => None,
    }
}

struct Scanner<'a> {
    text: &'a str,
    tokens: &'a [Token],
}

/// The values in tokens `from..to`, which are one sentence; names apart.
pub(crate) fn values(text: &str, tokens: &[Token], from: usize, to: usize) -> Vec<Value> {
    let scanner = Scanner { text, tokens: &tokens[..to] };
    let mut found: Vec<Value> = Vec::new();
    let mut at = from;
    while at < to {
        match scanner.read(at) {
            Some(value) => {
                at = value.last.max(at + 1);
                found.push(value);
            }
            None => at += 1,
        }
    }
    ranges(&scanner, &mut found);
    found
}

impl Scanner<'_> {
    fn is(&self, at: usize, written: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.text(self.text) == written)
    }

    fn one_of(&self, at: usize, written: &[&str]) -> bool {
        self.tokens.get(at).is_some_and(|token| written.contains(&token.text(self.text)))
    }

    fn number(&self, at: usize) -> Option<f64> {
        let token = self.tokens.get(at)?;
        (token.kind == TokenKind::Number).then(|| number_value(token.text(self.text))).flatten()
    }

    fn whole(&self, at: usize, least: f64, most: f64) -> bool {
        self.number(at).is_some_and(|value| value.fract() == 0.0 && (least..=most).contains(&value))
    }

    fn is_month(&self, at: usize) -> bool {
        self.tokens.get(at).is_some_and(|token| {
            let word = token.text(self.text);
            let is_known = word.get(..3).is_some_and(|start| {
                MONTHS.contains(&start.to_ascii_lowercase().as_str()) && word.starts_with(char::is_uppercase)
            });
            // "March", not "Marketing".
            is_known && (word.len() == 3 || FULL_MONTHS.contains(&word.to_ascii_lowercase().as_str()))
        })
    }

    fn is_year(&self, at: usize) -> bool {
        self.whole(at, 1900.0, 2100.0) && self.tokens[at].end - self.tokens[at].start == 4
    }

    fn read(&self, at: usize) -> Option<Value> {
        let token = self.tokens.get(at)?;
        let value =
            |kind, core: usize, last: usize, number| Some(Value { kind, first: at, core, last, number });
        if let Some((kind, end)) = self.date(at).or_else(|| self.clock(at)) {
            return value(kind, end, end, None);
        }
        if token.kind == TokenKind::Word || token.kind == TokenKind::Stop {
            return self.code(at).or_else(|| self.spelt_number(at));
        }
        if self.is(at, "$") || self.is(at, "€") || self.is(at, "£") || self.is(at, "¥") {
            let number = self.number(at + 1)?;
            return value(ValueKind::Money, at + 2, at + 2, Some(number));
        }
        let number = self.number(at)?;
        if token.is_joined && at > 0 && matches!(self.tokens[at - 1].kind, TokenKind::Word) {
            return None;
        }
        if self.is_year(at) && !self.tokens.get(at + 1).is_some_and(|next| next.is_joined && next.is_wide()) {
            return value(ValueKind::Year, at + 1, at + 1, Some(number));
        }
        if self.one_of(at + 1, &["%", "％", "percent"]) {
            return value(ValueKind::Percent, at + 1, at + 2, Some(number));
        }
        if self.is(at + 1, "per") && self.is(at + 2, "cent") {
            return value(ValueKind::Percent, at + 1, at + 3, Some(number));
        }
        if let Some(last) = self.wide_duration(at) {
            return value(ValueKind::Duration, at + 1, last, Some(number));
        }
        // 14万8千 is one figure.
        let mut core = at + 1;
        let mut total = 0.0;
        let mut last = number;
        while let Some(scale) =
            self.tokens.get(core).filter(|next| next.is_joined).and_then(|next| scale(next.text(self.text)))
        {
            total += last * scale;
            core += 1;
            last = 0.0;
            if let Some(more) = self.number(core).filter(|_| self.tokens[core].is_joined) {
                last = more;
                core += 1;
            }
        }
        let number = Some(total + last);
        if self.one_of(
            core,
            &["円", "元", "圆", "euros", "euro", "dollars", "pounds", "EUR", "USD", "yen", "yuan"],
        ) {
            let last = core + 1;
            return value(ValueKind::Money, core, last, number);
        }
        let unit = self.tokens.get(core).filter(|unit| !unit.is_mark() && unit.is_joined);
        if unit.is_some_and(Token::is_wide) {
            return value(ValueKind::Number, core, core + 1, number);
        }
        let after_hyphen = core + usize::from(self.is(core, "-") && self.tokens[core].is_joined);
        let is_measure = self.tokens.get(after_hyphen).is_some_and(|unit| is_time_unit(unit.text(self.text)));
        if is_measure {
            return value(ValueKind::Duration, core, self.longer_duration(after_hyphen + 1), number);
        }
        let last = core + self.measure(core);
        value(ValueKind::Number, core, last, number)
    }

    /// The end of a duration whose first part ends at `at`: "3 hours and 12 minutes".
    fn longer_duration(&self, at: usize) -> usize {
        let next = at + usize::from(self.one_of(at, &["and", ","]));
        let next = next + usize::from(next > at && self.is(next, "and"));
        let has_figure = self.number(next).is_some()
            || self
                .tokens
                .get(next)
                .is_some_and(|token| spelt(&token.text(self.text).to_lowercase()).is_some());
        let has_unit = self.tokens.get(next + 1).is_some_and(|unit| is_time_unit(unit.text(self.text)));
        if has_figure && has_unit { self.longer_duration(next + 2) } else { at }
    }

    /// How many tokens at a place are a unit of measure.
    fn measure(&self, at: usize) -> usize {
        let is_degree = self.is(at, "°");
        let unit = at + usize::from(is_degree);
        let is_unit = self.tokens.get(unit).is_some_and(|token| {
            let written = token.text(self.text);
            let is_letter = is_degree && matches!(written, "C" | "F") && token.is_joined;
            is_letter || !is_degree && MEASURES.contains(&written)
        });
        usize::from(is_degree) + usize::from(is_unit)
    }

    fn spelt_number(&self, at: usize) -> Option<Value> {
        let word = |at: usize| self.tokens.get(at).map(|token| token.text(self.text).to_ascii_lowercase());
        let mut number = spelt(&word(at)?)?;
        let mut core = at + 1;
        if number >= 20
            && self.is(core, "-")
            && let Some(ones) = word(core + 1).and_then(|word| spelt(&word)).filter(|ones| *ones < 10)
        {
            number += ones;
            core += 2;
        }
        let after_hyphen = core + usize::from(self.is(core, "-") && self.tokens[core].is_joined);
        let is_measure = self.tokens.get(after_hyphen).is_some_and(|unit| is_time_unit(unit.text(self.text)));
        let (kind, last) = if is_measure {
            (ValueKind::Duration, self.longer_duration(after_hyphen + 1))
        } else {
            (ValueKind::Number, core + self.measure(core))
        };
        Some(Value { kind, first: at, core, last, number: Some(number.into()) })
    }

    fn code(&self, at: usize) -> Option<Value> {
        let token = self.tokens.get(at)?;
        let value = |kind, last| Some(Value { kind, first: at, core: last, last, number: None });
        let is_capitals = token.text(self.text).chars().all(char::is_uppercase);
        let hyphen = at + usize::from(self.is(at + 1, "-"));
        let next = self.tokens.get(hyphen + 1).filter(|next| next.is_joined);
        if is_capitals && next.is_some_and(|next| next.kind == TokenKind::Number) {
            return value(ValueKind::Code, hyphen + 2);
        }
        if self.is(at + 1, "@") {
            let end = (at + 2..self.tokens.len())
                .find(|index| !self.tokens[*index].is_joined || self.tokens[*index].is_wide());
            return value(ValueKind::Address, end.unwrap_or(self.tokens.len()));
        }
        let before = self.text.get(..token.start).unwrap_or_default();
        let after = self.text.get(token.end..).unwrap_or_default();
        (before.ends_with('`') && after.starts_with('`')).then(|| value(ValueKind::Code, at + 1)).flatten()
    }

    fn date(&self, at: usize) -> Option<(ValueKind, usize)> {
        if self.is_year(at) && self.is(at + 1, "年") {
            return Some(match (self.number(at + 2), self.is(at + 3, "月")) {
                (Some(_), true) => self.wide_day(at + 4),
                _ => (ValueKind::Year, at + 2),
            });
        }
        if self.number(at).is_some() && self.is(at + 1, "月") && self.number(at + 2).is_some() {
            return Some(self.wide_day(at + 2)).filter(|(kind, _)| *kind == ValueKind::Date);
        }
        let joined = |index: usize| self.tokens.get(index).is_some_and(|token| token.is_joined);
        for mark in ["-", "/"] {
            if self.is_year(at) && self.is(at + 1, mark) && self.is(at + 3, mark) && joined(at + 4) {
                return (self.number(at + 2).is_some() && self.number(at + 4).is_some())
                    .then_some((ValueKind::Date, at + 5));
            }
        }
        if self.is_month(at) {
            let comma = at + 2 + usize::from(self.is(at + 2, ","));
            if self.is_year(at + 1) {
                return Some((ValueKind::Month, at + 2));
            }
            if self.whole(at + 1, 1.0, 31.0) {
                return Some((ValueKind::Date, if self.is_year(comma) { comma + 1 } else { at + 2 }));
            }
            return None;
        }
        if !self.whole(at, 1.0, 31.0) {
            return None;
        }
        // "14 and 15 April 2026" is one date.
        let month = if self.one_of(at + 1, &["and", "to", "-", "–"]) && self.whole(at + 2, 1.0, 31.0) {
            at + 3
        } else {
            at + 1
        };
        let has_year = self.is_year(month + 1);
        self.is_month(month).then_some((ValueKind::Date, month + 1 + usize::from(has_year)))
    }

    fn wide_day(&self, at: usize) -> (ValueKind, usize) {
        if self.number(at).is_some() && self.one_of(at + 1, &["日", "号"]) {
            return (ValueKind::Date, at + 2);
        }
        let is_part = self.one_of(at, &["末", "初", "底"]);
        (ValueKind::Month, at + usize::from(is_part))
    }

    fn clock(&self, at: usize) -> Option<(ValueKind, usize)> {
        let halves = [("午", "前"), ("午", "後"), ("上", "午"), ("下", "午"), ("晚", "上"), ("早", "上")];
        let has_half = halves.iter().any(|(first, second)| self.is(at, first) && self.is(at + 1, second));
        let hour = if has_half { at + 2 } else { at };
        if !self.whole(hour, 0.0, 24.0) {
            return None;
        }
        let is_joined = self.tokens.get(hour + 2).is_some_and(|token| token.is_joined);
        if self.is(hour + 1, ":") && self.whole(hour + 2, 0.0, 59.0) && is_joined {
            let has_seconds = self.is(hour + 3, ":") && self.whole(hour + 4, 0.0, 59.0);
            return Some((ValueKind::Time, hour + 3 + 2 * usize::from(has_seconds)));
        }
        if self.one_of(hour + 1, &["時", "时", "点", "點"]) && !self.one_of(hour + 2, &["間", "间"]) {
            let has_minutes = self.number(hour + 2).is_some() && self.is(hour + 3, "分");
            return Some((ValueKind::Time, hour + 2 + 2 * usize::from(has_minutes)));
        }
        None
    }

    fn wide_duration(&self, at: usize) -> Option<usize> {
        let unit = |at: usize| {
            let is_long = self.one_of(at, &["小", "時", "分", "周", "个"])
                && self.one_of(at + 1, &["时", "間", "钟", "月"]);
            let is_short = self.one_of(at, &["分", "秒", "天", "周"]);
            if is_long { 2 } else { usize::from(is_short) }
        };
        let mut last = at + 1 + unit(at + 1);
        if last == at + 1 {
            return None;
        }
        while self.number(last).is_some() && unit(last + 1) > 0 && self.tokens[last].is_joined {
            last += 1 + unit(last + 1);
        }
        Some(last)
    }
}

pub(crate) static FULL_MONTHS: [&str; 12] = [
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

/// Adds "6 to 12" and "between 6 and 12" beside 6 and 12.
fn ranges(scanner: &Scanner<'_>, found: &mut Vec<Value>) {
    let mut more = Vec::new();
    for pair in found.windows(2) {
        let [first, second] = pair else { continue };
        let is_plain = |value: &Value| {
            matches!(
                value.kind,
                ValueKind::Number | ValueKind::Duration | ValueKind::Percent | ValueKind::Money
            )
        };
        let between = first.first.checked_sub(1).filter(|before| scanner.is(*before, "between"));
        let is_linked = |link: usize| {
            second.first == link + 1
                && (scanner.one_of(link, &["to", "-", "–", "~", "～", "〜", "至"])
                    || between.is_some() && scanner.is(link, "and"))
        };
        if is_plain(first) && is_plain(second) && (is_linked(first.core) || is_linked(first.last)) {
            more.push(Value {
                kind: ValueKind::Range,
                first: between.unwrap_or(first.first),
                core: second.core,
                last: second.last,
                number: None,
            });
        }
    }
    found.extend(more);
}
