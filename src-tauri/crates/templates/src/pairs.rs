//! Grades pairs of a template and a summary: nothing wrong is stated, and every value with a label is filled in.

use crate::cases::{list, text};
use crate::{check_filled, check_grounded, check_pruned, enrich, fill, placeholders, prune};
use serde_json::Value;
use std::path::Path;

/// The results of the pairs of one file.
#[derive(Debug, Default, PartialEq)]
struct Grade {
    answered: u32,
    filled: u32,
    labelled: u32,
    labelled_filled: u32,
    /// Values that are not in the summary, and sentences without a placeholder that it does not support.
    wrong: Vec<String>,
    /// Supported sentences that were removed.
    lost: Vec<String>,
    /// The number of sentences that were rightly removed, out of all that should be.
    removed: (u32, u32),
    accused: Vec<String>,
}

fn add(pair: &Value, grade: &mut Grade) {
    let (name, template, summary) = (text(pair, "name"), text(pair, "template"), text(pair, "summary"));
    let pruned = prune(template, summary);
    let filled = fill(&pruned.text, summary);
    assert_eq!(check_pruned(template, &pruned.text), [], "{name}");
    assert_eq!(check_filled(&pruned.text, &filled.text), [], "{name}");
    let marks = placeholders(template);
    let written: Vec<&str> = marks.iter().map(|mark| &template[mark.place.clone()]).collect();
    let expected: Vec<&str> = list(pair, "marks").into_iter().map(|mark| text(mark, "written")).collect();
    assert_eq!(written, expected, "{name}");
    // The kept placeholders, in the order of the template.
    let kept = placeholders(&pruned.text);
    let mut values = filled.filled.iter().peekable();
    let mut next = kept.iter().peekable();
    for (mark, gold) in marks.iter().zip(list(pair, "marks")) {
        let allowed: Vec<&str> = list(gold, "allowed").into_iter().filter_map(Value::as_str).collect();
        let is_labelled = gold.get("must").is_some();
        grade.answered += u32::from(!allowed.is_empty());
        grade.labelled += u32::from(is_labelled);
        let Some(here) = next.next_if(|other| other.name == mark.name) else { continue };
        let Some(value) = values.next_if(|one| one.placeholder.place == here.place) else { continue };
        if allowed.contains(&value.value.as_str()) {
            grade.filled += 1;
            grade.labelled_filled += u32::from(is_labelled);
        } else {
            grade.wrong.push(format!("{name}: {} = {:?}, from {:?}", mark.name, value.value, value.from));
        }
    }
    for sentence in list(pair, "sentences") {
        let words = text(sentence, "text");
        let stands = pruned.text.contains(words);
        match text(sentence, "verdict") {
            "keep" if !stands => grade.lost.push(format!("{name}: {words}")),
            "remove" => {
                grade.removed.0 += u32::from(!stands);
                grade.removed.1 += 1;
                if stands && placeholders(words).is_empty() {
                    grade.wrong.push(format!("{name}: {words}"));
                }
                if !stands {
                    assert!(
                        pruned.removed.iter().any(|removal| removal.sentence == words),
                        "{name}: {words}"
                    );
                }
            }
            _ => {}
        }
    }
    let enriched = enrich(&filled.text, summary);
    let breaches = check_grounded(&enriched.text, template, summary);
    grade.accused.extend(breaches.into_iter().map(|breach| format!("{name}: {breach:?}")));
}

/// Grades the pairs of a file.
fn grade(path: &Path) -> Grade {
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON");
    let mut grade = Grade::default();
    list(&file, "pairs").into_iter().for_each(|pair| add(pair, &mut grade));
    println!("{}: {grade:#?}", path.display());
    grade
}

#[test]
fn pairs_state_nothing_beyond_their_summary_and_every_label_is_read() {
    for file in ["findings.json", "twenty.json", "held_back.json"] {
        let grade = grade(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/pairs").join(file));
        assert_eq!(grade.labelled_filled, grade.labelled, "{file}");
        assert!(grade.wrong.is_empty() && grade.lost.is_empty() && grade.accused.is_empty(), "{file}");
    }
}
