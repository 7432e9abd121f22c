//! The visible part of a reply: removes thinking, channels and turn marks in the forms of all known models.

use crate::Fault;
use crate::candidates::strict_end;
use crate::lenient;
use crate::mentions::is_mentioned;
use crate::node::Node;
use crate::scanner::Failure;
use crate::work::Work;

/// The marks around the thinking of models, compared case-insensitively.
pub(crate) const THINKING_TOKENS: &[(&str, &str)] = &[
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<seed:think>", "</seed:think>"),
    ("<mm:think>", "</mm:think>"),
    ("[think]", "[/think]"),
    ("◁think▷", "◁/think▷"),
    ("<|think|>", "<|/think|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|start_thinking|>", "<|end_thinking|>"),
    ("<|thinking|>", "<|/thinking|>"),
    ("<|channel>thought", "<channel|>"),
    ("<unused94>", "<unused95>"),
    ("<｜begin▁of▁thinking｜>", "<｜end▁of▁thinking｜>"),
];

/// Elements in which models also think if they were asked for another form.
const THINKING_ELEMENTS: &[(&str, &str)] = &[
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<analysis>", "</analysis>"),
    ("<antthinking>", "</antthinking>"),
    ("<inner_monologue>", "</inner_monologue>"),
    ("[reasoning]", "[/reasoning]"),
];

/// The beginning of a channel other than the answer's; its end has no mark.
const OTHER_CHANNELS: &[&str] = &["<|channel|>analysis", "<|channel|>commentary"];

/// The beginning of the answer's channel: everything before it belongs to other channels.
const FINAL: &[&str] = &[
    // A call in the commentary channel may be the answer.
    "<|channel|>commentary to=",
    "<|channel|>final",
    "<|start_response|>",
    "<|begin_of_solution|>",
    "<|response|>",
    "assistantfinal",
    "here is my response:",
];

/// The end of a model's turn: nothing after it belongs to the answer.
pub(crate) const ENDS: &[&str] = &[
    "<|im_end|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|return|>",
    "<|end|>",
    "<end_of_turn>",
    "<eos>",
    "</s>",
    "<｜end▁of▁sentence｜>",
];

/// The beginning of the other side's next turn on its own line, if there is no mark.
const OTHER_SIDE: &[&str] =
    &["\nuser:", "\nhuman:", "\n### instruction", "\n### input", "\n### human", "\n### user", "\n[inst]"];

/// Marks of turns without content.
pub(crate) const MARKS: &[&str] = &[
    "<|im_start|>assistant",
    "<|start_header_id|>assistant<|end_header_id|>",
    "<start_of_turn>model",
    "<|im_end|>",
    "<|im_start|>",
    "<|eot_id|>",
    "<|eom_id|>",
    "<|end|>",
    "<|return|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|end_response|>",
    "<|end_of_solution|>",
    "<|end_of_turn_token|>",
    "<|start|>",
    "<|message|>",
    "<|assistant|>",
    "<end_of_turn>",
    "<start_of_turn>",
    "<turn|>",
    "<eos>",
    "<bos>",
    "</s>",
    "<s>",
    "[/inst]",
    "<｜end▁of▁sentence｜>",
];

/// Elements that models put around an answer.
const WRAPPERS: &[&str] = &[
    "answer",
    "response",
    "output",
    "final",
    "final_answer",
    "result",
    "solution",
    "json",
    "markdown",
    "post",
];

/// Bytes that count as one step when the whole text around a mark is examined.
pub(crate) const BYTES_PER_STEP: usize = 16;

/// The parts of a reply.
pub(crate) struct Parts<'t> {
    pub(crate) visible: &'t str,
    pub(crate) thinking: &'t str,
    /// Whether the thinking ended.
    pub(crate) has_ended: bool,
}

impl Parts<'_> {
    /// Whether more than marks was removed.
    pub(crate) fn has_thinking(&self) -> bool {
        !without_marks(self.thinking).is_empty()
    }
}

