//! Numbers, amounts, dates and choices in natural language; `None` if the meaning would be a guess.

use serde_json::{Number, Value, json};

/// Words before a number that only name what is counted.
const COUNTED: &[&str] = &[
    "article",
    "hit",
    "source",
    "number",
    "no",
    "nr",
    "item",
    "result",
    "reference",
    "ref",
    "step",
    "agent",
    "round",
];

/// A number without a fraction as an integer.
pub(crate) fn whole(number: &Number) -> Option<i64> {
    number.as_i64().or_else(|| {
        let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() < 9e15)?;
        Some(float as i64)
    })
}

/// The number in a text: alone, in brackets, or after a sign or a word for what is counted.
pub(crate) fn number_in(text: &str) -> Option<Number> {
    let mut rest = text.trim();
    let unbracketed =
        rest.strip_prefix(['[', '(', '【']).and_then(|inner| inner.strip_suffix([']', ')', '】']));
    rest = unbracketed.unwrap_or(rest).trim();
    if rest.starts_with(char::is_alphabetic) {
        rest = after_counted(rest)?;
    }
    rest = rest.strip_prefix('#').unwrap_or(rest).trim();
    // A count out of a total.
    if let Some((count, of)) = rest.split_once('/')
        && let Ok(of) = of.trim().parse::<f64>()
    {
        rest = count.trim();
        if rest.parse::<f64>().is_ok_and(|count| count > of) {
            return None;
        }
    }
    if let Ok(number) = serde_json::from_str::<Number>(rest) {
        return Some(number);
    }
    let plain = rest.strip_prefix('+').unwrap_or(rest).trim_end_matches('.');
    let mut groups = plain.split(',');
    let first = groups.next()?;
    let is_grouped = plain.contains(',')
        && (1..=3).contains(&first.len())
        && plain
            .split(',')
            .skip(1)
            .all(|group| group.split('.').next().is_some_and(|digits| digits.len() == 3));
    let plain = if is_grouped { plain.replace(',', "") } else { plain.to_owned() };
    let starts = plain.strip_prefix('-').unwrap_or(&plain);
    if !starts.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let trimmed = starts.trim_start_matches('0');
    let digits = if trimmed.starts_with(|c: char| c.is_ascii_digit()) { trimmed } else { starts };
    let number = serde_json::from_str(digits).ok();
    if plain.starts_with('-') { serde_json::from_str(&format!("-{digits}")).ok() } else { number }
}

/// The text after a word for what is counted.
fn after_counted(text: &str) -> Option<&str> {
    let letters = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let word = text[..letters].to_lowercase();
    let is_counted = COUNTED.iter().any(|known| *known == word || format!("{known}s") == word);
    is_counted.then(|| text[letters..].trim_start_matches(['.', ' ', '_', ':', '-', '#']))
}

/// The number at the beginning of a text and the rest: after a sign or a word for what is counted, or before a closing
/// bracket.
pub(crate) fn counted(text: &str) -> Option<(usize, &str)> {
    let is_marked = text.starts_with('#') || text.starts_with(char::is_alphabetic);
    let rest = text.strip_prefix('#').or_else(|| after_counted(text)).unwrap_or(text);
    let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let (number, rest) = rest.split_at(digits);
    let number = number.parse().ok().filter(|_| is_marked || rest.starts_with([']', '】']))?;
    Some((number, rest))
}

/// A choice between yes and no, in the languages of models' answers.
pub(crate) fn yes_or_no(text: &str) -> Option<bool> {
    let word = text.trim().trim_matches(['.', '!', '"', '\'', '*', '。']).to_lowercase();
    match word.as_str() {
        "true" | "yes" | "y" | "1" | "on" | "ja" | "oui" | "sí" | "si" | "sim" | "是" | "はい" | "对" => {
            Some(true)
        }
        "false" | "no" | "n" | "0" | "off" | "nein" | "non" | "não" | "否" | "いいえ" | "不是" => {
            Some(false)
        }
        _ => None,
    }
}

/// A number without a fraction as an integer: 24e6 is 24000000.
pub(crate) fn plain_number(number: Number) -> Value {
    match whole(&number).filter(|_| number.is_f64()) {
        Some(number) => json!(number),
        None => Value::Number(number),
    }
}

