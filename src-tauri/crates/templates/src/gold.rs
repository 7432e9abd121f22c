//! Grades the six gold templates as their README says.

use crate::cases::{list, text};
use crate::{check_enriched, check_filled, check_grounded, check_pruned, enrich, fill, filled_values};
use crate::{placeholders, prune};
use serde_json::Value;
use std::fmt::Write as _;
use std::path::Path;

#[derive(Clone, Copy, Default)]
struct Grade {
    right: u32,
    wrong: u32,
    answered: u32,
    left_open: u32,
    to_leave: u32,
    kept: u32,
    supported: u32,
    removed: u32,
    unsupported: u32,
    invented: u32,
}

impl Grade {
    fn add(&mut self, other: Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.answered += other.answered;
        self.left_open += other.left_open;
        self.to_leave += other.to_leave;
        self.kept += other.kept;
        self.supported += other.supported;
        self.removed += other.removed;
        self.unsupported += other.unsupported;
        self.invented += other.invented;
    }

    fn row(&self, name: &str) -> String {
        let share = |part: u32, all: u32| {
            format!("{part:>3}/{all:<3} {:>5.1} %", 100.0 * f64::from(part) / f64::from(all.max(1)))
        };
        format!(
            "{name:<26} filled {}  wrong {}  left open {}  kept {}  removed {}  invented {}",
            share(self.right, self.answered),
            self.wrong,
            share(self.left_open, self.to_leave),
            share(self.kept, self.supported),
            share(self.removed, self.unsupported),
            self.invented
        )
    }

    /// The requirement: nothing wrong or invented is stated, and at most a twentieth of the supported text is removed,
    /// with a note.
    fn check(&self, name: &str) {
        assert_eq!(self.wrong, 0, "{name}: values that the summary does not give");
        assert_eq!(self.left_open, self.to_leave, "{name}: placeholders that the summary does not answer");
        assert_eq!(self.invented, 0, "{name}: invented figures or names");
        assert!(self.kept * 20 >= self.supported * 19, "{name}: supported sentences kept");
    }
}

fn spaced(text: &str) -> String {
    text.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The marks of a sentence in order, with their answers.
fn marks<'v>(gold: &'v Value, sentence: &str) -> Vec<(&'v str, Vec<&'v str>)> {
    let mut found: Vec<(usize, &str, Vec<&str>)> = Vec::new();
    for key in ["placeholders", "choices"] {
        let mut from: Vec<(&str, usize)> = Vec::new();
        for entry in list(gold, key).into_iter().filter(|entry| text(entry, "sentence") == sentence) {
            let written = text(entry, "written");
            let start = from.iter().rfind(|(other, _)| *other == written).map_or(0, |(_, end)| *end);
            let at = sentence[start..].find(written).expect("a mark of its sentence") + start;
            from.push((written, at + written.len()));
            let answers = list(entry, "answers").into_iter().filter_map(Value::as_str).collect();
            found.push((at, written, answers));
        }
    }
    found.sort_by_key(|(at, _, _)| *at);
    found.into_iter().map(|(_, written, answers)| (written, answers)).collect()
}

fn grade(gold: &Value, log: &mut String) -> Grade {
    let (template, summary) = (text(gold, "template"), text(gold, "summary"));
    let pruned = prune(template, summary);
    let filled = fill(&pruned.text, summary);
    let mut grade = Grade::default();
    let mut at = 0;
    for sentence in list(gold, "sentences") {
        let words = text(sentence, "text");
        let is_supported = sentence.get("supported").and_then(Value::as_bool).unwrap_or_default();
        let place = pruned.text[at..].find(words).map(|found| at + found);
        if let Some(place) = place {
            at = place + words.len();
        }
        if !is_supported {
            grade.unsupported += 1;
            grade.removed += u32::from(place.is_none());
            if place.is_some() {
                let _ = writeln!(log, "  not removed: {words}");
            }
            continue;
        }
        grade.supported += 1;
        grade.kept += u32::from(place.is_some());
        if place.is_none() {
            let why =
                pruned.removed.iter().find(|removal| removal.sentence == words).map(|removal| removal.why);
            let _ = writeln!(log, "  not kept: {words} {why:?}");
        }
        let mut next = place.unwrap_or_default();
        for (written, answers) in marks(gold, words) {
            let mark = place.map(|_| next + pruned.text[next..].find(written).expect("a mark that was kept"));
            next = mark.map_or(next, |mark| mark + written.len());
            let value = mark.and_then(|mark| {
                filled
                    .filled
                    .iter()
                    .find(|one| one.placeholder.place.start == mark)
                    .map(|one| one.value.as_str())
            });
            if answers.is_empty() {
                grade.to_leave += 1;
                grade.left_open += u32::from(value.is_none());
                if let Some(value) = value {
                    let _ = writeln!(log, "  not left open: {written} = {value:?} in: {words}");
                }
                continue;
            }
            grade.answered += 1;
            let is_right = value.is_some_and(|value| {
                let value = format!(" {} ", spaced(value));
                answers.iter().any(|answer| is_within(&value, &spaced(answer)))
            });
            grade.right += u32::from(is_right);
            grade.wrong += u32::from(value.is_some() && !is_right);
            if !is_right && value.is_some() {
                let _ = writeln!(log, "  wrong: {written} = {value:?}, not {:?}, in: {words}", answers[0]);
            }
        }
    }
    assert_eq!(check_pruned(template, &pruned.text), []);
    assert_eq!(check_filled(&pruned.text, &filled.text), []);
    let values = filled_values(&pruned.text, &filled.text);
    assert_eq!(values.len(), placeholders(&pruned.text).len());
    let enriched = enrich(&filled.text, summary);
    assert_eq!(check_enriched(&filled.text, &enriched.text), []);
    for addition in &enriched.added {
        let _ = writeln!(log, "  added: {}", addition.sentence);
    }
    for foreign in invented(gold, &enriched.text) {
        grade.invented += 1;
        let _ = writeln!(log, "  invented: {foreign}");
    }
    grade
}