/// Cuts a reply after the last end of its thinking, and before thinking that never ends.
///
/// # Errors
/// As for [`Work::spend`].
pub(crate) fn parts<'t>(text: &'t str, work: &mut Work<'_>) -> Result<Parts<'t>, Fault> {
    // Each mark contains one of these.
    let small = text.to_ascii_lowercase();
    work.spend(text.len())?;
    let has_turn = OTHER_SIDE.iter().any(|mark| small.contains(mark));
    let has_mark = text.contains(['<', '◁']) || text.contains("[/") || text.contains("[THINK");
    let has_channel = has_final(text) || is_stripped_channel(text);
    if !has_mark && !has_turn && !has_channel {
        return Ok(Parts { visible: text, thinking: "", has_ended: true });
    }
    let marks = Marks { text, small: &small };
    let mut cut = 0;
    let mut end = text.len();
    for (open, close) in THINKING_TOKENS.iter().chain(THINKING_ELEMENTS) {
        let mut last = marks.last(cut, close, mentions(close), work)?;
        // Thinking at the beginning of the text has an end, even if that looks like a mention.
        if last.is_none() && small.trim_start().starts_with(open) {
            last = marks.last(cut, close, never, work)?;
        }
        cut = cut.max(last.map_or(0, |at| at + close.len()));
    }
    for mark in FINAL {
        let begins_channel = |_: &usize| *mark != "assistantfinal" || is_channel_name(&small);
        if let Some(at) = marks.last(cut, mark, never, work)?.filter(begins_channel) {
            cut = at + mark.len();
            // A constraint may be between the channel's name and its text.
            let is_channel = mark.starts_with("<|channel");
            if let Some(offset) = small[cut..].find("<|message|>").filter(|_| is_channel) {
                cut += offset + "<|message|>".len();
            }
        }
    }
    for (open, _) in THINKING_TOKENS.iter().chain(THINKING_ELEMENTS) {
        if let Some(at) = marks.first(cut, end, open, mentions(open), work)? {
            end = at;
        }
    }
    let mut has_ended = cut > 0;
    for open in OTHER_CHANNELS {
        if let Some(at) = marks.first(cut, end, open, never, work)? {
            end = at;
            has_ended |= small[at..].contains("<|end|>");
        }
    }
    if cut == 0 && is_stripped_channel(text) {
        end = 0;
    }
    for mark in ENDS.iter().chain(OTHER_SIDE) {
        // Harmony ends each channel with one of these.
        let is_between_channels = *mark == "<|end|>" && small.contains("<|channel|>");
        if !is_between_channels
            && let Some(at) = marks.first(cut, end, mark, mentions(mark), work)?
            && !without_marks(&text[cut..at]).is_empty()
        {
            end = at;
        }
    }
    // The text around unfinished thinking is the answer; if there is none, the thinking is.
    let thinking = if cut > 0 { &text[..cut] } else { &text[end..] };
    Ok(Parts { visible: &text[cut..end], thinking, has_ended })
}

fn has_final(text: &str) -> bool {
    text.contains("assistantfinal") || text.contains("my response:")
}

fn is_channel_name(small: &str) -> bool {
    let start = small.trim_start();
    start.starts_with("analysis") || start.starts_with("commentary")
}

/// Whether a text begins with a channel name whose special tokens the server has dropped, as in `analysisThe draft`.
fn is_stripped_channel(text: &str) -> bool {
    ["analysis", "commentary"].into_iter().any(|name| {
        let rest = text.trim_start().strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with(char::is_uppercase))
    })
}

/// A text with its lower-case form, in which marks are searched.
struct Marks<'t> {
    text: &'t str,
    small: &'t str,
}

