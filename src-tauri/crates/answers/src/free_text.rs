//! Free text: removes the thinking before it and the turn marks around it, and keeps everything else word for word.
//!
//! A text may be about such marks, or be HTML. So only its ends are cut, and never the whole text.

use crate::Fault;
use crate::mentions::is_mentioned;
use crate::visible::{BYTES_PER_STEP, ENDS, MARKS, THINKING_TOKENS};
use crate::work::Work;

/// The beginning of an answer after its thinking.
const BEGINS: &[&str] = &["<|start_response|>", "<|begin_of_solution|>", "<|response|>"];
/// The beginning of a turn; its role follows.
const TURNS: &[&str] = &["<|im_start|>", "<|start_header_id|>", "<start_of_turn>", "<|start|>"];
const CHANNEL: &str = "<|channel|>";
const FINAL: &str = "<|channel|>final";
const MESSAGE: &str = "<|message|>";

/// The text, and whether thinking was removed before it.
///
/// # Errors
/// As for [`Work::spend`].
pub(crate) fn read<'t>(text: &'t str, work: &mut Work<'_>) -> Result<(&'t str, bool), Fault> {
    let text = text.trim_start_matches('\u{feff}').trim();
    // Each mark contains one of these.
    if !text.contains(['<', '[', '◁']) {
        return Ok((text, false));
    }
    work.spend(text.len())?;
    let small = text.to_ascii_lowercase();
    let marks = Marks { text, small: &small };
    let start = marks.without_first(0);
    let end = marks.end_of_turn(start, work)?;
    let (behind, has_thinking) = match marks.behind_channels() {
        Some(found) => found,
        None => {
            let behind = marks.behind_thinking(start, end, work)?;
            (behind, behind > start)
        }
    };
    let begin = marks.without_first(behind);
    let answer = marks.without_last(begin, end);
    if !answer.is_empty() {
        return Ok((answer, has_thinking));
    }
    Ok((marks.without_last(start, end), false))
}

/// A text with its lower-case form.
struct Marks<'t, 's> {
    text: &'t str,
    small: &'s str,
}

impl<'t> Marks<'t, '_> {
    /// Whether a mark has its counterpart in the text: `<s>old</s>` is an element.
    fn is_paired(&self, mark: &str) -> bool {
        match mark {
            "<s>" => self.small.contains("</s>"),
            "</s>" => self.small.contains("<s>"),
            "[/inst]" => self.small.contains("[inst]"),
            _ => false,
        }
    }

    fn marks(&self) -> Vec<&'static str> {
        MARKS.iter().chain(BEGINS).copied().filter(|mark| !self.is_paired(mark)).collect()
    }

    /// The beginning of the text after the marks at `at`. A mark that the text is about is followed by a space or a
    /// role.
    fn without_first(&self, at: usize) -> usize {
        let known = self.marks();
        let mut at = at;
        loop {
            at = self.behind_blanks(at);
            let rest = &self.small[at..];
            let behind = known.iter().find_map(|mark| {
                let after = rest.strip_prefix(mark)?;
                let is_other = if TURNS.contains(mark) {
                    after.starts_with(|c: char| c.is_alphabetic() || c == ' ')
                } else {
                    after.starts_with(' ')
                };
                (!is_other).then_some(at + mark.len())
            });
            match behind {
                Some(behind) => at = behind,
                None => return at,
            }
        }
    }

    /// The text of `start..end` without the marks at its end. A mark that the text is about follows a space or a colon,
    /// or the text has other turns in it.
    fn without_last(&self, start: usize, end: usize) -> &'t str {
        let text = self.text.get(start..end).unwrap_or_default().trim();
        let small = self.small.get(start..end).unwrap_or_default().trim();
        if TURNS.iter().any(|turn| small.contains(turn)) {
            return text;
        }
        let known = self.marks();
        let mut length = small.len();
        while let Some(before) = known.iter().find_map(|mark| small[..length].strip_suffix(mark)) {
            if before.ends_with(' ') || before.trim_end().ends_with([':', ',']) {
                break;
            }
            length = before.trim_end().len();
        }
        &text[..length]
    }

    /// The beginning of the final channel's answer if the text begins with a channel, and whether other channels
    /// precede it.
    fn behind_channels(&self) -> Option<(usize, bool)> {
        let begin = self.small.strip_prefix("<|start|>assistant").unwrap_or(self.small);
        if !begin.starts_with(CHANNEL) {
            return None;
        }
        let name = self.small.find(FINAL)?;
        let message = name + self.small[name..].find(MESSAGE)?;
        Some((message + MESSAGE.len(), !begin.starts_with(FINAL)))
    }

    /// The beginning of the text after the thinking that begins at `at`.
    fn behind_thinking(&self, at: usize, end: usize, work: &mut Work<'_>) -> Result<usize, Fault> {
        let mut at = at;
        loop {
            let begin = self.behind_blanks(at);
            let rest = self.small.get(begin..end).unwrap_or_default();
            let Some((open, close)) = THINKING_TOKENS.iter().find(|(open, _)| rest.starts_with(open)) else {
                return Ok(at);
            };
            match self.end_of_thinking(begin + open.len(), end, close, work)? {
                Some(behind) => at = behind,
                None => return Ok(at),
            }
        }
    }

    /// The end of the first `close` that is not only mentioned, else of the last one that looks genuine.
    fn end_of_thinking(
        &self,
        from: usize,
        end: usize,
        close: &str,
        work: &mut Work<'_>,
    ) -> Result<Option<usize>, Fault> {
        let mut last = None;
        for (offset, _) in self.small.get(from..end).unwrap_or_default().match_indices(close) {
            let place = from + offset;
            work.spend(1 + self.small.len() / BYTES_PER_STEP)?;
            let behind = place + close.len();
            if !is_mentioned(self.text, place, behind) {
                return Ok(Some(behind));
            }
            if !self.small[..place].ends_with([' ', '`', '"', '\'']) {
                last = Some(behind);
            }
        }
        Ok(last)
    }

    /// The position where the model's turn ends and another begins, in a text that is not itself about turns.
    fn end_of_turn(&self, start: usize, work: &mut Work<'_>) -> Result<usize, Fault> {
        let turns = TURNS.iter().filter_map(|turn| self.small[start..].find(turn));
        // Harmony begins each channel as a turn.
        let first = turns.min().map(|at| start + at).filter(|_| !self.small.contains(CHANNEL));
        let Some(next) = first else { return Ok(self.small.len()) };
        let before = self.small[..next].trim_end();
        let Some(kept) = ENDS.iter().find_map(|mark| before.strip_suffix(mark)) else {
            return Ok(self.small.len());
        };
        work.spend(self.small.len() / BYTES_PER_STEP)?;
        let is_mention = kept.ends_with(' ') || is_mentioned(self.text, kept.len(), before.len());
        Ok(if is_mention || kept.len() <= start { self.small.len() } else { kept.len() })
    }

    fn behind_blanks(&self, at: usize) -> usize {
        let rest = self.small.get(at..).unwrap_or_default();
        at + rest.len() - rest.trim_start().len()
    }
}
