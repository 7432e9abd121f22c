//! Reads a Markdown file: front matter and metadata lines are used, its first heading is its title, its text stays
//! Markdown.

use super::head_day::day_in_head;
use super::{ReadError, Reading, Source, encoding, front_matter, head_lines, one_line, plain_text};

pub(crate) fn read(file: &Source<'_>, bytes: &[u8]) -> Result<Reading, ReadError> {
    let text = encoding::decode(bytes, None).ok_or_else(|| file.undecodable())?;
    let (head, body) = front_matter::split(&text);
    // Unclosed front matter is text, and its lines are no metadata lines.
    let is_headed = |above: &str| first_heading(above).is_some() || above.starts_with("---");
    let has_title = head.title.is_some() || head_lines::above_title(body).is_some_and(is_headed);
    let (lines, body) = head_lines::split(body, has_title);
    // With metadata lines, the line above them is the title, also without a heading mark.
    let above = || lines.is_present().then(|| plain_text::title(&body)).flatten();
    let title = head.title.or_else(|| lines.title.clone()).or_else(|| first_heading(&body)).or_else(above);
    if body.trim().is_empty() {
        return Err(file.empty());
    }
    let mut document = file.document(title, body.trim().to_owned());
    document.url = head.url.or(lines.url);
    document.published = head.published.or(lines.published).or_else(|| day_in_head(&body));
    document.source = head.source.or(lines.source).unwrap_or(document.source);
    document.authors = if head.authors.is_empty() { lines.authors } else { head.authors };
    document.categories = head.categories;
    Ok(Reading::of(document))
}

/// The first heading outside code blocks.
fn first_heading(body: &str) -> Option<String> {
    let mut fence: Option<&str> = None;
    let mut before: Option<&str> = None;
    for line in body.lines() {
        let bare = line.trim();
        if let Some(open) = fence {
            if bare.starts_with(open) && bare.trim_start_matches(&open[..1]).is_empty() {
                fence = None;
            }
            continue;
        }
        fence = ["```", "~~~"].into_iter().find(|mark| bare.starts_with(mark));
        let is_code = line.starts_with("    ") || line.starts_with('\t');
        if fence.is_some() || is_code {
            before = None;
            continue;
        }
        let marks = bare.len() - bare.trim_start_matches('#').len();
        if (1..=6).contains(&marks) && bare[marks..].starts_with([' ', '\t']) {
            return one_line(&without_marks(bare[marks..].trim().trim_end_matches('#')));
        }
        let is_underline =
            bare.len() >= 2 && (bare.chars().all(|c| c == '=') || bare.chars().all(|c| c == '-'));
        if is_underline && let Some(title) = before {
            return one_line(&without_marks(title));
        }
        before = (!bare.is_empty() && !bare.starts_with(['>', '-', '*', '|'])).then_some(bare);
    }
    None
}

/// A heading without the markup of emphasis, code and links.
fn without_marks(heading: &str) -> String {
    let mut plain = String::with_capacity(heading.len());
    let mut rest = heading;
    while let Some(index) = rest.find(['*', '`', '[', ']']) {
        plain.push_str(&rest[..index]);
        let after = &rest[index + 1..];
        // The address of a link is not part of the title.
        let address = after
            .strip_prefix('(')
            .and_then(|inside| inside.find(')'))
            .filter(|_| rest[index..].starts_with(']'));
        rest = match address {
            Some(end) => &after[end + 2..],
            None => after,
        };
    }
    plain.push_str(rest);
    plain
}
