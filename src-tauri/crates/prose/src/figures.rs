//! Reads a figure with the words and marks around it: percent, currency, unit and scale.

use crate::tokens::Token;

/// A figure with its scale and measure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measured {
    /// The value, multiplied by its scale.
    pub(crate) value: f64,
    /// The value without the scale if the letter after it may be a scale or a unit ("5m").
    pub(crate) unscaled: Option<f64>,
    /// The value of one step in the last significant digit: 1000 for "12,000", 0.1 for "3.5".
    pub(crate) unit: f64,
    pub(crate) has_decimals: bool,
    pub(crate) is_percent: bool,
    pub(crate) is_money: bool,
    /// The currency or the unit of measurement next to it.
    pub(crate) measure: Option<Measure>,
    pub(crate) is_year: bool,
    /// Is joined to the word before it ("GPT-4").
    pub(crate) is_attached: bool,
}

impl Measured {
    /// Reads the number token `token` of `text`; `None` for a version number such as 2.5.1.
    pub(crate) fn read(text: &str, token: &Token) -> Option<Self> {
        let (start, end) = (token.start as usize, token.end as usize);
        let written = &text.as_bytes()[start..end];
        let mut measured = Self::of_digits(written)?;
        measured.is_percent = is_percent_after(text, end, true);
        measured.measure = currency_before(&text[..start]).or_else(|| measure_after(text, end));
        measured.is_money = matches!(measured.measure, Some(Measure::Currency(_)));
        measured.is_year = written.len() == 4
            && (1900.0..2100.0).contains(&measured.value)
            && !measured.is_percent
            && !measured.is_money;
        measured.scale(scale_after(text, end));
        Some(measured)
    }

    /// A figure that is written as a word and ends at `end`.
    pub(crate) fn spelt(value: u32, text: &str, end: usize) -> Self {
        let mut measured = Self::plain(value.into(), 1.0);
        measured.is_percent = is_percent_after(text, end, false);
        measured.scale(scale_after(text, end));
        measured
    }

    fn plain(value: f64, unit: f64) -> Self {
        Self {
            value,
            unscaled: None,
            unit,
            has_decimals: false,
            is_percent: false,
            is_money: false,
            measure: None,
            is_year: false,
            is_attached: false,
        }
    }

    fn of_digits(written: &[u8]) -> Option<Self> {
        let is_decimal_comma = !written.contains(&b'.')
            && written.iter().rposition(|byte| *byte == b',').is_some_and(|comma| written.len() - comma < 4);
        let (mut value, mut decimals, mut zeros, mut points) = (0.0, 0, 0, 0);
        for byte in written {
            match byte {
                b'0'..=b'9' => {
                    value = value * 10.0 + f64::from(byte - b'0');
                    decimals += i32::from(points > 0);
                    zeros = if *byte == b'0' { zeros + 1 } else { 0 };
                }
                b'.' => points += 1,
                b',' if is_decimal_comma => points += 1,
                _ => {}
            }
        }
        if points > 1 {
            return None;
        }
        let unit = 10_f64.powi(if decimals > 0 { -decimals } else { zeros });
        let has_decimals = decimals > 0;
        Some(Self { has_decimals, ..Self::plain(value * 10_f64.powi(-decimals), unit) })
    }

    fn scale(&mut self, scale: Option<(i32, bool)>) {
        let Some((power, is_doubtful)) = scale else { return };
        self.unscaled = is_doubtful.then_some(self.value);
        self.value *= 10_f64.powi(power);
        self.unit *= 10_f64.powi(power);
    }

    /// Whether one of a source's figures, sorted by value, has the same value and measure. With `is_rounded` (the
    /// sentence says "about") a nearby value is enough.
    pub(crate) fn is_among(&self, figures: &[Self], is_rounded: bool) -> bool {
        let is_backed = |value: f64, reach: f64, accepts: &dyn Fn(&Self) -> bool| {
            let from = figures.partition_point(|other| other.value < value - reach);
            figures[from..].iter().take_while(|other| other.value <= value + reach).any(accepts)
        };
        let is_kind = |other: &Self| {
            let is_measure = if self.is_percent {
                // Tables of results often omit the percent sign, but whole numbers without it are counts.
                other.is_percent || other.has_decimals
            } else {
                !other.is_percent || self.has_decimals
            };
            is_measure
                && (other.is_money || !self.is_money)
                && !matches!((self.measure, other.measure), (Some(own), Some(theirs)) if own != theirs)
                && (!other.is_attached || other.is_year || !self.is_plain())
        };
        let value = self.value.abs();
        let exact = value * 1e-9;
        if is_backed(value, exact, &is_kind)
            || self.unscaled.is_some_and(|unscaled| is_backed(unscaled, unscaled * 1e-9, &is_kind))
        {
            return true;
        }
        if is_rounded && is_backed(value, (0.999 * self.unit).min(0.05 * value), &is_kind) {
            return true;
        }
        // 0.85 and 85 % are the same share.
        (self.is_percent && is_backed(value / 100.0, exact / 100.0, &|other| other.has_decimals))
            || (self.has_decimals && is_backed(value * 100.0, exact * 100.0, &|other| other.is_percent))
    }

