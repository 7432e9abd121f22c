//! Choices that the model names by their titles: a list with one title per line, or, if nothing better comes, a text
//! that mentions some titles.
//!
//! A list of all of many choices chooses none of them, nor does a list with a negation: asking again costs one call, a
//! wrong choice may cost the run.

use std::collections::BTreeSet;

use crate::Fault;
use crate::lists::point;
use crate::node::Node;
use crate::schema::Schema;
use crate::work::Work;
use crate::written::counted;

/// Fewest letters and digits of a name before a colon.
const LEAST_SHORT: usize = 4;
/// Most points of a list that counts as a choice.
const MOST_POINTS: usize = 200;
/// Fewest words of a title that is no common phrase.
const LEAST_WORDS: usize = 4;
/// Fewest letters and digits at the beginning of a title that identify it.
const LEAST_BEGINNING: usize = 16;
/// What may stand between a title and the rest of its line.
const CLOSING: &str = "*_\"”’'`…».,?!？！)]」』";
/// More choices than this that are all listed were not chosen.
const MOST_OF_ALL: usize = 5;

/// The requested list, and the names of the fields for number and reason in its items.
struct Choice<'s> {
    list: &'s str,
    number: &'s str,
    reason: Option<&'s str>,
}

impl<'s> Choice<'s> {
    /// The only list of numbered items in the schema, if there is one.
    fn of(schema: Schema<'s>) -> Option<Choice<'s>> {
        let (list, property) = schema.list_field()?;
        let items = property.items()?;
        let (number, _) = items.only_number()?;
        let mut texts =
            items.properties().filter(|(_, property)| property.is("string") && property.is_asked());
        Some(Choice { list, number, reason: texts.next().map(|(name, _)| name) })
    }

    fn node(&self, chosen: &[(usize, &str)]) -> Node {
        let item = |(place, rest): &(usize, &str)| {
            let mut fields = vec![(self.number.to_owned(), Node::Number((place + 1).into()))];
            let reason = self.reason.filter(|_| !rest.is_empty());
            fields.extend(reason.map(|name| (name.to_owned(), Node::Text((*rest).to_owned()))));
            Node::Object { fields, is_closed: true }
        };
        let items = Node::List { items: chosen.iter().map(item).collect(), is_closed: true };
        Node::Object { fields: vec![(self.list.to_owned(), items)], is_closed: true }
    }
}

/// The items that a text lists by their titles, if the whole text is such a list; an item's number is the position of
/// its title in `titles`, from 1. A truncated list that only repeats the titles in their order is rejected.
///
/// # Errors
/// [`Fault::Entangled`] if no steps are left, [`Fault::Stopped`] if the reading was stopped.
pub(crate) fn read(
    text: &str,
    was_cut: bool,
    titles: &[String],
    schema: Schema<'_>,
    work: &mut Work<'_>,
) -> Result<Option<Node>, Fault> {
    let Some(choice) = Choice::of(schema).filter(|_| !titles.is_empty()) else { return Ok(None) };
    work.spend(text.len())?;
    let Some(points) = points(text) else { return Ok(None) };
    let named: Vec<(usize, &str)> = points.iter().filter_map(|point| named_by(point, titles)).collect();
    let mut chosen: Vec<(usize, &str)> = Vec::new();
    for (place, rest) in &named {
        if chosen.iter().all(|(known, _)| known != place) {
            chosen.push((*place, rest));
        }
    }
    let of_all = titles
        .iter()
        .map(|title| plain(title))
        .filter(|title| !title.is_empty())
        .collect::<BTreeSet<_>>()
        .len();
    let is_of_all = chosen.len() >= of_all && of_all > MOST_OF_ALL;
    let is_recited =
        was_cut && chosen.len() > 1 && chosen.iter().enumerate().all(|(at, (place, _))| at == *place);
    let is_choice = !chosen.is_empty() && named.len() * 2 > points.len() && !is_of_all && !is_recited;
    let is_denied = || {
        denies(&without(
            text,
            titles
                .iter()
                .enumerate()
                .filter(|(at, _)| named.iter().any(|(place, _)| place == at))
                .map(|(_, title)| title),
        ))
    };
    Ok((is_choice && !is_denied()).then(|| choice.node(&chosen)))
}

/// The items whose full titles occur in a text without objects, if these are not most of the titles. Rejected if a line
/// with a title, or an adjacent one, has a negation, or any line speaks of titles with a negation.
///
/// # Errors
/// As for [`read`].
pub(crate) fn mentioned(
    text: &str,
    titles: &[String],
    schema: Schema<'_>,
    work: &mut Work<'_>,
) -> Result<Option<Node>, Fault> {
    let Some(choice) = Choice::of(schema).filter(|_| !text.contains('{')) else { return Ok(None) };
    work.spend(text.len() * 2)?;
    let is_phrase = |title: &str| title.is_ascii() && title.split_whitespace().count() < LEAST_WORDS;
    let said = plain(text);
    let said: Vec<(usize, &String, String)> = titles
        .iter()
        .enumerate()
        .filter(|(_, title)| letters(title).count() >= LEAST_BEGINNING)
        .map(|(place, title)| (place, title, plain(title)))
        .filter(|(_, _, letters)| said.contains(letters))
        .collect();
    let is_of_most = said.len() * 2 > titles.len();
    let found: Vec<_> = said.into_iter().filter(|(_, title, _)| !is_phrase(title)).collect();
    let is_part =
        |own: &String| found.iter().any(|(_, _, other)| other.len() > own.len() && other.contains(own));
    let is_same = |own: &String| found.iter().filter(|(_, _, other)| other == own).count() > 1;
    if found.is_empty() || is_of_most || found.iter().any(|(_, _, own)| is_part(own) || is_same(own)) {
        return Ok(None);
    }
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let has_title: Vec<bool> = lines
        .iter()
        .map(|line| plain(line))
        .map(|line| found.iter().any(|(_, _, title)| line.contains(title)))
        .collect();
    let is_near = |at: usize| (at.saturating_sub(1)..=at + 1).any(|near| has_title.get(near) == Some(&true));
    let is_denied = lines.iter().enumerate().any(|(at, line)| {
        let around = without(line, found.iter().map(|(_, title, _)| *title));
        denies(&around) && (is_near(at) || speaks_of_titles(&around))
    });
    let chosen: Vec<(usize, &str)> = found.iter().map(|(place, ..)| (*place, "")).collect();
    Ok((!is_denied).then(|| choice.node(&chosen)))
}

/// The letters and digits of a text in lower case.
fn plain(text: &str) -> String {
    letters(text).flat_map(|(_, letter)| letter.to_lowercase()).collect()
}

/// A text in lower case without these titles.
fn without<'t>(text: &str, titles: impl Iterator<Item = &'t String>) -> String {
    titles
        .filter(|title| !title.is_empty())
        .fold(text.to_lowercase(), |text, title| text.replace(&title.to_lowercase(), " "))
}

