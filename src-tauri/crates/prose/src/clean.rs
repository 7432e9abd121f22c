//! Makes plain text of abstracts, for display and for quotation.
//!
//! LaTeX, HTML and Markdown markup is removed and the words stay. Formulas become readable plain text ("20$\times$" is
//! "20×"). It is not a renderer: an unknown command keeps its letters and loses its marks. A dollar sign before a sum
//! of money stays.

use crate::plain::plain_length;
use crate::symbols::{SYMBOLS, entity, superscript};

/// The text as one line of plain text: without LaTeX, markup and control characters, with decoded entities and
/// collapsed white space.
pub fn clean(text: &str) -> String {
    let text = without_announcement(text);
    let mut cleaner =
        Cleaner { text, out: String::with_capacity(text.len()), groups: Vec::new(), math_end: 0 };
    let mut at = 0;
    while let Some(character) = text[at..].chars().next() {
        // Most of a text is letters and single spaces, which are copied unchanged.
        let plain = plain_length(&text.as_bytes()[at..]);
        if plain > 0 {
            cleaner.out.push_str(&text[at..at + plain]);
            at += plain;
        } else {
            at = cleaner.step(at, character);
        }
    }
    let trimmed = cleaner.out.trim_end().len();
    cleaner.out.truncate(trimmed);
    cleaner.out
}

/// Most bytes in which a closing mark is searched.
const REACH: usize = 200;

struct Cleaner<'a> {
    text: &'a str,
    out: String,
    /// For each open brace, whether its closing brace is printed.
    groups: Vec<bool>,
    /// Offset of the end of the current formula; 0 outside of formulas.
    math_end: usize,
}

impl<'a> Cleaner<'a> {
    /// Handles the character at `at` and returns the next offset.
    fn step(&mut self, at: usize, character: char) -> usize {
        let rest = &self.text[at..];
        let next = at + character.len_utf8();
        let is_math = at < self.math_end;
        match character {
            '\\' => self.command(at),
            '$' if is_math && at + 1 == self.math_end => next,
            '$' if rest.starts_with("$$") => at + 2,
            '$' => {
                match math_length(&rest[1..]) {
                    Some(length) => self.math_end = next + length + 1,
                    None => self.out.push('$'),
                }
                next
            }
            '{' if is_math || rest.starts_with("{\\") || rest.starts_with("{,}") => {
                self.groups.push(false);
                next
            }
            '{' => {
                self.groups.push(true);
                self.out.push('{');
                next
            }
            '}' => {
                if self.groups.pop().unwrap_or(true) {
                    self.out.push('}');
                }
                next
            }
            '^' if is_math => self.raise(next),
            '_' if is_math => self.lower(next),
            '`' if rest.starts_with("``") => self.put("“", at + 2),
            '\'' if rest.starts_with("''") => self.put("”", at + 2),
            '`' => next,
            '-' if rest.starts_with("---") => self.put("—", at + 3),
            '-' if rest.starts_with("--") => self.put("–", at + 2),
            '*' if rest.starts_with("**") => at + 2,
            // A tilde joins two words in LaTeX; after a space or a bracket it means "about".
            '~' if !self.out.ends_with([' ', '('])
                && !rest[1..].starts_with([' ', '~'])
                && !self.out.is_empty()
                && !is_math =>
            {
                self.put(" ", next)
            }
            '<' => match tag_length(rest) {
                Some(length) => self.put(" ", at + length),
                None => self.put("<", next),
            },
            '&' => match entity(rest) {
                Some((decoded, length)) => {
                    self.push(decoded);
                    at + length
                }
                None => self.put("&", next),
            },
            ']' if rest.starts_with("](") => self.link(at),
            other => {
                self.push(other);
                next
            }
        }
    }

    fn put(&mut self, piece: &str, next: usize) -> usize {
        if piece == " " {
            self.push(' ')
        } else {
            self.out.push_str(piece)
        }
        next
    }

    /// Appends a character; collapses white space and drops invisible characters.
    fn push(&mut self, character: char) {
        if character.is_whitespace() {
            if !self.out.is_empty() && !self.out.ends_with(' ') {
                self.out.push(' ');
            }
        } else if !is_invisible(character) {
            self.out.push(character);
        }
    }

    /// Ends a Markdown link: removes its opening bracket, if one is near, and skips its address.
    fn link(&mut self, at: usize) -> usize {
        let tail =
            self.out.char_indices().rev().take(REACH).find(|(_, character)| matches!(character, '[' | ']'));
        let close = window(&self.text[at..]).find(')');
        match (tail, close) {
            (Some((open, '[')), Some(close)) => {
                self.out.remove(open);
                at + close + 1
            }
            _ => self.put("]", at + 1),
        }
    }

