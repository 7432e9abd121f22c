//! Retells a sentence of an article's authors in the third person.
//!
//! Only pronouns and what hangs on them change: every other word stays the authors' own, so that what is said
//! of an article stands in it. A sentence whose first person does not come off cleanly is refused.

mod words;

use crate::candidates::without_connective;
use crate::cues::OWN_WORK;
use crate::standing::names_part_of_work;
use words::{ADVERBS, LEADS, OWN_THINGS, POINTING};

/// How a sentence begins, which decides how it can be attributed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Opening {
    /// "We propose …": a plural subject fits before `rest`; `lead` is a clause to keep in front, or empty.
    Authors { lead: String, rest: String },
    /// "This paper presents …": a singular `noun` fits before `rest`.
    Work { noun: String, rest: String },
    /// Anything else: it stands as it is.
    Plain { sentence: String },
}

/// Who has been named before a pronoun stands for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Known {
    /// The authors are the subject already: "they".
    Yes,
    /// Nobody yet: "the authors".
    No,
}

/// Takes a sentence apart without its full stop; none when it cannot be retold.
pub(crate) fn open(sentence: &str) -> Option<Opening> {
    let sentence = sentence.trim().trim_end_matches(['.', '!']);
    let sentence = without_connective(sentence);
    // "Here a model was paired with …" is told as "A model was paired with …".
    let here = sentence.strip_prefix("Here a ").map(|rest| format!("A {rest}"));
    let sentence = here.as_deref().unwrap_or(sentence);
    // What stands before ", this paper recommends" mostly points back; what follows is the statement.
    if let Some((_, rest)) = sentence.split_once(", this ").filter(|(lead, _)| lead.len() < 220)
        && let Some((noun, rest)) = rest.split_once(' ')
        && OWN_WORK.contains(&noun)
    {
        return Some(Opening::Work { noun: own_noun(noun), rest: in_third_person(rest, Known::No)? });
    }
    for noun in OWN_WORK {
        let the_paper = (noun == "paper").then_some("The ");
        let own = ["This ", "this ", "The present "]
            .into_iter()
            .chain(the_paper)
            .find_map(|this| sentence.strip_prefix(this).and_then(|rest| rest.strip_prefix(noun)));
        if let Some(rest) = own.and_then(|rest| rest.strip_prefix(' ')) {
            return Some(Opening::Work { noun: own_noun(noun), rest: in_third_person(rest, Known::No)? });
        }
    }
    if let Some((lead, rest)) = around_we(sentence) {
        let lead = if is_bound(lead) { "" } else { lead };
        let rest = without_adverb(rest);
        let lead =
            if lead.is_empty() { String::new() } else { capitalised(&in_third_person(lead, Known::Yes)?) };
        return Some(Opening::Authors { lead, rest: in_third_person(rest, Known::Yes)? });
    }
    Some(Opening::Plain { sentence: in_third_person(sentence, Known::No)? })
}

/// A sentence without the words that only add it to the one before.
pub(crate) fn plainer(sentence: &str) -> String {
    sentence
        .replace(" also ", " ")
        .replace(" a further ", " a\u{a0}further ")
        .replace(" further ", " ")
        .replace('\u{a0}', " ")
        .replace(" therefore ", " ")
        .replace(" nevertheless ", " ")
        .replace(" nonetheless ", " ")
        .replace(" instead of ", " instead\u{a0}of ")
        .replace(" instead ", " ")
        .replace('\u{a0}', " ")
        .replace(" additionally ", " ")
        .replace(", however,", "")
        .replace(", too.", ".")
}

fn own_noun(noun: &str) -> String {
    if noun == "work" { "paper" } else { noun }.to_owned()
}

