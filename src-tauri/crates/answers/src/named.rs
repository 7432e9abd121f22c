//! Things that the model chooses from, named by their titles: a list of lines of which each names one, or, where nothing
//! better comes, a text that mentions some.
//!
//! A list with a line for each of many things chooses none of them, nor does a text that denies something.

use crate::Fault;
use crate::lists::point;
use crate::node::Node;
use crate::plain::is_offer;
use crate::schema::Schema;
use crate::work::Work;
use crate::written::counted;

/// Letters and digits of a name before its colon that is no word of the language.
const LEAST_SHORT: usize = 4;
/// Letters and digits of a title's beginning that stands for the whole of it.
const LEAST_BEGINNING: usize = 16;
/// What may stand between a title and the rest of its line.
const CLOSING: &str = "*_\"”’'`…».,?!？！)]」』";
/// Who goes through more than so many and leaves none out has not chosen.
const MOST_OF_ALL: usize = 5;

/// The list that is asked for, and how its items are called by number and reason.
struct Choice<'s> {
    list: &'s str,
    number: &'s str,
    reason: Option<&'s str>,
}

impl<'s> Choice<'s> {
    /// Where the schema asks for one list of numbered things.
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

/// The items that a text lists by their titles, where its whole is such a list; an item's number is the place of its title
/// in `titles`, from 1.
///
/// # Errors
/// [`Fault::Entangled`] when no steps are left, [`Fault::Stopped`] when the reading was stopped.
pub(crate) fn read(
    text: &str,
    titles: &[String],
    schema: Schema<'_>,
    work: &mut Work<'_>,
) -> Result<Option<Node>, Fault> {
    let Some(choice) = Choice::of(schema).filter(|_| !titles.is_empty()) else { return Ok(None) };
    let Some(points) = points(text) else { return Ok(None) };
    work.spend(text.len() + points.len() * titles.len())?;
    let mut chosen: Vec<(usize, &str)> = Vec::new();
    let mut named = 0;
    for (place, rest) in points.iter().filter_map(|point| named_by(point, titles)) {
        named += 1;
        let is_left_out = begins_with_denial(rest);
        if !is_left_out && denies_choice(&rest.to_lowercase()) {
            return Ok(None);
        }
        if !is_left_out && chosen.iter().all(|(known, _)| *known != place) {
            chosen.push((place, rest));
        }
    }
    let is_of_all = chosen.len() == titles.len() && titles.len() > MOST_OF_ALL;
    let is_choice = named * 2 > points.len() && !chosen.is_empty() && !is_of_all;
    Ok(is_choice.then(|| choice.node(&chosen)))
}

/// The items whose titles stand whole in a text without objects, where they are not all: unless the text says that
/// something is not what was wanted, or a line that speaks of titles denies anything.
///
/// # Errors
/// As of [`read`].
pub(crate) fn mentioned(
    text: &str,
    titles: &[String],
    schema: Schema<'_>,
    work: &mut Work<'_>,
) -> Result<Option<Node>, Fault> {
    let Some(choice) = Choice::of(schema).filter(|_| !text.contains('{')) else { return Ok(None) };
    work.spend(text.len() * 2)?;
    let plain =
        |text: &str| -> String { letters(text).flat_map(|(_, letter)| letter.to_lowercase()).collect() };
    let said = plain(text);
    let is_said = |title: &str| letters(title).count() >= LEAST_BEGINNING && said.contains(&plain(title));
    let chosen: Vec<(usize, &str)> =
        titles.iter().enumerate().filter(|(_, title)| is_said(title)).map(|(place, _)| (place, "")).collect();
    let without_titles = |line: &str| {
        let titles = titles.iter().filter(|title| !title.is_empty());
        titles.fold(line.to_lowercase(), |line, title| line.replace(&title.to_lowercase(), TITLE))
    };
    let is_denied = text
        .lines()
        .map(without_titles)
        .any(|line| denies_choice(&line) || denies(&line) && speaks_of_titles(&line));
    let is_choice = !chosen.is_empty() && chosen.len() < titles.len() && !is_denied;
    Ok(is_choice.then(|| choice.node(&chosen)))
}

/// Stands for a title that was taken out of a line.
const TITLE: &str = "\u{fffc}";

/// Whether a line in small letters has a title, or a word for what has one.
fn speaks_of_titles(line: &str) -> bool {
    const WORDS: [&str; 8] = [TITLE, " hit", "article", "of them", "of these", " any ", "文章", "記事"];
    WORDS.iter().any(|word| line.contains(word))
}

/// Whether a text in small letters says of anything that it is not so.
fn denies(text: &str) -> bool {
    const WORDS: [&str; 9] = [" not ", "n't ", "n’t ", "cannot", " no ", "leave out", "不", "没有", "ない"];
    denies_choice(text) || WORDS.iter().any(|word| text.contains(word))
}

/// Whether a text in small letters says that something is not what was wanted.
fn denies_choice(text: &str) -> bool {
    const WORDS: [&str; 13] = [
        "none ",
        "neither ",
        "irrelevant",
        "unrelated",
        "not relevant",
        "not related",
        "not fit",
        "n't fit",
        "no relevant",
        "exclude",
        "reject",
        "not report",
        "無関係",
    ];
    WORDS.iter().any(|word| text.contains(word))
}

/// Whether what is said of a title begins by saying that it is not meant.
fn begins_with_denial(rest: &str) -> bool {
    const STARTS: [&str; 9] =
        ["not ", "no ", "no,", "irrelevant", "unrelated", "excluded", "rejected", "不", "無関係"];
    let small = rest.to_lowercase();
    STARTS.iter().any(|start| small.starts_with(start))
}

/// The points of a text that is a list: before it stands nothing, or what ends in a colon, and behind it nothing, or an
/// offer. Lines that are indented, or stand between two points, belong to the point above them. None where anything beside
/// the points says that something is not what was wanted.
fn points(text: &str) -> Option<Vec<&str>> {
    let level = |line: &str| line.len() - line.trim_start().len();
    let lines: Vec<&str> = text.lines().collect();
    let first = lines.iter().position(|line| of_line(line).is_some())?;
    let own = level(lines[first]);
    let is_point = |line: &str| level(line) <= own && of_line(line).is_some();
    let last = lines.iter().rposition(|line| is_point(line))?;
    let before = lines[..first].iter().rev().map(|line| line.trim()).find(|line| !line.is_empty());
    let is_led_in = before.is_none_or(|line| {
        line.trim_end_matches('*').ends_with([':', '：']) && !denies(&line.to_lowercase())
    });
    let goes_on = |line: &&&str| !line.trim().is_empty();
    let of_last = lines[last + 1..].iter().take_while(goes_on).count();
    let behind: Vec<&str> = lines[last + 1 + of_last..]
        .iter()
        .copied()
        .skip_while(|line| line.is_empty() || level(line) > own)
        .collect();
    let behind = behind.join("\n");
    let is_ended = behind.trim().is_empty() || is_offer(&behind) && !denies(&behind.to_lowercase());
    let mut beside = lines[first..=last + of_last].iter().filter(|line| !is_point(line));
    let is_denied = beside.any(|line| denies_choice(&line.to_lowercase()));
    let points = || lines[first..=last].iter().filter(|line| is_point(line)).filter_map(|line| of_line(line));
    (is_led_in && is_ended && !is_denied).then(|| points().collect())
}

/// What stands behind the mark of a list, which may be bold or in a heading.
fn of_line(line: &str) -> Option<&str> {
    let line = line.trim().trim_start_matches('#').trim_start();
    point(line.strip_prefix("**").unwrap_or(line))
}

/// The place of the title that a point names, and what the point says after it. What a number says counts only where the
/// point has nothing else: what was copied says it more surely.
fn named_by<'t>(point: &'t str, titles: &[String]) -> Option<(usize, &'t str)> {
    let point = without_opening(point);
    let (number, rest) = counted(point).map_or((None, point), |(number, rest)| (Some(number), rest));
    let rest = if number.is_some() { without_opening(rest.trim_start_matches(is_mark)) } else { rest };
    if let Some((place, end)) = titled(rest, titles) {
        return Some((place, after(&rest[end..])));
    }
    let place = number?.checked_sub(1).filter(|place| *place < titles.len())?;
    rest.is_empty().then_some((place, ""))
}

