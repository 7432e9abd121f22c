//! Extracts the paragraphs of an article as plain text, without headings, bylines, captions and menus.

use crate::clean::clean;

/// Most words of a line without a full stop that is taken for a heading, a byline or a menu entry.
const SHORT_LINE: usize = 20;
/// Least number of words of a list item that is a sentence.
const SHORT_ITEM: usize = 8;
/// The limit of [`SHORT_LINE`] in characters, for scripts without spaces.
const SHORT_UNSPACED_LINE: usize = 40;
/// A line of at most so many characters was not broken for its length, so the next line begins a new paragraph.
const WRAPPED: usize = 50;

/// The paragraphs of an article as plain text (see [`clean`]), separated by empty lines. Paragraphs without a sentence
/// are left out, unless there are no others: then the whole text is one paragraph.
pub fn clean_article(text: &str) -> String {
    let paragraphs: Vec<String> = blocks(text)
        .into_iter()
        .filter(|block| !is_heading(block) && !is_part_of_list(block))
        .map(|block| clean(&block))
        .filter(|block| is_text(block))
        .collect();
    if paragraphs.is_empty() { clean(text) } else { paragraphs.join("\n\n") }
}

/// Joins lines into blocks. A block ends at an empty line, at the end of a sentence, and after a line that is too short
/// to have been broken for its length.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let bare = line.trim();
        if bare.is_empty() {
            is_open = false;
            continue;
        }
        match blocks.last_mut().filter(|_| is_open && !is_heading(bare) && !is_listed(bare)) {
            Some(block) => {
                block.push('\n');
                block.push_str(bare);
            }
            None => blocks.push(bare.to_owned()),
        }
        is_open = !is_heading(bare) && !ends_sentence(bare) && bare.chars().count() > WRAPPED;
    }
    blocks
}

fn is_heading(block: &str) -> bool {
    let marks = block.bytes().take_while(|byte| *byte == b'#').count();
    (1..=6).contains(&marks) && block[marks..].starts_with([' ', '\t'])
}

fn is_listed(line: &str) -> bool {
    ["- ", "* ", "+ ", "• "].iter().any(|mark| line.starts_with(mark))
}

/// Whether a block is a list item without a sentence of its own; such items continue the text before the list.
fn is_part_of_list(block: &str) -> bool {
    let behind_mark = ["- ", "* ", "+ ", "• ", "– "].iter().find_map(|mark| block.strip_prefix(mark));
    let behind_number = || {
        let digits = block.bytes().take_while(u8::is_ascii_digit).count();
        let rest = &block[digits..];
        (1..3)
            .contains(&digits)
            .then(|| rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")))
            .flatten()
    };
    behind_mark.or_else(behind_number).is_some_and(|item| {
        item.trim_start().starts_with(char::is_lowercase)
            || !ends_sentence(item)
            || item.split_whitespace().count() < SHORT_ITEM && item.is_ascii()
    })
}

fn ends_sentence(block: &str) -> bool {
    let block = block.trim_end_matches(['”', '"', '’', '\'', ')', '」', '』', '）', '*', '_', ' ']);
    block.ends_with(['.', '!', '?', '…', '。', '！', '？'])
}

/// Whether a block is text, not a heading, a byline, a caption or a menu.
fn is_text(block: &str) -> bool {
    let is_short = || {
        block.split_whitespace().nth(SHORT_LINE).is_none()
            && (block.is_ascii() || block.chars().count() <= SHORT_UNSPACED_LINE || block.contains(' '))
    };
    !block.is_empty() && (ends_sentence(block) || !is_short())
}

/// The text without its first line if that is its title.
pub fn without_title<'a>(text: &'a str, title: &str) -> &'a str {
    let start = text.trim_start().trim_start_matches('#').trim_start();
    let title = title.trim();
    let rest = start.strip_prefix(title).filter(|rest| !title.is_empty() && rest.starts_with('\n'));
    rest.map_or(text, str::trim_start)
}

#[cfg(test)]
mod tests {
    use super::clean_article;

    #[test]
    fn headings_bylines_captions_and_menus_are_left_out() {
        let page = "Home · News · Sport\n# A heading\nBy Ann Lee | 9 June 2026\n\nThe model was released on Monday after months of tests,\nthe company \
                    said in a statement of its own.\n\n## More\nPhoto: Ledger/M. Ochoa\n“It is fast,” she said.";
        assert_eq!(
            clean_article(page),
            "The model was released on Monday after months of tests, the company said in a statement of its own.\n\n“It is \
             fast,” she said."
        );
    }

    #[test]
    fn wrapped_lines_are_joined_to_one_paragraph() {
        let text = "The committee met on Tuesday to speak about the budget of the\nyear to come, and it came to no end.";
        assert_eq!(clean_article(text), text.replace('\n', " "));
        assert_eq!(
            clean_article("一个模型发布了\n\n它在六月发布，速度快了两倍。"),
            "它在六月发布，速度快了两倍。"
        );
    }

    #[test]
    fn a_text_without_any_sentence_is_kept_whole() {
        assert_eq!(clean_article("Release notes\nVersion 2"), "Release notes Version 2");
    }
}