impl Marks<'_> {
    /// The last position of `mark` from `from` on, outside of JSON and not accepted by `is_other`.
    fn last(
        &self,
        from: usize,
        mark: &str,
        is_other: impl Fn(&Self, usize) -> bool,
        work: &mut Work<'_>,
    ) -> Result<Option<usize>, Fault> {
        let mut end = self.small.len();
        loop {
            work.spend(1)?;
            let Some(offset) = self.small[from..end].rfind(mark) else { return Ok(None) };
            let place = from + offset;
            if json_around(self.small, from, place, work)?.is_none() && !is_other(self, place) {
                return Ok(Some(place));
            }
            work.spend(self.small.len() / BYTES_PER_STEP)?;
            end = place;
        }
    }

    /// The first such position before `end`.
    fn first(
        &self,
        from: usize,
        end: usize,
        mark: &str,
        is_other: impl Fn(&Self, usize) -> bool,
        work: &mut Work<'_>,
    ) -> Result<Option<usize>, Fault> {
        let mut at = from;
        loop {
            work.spend(1)?;
            let Some(offset) = self.small.get(at..end).and_then(|text| text.find(mark)) else {
                return Ok(None);
            };
            let place = at + offset;
            match json_around(self.small, from, place, work)? {
                Some(end) => at = end,
                None if is_other(self, place) => {
                    work.spend(self.small.len() / BYTES_PER_STEP)?;
                    at = place + mark.len();
                }
                None => return Ok(Some(place)),
            }
        }
    }
}

/// Whether the `mark` at a position is only mentioned; the line break at the beginning of some marks is ignored.
fn mentions(mark: &str) -> impl Fn(&Marks<'_>, usize) -> bool {
    let (start, length) = if mark.starts_with('\n') { (1, mark.len() - 1) } else { (0, mark.len()) };
    move |marks, place| is_mentioned(marks.text, place + start, place + start + length)
}

fn never(_: &Marks<'_>, _: usize) -> bool {
    false
}

/// The end of the JSON that begins after `from` and contains `place`.
fn json_around(text: &str, from: usize, place: usize, work: &mut Work<'_>) -> Result<Option<usize>, Fault> {
    let mut at = from;
    for _ in 0..16 {
        work.spend(place - at)?;
        let Some(offset) = text[at..place].find('{') else { return Ok(None) };
        let start = at + offset;
        let end = match strict_end(text, start) {
            None if begins_answer(&text[..start]) => lenient_end(text, start, work)?,
            end => end,
        };
        work.spend(end.unwrap_or(place) - start)?;
        match end {
            Some(end) if end > place => return Ok(Some(end)),
            Some(end) => at = end,
            None => at = start + 1,
        }
    }
    Ok(None)
}

/// Whether only the beginning of a fence precedes an answer.
fn begins_answer(before: &str) -> bool {
    let before = without_marks(before);
    before.is_empty() || before.starts_with("```") && !before.contains(char::is_whitespace)
}

/// The end of the leniently read JSON at `start`, if nothing follows it. It may be truncated.
fn lenient_end(text: &str, start: usize, work: &mut Work<'_>) -> Result<Option<usize>, Fault> {
    match lenient::read(text, start, work) {
        Ok((Node::Object { .. }, end)) => {
            let is_all =
                without_marks(text[end..].trim_matches(|c: char| c == '`' || c.is_whitespace())).is_empty();
            Ok(is_all.then_some(end))
        }
        Err(Failure::Ended(fault)) => Err(fault),
        Ok(_) | Err(Failure::NotJson | Failure::TooDeep(_)) => Ok(None),
    }
}

/// Removes marks of turns from both ends of a plain text.
pub(crate) fn without_marks(text: &str) -> &str {
    let mut text = text.trim();
    loop {
        let begins = MARKS
            .iter()
            .find(|mark| text.get(..mark.len()).is_some_and(|start| start.eq_ignore_ascii_case(mark)));
        let ends = MARKS.iter().find(|mark| {
            let start = text.len().checked_sub(mark.len());
            start.and_then(|start| text.get(start..)).is_some_and(|end| end.eq_ignore_ascii_case(mark))
        });
        match (begins, ends) {
            (Some(mark), _) => text = text[mark.len()..].trim(),
            (None, Some(mark)) => text = text[..text.len() - mark.len()].trim(),
            (None, None) => return text,
        }
    }
}

/// The content of the element that models put around an answer, if it ends the text.
pub(crate) fn inside_element(text: &str) -> Option<&str> {
    let inner = text.strip_suffix('>')?;
    let at = inner.rfind("</")?;
    let name = inner[at + 2..].trim();
    if !WRAPPERS.contains(&name.to_ascii_lowercase().as_str()) {
        return None;
    }
    let open = format!("<{name}>");
    let start = text[..at].find(&open)?;
    Some(text[start + open.len()..at].trim())
}