/// The place of the title with which a text begins, and where that ends: a whole title, else what stands before the colon
/// of one, else the beginning of one.
fn titled(text: &str, titles: &[String]) -> Option<(usize, usize)> {
    let whole = |title: &str| end_of(text, title);
    let short = |title: &str| {
        let (name, _) = title.split_once([':', '：'])?;
        end_of(text, name).filter(|_| letters(name).count() >= LEAST_SHORT)
    };
    let beginning = |title: &str| {
        let (agreeing, end) = agreement(text, title);
        (agreeing >= LEAST_BEGINNING && is_end(&text[end..])).then_some(end)
    };
    let only = |end_in: &dyn Fn(&str) -> Option<usize>| {
        let mut found = titles.iter().enumerate().filter_map(|(place, title)| Some((place, end_in(title)?)));
        (found.next(), found.next())
    };
    let longest = titles.iter().enumerate().filter_map(|(place, title)| Some((place, whole(title)?)));
    if let Some(found) = longest.max_by_key(|(_, end)| *end) {
        return Some(found);
    }
    match only(&short) {
        (None, _) => match only(&beginning) {
            (found, None) => found,
            _ => None,
        },
        (found, None) => found,
        _ => None,
    }
}

/// Where a text that begins with all letters and digits of a name ends it; whatever stands between them.
fn end_of(text: &str, name: &str) -> Option<usize> {
    let (agreeing, end) = agreement(text, name);
    let is_word_end = !text[end..].starts_with(char::is_alphanumeric);
    (agreeing > 0 && agreeing == letters(name).count() && is_word_end).then_some(end)
}

/// How many letters and digits of two texts agree from their beginning, and where the last of them ends in the first.
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

/// Whether nothing follows, or what is no part of a title.
fn is_end(rest: &str) -> bool {
    let rest = rest.trim_start_matches(|c: char| CLOSING.contains(c)).trim_start();
    rest.is_empty() || rest.starts_with(['–', '—', '-', ':', '：', '(', '（', '|', '<', '['])
}

fn is_mark(character: char) -> bool {
    character.is_whitespace() || "*_:：–—-|.)]】".contains(character)
}

fn without_opening(text: &str) -> &str {
    text.trim_start_matches(|c: char| c.is_whitespace() || "*_\"“‘'`«「『[(<".contains(c))
}

/// What is said after a title; its source and its address are known.
fn after(rest: &str) -> &str {
    let rest = rest.trim_start_matches(|c: char| is_mark(c) || CLOSING.contains(c)).trim_end();
    if rest.starts_with(['(', '（', '[', '<']) || rest.starts_with("http") { "" } else { rest }
}