/// A sentence that follows one of which the authors are the subject (`known`) or not, without its full stop, and whether they
/// are the subject of it.
pub(crate) fn follow(sentence: &str, known: Known) -> Option<(String, Known)> {
    let sentence = without_connective(sentence.trim().trim_end_matches(['.', '!']));
    let own_work = sentence.strip_prefix("This ").and_then(|rest| rest.split_once(' '));
    if let Some((noun, rest)) = own_work.filter(|(noun, _)| OWN_WORK.contains(noun)) {
        return Some((format!("The {} {}", own_noun(noun), in_third_person(rest, Known::No)?), Known::No));
    }
    match around_we(sentence) {
        Some((lead, rest)) if !lead.is_empty() && is_bound(lead) => {
            let subject = if known == Known::Yes { "They" } else { "The authors" };
            Some((format!("{subject} {}", in_third_person(without_adverb(rest), Known::Yes)?), Known::Yes))
        }
        around => {
            // Behind another subject "they" would be somebody else.
            let is_subject = around.is_some() || ["Our ", "our "].iter().any(|own| sentence.starts_with(own));
            let known = if is_subject { known } else { Known::No };
            let third = in_third_person(sentence, known)?;
            Some((capitalised(&third), if around.is_some() { Known::Yes } else { Known::No }))
        }
    }
}

/// Parts "…, we propose …" around its subject.
fn around_we(sentence: &str) -> Option<(&str, &str)> {
    if let Some(rest) = sentence.strip_prefix("We ").or_else(|| sentence.strip_prefix("we ")) {
        return Some(("", rest));
    }
    let at = sentence.find(" we ").filter(|at| *at < 300)?;
    let lead = &sentence[..at];
    let rest = &sentence[at + 4..];
    if lead.starts_with("To ") && lead.len() < 40 && !lead.ends_with(',') {
        return Some((lead, rest));
    }
    let is_named =
        ["In this paper", "In this work", "In this study", "In this article", "In this report", "Here"]
            .contains(&lead);
    if is_named {
        return Some((lead, rest));
    }
    let lead = lead.strip_suffix(',')?;
    let first = lead.split([' ', ',']).next().unwrap_or_default();
    let is_lead =
        LEADS.contains(&capitalised(first).as_str()) || first.ends_with("ing") || first.ends_with("ed");
    is_lead.then_some((lead, rest))
}

/// Whether a clause points at something that is not told.
fn is_bound(lead: &str) -> bool {
    let lower = lead.to_lowercase();
    let mut words = lower.split(|character: char| !character.is_alphanumeric() && character != '\'');
    let mut compared = words.clone();
    let is_compared = |word: &str| matches!(word, "more" | "less" | "better" | "worse" | "fewer");
    words.any(|word| POINTING.contains(&word))
        || compared.any(is_compared) && !lower.contains(" than ")
        || names_part_of_work(lead)
        || lower.split_whitespace().count() < 2
        || lower.split_whitespace().count() > 22
}

fn without_adverb(rest: &str) -> &str {
    let first = rest.split(' ').next().unwrap_or_default();
    if ADVERBS.contains(&first) { rest[first.len()..].trim_start() } else { rest }
}

/// Whether somebody speaks of themselves in it.
pub(crate) fn is_in_first_person(sentence: &str) -> bool {
    const WORDS: [&str; 8] = ["we", "us", "our", "ours", "ourselves", "we're", "we've", "we'll"];
    let words = sentence.split(|character: char| !character.is_alphanumeric() && !"'’".contains(character));
    words
        .map(|word| word.replace('’', "'"))
        .any(|word| word != "US" && WORDS.contains(&word.to_lowercase().as_str()))
}

/// Puts first-person pronouns into the third person; none when some are left that cannot be.
fn in_third_person(sentence: &str, known: Known) -> Option<String> {
    let mut out = String::with_capacity(sentence.len() + 16);
    let mut known = known == Known::Yes;
    let mut words = sentence.split(' ').peekable();
    while let Some(word) = words.next() {
        if !out.is_empty() {
            out.push(' ');
        }
        let (opening, core, closing) = parted(word);
        let following = words.peek().map_or("", |next| parted(next).1);
        let replaced = match core {
            "we" | "We" => Some(if known { "they" } else { "the authors" }),
            "us" => Some(if known { "them" } else { "the authors" }),
            "our" | "Our" => Some(if following == "knowledge" {
                if known { "their" } else { "the authors'" }
            } else if takes_article(following) {
                "the"
            } else if known {
                "their"
            } else {
                "the authors'"
            }),
            "ourselves" => Some("themselves"),
            // "Theirs" would be somebody else's, and "we'd" has no such form behind "the authors".
            "ours" | "Ours" | "Us" | "I" | "my" | "My" | "let's" | "Let" | "me" | "mine" => return None,
            _ if ["we'", "we’", "We'", "We’"].iter().any(|start| core.starts_with(start)) => return None,
            _ => None,
        };
        match replaced {
            Some(pronoun) => {
                out.push_str(opening);
                if core.starts_with(char::is_uppercase) {
                    out.push_str(&capitalised(pronoun))
                } else {
                    out.push_str(pronoun)
                }
                out.push_str(closing);
                known |= pronoun != "the"
                    && (core.eq_ignore_ascii_case("we") || core == "us" || core.eq_ignore_ascii_case("our"));
            }
            None => out.push_str(word),
        }
    }
    let out = out.replace("In this paper", "In the paper").replace("in this paper", "in the paper");
    let out = out.replace("in this work", "in the paper").replace("In this work", "In the paper");
    Some(out)
}

