//! The issues of all reviews of a run: how reviews create and update them, what the person decides, and what the writer
//! reads.
//!
//! Not here: finding a passage (`prose`), and the question between review and rewrite (`issue_gate`).

use std::collections::BTreeSet;

use kernel::{
    Anchor, Code, Error, Issue, IssueDecision, IssueStanding, Issues, PipelineDefinition, RaisedIssue, Role,
    State, phrase,
};
use prose::{TextQuote, similarity};
use serde::Deserialize;
use serde_json::Value as Json;

/// Least similarity of the words of two issues to be the same issue.
const SAME_WORDS: f64 = 0.8;
/// Least similarity if both concern the same passage.
const SAME_PLACE: f64 = 0.4;

/// The quotation marks around a quotation of the draft.
const QUOTES: [(char, char); 5] = [('“', '”'), ('"', '"'), ('«', '»'), ('「', '」'), ('『', '』')];

/// The quotation of a passage, in the form of the state.
pub(crate) fn anchor(quote: TextQuote) -> Anchor {
    let TextQuote { exact, prefix, suffix } = quote;
    Anchor { exact, prefix, suffix }
}

/// The quotation that finds an anchor again.
pub(crate) fn quote(anchor: &Anchor) -> TextQuote {
    let Anchor { exact, prefix, suffix } = anchor.clone();
    TextQuote { exact, prefix, suffix }
}

/// The issues in a state; `None` without a review.
pub(crate) fn issues_in(definition: &PipelineDefinition, state: &State) -> Option<Issues> {
    let value = state.get(definition.issues_key()?)?;
    Issues::deserialize(value.json_or_null()).ok()
}

/// The number of issues that the person has not decided.
pub(crate) fn undecided(issues: &Issues) -> usize {
    issues.issues.iter().filter(|issue| issue.is_open() && issue.decision.is_none()).count()
}

/// Whether there are open issues and the person dismissed all of them.
pub(crate) fn are_dismissed(issues: &Issues) -> bool {
    let mut open = issues.issues.iter().filter(|issue| issue.is_open()).peekable();
    open.peek().is_some() && open.all(Issue::is_dismissed)
}

/// The issues of a review; `None` if the value is no review. If a review is not ready and lists none, its notes become
/// the only issue, so that there is something to decide.
fn raised(role: &Role, review: &Json) -> Option<Vec<RaisedIssue>> {
    let Role::Review { notes, issues, ready } = role else { return None };
    let listed = review.get(issues.as_ref()).and_then(|list| Vec::<RaisedIssue>::deserialize(list).ok());
    let mut raised = listed.unwrap_or_default();
    raised.retain(|issue| !parts(issue).0.trim().is_empty());
    let is_ready = review.get(ready.as_ref()).and_then(Json::as_bool).unwrap_or_default();
    let notes = review.get(notes.as_ref()).and_then(Json::as_str).unwrap_or_default().trim();
    if raised.is_empty() && !is_ready && !notes.is_empty() {
        raised.push(RaisedIssue::Text(notes.to_owned()));
    }
    Some(raised)
}

/// The sentence of an issue, its passage and its severity.
fn parts(issue: &RaisedIssue) -> (&str, &str, &str) {
    match issue {
        RaisedIssue::Text(text) => (text, "", ""),
        RaisedIssue::Detailed { text, passage, severity } => (text, passage, severity),
    }
}

/// The passage of the draft that an issue quotes.
fn anchor_of(text: &str, passage: &str, draft: &str) -> Option<Anchor> {
    let mut quoted: Vec<&str> = QUOTES.iter().flat_map(|marks| between(text, *marks)).collect();
    // The longest quotation is the most specific.
    quoted.sort_by_key(|quote| std::cmp::Reverse(quote.len()));
    let passages =
        std::iter::once(passage).chain(quoted).map(str::trim).filter(|text| text.chars().count() > 2);
    passages.into_iter().find_map(|passage| {
        let found = TextQuote { exact: passage.to_owned(), ..TextQuote::default() }.find(draft)?;
        Some(anchor(TextQuote::of(draft, found)))
    })
}

fn between(text: &str, (open, close): (char, char)) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, behind)) = rest.split_once(open) {
        let Some((inner, after)) = behind.split_once(close) else { break };
        found.push(inner);
        rest = after;
    }
    found
}

/// The similarity of an earlier issue to this one; `None` if it is another issue.
fn likeness(known: &Issue, text: &str, anchor: Option<&Anchor>) -> Option<f64> {
    let words = similarity(&known.text, text);
    let is_same_place = match (&known.anchor, anchor) {
        (Some(a), Some(b)) => a.exact.contains(&b.exact) || b.exact.contains(&a.exact),
        _ => false,
    };
    let needed = if is_same_place { SAME_PLACE } else { SAME_WORDS };
    (words >= needed).then_some(words + if is_same_place { 1.0 } else { 0.0 })
}