    /// Whether it is a plain number: no percentage, no sum of money, no year.
    pub(crate) fn is_plain(&self) -> bool {
        !self.is_percent && !self.is_money && !self.is_year
    }
}

/// The ASCII word (at most 12 letters) at `at` or after one space, line feed or hyphen; the offset of its end; and
/// whether there was such a gap.
fn word_after(text: &str, at: usize) -> (&str, usize, bool) {
    let rest = &text[at..];
    let gap = rest.chars().next().filter(|mark| matches!(mark, ' ' | '\n' | '-')).map_or(0, char::len_utf8);
    let rest = &rest[gap..];
    let length = rest.bytes().take(12).take_while(u8::is_ascii_alphabetic).count();
    (&rest[..length], at + gap + length, gap > 0)
}

fn is_percent_after(text: &str, at: usize, checks_next_figure: bool) -> bool {
    let rest = &text[at..];
    let bare = rest.trim_start_matches([' ', '\\', '$', '}', '{']);
    if bare.len() + 6 > rest.len() && bare.starts_with('%') {
        return true;
    }
    let (word, _, _) = word_after(text, at);
    if matches!(
        word,
        "percent" | "percentage" | "pp" | "pct" | "point" | "points" | "per" | "Prozent" | "pour"
    ) {
        return !matches!(word, "per" | "pour")
            || rest.as_bytes()[..rest.len().min(12)].windows(4).any(|part| part == b"cent");
    }
    // In "30-55 %" and "30 and 55 %" the first figure is a percentage, too.
    if !checks_next_figure {
        return false;
    }
    let linked = ["--", "-", "–", "—", " to ", " and ", " or ", ", ", " – ", "%–"]
        .iter()
        .find_map(|link| rest.strip_prefix(link));
    linked.is_some_and(|next| {
        let digits = next.bytes().take(12).take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        digits > 0 && is_percent_after(next, digits, false)
    })
}

/// The power of ten of a Chinese or Japanese scale at the start of `rest`, and the text after it.
fn ideographic_scale(rest: &str) -> Option<(i32, &str)> {
    const SCALES: [(&str, i32); 14] = [
        ("千万", 7),
        ("百万", 6),
        ("十万", 5),
        ("千萬", 7),
        ("百萬", 6),
        ("十亿", 9),
        ("百亿", 10),
        ("千亿", 11),
        ("万亿", 12),
        ("万", 4),
        ("萬", 4),
        ("億", 8),
        ("亿", 8),
        ("兆", 12),
    ];
    if rest.starts_with(|first: char| first.is_ascii()) {
        return None;
    }
    // 兆瓦 is the unit megawatt, not a scale.
    if rest.starts_with('兆') && UNITS.iter().any(|(unit, _)| rest.starts_with(unit)) {
        return None;
    }
    SCALES.iter().find_map(|(scale, power)| Some((*power, rest.strip_prefix(scale)?)))
}

fn scale_after(text: &str, at: usize) -> Option<(i32, bool)> {
    if let Some((power, _)) = ideographic_scale(&text[at..]) {
        return Some((power, false));
    }
    let (word, _, is_apart) = word_after(text, at);
    match word {
        "thousand" | "Tausend" => Some((3, false)),
        "million" | "millions" | "Million" | "Millionen" | "Mio" => Some((6, false)),
        "billion" | "billions" | "bn" | "Milliarde" | "Milliarden" | "Mrd" => Some((9, false)),
        "trillion" => Some((12, false)),
        "k" | "K" if !is_apart => Some((3, true)),
        "m" | "M" if !is_apart => Some((6, true)),
        "b" | "B" if !is_apart => Some((9, true)),
        "t" | "T" if !is_apart => Some((12, true)),
        _ => None,
    }
}