/// Whether a lower-case line has a word for things with titles.
fn speaks_of_titles(line: &str) -> bool {
    const WORDS: [&str; 10] =
        [" hit", "article", "of them", "of these", " any ", "topic", "relevan", "文章", "記事", "主题"];
    WORDS.iter().any(|word| line.contains(word))
}

/// Whether a lower-case text has a negation or an exclusion.
fn denies(text: &str) -> bool {
    const WORDS: [&str; 32] = [
        "not",
        "no",
        "none",
        "nothing",
        "neither",
        "nor",
        "cannot",
        "irrelevant",
        "unrelated",
        "off",
        "left",
        "leave",
        "exclude",
        "excluded",
        "excluding",
        "omit",
        "omitted",
        "ignore",
        "ignored",
        "skip",
        "skipped",
        "discard",
        "discarded",
        "reject",
        "rejected",
        "less",
        "others",
        "old",
        "outdated",
        "nicht",
        "kein",
        "keine",
    ];
    const PARTS: [&str; 13] =
        ["n't", "n’t", "❌", "✗", "✘", "不", "没", "无", "無", "除外", "ない", "ません", "以外"];
    PARTS.iter().any(|part| text.contains(part))
        || text.split(|c: char| !c.is_alphanumeric()).any(|word| WORDS.contains(&word))
}

/// The points of a text that is a list: only a line that ends in a colon may precede it, and only an offer of more may
/// follow it. Indented lines belong to the point above them, and so do others that open no list of their own.
fn points(text: &str) -> Option<Vec<&str>> {
    const OFFERS: [&str; 7] =
        ["let me know", "would you", "do you want", "feel free", "i hope", "hope this", "if you need"];
    let level = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let first = lines.iter().position(|line| of_line(line).is_some())?;
    // The space at the beginning of the whole text was trimmed from its first line.
    let own = level(lines[first]) + 1;
    let is_point = |line: &&str| level(line) <= own && of_line(line).is_some();
    let last = lines.iter().rposition(is_point)?;
    let opens = |line: &str| line.trim().trim_end_matches('*').ends_with([':', '：']);
    let is_led_in = first == 0 || opens(lines[first - 1]);
    let is_one = !lines[first..=last].iter().any(|line| level(line) <= own && !is_point(line) && opens(line));
    let behind = lines[last + 1..].iter().find(|line| level(line) <= own);
    let is_ended = behind.is_none_or(|line| {
        let small = line.trim().to_lowercase();
        OFFERS.iter().any(|offer| small.starts_with(offer))
    });
    let points: Vec<&str> =
        lines[first..=last].iter().filter(|line| is_point(line)).filter_map(|line| of_line(line)).collect();
    (is_led_in && is_one && is_ended && points.len() <= MOST_POINTS).then_some(points)
}

