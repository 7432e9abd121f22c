//! The pipeline's texts in the language of the visit, from the table `words.toml`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jiff::civil::Date;
use kernel::{Json, Phrase};
use serde::Deserialize;

/// Texts by name.
type Texts = BTreeMap<String, String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    en: Texts,
    zh: Texts,
    ja: Texts,
    notes: BTreeMap<String, Texts>,
}

static TABLE: LazyLock<Written> = LazyLock::new(|| {
    // A test reads the table, so an unreadable one never gets here.
    toml_edit::de::from_str(include_str!("words.toml"))
        .unwrap_or_else(|why| unreachable!("the words of visits cannot be read: {why}"))
});

/// The language of a visit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    English,
    Chinese,
    Japanese,
}

impl Language {
    /// The language of a locale such as `zh-CN`; English for any other.
    pub(super) fn of_locale(locale: &str) -> Language {
        match locale.get(..2).map(str::to_lowercase).as_deref() {
            Some("zh") => Language::Chinese,
            Some("ja") => Language::Japanese,
            _ => Language::English,
        }
    }

    /// The language of a request: kana means Japanese, ideographs alone mean Chinese.
    pub(super) fn of_text(text: &str) -> Language {
        let is_kana = |c: char| matches!(c, '\u{3041}'..='\u{30ff}');
        let is_ideograph = |c: char| matches!(c, '\u{3400}'..='\u{9fff}');
        match (text.chars().any(is_kana), text.chars().any(is_ideograph)) {
            (true, _) => Language::Japanese,
            (false, true) => Language::Chinese,
            (false, false) => Language::English,
        }
    }

    pub(super) fn locale(self) -> &'static str {
        match self {
            Language::English => "en-US",
            Language::Chinese => "zh-CN",
            Language::Japanese => "ja-JP",
        }
    }

    /// The two-letter code.
    pub(super) fn code(self) -> &'static str {
        &self.locale()[..2]
    }

    /// A text with its placeholders filled.
    pub(super) fn say(self, name: &str, values: &[(&str, String)]) -> String {
        let table = &*TABLE;
        let texts = match self {
            Language::English => &table.en,
            Language::Chinese => &table.zh,
            Language::Japanese => &table.ja,
        };
        let value =
            |place: &str| values.iter().find(|(known, _)| *known == place).map(|(_, value)| value.clone());
        filled(texts.get(name).map_or("", String::as_str), value)
    }

    /// A note of a tool in this language; in English if the table does not have it.
    pub(super) fn note(self, note: &Phrase) -> String {
        let row = TABLE.notes.get(self.code()).and_then(|notes| notes.get(&note.id));
        row.map_or_else(
            || note.to_string(),
            |text| filled(text, |place| Some(self.parameter(note.parameters.get(place)?))),
        )
    }

    /// Whether the table has a note in this language.
    fn knows(self, note: &Phrase) -> bool {
        self == Language::English
            || TABLE.notes.get(self.code()).is_some_and(|notes| notes.contains_key(&note.id))
    }

    /// The value of a note's placeholder: a text, a number, or a phrase.
    fn parameter(self, Json(value): &Json) -> String {
        match (value.as_str(), Phrase::deserialize(value)) {
            (Some(text), _) => text.to_owned(),
            // An English reason of a service inside a text in another language is replaced by a reference to the
            // journal.
            (None, Ok(phrase)) if !self.knows(&phrase) => self.say("in_journal", &[]),
            (None, Ok(phrase)) => self.note(&phrase),
            (None, Err(_)) => value.to_string(),
        }
    }

    /// A date, written out.
    pub(super) fn day(self, day: Date) -> String {
        let nth = |name: &str, index: i8| {
            let all = self.say(name, &[]);
            let index = usize::try_from(index).unwrap_or(0);
            all.split(',').nth(index).unwrap_or_default().to_owned()
        };
        let values = [
            ("weekday", nth("weekdays", day.weekday().to_monday_zero_offset())),
            ("day", day.day().to_string()),
            ("month", nth("months", day.month() - 1)),
            ("month_number", day.month().to_string()),
            ("year", day.year().to_string()),
        ];
        self.say("date", &values)
    }

    /// A duration, rounded to minutes.
    pub(super) fn duration(self, seconds: u32) -> String {
        let minutes = seconds.saturating_add(30) / 60;
        let (hours, rest) = (minutes / 60, minutes % 60);
        let name = if hours == 0 { "minutes" } else { "hours_minutes" };
        self.say(name, &[("hours", hours.to_string()), ("minutes", rest.to_string())])
    }
}

