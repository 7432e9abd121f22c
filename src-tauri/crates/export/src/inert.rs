//! Removes active content from Markdown: pictures, HTML, links that run something. All of it stays as text.
//!
//! Only these places are rewritten; everything else stays byte for byte. The result is parsed once more: if it still
//! has active content, whose position was hidden, the whole text becomes a code block.

use comrak::nodes::{AstNode, NodeValue, Sourcepos};
use comrak::{Arena, Options, parse_document};

/// Schemes that a link may have; a link without a scheme is relative to the file.
const SCHEMES: [&str; 3] = ["http", "https", "mailto"];

/// Links can be inside pictures and pictures inside links: each pass replaces the outermost.
const MOST_PASSES: usize = 8;

/// Longest text in bytes: longer ones take too long, and no person writes them.
const LONGEST: usize = 4 << 20;

/// The text without active content.
pub(crate) fn inert(markdown: &str) -> String {
    if markdown.len() > LONGEST {
        return as_code(markdown);
    }
    let mut text = markdown.to_owned();
    for _ in 0..MOST_PASSES {
        let found = find(&text);
        if found.edits.is_empty() && !found.acts {
            return text;
        }
        if found.edits.is_empty() {
            break;
        }
        for Edit { from, to, with } in found.edits.into_iter().rev() {
            text.replace_range(from..to, &with);
        }
    }
    as_code(markdown)
}

/// A title, a name or a source as one line without active content.
pub(crate) fn inert_line(text: &str) -> String {
    inert(&text.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// A range of bytes and its replacement.
struct Edit {
    from: usize,
    to: usize,
    with: String,
}

struct ActiveParts {
    /// In the order of the text, without overlaps.
    edits: Vec<Edit>,
    /// Whether there is any active content.
    acts: bool,
}

/// The Markdown dialect of all texts.
pub(crate) fn parser_options() -> Options<'static> {
    let mut options = Options::default();
    options.extension.autolink = true;
    // Emphasis also ends beside full-width punctuation without a space after it.
    options.extension.cjk_friendly_emphasis = true;
    options.extension.footnotes = true;
    options.extension.strikethrough = true;
    options.extension.table = true;
    options.extension.tasklist = true;
    options
}

fn find(text: &str) -> ActiveParts {
    let arena = Arena::new();
    let lines = Lines::of(text);
    let (mut edits, mut code, mut acts) = (Vec::new(), Vec::new(), false);
    for node in parse_document(&arena, text, &parser_options()).descendants() {
        let data = node.data.borrow();
        let place = lines.range(data.sourcepos);
        match &data.value {
            NodeValue::CodeBlock(_) => code.push(lines.whole(data.sourcepos)),
            NodeValue::Code(_) => code.extend(place.filter(|(from, to)| {
                let span = &text[*from..*to];
                span.starts_with('`') && span.ends_with('`')
            })),
            NodeValue::HtmlBlock(_) | NodeValue::HtmlInline(_) | NodeValue::Raw(_) => acts = true,
            NodeValue::Image(link) => {
                acts = true;
                edits.extend(as_text(text, place, "!", &words_in(node), &link.url));
            }
            NodeValue::Link(link) if !is_harmless(&link.url) => {
                acts = true;
                edits.extend(as_text(text, place, "", &words_in(node), &link.url));
            }
            _ => {}
        }
    }
    edits.extend(tags(text, &code));
    edits.sort_by_key(|edit| (edit.from, usize::MAX - edit.to));
    let mut until = 0;
    edits.retain(|edit| {
        let is_outermost = edit.from >= until;
        until = until.max(edit.to);
        is_outermost
    });
    ActiveParts { edits, acts }
}

/// A picture or a link as its text, with its address as code.
fn as_text(text: &str, place: Option<(usize, usize)>, begins: &str, words: &str, url: &str) -> Option<Edit> {
    let (from, to) = place?;
    let span = &text[from..to];
    let is_bracketed = span.starts_with(&format!("{begins}[")) && span.ends_with([')', ']']);
    let is_bare = begins.is_empty() && !span.contains(['[', ']', '(', ')', '\n']);
    let address = format!("`{}`", url.replace('`', "%60").replace(['\n', '\r'], " "));
    let with = match (is_bracketed, words.trim().is_empty() || words == url) {
        (true, false) => format!("{} ({address})", escaped(words)),
        (true, true) => address,
        (false, _) if is_bare => address,
        (false, _) => return None,
    };
    Some(Edit { from, to, with })
}

/// Every `<` outside code that could begin a tag, also for a lenient parser.
fn tags(text: &str, code: &[(usize, usize)]) -> Vec<Edit> {
    let is_tag = |rest: &str| {
        let opens = rest.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
        opens && !is_address(rest)
    };
    let found = text.match_indices('<').filter(|(index, _)| {
        is_tag(&text[index + 1..]) && !code.iter().any(|(from, to)| (*from..*to).contains(index))
    });
    found
        .map(|(index, _)| {
            let slashes = text[..index].bytes().rev().take_while(|byte| *byte == b'\\').count();
            // The backslash of an escaped one is removed, because it would escape the entity.
            Edit { from: index - slashes % 2, to: index + 1, with: "&lt;".to_owned() }
        })
        .collect()
}

/// Whether this is an autolink that ends with `>`.
fn is_address(rest: &str) -> bool {
    let Some(end) = rest.find('>') else { return false };
    let inside = &rest[..end];
    ["http://", "https://", "mailto:"].iter().any(|scheme| inside.starts_with(scheme))
        && !inside.contains(|c: char| c.is_whitespace() || "<\"'`".contains(c))
}

fn is_harmless(url: &str) -> bool {
    scheme(url).is_none_or(|scheme| SCHEMES.contains(&scheme.as_str()))
}

/// Whether the address is of the web or of mail: one without a scheme leads nowhere in an exported file.
pub(crate) fn is_link(url: &str) -> bool {
    let is_plain = !url.contains(|c: char| c.is_whitespace() || c.is_control());
    is_plain && scheme(url).is_some_and(|scheme| SCHEMES.contains(&scheme.as_str()))
}

/// The scheme of an address in lower case, if it has one.
fn scheme(url: &str) -> Option<String> {
    // Parsers remove white space and control characters before they read the scheme.
    let url: String = url.chars().filter(|c| !c.is_whitespace() && !c.is_control()).collect();
    let (scheme, _) = url.split_once(':')?;
    (!scheme.contains(['/', '?', '#'])).then(|| scheme.to_ascii_lowercase())
}

/// The plain text of a node.
fn words_in<'a>(node: &'a AstNode<'a>) -> String {
    let mut words = String::new();
    for inner in node.descendants() {
        match &inner.data.borrow().value {
            NodeValue::Text(text) => words.push_str(text),
            NodeValue::Code(code) => words.push_str(&code.literal),
            NodeValue::HtmlInline(html) => words.push_str(html),
            NodeValue::SoftBreak | NodeValue::LineBreak => words.push(' '),
            _ => {}
        }
    }
    words
}

