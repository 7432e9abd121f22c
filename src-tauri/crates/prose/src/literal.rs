//! Text as Markdown that shows it unchanged.

/// Signs that mean something to Markdown wherever they stand.
const MARKS: &str = "\\`*_{}[]<>#|~&!@";

/// One line of Markdown that shows a text as it is, with single blanks and without control characters: none of its signs
/// is a mark, none of its addresses a link.
pub fn literal(text: &str) -> String {
    let seen: String = text.chars().filter(|c| c.is_whitespace() || !c.is_control()).collect();
    let line = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut said = String::with_capacity(line.len());
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    for (at, c) in line.char_indices() {
        let (before, behind) = (&line[..at], &line[at + c.len_utf8()..]);
        let is_mark = match c {
            // The mark of an item of a list, and a line under a heading.
            '-' | '+' | '=' => at == 0,
            '.' | ')' if at > 0 && at == digits => behind.is_empty() || behind.starts_with(' '),
            // Addresses become links by themselves.
            '.' => before.len() >= 3 && before.as_bytes()[at - 3..].eq_ignore_ascii_case(b"www"),
            ':' => behind.starts_with("//"),
            _ => MARKS.contains(c),
        };
        if is_mark {
            said.push('\\');
        }
        said.push(c);
    }
    said
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// What a reader sees of Markdown, with all that the program's Markdown knows.
    fn shown(markdown: &str) -> String {
        let mut options = comrak::Options::default();
        options.extension.autolink = true;
        options.extension.strikethrough = true;
        options.extension.table = true;
        options.extension.tasklist = true;
        options.extension.footnotes = true;
        comrak::markdown_to_html(markdown, &options)
    }

    fn escaped(text: &str) -> String {
        text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
    }

    #[test]
    fn names_as_people_write_them_stay_readable() {
        for name in ["君の名は。", "2.5D café (east), 10:30", "St. Mary's – No. 5", "3) wait"] {
            let escapes = literal(name).matches('\\').count();
            assert!(escapes <= 1, "{}", literal(name));
        }
        assert_eq!(literal(" two\n lines\u{7} "), "two lines");
    }

    proptest! {
        #[test]
        fn a_text_is_shown_as_it_is_wherever_it_stands(
            pieces in proptest::collection::vec(
                prop_oneof![
                    4 => proptest::sample::select(vec![
                        "1.", "12)", "-", "+", "===", "#", ">", "&amp;", "&", "~~", "*", "_", "`", "[a](b)", "![", "]",
                        "<b>", "http://a.example", "https://a.example", "www.a.example", "WWW.b.example", "a@b.example",
                        "mailto:a@b.example", "ftp://c.example", "|", "\\", "[^1]", "[ ]", "[x]", " ", "a", "-- ", ": ", "名",
                    ]).prop_map(str::to_owned),
                    1 => "[ -~]{0,3}",
                ],
                0..8,
            )
        ) {
            let text = pieces.concat();
            let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
            let alone = if line.is_empty() { String::new() } else { format!("<p>{}</p>\n", escaped(&line)) };
            prop_assert_eq!(shown(&literal(&text)), alone);
            let listed = if line.is_empty() { String::new() } else { escaped(&line) };
            prop_assert_eq!(shown(&format!("- {}", literal(&text))), format!("<ul>\n<li>{listed}</li>\n</ul>\n"));
        }
    }
}