/// Fills `{name}`, and of `{name|point|points}` the first form if the value is 1, else the second.
fn filled(text: &str, value: impl Fn(&str) -> Option<String>) -> String {
    let mut said = String::new();
    let mut rest = text;
    // A filled value is never parsed again: it may contain braces.
    while let Some((before, behind)) = rest.split_once('{') {
        let (place, after) = behind.split_once('}').unwrap_or((behind, ""));
        let (name, forms) =
            place.split_once('|').map_or((place, None), |(name, forms)| (name, forms.split_once('|')));
        let value = value(name).unwrap_or_default();
        said.push_str(before);
        said.push_str(match forms {
            Some((one, _)) if value == "1" => one,
            Some((_, other)) => other,
            None => &value,
        });
        rest = after;
    }
    said + rest
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use kernel::phrase;

    use super::*;

    /// The names of the placeholders of a text.
    fn places(text: &str) -> BTreeSet<&str> {
        let places = text.split('{').skip(1).filter_map(|part| Some(part.split_once('}')?.0));
        places.filter_map(|place| place.split('|').next()).collect()
    }

    #[test]
    fn every_language_has_the_same_texts_with_the_same_placeholders() {
        for (language, texts) in [("zh", &TABLE.zh), ("ja", &TABLE.ja)] {
            assert_eq!(texts.keys().collect::<Vec<_>>(), TABLE.en.keys().collect::<Vec<_>>(), "{language}");
            for (name, text) in texts.iter().filter(|(name, _)| *name != "date") {
                assert_eq!(places(text), places(&TABLE.en[name]), "{language} {name}");
            }
        }
    }

    #[test]
    fn every_note_is_translated_with_its_placeholders() {
        let ids = |language: &str| TABLE.notes[language].keys().collect::<BTreeSet<_>>();
        assert_eq!(ids("zh"), ids("ja"));
        for (language, notes) in &TABLE.notes {
            for (id, text) in notes {
                assert_eq!(places(id), places(text), "{language} {id}");
            }
        }
    }

    #[test]
    fn a_note_is_translated_with_its_values() {
        let silent = phrase!("{service} gives ways on foot only", service = "OSRM");
        let note = phrase!("The ways could not be asked for, so they are estimated: {why}", why = silent);
        assert_eq!(Language::Chinese.note(&note), "无法查询路线，因此按估算：OSRM 只给出步行路线");
        assert_eq!(Language::English.note(&note), note.english());
        let of = |unplaced: u32| {
            Language::English
                .note(&phrase!("{unplaced} points were left out: nobody wrote down where they are", unplaced))
        };
        assert_eq!(of(1), "1 point was left out: nobody wrote down where it is");
        assert_eq!(of(2), "2 points were left out: nobody wrote down where they are");
        let unknown = phrase!("{words}", words = "{words}");
        assert_eq!(Language::Japanese.note(&unknown), "{words}");
    }

    #[test]
    fn a_day_is_written_as_people_write_it() {
        let day = jiff::civil::date(2026, 12, 5);
        assert_eq!(Language::English.day(day), "Saturday, 5 December 2026");
        assert_eq!(Language::Chinese.day(day), "2026年12月5日（星期六）");
        assert_eq!(Language::Japanese.day(day), "2026年12月5日（土）");
    }

    #[test]
    fn a_filled_value_is_not_filled_again() {
        let said = Language::English.say("left_out", &[("names", "{names} {x".to_owned())]);
        assert_eq!(said, "Not visited: {names} {x.");
    }

    #[test]
    fn the_language_of_a_request_follows_from_its_script() {
        assert_eq!(Language::of_text("松本駅から歩きたい"), Language::Japanese);
        assert_eq!(Language::of_text("我在松本站"), Language::Chinese);
        assert_eq!(Language::of_text("Matsumoto"), Language::English);
        assert_eq!(Language::of_locale("ja-JP"), Language::Japanese);
    }
}