/// The text after the mark of a list item, which may be bold or in a heading.
fn of_line(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches('#').trim_start();
    point(line.strip_prefix("**").unwrap_or(line))
}

/// The index of the title that a point names, and the rest of the point. A number counts only without other text:
/// copied text is more reliable.
fn named_by<'t>(point: &'t str, titles: &[String]) -> Option<(usize, &'t str)> {
    let point = without_opening(point);
    if let Some((place, end)) = titled(point, titles) {
        return Some((place, after(&point[end..])));
    }
    let (number, rest) = counted(point)?;
    let rest = without_opening(rest.trim_start_matches(is_mark));
    if let Some((place, end)) = titled(rest, titles) {
        return Some((place, after(&rest[end..])));
    }
    let place = number.checked_sub(1).filter(|place| *place < titles.len())?;
    rest.is_empty().then_some((place, ""))
}

/// The position at which a text that names a title ends the title.
type EndIn<'f> = dyn Fn(&str) -> Option<usize> + 'f;

/// The index of the title with which a text begins, and the title's end: the longest full title, else the part of one
/// before its colon, else the beginning of one with which the text ends. `None` if two fit equally.
fn titled(text: &str, titles: &[String]) -> Option<(usize, usize)> {
    let whole = |title: &str| end_of(text, title);
    let short = |title: &str| {
        let (name, _) = title.split_once([':', '：'])?;
        let is_name = letters(name).count() >= LEAST_SHORT && !is_word(name);
        end_of(text, name).filter(|end| is_name && is_end(&text[*end..]))
    };
    let beginning = |title: &str| {
        let (agreeing, end) = agreement(text, title);
        let is_last = text[end..].chars().all(|c| CLOSING.contains(c) || c.is_whitespace());
        (agreeing >= LEAST_BEGINNING && is_last).then_some(end)
    };
    let ways: [&EndIn<'_>; 3] = [&whole, &short, &beginning];
    for end_in in ways {
        let fits = || titles.iter().enumerate().filter_map(|(place, title)| Some((place, end_in(title)?)));
        let Some(longest) = fits().map(|(_, end)| end).max() else { continue };
        let mut alike = fits().filter(|(_, end)| *end == longest);
        return alike.next().filter(|_| alike.next().is_none());
    }
    None
}

/// Whether a name may be an ordinary word: only letters, with at most the first as a capital.
fn is_word(name: &str) -> bool {
    name.trim().chars().enumerate().all(|(at, c)| c.is_alphabetic() && (at == 0 || !c.is_uppercase()))
}

/// The end of a name in a text that begins with all its letters and digits, whatever is between them.
fn end_of(text: &str, name: &str) -> Option<usize> {
    let (agreeing, end) = agreement(text, name);
    let is_word_end = !text[end..].starts_with(char::is_alphanumeric);
    (agreeing > 0 && agreeing == letters(name).count() && is_word_end).then_some(end)
}

/// How many letters and digits two texts share at their beginning, and where the last of them ends in the first one.
fn agreement(text: &str, other: &str) -> (usize, usize) {
    let mut agreeing = (0, 0);
    for ((at, letter), (_, wanted)) in letters(text).zip(letters(other)) {
        if letter.to_lowercase().ne(wanted.to_lowercase()) {
            break;
        }
        agreeing = (agreeing.0 + 1, at + letter.len_utf8());
    }
    agreeing
}

fn letters(text: &str) -> impl Iterator<Item = (usize, char)> {
    text.char_indices().filter(|(_, character)| character.is_alphanumeric())
}

/// Whether nothing follows, or only text that is no part of a title.
fn is_end(rest: &str) -> bool {
    let rest = rest.trim_start_matches(|c: char| CLOSING.contains(c));
    let apart = rest.trim_start();
    apart.is_empty()
        || rest.starts_with([':', '：', '–', '—'])
        || (apart.len() < rest.len() && apart.starts_with(['–', '—', '-', '(', '（', '|', '<', '[']))
}

fn is_mark(character: char) -> bool {
    character.is_whitespace() || "*_:：–—-|.)]】".contains(character)
}

fn without_opening(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || "*_\"“‘'`«「『[(<".contains(c))
}

/// The text after a title, without a remark in brackets and an address before it.
fn after(rest: &str) -> &str {
    let mut rest = rest.trim_start_matches(|c: char| CLOSING.contains(c)).trim();
    for (open, close) in [('(', ')'), ('（', '）'), ('[', ']'), ('<', '>')] {
        if let Some(inner) = rest.strip_prefix(open) {
            rest = inner.split_once(close).map_or("", |(_, behind)| behind).trim_start();
        }
    }
    rest = rest.strip_prefix(['–', '—', '-', ':', '：', '|']).unwrap_or(rest);
    rest = rest.trim_start_matches('*').trim_start();
    if rest.starts_with("http") {
        rest.split_once(char::is_whitespace).map_or("", |(_, behind)| behind.trim_start())
    } else {
        rest
    }
}
