//! Keeps the thinking that some servers leave in the text (`<think> … </think>` at its start) out of it.
//!
//! Only at the start: further on the tag is text like any other. Thinking that travels in a field of
//! its own never gets this far.

const TAGS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// A filter through which the pieces of one answer pass.
#[derive(Default)]
pub(crate) struct Thinking {
    state: State,
    held: String,
}

#[derive(Default)]
enum State {
    /// Nothing but what may still become a tag.
    #[default]
    Start,
    /// Inside, until this tag.
    Inside(&'static str),
    /// After it, before the first visible character.
    Behind,
    /// In the text.
    Text,
}

impl Thinking {
    /// The visible part of the next piece.
    pub(crate) fn pass(&mut self, piece: &str) -> String {
        if matches!(self.state, State::Text) {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        loop {
            match self.state {
                State::Start => {
                    let text = self.held.trim_start();
                    if let Some((open, close)) = TAGS.iter().find(|(open, _)| text.starts_with(open)) {
                        let from = self.held.len() - text.len() + open.len();
                        self.held.drain(..from);
                        self.state = State::Inside(close);
                    } else if TAGS.iter().any(|(open, _)| open.starts_with(text)) {
                        return String::new();
                    } else {
                        self.state = State::Text;
                    }
                }
                State::Inside(close) => {
                    if let Some(at) = self.held.find(close) {
                        self.held.drain(..at + close.len());
                        self.state = State::Behind;
                    } else {
                        // Only what may be the beginning of the tag needs to be kept.
                        let mut from = self.held.len().saturating_sub(close.len());
                        while !self.held.is_char_boundary(from) {
                            from -= 1;
                        }
                        self.held.drain(..from);
                        return String::new();
                    }
                }
                State::Behind => {
                    let text = self.held.trim_start();
                    if text.is_empty() {
                        self.held.clear();
                        return String::new();
                    }
                    let from = self.held.len() - text.len();
                    self.held.drain(..from);
                    self.state = State::Text;
                }
                State::Text => return std::mem::take(&mut self.held),
            }
        }
    }

    /// What was held back and turned out to be text after all.
    pub(crate) fn rest(self) -> String {
        match self.state {
            State::Start => self.held,
            _ => String::new(),
        }
    }
}

/// The visible part of a whole text.
pub(crate) fn without_thinking(text: &str) -> String {
    let mut thinking = Thinking::default();
    let mut visible = thinking.pass(text);
    visible.push_str(&thinking.rest());
    visible
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_is_left_out_however_the_text_is_cut() {
        let cases = [
            ("<think>so 思…</thi nk></think>\n\n答え {\"a\":1}", "答え {\"a\":1}"),
            ("\n <thinking>hm</thinking>ok", "ok"),
            ("plain <think>no</think>", "plain <think>no</think>"),
            ("  <thi", "  <thi"),
            ("<b>bold</b>", "<b>bold</b>"),
            ("<think>never closed", ""),
            ("<think></think>", ""),
            ("", ""),
        ];
        for (whole, visible) in cases {
            assert_eq!(without_thinking(whole), visible);
            let mut thinking = Thinking::default();
            let mut pieces: String =
                whole.chars().map(|character| thinking.pass(&character.to_string())).collect();
            pieces.push_str(&thinking.rest());
            assert_eq!(pieces, visible);
        }
    }
}