/// Whether a value contains an answer, as whole words in scripts with spaces.
fn is_within(value: &str, answer: &str) -> bool {
    value.match_indices(answer).any(|(at, _)| {
        let before = value[..at].chars().next_back();
        let after = value[at + answer.len()..].chars().next();
        let parts = |mark: Option<char>| mark.is_none_or(|mark| !mark.is_ascii_alphanumeric());
        parts(before) && parts(after)
    })
}

/// Figures and names of a text that are neither listed nor in the summary or the template.
fn invented(gold: &Value, document: &str) -> Vec<String> {
    let listed: Vec<&str> = list(gold, "names_and_figures").into_iter().filter_map(Value::as_str).collect();
    let sources = [text(gold, "summary"), text(gold, "template"), &listed.join(" | ")].map(str::to_owned);
    let figures = |text: &str| -> Vec<String> {
        let parts = text.split(|c: char| !(c.is_ascii_digit() || matches!(c, '.' | ',' | ':')));
        let trimmed = parts.map(|part| part.trim_matches(['.', ',', ':']).to_owned());
        trimmed.filter(|part| part.contains(|c: char| c.is_ascii_digit())).collect()
    };
    let known: Vec<String> = sources.iter().flat_map(|source| figures(source)).collect();
    let mut found: Vec<String> =
        figures(document).into_iter().filter(|figure| !known.contains(figure)).collect();
    let breaches = check_grounded(document, &sources[1..].join("\n\n"), &sources[0]);
    found.extend(breaches.into_iter().map(|breach| breach.words));
    found
}

#[test]
fn nothing_wrong_is_stated_in_the_gold_templates() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/templates");
    let mut paths: Vec<_> = std::fs::read_dir(folder)
        .expect("the fixtures")
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    paths.sort();
    assert_eq!(paths.len(), 6);
    let mut grades: Vec<(String, String, Grade)> = Vec::new();
    for path in paths {
        let gold: Value =
            serde_json::from_str(&std::fs::read_to_string(&path).expect("a file")).expect("JSON");
        assert!(placeholders(text(&gold, "template")).len() >= 10);
        let mut log = String::new();
        let grade = grade(&gold, &mut log);
        println!("{}\n{log}", grade.row(text(&gold, "name")));
        grades.push((text(&gold, "name").to_owned(), text(&gold, "language").to_owned(), grade));
    }
    let mut all = Grade::default();
    for (name, _, grade) in &grades {
        println!("{}", grade.row(name));
        all.add(*grade);
    }
    for language in ["en", "ja", "zh"] {
        let mut group = Grade::default();
        grades.iter().filter(|(_, own, _)| own == language).for_each(|(_, _, grade)| group.add(*grade));
        println!("{}", group.row(language));
        group.check(language);
    }
    println!("{}", all.row("all"));
    all.check("all");
}

/// The placeholders that are found are those of the gold set, in order.
#[test]
fn the_placeholders_found_are_those_of_the_gold_set() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../tests/fixtures/templates");
    for entry in std::fs::read_dir(folder).expect("the fixtures").flatten() {
        if entry.path().extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        let gold: Value =
            serde_json::from_str(&std::fs::read_to_string(entry.path()).expect("a file")).expect("JSON");
        let template = text(&gold, "template");
        let found: Vec<&str> =
            placeholders(template).iter().map(|one| &template[one.place.clone()]).collect();
        let wanted: Vec<&str> = list(&gold, "sentences")
            .into_iter()
            .flat_map(|sentence| marks(&gold, text(sentence, "text")))
            .map(|(written, _)| written)
            .collect();
        assert_eq!(found, wanted, "{}", text(&gold, "name"));
    }
}
