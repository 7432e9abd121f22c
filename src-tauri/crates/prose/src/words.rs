//! Counts words as a reader of the rendered text would.
//!
//! A word is a stretch between white space (or em dashes) that contains a letter or a digit: a hyphenated
//! compound, a figure with its unit and a bare address are one word each. Marks of emphasis, headings and lists,
//! the address of a link, HTML tags and citation markers such as `[1]` do not count. Chinese and Japanese put no
//! spaces between words, so each ideograph and each kana counts as one word, as publishers count them; Latin words
//! and figures between them count as usual. Code counts like text.

use crate::characters::is_ideographic;
use crate::markup::{Mark, scan};

/// The role of an ASCII character in a word.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Alphanumeric,
    Blank,
    Other,
}

static KINDS: [Kind; 128] = {
    let mut kinds = [Kind::Other; 128];
    let mut byte = 0;
    while byte < 128 {
        if (byte as u8).is_ascii_alphanumeric() {
            kinds[byte] = Kind::Alphanumeric;
        } else if (byte as u8).is_ascii_whitespace() {
            kinds[byte] = Kind::Blank;
        }
        byte += 1;
    }
    kinds
};

/// Number of words of a Markdown text.
pub fn count_words(markdown: &str) -> usize {
    let mut count = 0;
    let mut is_inside = false;
    scan(markdown, |mark, start, end| {
        if matches!(mark, Mark::Hidden | Mark::Citation) {
            // An HTML tag ends a word: `a<br>b` is two. Other markup does not: `un**believ**able` is one.
            is_inside &= markdown.as_bytes().get(start) != Some(&b'<');
            return;
        }
        for character in markdown[start..end].chars() {
            let kind = KINDS.get(character as usize);
            if let Some(kind) = kind {
                // The common case, without a branch.
                let is_alphanumeric = *kind == Kind::Alphanumeric;
                count += usize::from(is_alphanumeric & !is_inside);
                is_inside = is_alphanumeric | (is_inside & (*kind == Kind::Other));
            } else if is_ideographic(character) {
                count += 1;
                is_inside = false;
            } else if character.is_alphanumeric() {
                count += usize::from(!is_inside);
                is_inside = true;
            } else if character.is_whitespace() || character == '—' {
                is_inside = false;
            }
        }
    });
    count
}

#[cfg(test)]
mod tests {
    use super::count_words;

    #[test]
    fn visible_words_are_counted_and_markup_is_not() {
        let cases = [
            ("", 0),
            ("One two three.", 3),
            ("# A heading\n\nText **in bold** and *slanted*.", 7),
            ("A [link text](https://example.org/a_(b)/c \"its title\") here", 4),
            ("Cited [1][2] and [1, 3] and [1-3].", 3),
            ("A state-of-the-art method costs 3.5% less", 6),
            ("- first\n- second\n1. third\n2) fourth", 4),
            ("un**believ**able", 1),
            ("before—after", 2),
            ("a<br>b <b>c</b>", 3),
            ("`let x = 1` and\n```rust\nfn main\n```\nend", 7),
            ("[1]: https://example.org/a\n[^n]: a note", 2),
            ("Note[^n] here", 2),
            ("— & ... !!", 0),
            ("don't stop", 2),
        ];
        for (text, words) in cases {
            assert_eq!(count_words(text), words, "{text:?}");
        }
    }

    #[test]
    fn each_ideograph_and_kana_counts_as_one_word() {
        assert_eq!(count_words("検索拡張生成"), 6);
        assert_eq!(count_words("GPT-4は速い。"), 4);
        assert_eq!(count_words("한국어 문장"), 2);
    }
}