/// Text with all Markdown characters escaped.
fn escaped(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for character in words.chars() {
        match character {
            '<' => text.push_str("&lt;"),
            '&' => text.push_str("&amp;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '!' | '|' | '~' => text.extend(['\\', character]),
            _ => text.push(character),
        }
    }
    text
}

/// The whole text as a code block, with a fence that is longer than any inside.
fn as_code(text: &str) -> String {
    let longest = text.split(|c| c != '`').map(str::len).max().unwrap_or(0);
    let fence = "`".repeat(longest.max(2) + 1);
    format!("{fence}\n{}\n{fence}\n", text.trim_end())
}

/// The offsets of the lines of a text.
struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Lines<'t> {
        // The parser treats a lone carriage return as a line end, too.
        let bytes = text.as_bytes();
        let ends = |index: &usize| {
            bytes[*index] == b'\n' || (bytes[*index] == b'\r' && bytes.get(index + 1) != Some(&b'\n'))
        };
        let starts = std::iter::once(0).chain((0..bytes.len()).filter(ends).map(|index| index + 1)).collect();
        Lines { text, starts }
    }

    /// The byte range of a position, if it is valid and on character boundaries.
    fn range(&self, place: Sourcepos) -> Option<(usize, usize)> {
        let from = self.starts.get(place.start.line.checked_sub(1)?)? + place.start.column.checked_sub(1)?;
        let to = self.starts.get(place.end.line.checked_sub(1)?)? + place.end.column;
        (from < to && self.text.get(from..to).is_some()).then_some((from, to))
    }

    /// The byte range of the lines of a position.
    fn whole(&self, place: Sourcepos) -> (usize, usize) {
        let start = |line: usize| self.starts.get(line).copied().unwrap_or(self.text.len());
        (start(place.start.line.saturating_sub(1)), start(place.end.line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ORDINARY: &str = "# 標題 — Title *with* `code` & more\n\nA sentence [1], another [2, 3]. 3 < 4, a <- b, `Vec<String>` and \\<escaped\\>\u{20}\u{20}\nhard break, https://example.org/a_b?c=d and <https://example.org/x> and <mailto:a@example.org>.\n\n\
        * one\n* [two](https://example.org/2 \"Title\") and [three][ref] and [here](#place) and [beside](other.md)\n  1. 縦書き\n  2. 中文**粗體**。\n- [ ] task\n\n\
        | a | b |\n|:--|--:|\n| `<b>` | x \\| y |\n\n```html\n<img src=x onerror=alert(1)>\n```\n\n    <script>indented</script>\n\n> quoted\n> ~~~\n> <svg>\n> ~~~\n\nSetext\n======\n\n***\n\nA footnote[^1].\n\n[^1]: Its text.\n\n[ref]: <https://example.org/3> 'Third'\n";

    #[test]
    fn ordinary_markdown_stays_unchanged() {
        let unescaped = ORDINARY.replace("\\<escaped\\>", "&lt;escaped\\>");
        assert_eq!(inert(ORDINARY), unescaped);
        assert_eq!(inert(&unescaped), unescaped);
    }

    #[test]
    fn active_content_becomes_plain_text() {
        for (active, left) in [
            (
                "A ![chart *x*](https://spy.example/p.png?id=7 'T') here",
                "A chart x (`https://spy.example/p.png?id=7`) here",
            ),
            ("![](https://spy.example/p.png)", "`https://spy.example/p.png`"),
            (
                "![a][b]\n\n[b]: https://spy.example/p.png",
                "a (`https://spy.example/p.png`)\n\n[b]: https://spy.example/p.png",
            ),
            ("<img src=x onerror=alert(1)>", "&lt;img src=x onerror=alert(1)>"),
            ("文字<svg/onload=alert(1)>文字", "文字&lt;svg/onload=alert(1)>文字"),
            ("<script>\nalert(1)\n</script>", "&lt;script>\nalert(1)\n&lt;/script>"),
            ("<img src=x onerror=alert(1) title='", "&lt;img src=x onerror=alert(1) title='"),
            ("<!-- --><?php ?>", "&lt;!-- -->&lt;?php ?>"),
            ("[go](javascript:alert(1))", "go (`javascript:alert(1)`)"),
            ("[go](JaVa&#115;cript:alert`1`)", "go (`JaVascript:alert%601%60`)"),
            ("[go](<java\tscript:alert(1)>)", "go (`java\tscript:alert(1)`)"),
            (
                "[*go*][x]\n\n[x]: data:text/html,<b>",
                "go (`data:text/html,<b>`)\n\n[x]: data:text/html,&lt;b>",
            ),
            ("<javascript:alert(1)>", "&lt;javascript:alert(1)>"),
            (
                "[![alt](https://spy.example/p.png)](https://example.org)",
                "[alt (`https://spy.example/p.png`)](https://example.org)",
            ),
            ("[![alt](https://spy.example/p.png)](vbscript:x)", "alt (`vbscript:x`)"),
            (
                "| a |\n|--|\n| ![x](https://spy.example/p.png) <img src=x> |",
                "| a |\n|--|\n| x (`https://spy.example/p.png`) &lt;img src=x> |",
            ),
            (
                "> - a\n>   ![x\n>   y](https://spy.example/p.png)",
                "> - a\n>   x y (`https://spy.example/p.png`)",
            ),
        ] {
            let made = inert(active);
            assert_eq!(made, left, "{active}");
            let again = find(&made);
            assert!(!again.acts && again.edits.is_empty(), "{made}");
        }
    }

    #[test]
    fn random_markdown_has_no_active_content_afterwards() {
        const PARTS: [&str; 24] = [
            "![a](http://e/p)",
            "[a](javascript:b)",
            "<img src=x>",
            "</p>",
            "<!--",
            "-->",
            "`",
            "``",
            "```\n",
            "\n\n",
            "\n> ",
            "\n- ",
            "\n    ",
            "\\",
            "![",
            "](",
            ")",
            "[x]",
            "\n[x]: javascript:a\n",
            "| a | b |\n|--|--|\n",
            "\t",
            "文",
            "\r",
            "<a\n",
        ];
        let mut seed = 20_261_123_u64;
        for _ in 0..3_000 {
            let mut text = String::new();
            for _ in 0..12 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(PARTS[usize::try_from(seed >> 33).unwrap() % PARTS.len()]);
            }
            let made = inert(&text);
            assert!(!find(&made).acts, "{text:?} became {made:?}");
        }
    }
}
