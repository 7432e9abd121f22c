//! Times of day in words: `7`, `7:30`, `7:30 pm`, `noon`.

/// The hour, 0 to 23, and the minute, 0 to 59.
pub(crate) type TimeOfDay = (u8, u8);

/// Which half of the day a time of twelve hours names.
#[derive(Clone, Copy, PartialEq)]
enum Half {
    Morning,
    Afternoon,
}

/// Reads a time at the beginning of the words; returns it with the number of words that it takes.
pub(crate) fn time_of_day(words: &[String]) -> Option<(TimeOfDay, usize)> {
    let first = words.first()?.as_str();
    match first {
        "noon" => return Some(((12, 0), 1)),
        "midnight" => return Some(((0, 0), 1)),
        _ => {}
    }
    let (number, attached) = split_half(first);
    let (hour, minute) = match number.split_once(':') {
        Some((hour, minute)) if minute.len() == 2 => (hour.parse().ok()?, minute.parse().ok()?),
        Some(_) => return None,
        None => (number.parse().ok()?, 0),
    };
    let follows = words.get(1).map(String::as_str);
    let (half, taken) = match (attached, follows) {
        (Some(half), _) => (Some(half), 1),
        (None, Some("am" | "a.m.")) => (Some(Half::Morning), 2),
        (None, Some("pm" | "p.m.")) => (Some(Half::Afternoon), 2),
        (None, Some("o'clock" | "o’clock")) => (None, 2),
        (None, _) => (None, 1),
    };
    let hour: u8 = hour;
    let hour = match half {
        None if hour < 24 => hour,
        Some(half) if (1..=12).contains(&hour) => hour % 12 + if half == Half::Afternoon { 12 } else { 0 },
        _ => return None,
    };
    (minute < 60).then_some(((hour, minute), taken))
}

/// Splits `7am` into number and half.
fn split_half(word: &str) -> (&str, Option<Half>) {
    let endings = [("am", Half::Morning), ("pm", Half::Afternoon)];
    let found = endings.into_iter().find_map(|(ending, half)| Some((word.strip_suffix(ending)?, half)));
    found.map_or((word, None), |(number, half)| (number, Some(half)))
}