/// A currency or a unit of measurement, the same value for all its spellings and languages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Measure {
    Currency(&'static str),
    Unit(&'static str),
}

/// Names and signs of currencies. Ambiguous ones ("¥", "dollar") share one value for all their currencies.
const CURRENCIES: [(&str, &str); 28] = [
    ("US$", "USD"),
    ("$", "USD"),
    ("dollars", "USD"),
    ("dollar", "USD"),
    ("USD", "USD"),
    ("美元", "USD"),
    ("ドル", "USD"),
    ("€", "EUR"),
    ("euros", "EUR"),
    ("euro", "EUR"),
    ("Euro", "EUR"),
    ("EUR", "EUR"),
    ("欧元", "EUR"),
    ("ユーロ", "EUR"),
    ("£", "GBP"),
    ("pounds", "GBP"),
    ("GBP", "GBP"),
    ("英镑", "GBP"),
    ("¥", "JPY/CNY"),
    ("yen", "JPY/CNY"),
    ("JPY", "JPY/CNY"),
    ("円", "JPY/CNY"),
    ("日元", "JPY/CNY"),
    ("yuan", "JPY/CNY"),
    ("CNY", "JPY/CNY"),
    ("元", "JPY/CNY"),
    ("₹", "INR"),
    ("₩", "KRW"),
];

/// Spellings of units of measurement. Ambiguous ones, such as "m" and "second", are left out.
const UNITS: [(&str, &str); 46] = [
    ("kW", "kW"),
    ("kilowatts", "kW"),
    ("千瓦", "kW"),
    ("MW", "MW"),
    ("megawatts", "MW"),
    ("megawatt", "MW"),
    ("兆瓦", "MW"),
    ("GW", "GW"),
    ("gigawatts", "GW"),
    ("gigawatt", "GW"),
    ("吉瓦", "GW"),
    ("kWh", "kWh"),
    ("MWh", "MWh"),
    ("GWh", "GWh"),
    ("TWh", "TWh"),
    ("km", "km"),
    ("kilometres", "km"),
    ("kilometers", "km"),
    ("公里", "km"),
    ("千米", "km"),
    ("キロメートル", "km"),
    ("miles", "mile"),
    ("metres", "metre"),
    ("meters", "metre"),
    ("メートル", "metre"),
    ("cm", "cm"),
    ("mm", "mm"),
    ("kg", "kg"),
    ("kilograms", "kg"),
    ("公斤", "kg"),
    ("千克", "kg"),
    ("キログラム", "kg"),
    ("tonnes", "tonne"),
    ("吨", "tonne"),
    ("トン", "tonne"),
    ("hours", "hour"),
    ("hour", "hour"),
    ("小时", "hour"),
    ("時間", "hour"),
    ("minutes", "minute"),
    ("分钟", "minute"),
    ("seconds", "second"),
    ("days", "day"),
    ("weeks", "week"),
    ("months", "month"),
    ("years", "year"),
];

fn currency_before(before: &str) -> Option<Measure> {
    let trimmed = before.trim_end_matches(' ');
    let found = CURRENCIES.iter().find(|(sign, _)| {
        let is_code = sign.len() == 3 && sign.bytes().all(|byte| byte.is_ascii_uppercase());
        let is_sign = !sign.chars().any(char::is_alphanumeric) && before.len() - trimmed.len() < 2;
        (is_code || is_sign) && trimmed.ends_with(sign)
    });
    found.map(|(_, currency)| Measure::Currency(currency))
}

/// The measure after the figure that ends at `at`, also after its scale ("5 million euros").
fn measure_after(text: &str, at: usize) -> Option<Measure> {
    let (word, next, _) = word_after(text, at);
    if let Some(measure) = measure_of(word) {
        return Some(measure);
    }
    if word.is_empty() {
        let rest = text[at..].trim_start_matches(' ');
        let rest = ideographic_scale(rest).map_or(rest, |(_, behind)| behind);
        let begins = |written: &str| !written.is_ascii() && rest.starts_with(written);
        let currency = CURRENCIES
            .iter()
            .find(|(written, _)| begins(written) || *written == "$" && rest.starts_with('$'));
        let unit = || UNITS.iter().find(|(written, _)| begins(written));
        return currency
            .map(|(_, currency)| Measure::Currency(currency))
            .or_else(|| unit().map(|(_, unit)| Measure::Unit(unit)));
    }
    let is_scale = scale_after(text, at).is_some_and(|(_, is_doubtful)| !is_doubtful);
    let rest = text[next..].trim_start_matches(['.', ' ']);
    is_scale
        .then(|| {
            measure_of(word_after(text, next).0)
                .or_else(|| rest.starts_with('€').then_some(Measure::Currency("EUR")))
        })
        .flatten()
}

fn measure_of(word: &str) -> Option<Measure> {
    let of = |list: &[(&str, &'static str)]| {
        list.iter().find(|(written, _)| *written == word).map(|(_, name)| *name)
    };
    of(&CURRENCIES).map(Measure::Currency).or_else(|| of(&UNITS).map(Measure::Unit))
}
