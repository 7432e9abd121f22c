//! Makes plain paragraphs of an article: what is told, without its headings, bylines, captions and menus.

use crate::clean::clean;

/// Words of a line that may be a heading, a byline or an entry of a menu.
const SHORT_LINE: usize = 20;
/// Words of an item of a list below which it is an entry, not a sentence.
const SHORT_ITEM: usize = 8;
/// Characters of such a line, where words are not parted by blanks.
const SHORT_DENSE_LINE: usize = 40;
/// Characters below which a line without a full stop is one of its own, not the beginning of the next.
const WRAPPED: usize = 50;

/// The paragraphs of an article as plain text (as [`clean`] makes it), a line each. Lines that are no sentence are left
/// out, unless there are only such lines: then the whole text is one paragraph.
pub fn clean_article(text: &str) -> String {
    let told: Vec<String> = blocks(text)
        .into_iter()
        .filter(|block| !is_heading(block) && !is_part_of_list(block))
        .map(|block| clean(&block))
        .filter(|block| tells(block))
        .collect();
    if told.is_empty() { clean(text) } else { told.join("\n\n") }
}

/// Lines that belong together: an empty line parts them, and so does the end of a line that is a sentence's or that is
/// too short to have been broken for its length.
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

/// An item of a list that is no sentence of its own: it goes on with what stands before the list.
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

fn tells(block: &str) -> bool {
    let is_short = || {
        block.split_whitespace().nth(SHORT_LINE).is_none()
            && (block.is_ascii() || block.chars().count() <= SHORT_DENSE_LINE || block.contains(' '))
    };
    !block.is_empty() && (ends_sentence(block) || !is_short())
}

/// A text without its title at the front, where it stands there as a heading.
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
    fn headings_bylines_captions_and_menus_are_no_sentences_of_an_article() {
        let page = "Home · News · Sport\n# A heading\nBy Ann Lee | 9 June 2026\n\nThe model was released on Monday after months of tests,\nthe company \
                    said in a statement of its own.\n\n## More\nPhoto: Ledger/M. Ochoa\n“It is fast,” she said.";
        assert_eq!(
            clean_article(page),
            "The model was released on Monday after months of tests, the company said in a statement of its own.\n\n“It is \
             fast,” she said."
        );
    }

    #[test]
    fn lines_that_were_broken_for_their_length_are_one_paragraph() {
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