    /// Handles a backslash: an escaped mark, an accent, or a command with its arguments.
    fn command(&mut self, at: usize) -> usize {
        let rest = &self.text[at + 1..];
        let Some(first) = rest.chars().next() else { return at + 1 };
        let after_first = at + 1 + first.len_utf8();
        if !first.is_ascii_alphabetic() {
            match first {
                ',' | ';' | ':' | ' ' | '\\' | '\n' => self.push(' '),
                '(' | ')' | '[' | ']' | '!' | '/' | '-' => {}
                '\'' | '"' | '`' | '^' | '~' | '=' | '.' => return self.accent(first, after_first),
                other => self.push(other),
            }
            return after_first;
        }
        let length = rest.bytes().take(40).take_while(u8::is_ascii_alphabetic).count();
        let name = &rest[..length];
        let mut next = at + 1 + length;
        let is_group = self.text[next..].starts_with('{');
        if let Some((_, sign)) = SYMBOLS.iter().find(|(known, _)| *known == name) {
            // In a formula a space after a command only ends the command, unless there is one before it, too.
            let is_spaced = self.out.ends_with(' ') || at >= self.math_end;
            self.out.push_str(sign);
            return next + usize::from(!is_spaced && self.text[next..].starts_with(' '));
        }
        match name {
            "cite" | "citep" | "citet" | "ref" | "label" | "footnote" | "color" | "textcolor" | "href"
            | "begin" | "end" | "vspace" | "hspace" => {
                if let Some(end) = self.argument_end(next) {
                    next = end;
                    if matches!(name, "cite" | "citep" | "citet" | "ref" | "footnote") {
                        self.out.truncate(self.out.trim_end().len());
                    }
                    if self.text[next..].starts_with('{') {
                        self.groups.push(false);
                        next += 1;
                    }
                }
                return next;
            }
            "textsuperscript" => return self.raise(next),
            "left" | "right" | "big" | "Big" | "bigl" | "bigr" | "displaystyle" | "quad" | "qquad" | "it"
            | "bf" | "em" | "tt" | "sc" | "rm" | "s" | "romannumeral" | "xspace" | "noindent" | "par" => {
                return next;
            }
            _ => {}
        }
        if is_group {
            self.groups.push(false);
            return next + 1;
        }
        self.out.push_str(name);
        next
    }

    /// One past the brace that closes the argument at `at`; `None` if it does not close within reach.
    fn argument_end(&self, at: usize) -> Option<usize> {
        let rest = window(&self.text[at..]);
        rest.starts_with('{').then(|| rest.find('}').map(|close| at + close + 1)).flatten()
    }

    fn accent(&mut self, accent: char, at: usize) -> usize {
        let rest = &self.text[at..];
        let (letter, length) = match rest.as_bytes() {
            [b'{', letter, b'}', ..] if letter.is_ascii_alphabetic() => (*letter as char, 3),
            [letter, ..] if letter.is_ascii_alphabetic() => (*letter as char, 1),
            _ => return at,
        };
        let mark = match accent {
            '\'' => '\u{301}',
            '"' => '\u{308}',
            '`' => '\u{300}',
            '^' => '\u{302}',
            '~' => '\u{303}',
            '=' => '\u{304}',
            _ => '\u{307}',
        };
        match unicode_normalization::char::compose(letter, mark) {
            Some(composed) => self.out.push(composed),
            None => self.out.extend([letter, mark]),
        }
        at + length
    }

    /// Writes a superscript: raised digits after a letter, else a circumflex, so that 2560² does not become 25602.
    fn raise(&mut self, at: usize) -> usize {
        let (raised, end) = self.short_argument(at);
        if raised == "\\circ" {
            return self.put("°", end);
        }
        if raised == "\\prime" || raised == "'" {
            return self.put("′", end);
        }
        let after_letter =
            self.out.chars().next_back().is_some_and(|last| last.is_alphabetic() || last == ')');
        let small: Option<String> = raised.chars().map(superscript).collect();
        match small {
            Some(small) if after_letter && !small.is_empty() => self.put(&small, end),
            _ => {
                self.out.push('^');
                at
            }
        }
    }

    /// Writes a subscript: digits directly, anything else after an underscore.
    fn lower(&mut self, at: usize) -> usize {
        let (lowered, end) = self.short_argument(at);
        if !lowered.is_empty() && lowered.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            self.out.push_str(lowered);
            return end;
        }
        self.out.push('_');
        at
    }

    /// The argument at `at` and its end: a short group without inner groups, a short command, or one character.
    fn short_argument(&self, at: usize) -> (&'a str, usize) {
        let text = self.text;
        let rest = &text[at..];
        if let Some(inner) = rest.strip_prefix('{') {
            return match window(inner).find(['}', '{']) {
                Some(close) if inner[close..].starts_with('}') => (&inner[..close], at + close + 2),
                _ => ("", at),
            };
        }
        if let Some(name) = rest.strip_prefix('\\') {
            let length = 1 + name.bytes().take(12).take_while(u8::is_ascii_alphabetic).count();
            return (&rest[..length], at + length);
        }
        let length = rest.chars().next().map_or(0, char::len_utf8);
        (&rest[..length], at + length)
    }
}

