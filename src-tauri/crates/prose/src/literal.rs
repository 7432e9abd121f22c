//! Escapes text for Markdown.

/// Characters that have a meaning in Markdown at any position.
const MARKS: &str = "\\`*_{}[]<>#|~&!@";

/// The text as one line of Markdown that renders unchanged: marks are escaped, and addresses do not become links.
/// White space becomes single spaces, and control characters are removed.
pub fn literal(text: &str) -> String {
    let seen: String = text.chars().filter(|c| c.is_whitespace() || !c.is_control()).collect();
    let line = seen.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut escaped = String::with_capacity(line.len());
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    for (at, c) in line.char_indices() {
        let (before, behind) = (&line[..at], &line[at + c.len_utf8()..]);
        let is_mark = match c {
            // At the start of a line these mark a list item or underline a heading.
            '-' | '+' | '=' => at == 0,
            '.' | ')' if at > 0 && at == digits => behind.is_empty() || behind.starts_with(' '),
            // Some Markdown renderers turn bare addresses into links.
            '.' => before.len() >= 3 && before.as_bytes()[at - 3..].eq_ignore_ascii_case(b"www"),
            ':' => behind.starts_with("//"),
            _ => MARKS.contains(c),
        };
        if is_mark {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Renders Markdown with the extensions that the program uses.
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
    fn ordinary_names_are_hardly_escaped() {
        for name in ["君の名は。", "2.5D café (east), 10:30", "St. Mary's – No. 5", "3) wait"] {
            let escapes = literal(name).matches('\\').count();
            assert!(escapes <= 1, "{}", literal(name));
        }
        assert_eq!(literal(" two\n lines\u{7} "), "two lines");
    }

    proptest! {
        #[test]
        fn an_escaped_text_renders_unchanged_in_a_paragraph_and_in_a_list(
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