/// An amount with its currency, and with thousands or millions as words.
pub(crate) fn amount_in(text: &str) -> Option<Number> {
    let small = text.trim().to_lowercase();
    let bare = ["us$", "usd", "$", "€", "£", "¥", "eur", "gbp", "dollars", "dollar", "euros", "euro"];
    let mut rest = small.as_str();
    for sign in bare {
        rest = rest.trim().strip_prefix(sign).unwrap_or(rest).trim();
        rest = rest.strip_suffix(sign).unwrap_or(rest).trim();
    }
    let digits = rest.trim_end_matches(|c: char| c.is_alphabetic());
    let factor = match rest[digits.len()..].trim() {
        "" => 1.0,
        "k" | "thousand" => 1e3,
        "m" | "mn" | "mio" | "million" | "millions" => 1e6,
        "b" | "bn" | "billion" | "billions" => 1e9,
        _ => return None,
    };
    let amount = number_in(digits)?.as_f64()? * factor;
    // A product of decimals is rounded to cents.
    Number::from_f64((amount * 100.0).round() / 100.0)
}

/// A date as YYYY-MM-DD, if its parts are unambiguous.
pub(crate) fn day(text: &str) -> Option<String> {
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
    let text = text.trim();
    let is_digit = |c: char| c.is_ascii_digit();
    let numbers: Vec<&str> = text.split(|c: char| !is_digit(c)).filter(|part| !part.is_empty()).collect();
    let word: String = text.chars().filter(|c| c.is_ascii_alphabetic()).collect::<String>().to_lowercase();
    let month_of = |word: &str| {
        MONTHS.iter().position(|month| *month == word || (word.len() == 3 && month.starts_with(word)))
    };
    let (year, month, day) = match numbers[..] {
        [year, month, day, ..] if year.len() == 4 => {
            let begins = text.starts_with(year) && (numbers.len() == 3 || text.contains(['T', ' ']));
            (year, month.parse().ok().filter(|_| begins)?, day)
        }
        [day, year] if year.len() == 4 && day.len() <= 2 => {
            let without_end = || ["st", "nd", "rd", "th"].iter().find_map(|end| word.strip_suffix(end));
            let month = month_of(&word).or_else(|| without_end().and_then(month_of))?;
            (year, month + 1, day)
        }
        _ => return None,
    };
    let day: u32 = day.parse().ok().filter(|day| (1..=31).contains(day))?;
    (1..=12).contains(&month).then(|| format!("{year}-{month:02}-{day:02}"))
}

/// The bytes of groups of thousands after a number: `,000,000`.
pub(crate) fn thousands(rest: &str) -> usize {
    let mut bytes = 0;
    while let Some(group) = rest[bytes..].strip_prefix(',') {
        let digits = group.bytes().take_while(u8::is_ascii_digit).count();
        if digits != 3 {
            break;
        }
        bytes += 4;
    }
    bytes
}

/// A number as in JSON, or with a plus, a leading point, or underscores between its digits.
pub(crate) fn number(word: &str) -> Option<Number> {
    if let Ok(number) = serde_json::from_str(word) {
        return Some(number);
    }
    let narrow: String = word.chars().map(narrowed).collect();
    let plain = narrow.strip_prefix('+').unwrap_or(&narrow).replace('_', "");
    let is_number = plain.chars().all(|c| c.is_ascii_digit() || "-.eE+".contains(c))
        && plain.contains(|c: char| c.is_ascii_digit());
    if !is_number {
        return None;
    }
    let whole = plain.trim_end_matches('.');
    let digits = whole.trim_start_matches('0');
    let whole =
        if digits.is_empty() || !digits.starts_with(|c: char| c.is_ascii_digit()) { whole } else { digits };
    match whole.parse::<i64>() {
        Ok(number) => Some(number.into()),
        Err(_) => whole.parse::<f64>().ok().and_then(Number::from_f64),
    }
}

/// The half-width form of a full-width digit.
fn narrowed(character: char) -> char {
    match character {
        '０'..='９' => char::from_u32(u32::from(character) - 0xFEE0).unwrap_or(character),
        other => other,
    }
}