/// The issues after a review of this draft; `None` without a review desk or without any issue.
pub(crate) fn after_review(
    definition: &PipelineDefinition,
    state: &State,
    role: &Role,
    review: &Json,
    draft: &str,
) -> Option<Issues> {
    definition.issues_key()?;
    let raised = raised(role, review)?;
    let mut issues = issues_in(definition, state).unwrap_or_default();
    if raised.is_empty() && issues.issues.is_empty() {
        return None;
    }
    issues.reviews = issues.reviews.saturating_add(1);
    issues.is_draft_accepted = false;
    let number = issues.reviews;
    let mut met: BTreeSet<u32> = BTreeSet::new();
    for one in &raised {
        let (text, passage, severity) = parts(one);
        let found = anchor_of(text, passage, draft);
        let same = issues
            .issues
            .iter()
            .filter(|known| !met.contains(&known.id))
            .filter_map(|known| Some((likeness(known, text, found.as_ref())?, known.id)))
            .max_by(|a, b| a.0.total_cmp(&b.0));
        let id = same.map_or_else(|| next_id(&issues), |(_, id)| id);
        met.insert(id);
        let known = issues.issues.iter_mut().find(|known| known.id == id);
        match known {
            None => issues.issues.push(Issue {
                id,
                text: text.to_owned(),
                severity: severity.to_owned(),
                anchor: found,
                first_review: number,
                last_review: number,
                ..Issue::default()
            }),
            Some(known) => {
                let is_back = known.standing != IssueStanding::Open;
                known.standing = if is_back { IssueStanding::CameBack } else { IssueStanding::Open };
                // An accepted issue that is raised again is open again; a dismissed one stays dismissed while its text
                // is the same.
                let is_same =
                    similarity(&known.text, text) >= SAME_WORDS && figures(&known.text) == figures(text);
                let is_dismissed = known.decision == Some(IssueDecision::Dismissed) && is_same;
                known.decision = is_dismissed.then_some(IssueDecision::Dismissed);
                known.anchor = found.or(known.anchor.take());
                (known.text, known.severity) = (text.to_owned(), severity.to_owned());
                known.last_review = number;
            }
        }
    }
    for gone in issues.issues.iter_mut().filter(|issue| !met.contains(&issue.id)) {
        gone.standing = IssueStanding::Resolved;
    }
    Some(issues)
}

/// The figures of an issue: the same words with other figures are another issue.
fn figures(text: &str) -> Vec<&str> {
    text.split(|letter: char| !letter.is_ascii_digit()).filter(|figure| !figure.is_empty()).collect()
}

fn next_id(issues: &Issues) -> u32 {
    issues.issues.iter().map(|issue| issue.id).max().unwrap_or_default().saturating_add(1)
}

/// The issues with their passages in a changed draft; `None` if none moved.
pub(crate) fn anchored(definition: &PipelineDefinition, state: &State, draft: &str) -> Option<Issues> {
    let before = issues_in(definition, state)?;
    let mut issues = before.clone();
    for place in issues.issues.iter_mut().filter_map(|issue| issue.anchor.as_mut()) {
        if let Some(found) = quote(place).find(draft) {
            *place = anchor(TextQuote::of(draft, found));
        }
    }
    (issues != before).then_some(issues)
}

/// The issues with a change of one of them.
///
/// # Errors
/// `not_found` lists the existing issues.
pub(crate) fn with_issue(
    definition: &PipelineDefinition,
    state: &State,
    id: u32,
    change: impl FnOnce(&mut Issue),
) -> Result<Issues, Error> {
    let mut issues = issues_in(definition, state).unwrap_or_default();
    let known: Vec<u32> = issues.issues.iter().map(|issue| issue.id).collect();
    match issues.issues.iter_mut().find(|issue| issue.id == id) {
        Some(issue) => change(issue),
        None if known.is_empty() => {
            let message = phrase!("There is no issue {id}: no review of this run has raised one", id);
            return Err(Error::new(Code::NotFound, message));
        }
        None => {
            return Err(Error::new(
                Code::NotFound,
                phrase!("There is no issue {id}; there is {known}", id, known),
            ));
        }
    }
    Ok(issues)
}

