//! The keys of the unknown pipeline: one of every role, under names that stand nowhere else. Their values are plain
//! JSON, because what is tried with them is the page.

use std::borrow::Cow;

use kernel::{Key, KeyDeclaration, Role};
use serde_json::{Value, json};

const fn word(text: &'static str) -> Cow<'static, str> {
    Cow::Borrowed(text)
}

pub(crate) const ERRAND: Key<Value> = Key::new("errand_slip", "Errand", Role::Input);
pub(crate) const COURSE: Key<Value> = Key::new("course_card", "Course", Role::Plan);
pub(crate) const EVIDENCE: Key<Value> =
    Key::new("evidence_box", "Evidence", Role::Sources { items: word("pieces") });
pub(crate) const WAYPOINTS: Key<Value> = Key::new("waypoint_list", "Waypoints", Role::Places);
pub(crate) const TONE: Key<Value> = Key::new("tone_wish", "Tone", Role::Data);
pub(crate) const MANUSCRIPT: Key<Value> = Key::new(
    "manuscript_leaf",
    "Manuscript",
    Role::Draft { edit: word("body"), words: word("length"), word_limit: 60 },
);
pub(crate) const MEASURES: Key<Value> = Key::new("measure_strip", "Measures", Role::Checks);
pub(crate) const VERDICT: Key<Value> = Key::new(
    "verdict_sheet",
    "Verdict",
    Role::Review { notes: word("said"), issues: word("faults"), ready: word("goes") },
);
pub(crate) const LAPS: Key<Value> = Key::new("lap_board", "Laps", Role::Rounds);
pub(crate) const IMPRINT: Key<Value> = Key::new("imprint_leaf", "Imprint", Role::Final);
pub(crate) const CAUTION: Key<Value> = Key::new("caution_note", "Caution", Role::Remark);

/// All keys in display order.
pub(crate) fn declarations() -> Vec<KeyDeclaration> {
    [
        &ERRAND,
        &COURSE,
        &EVIDENCE,
        &WAYPOINTS,
        &TONE,
        &MANUSCRIPT,
        &MEASURES,
        &VERDICT,
        &LAPS,
        &IMPRINT,
        &CAUTION,
    ]
    .map(|key| key.declare(json!({})))
    .into()
}
