//! Removes thinking that some servers leave at the start of the text (`<think> … </think>`).
//!
//! Only at the start: later the tag is ordinary text. The thinking is kept separately, for servers that put the whole
//! answer there.

const TAGS: [(&str, &str); 2] = [("<think>", "</think>"), ("<thinking>", "</thinking>")];

/// Bytes that are kept of the end of the thinking.
const MOST_KEPT: usize = 1024 * 1024;

/// The thinking of a model, or its end if it is long: an answer in it is at its end.
#[derive(Default)]
pub(crate) struct Thoughts(String);

impl Thoughts {
    pub(crate) fn push(&mut self, piece: &str) {
        self.0.push_str(piece);
        // Truncated rarely, so that a long thinking in small pieces is not moved with each of them.
        if self.0.len() > 2 * MOST_KEPT {
            let from = self.0.ceil_char_boundary(self.0.len() - MOST_KEPT);
            self.0.drain(..from);
        }
    }

    /// Takes all that is kept.
    pub(crate) fn take(&mut self) -> String {
        std::mem::take(&mut self.0)
    }
}

/// A filter for the pieces of one answer.
#[derive(Default)]
pub(crate) struct Thinking {
    state: State,
    /// White space at the beginning.
    lead: String,
    held: String,
    thoughts: Thoughts,
}

#[derive(Default)]
enum State {
    /// Before the text, as long as a tag may follow.
    #[default]
    Start,
    /// Inside the thinking, until this tag.
    Inside(&'static str),
    /// After the thinking, before the first visible character.
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
                    if self.held.starts_with(char::is_whitespace) {
                        let text = self.held.trim_start().len();
                        self.lead.extend(self.held.drain(..self.held.len() - text));
                    }
                    if let Some((open, close)) = TAGS.iter().find(|(open, _)| self.held.starts_with(open)) {
                        self.held.drain(..open.len());
                        self.state = State::Inside(close);
                    } else if TAGS.iter().any(|(open, _)| open.starts_with(&self.held)) {
                        return String::new();
                    } else {
                        self.state = State::Text;
                        self.held.insert_str(0, &std::mem::take(&mut self.lead));
                    }
                }
                State::Inside(close) => {
                    if let Some(at) = self.held.find(close) {
                        self.thoughts.push(&self.held[..at]);
                        self.held.drain(..at + close.len());
                        self.state = State::Behind;
                    } else {
                        // Only the bytes that may begin the tag need to be kept.
                        let from = self.held.floor_char_boundary(self.held.len().saturating_sub(close.len()));
                        self.thoughts.push(&self.held[..from]);
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

    /// The held-back bytes that turned out to be text, and the thinking.
    pub(crate) fn rest(mut self) -> (String, String) {
        match self.state {
            State::Start => (self.lead + &self.held, String::new()),
            State::Inside(_) => {
                self.thoughts.push(&self.held);
                (String::new(), self.thoughts.take())
            }
            State::Behind | State::Text => (String::new(), self.thoughts.take()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without_thinking(text: &str) -> (String, String) {
        let mut thinking = Thinking::default();
        let visible = thinking.pass(text);
        let (rest, thoughts) = thinking.rest();
        (visible + &rest, thoughts)
    }

    #[test]
    fn thinking_is_removed_however_the_text_is_split() {
        let cases = [
            ("<think>so 思…</thi nk></think>\n\n答え {\"a\":1}", "答え {\"a\":1}", "so 思…</thi nk>"),
            ("\n <thinking>hm</thinking>ok", "ok", "hm"),
            ("plain <think>no</think>", "plain <think>no</think>", ""),
            ("  <thi", "  <thi", ""),
            ("<b>bold</b>", "<b>bold</b>", ""),
            ("<think>never 閉じ", "", "never 閉じ"),
            ("<think></think>", "", ""),
            ("", "", ""),
        ];
        for (whole, visible, thoughts) in cases {
            assert_eq!(without_thinking(whole), (visible.to_owned(), thoughts.to_owned()));
            let mut thinking = Thinking::default();
            let mut pieces: String =
                whole.chars().map(|character| thinking.pass(&character.to_string())).collect();
            let (rest, thought) = thinking.rest();
            pieces.push_str(&rest);
            assert_eq!((pieces.as_str(), thought.as_str()), (visible, thoughts));
        }
    }

    #[test]
    fn only_the_end_of_endless_thinking_is_kept() {
        let mut thoughts = Thoughts::default();
        for _ in 0..300_000 {
            thoughts.push("字 thought ");
        }
        thoughts.push("the end");
        let kept = thoughts.take();
        assert!(kept.len() <= 2 * MOST_KEPT && kept.ends_with("thought the end"), "{}", kept.len());
    }
}