/// The text without the line that arXiv's announcement feeds put before the abstract.
fn without_announcement(text: &str) -> &str {
    let trimmed = text.trim_start();
    if !trimmed.starts_with("arXiv:") {
        return text;
    }
    let head = window(trimmed);
    head.find("Abstract:").map_or(text, |at| &trimmed[at + "Abstract:".len()..])
}

/// The first [`REACH`] bytes of a text, cut at a character border.
fn window(text: &str) -> &str {
    &text[..text.floor_char_boundary(REACH)]
}

/// Length of the formula up to the next dollar sign; `None` if the signs are more likely money.
fn math_length(rest: &str) -> Option<usize> {
    let length = window(rest).find('$')?;
    let inner = &rest[..length];
    let is_money = inner.is_empty()
        || inner.starts_with(char::is_whitespace)
        || inner.ends_with(|last: char| last.is_whitespace() || matches!(last, '-' | ',' | '('))
        || (inner.starts_with(|first: char| first.is_ascii_digit())
            && rest[length + 1..].starts_with(|next: char| next.is_ascii_digit()));
    if is_money && !inner.contains('\\') {
        return None;
    }
    let has_marks = inner.contains(['\\', '^', '_', '{', '=', '<', '>', '|', '≤', '≥']);
    let has_words = inner.as_bytes().windows(2).any(|pair| pair.iter().all(u8::is_ascii_alphabetic));
    (has_marks || !has_words).then_some(length)
}

fn tag_length(rest: &str) -> Option<usize> {
    let second = *rest.as_bytes().get(1)?;
    if !second.is_ascii_alphabetic() && !matches!(second, b'/' | b'!') {
        return None;
    }
    let close = window(&rest[1..]).find(['>', '<'])? + 1;
    rest[close..].starts_with('>').then_some(close + 1)
}

/// Control characters, zero-width characters and marks that change the direction of text.
fn is_invisible(character: char) -> bool {
    character.is_control()
        || matches!(character as u32,
            0xAD | 0x200B | 0x200E | 0x200F | 0x202A..=0x202E | 0x2060..=0x2064 | 0x2066..=0x2069 | 0xFEFF | 0xFFFD)
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn latex_of_real_abstracts_becomes_plain_text() {
        for (written, plain) in [
            (r"we propose \textbf{TaDA} ($\textbf{T}$ask)", "we propose TaDA (Task)"),
            (
                r"models up to 20$\times$ larger at $1024 \times 1024$",
                "models up to 20× larger at 1024 × 1024",
            ),
            (r"by $25.8\%$ and 3.5\% ($p < 0.001$)", "by 25.8% and 3.5% (p < 0.001)"),
            (r"GUI-C$^2$ and P\textsuperscript{2}-DPO at $2560^2$", "GUI-C² and P²-DPO at 2560^2"),
            (
                r"L$_2$ norm, DCIC$_{RD}$, $12{,}500$ items, ${\sim}19\%$",
                "L2 norm, DCIC_RD, 12,500 items, ~19%",
            ),
            (r"compact ($<$300M parameters)", "compact (<300M parameters)"),
            (r"Qwen~\cite{qwen} at~\url{https://a.b}", "Qwen at https://a.b"),
            (r"see \href{https://a.b/c}{link}.", "see link."),
            (r"``world line'' of a constitution--executor", "“world line” of a constitution–executor"),
            (r"{\color{blue}(5) steered} by \emph{one \textit{two}}", "(5) steered by one two"),
            (r#"M\"uller and Erd\H{o}s caf\'{e}"#, "Müller and Erdos café"),
            (r"$\text{VG}^2$GT and $\mathbb{F}_2$", "VG²GT and F2"),
        ] {
            assert_eq!(clean(written), plain);
        }
    }

    #[test]
    fn money_braces_and_plain_text_stay() {
        for kept in [
            "It costs $5 million, not $6 million.",
            "from $5-$10",
            "fill {name} in",
            "~10% of a_b ^ c",
            "A* search",
        ] {
            assert_eq!(clean(kept), kept);
        }
    }

    #[test]
    fn html_entities_and_white_space_are_resolved() {
        assert_eq!(clean("<p>AT&amp;T\n\n &#39;x&#x27;&nbsp;&lt;b&gt;</p>"), "AT&T 'x' <b>");
        assert_eq!(clean("**bold** [text](https://a.b) a\u{200b}b\u{7}"), "bold text ab");
        assert_eq!(clean("arXiv:2605.1v1 Announce Type: new \nAbstract: We go."), "We go.");
        assert_eq!(clean(" \n "), "");
    }
}