/// A word with the marks before and after it.
fn parted(word: &str) -> (&str, &str, &str) {
    let start = word.find(|character: char| character.is_alphanumeric()).unwrap_or(word.len());
    let end = word
        .rfind(|character: char| character.is_alphanumeric())
        .map_or(start, |last| last + word[last..].chars().next().map_or(0, char::len_utf8));
    (&word[..start], &word[start..end], &word[end..])
}

/// Whether "our" before this word is as well said with an article.
fn takes_article(following: &str) -> bool {
    let stem = following.trim_end_matches('s');
    OWN_THINGS.contains(&following)
        || OWN_THINGS.contains(&stem)
        || following.chars().any(char::is_uppercase)
        || following.chars().any(|character| character.is_ascii_digit())
}

/// With a capital at the front.
pub(crate) fn capitalised(text: &str) -> String {
    let mut characters = text.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

#[cfg(test)]
mod tests {
    use super::{Known, Opening, follow, open};

    fn authors(lead: &str, rest: &str) -> Option<Opening> {
        Some(Opening::Authors { lead: lead.to_owned(), rest: rest.to_owned() })
    }

    #[test]
    fn what_authors_say_of_themselves_is_ready_for_a_subject() {
        assert_eq!(
            open("We propose X, with which we beat our baseline."),
            authors("", "propose X, with which they beat their baseline")
        );
        assert_eq!(open("To address this gap, we therefore introduce X."), authors("", "introduce X"));
        assert_eq!(open("To learn whether they are more persuasive, we study X."), authors("", "study X"));
        assert_eq!(open("In this paper we study X."), authors("", "study X"));
        assert_eq!(
            open("Furthermore, to speed up search, we use X."),
            authors("To speed up search", "use X")
        );
        assert_eq!(open("On the server side, we introduce X."), authors("", "introduce X"));
        assert_eq!(open("On the ARC benchmark, we beat X."), authors("On the ARC benchmark", "beat X"));
        assert_eq!(
            open("This work presents X."),
            Some(Opening::Work { noun: "paper".to_owned(), rest: "presents X".to_owned() })
        );
    }

    #[test]
    fn pronouns_take_the_subject_that_is_known() {
        let told = |sentence: &str, known| follow(sentence, known).map(|(told, _)| told);
        assert_eq!(
            told("Our method lets us win, and our SCAPO helps.", Known::No).as_deref(),
            Some("The method lets the authors win, and the SCAPO helps")
        );
        assert_eq!(
            told("Moreover, our results show that we win.", Known::Yes).as_deref(),
            Some("Their results show that they win")
        );
        assert_eq!(
            told("To this end, we test it on US data.", Known::No).as_deref(),
            Some("The authors test it on US data")
        );
        assert_eq!(
            told("Filters stopped few of the messages that we wrote.", Known::Yes).as_deref(),
            Some("Filters stopped few of the messages that the authors wrote")
        );
        let subject = |sentence: &str| follow(sentence, Known::Yes).map(|(_, subject)| subject);
        assert_eq!(subject("We trained three more."), Some(Known::Yes));
        assert_eq!(subject("Filters stopped few of the messages that we wrote."), Some(Known::No));
        assert_eq!(subject("They ran aground less often."), Some(Known::No), "the ferries");
        assert_eq!(told("It beats (Ours) them.", Known::Yes), None);
        assert_eq!(told("I think so.", Known::Yes), None);
    }
}