/// A review in the form for the writer: without dismissed issues, and with the person's replies. The reviewer's notes
/// are left out if an issue was dismissed, because they may mention it.
pub(crate) fn for_writer(role: &Role, review: &Json, issues: &Issues) -> Json {
    let Role::Review { notes, issues: field, .. } = role else { return review.clone() };
    let mut visible = review.clone();
    let is_dismissed = issues.issues.iter().any(|issue| issue.is_open() && issue.is_dismissed());
    if is_dismissed && let Some(notes) = visible.get_mut(notes.as_ref()) {
        *notes = Json::String(String::new());
    }
    let notes = visible.get(notes.as_ref()).and_then(Json::as_str).unwrap_or_default().trim().to_owned();
    let Some(list) = visible.get_mut(field.as_ref()).and_then(Json::as_array_mut) else { return visible };
    let known = |raised: &Json| {
        let raised = RaisedIssue::deserialize(raised).ok()?;
        let text = parts(&raised).0.to_owned();
        issues.issues.iter().find(|issue| issue.text == text)
    };
    let mut lines: Vec<Json> = Vec::new();
    for raised in list.drain(..) {
        match known(&raised) {
            Some(issue) if issue.is_dismissed() => {}
            Some(issue) if !issue.reply.is_empty() => lines.push(replied(issue).into()),
            _ => lines.push(raised),
        }
    }
    // If the notes were the only issue, its reply is added, too.
    let of_notes = issues.issues.iter().find(|issue| issue.is_open() && issue.text == notes);
    if let Some(issue) = of_notes.filter(|issue| !issue.reply.is_empty() && lines.is_empty()) {
        lines.push(replied(issue).into());
    }
    *list = lines;
    visible
}

fn replied(issue: &Issue) -> String {
    format!("{}\n\nReply of the person: {}", issue.text, issue.reply)
}

#[cfg(test)]
mod tests {
    use kernel::Delta;
    use serde_json::json;

    use super::*;

    const DRAFT: &str = "The model doubles the speed [1]. Nobody was asked about it. It costs nothing.";

    fn definition() -> PipelineDefinition {
        let key = |role: Json| json!({"title": "Key", "role": role});
        let written = json!({
            "id": "note", "title": "Note", "flow": {"steps": []},
            "key": {"note": key(json!({"draft": "text"})), "marks": key(json!("review"))}
        });
        serde_json::from_value::<PipelineDefinition>(written).unwrap().with_review_desk()
    }

    fn review(definition: &PipelineDefinition, state: &mut State, issues: Json) -> Issues {
        let role = definition.role("marks").unwrap();
        let value = json!({"notes": "As listed.", "issues": issues, "ready": false});
        let after = after_review(definition, state, role, &value, DRAFT).unwrap();
        state.apply(&Delta::of("marks", value).with("marks_issues", json!(after)));
        after
    }

    #[test]
    fn issues_keep_their_number_and_are_open_resolved_or_back() {
        let (definition, mut state) = (definition(), State::default());
        let of_speed = "“doubles the speed” is not what [1] says";
        let first = review(&definition, &mut state, json!([of_speed, "the text is too long"]));
        assert_eq!(first.issues[0].anchor.as_ref().unwrap().exact, "doubles the speed");
        assert_eq!((first.issues[1].id, &first.issues[1].anchor), (2, &None));
        let second = review(&definition, &mut state, json!(["the text is far too long"]));
        let standing = |issues: &Issues| issues.issues.iter().map(|issue| issue.standing).collect::<Vec<_>>();
        assert_eq!(standing(&second), [IssueStanding::Resolved, IssueStanding::Open]);
        // Other words about the same passage are the same issue.
        let again =
            json!([{"text": "what [1] says is not this", "passage": "doubles the speed"}, "no title"]);
        let third = review(&definition, &mut state, again);
        assert_eq!(standing(&third), [IssueStanding::CameBack, IssueStanding::Resolved, IssueStanding::Open]);
        assert_eq!((third.issues[0].first_review, third.issues[0].last_review), (1, 3));
    }

    #[test]
    fn the_writer_reads_issues_that_are_not_dismissed_and_replies() {
        let (definition, mut state) = (definition(), State::default());
        review(&definition, &mut state, json!(["too long", "no source for “It costs nothing.”", "no title"]));
        let mut issues =
            with_issue(&definition, &state, 2, |issue| issue.decision = Some(IssueDecision::Dismissed))
                .unwrap();
        issues.issues[0].reply = "Cut the second sentence".into();
        let role = definition.role("marks").unwrap();
        let visible = for_writer(role, state.get("marks").unwrap().json_or_null(), &issues);
        assert_eq!(
            visible["issues"],
            json!(["too long\n\nReply of the person: Cut the second sentence", "no title"])
        );
        assert_eq!(visible["notes"], "");
        assert!(with_issue(&definition, &state, 9, |_| {}).unwrap_err().message.contains("1, 2"));
        // A dismissed issue that is raised again stays dismissed.
        state.apply(&Delta::of("marks_issues", json!(issues)));
        let next = review(&definition, &mut state, json!(["no source for “It costs nothing.”"]));
        assert!(next.issues[1].is_dismissed() && undecided(&next) == 0);
        // Another problem of the same passage is open.
        state.apply(&Delta::of("marks_issues", json!(next)));
        let other =
            review(&definition, &mut state, json!(["“It costs nothing.” is wrong: [1] says 5 euros"]));
        assert_eq!(undecided(&other), 1, "{other:?}");
    }
}
