//! The visible part of a reply: thinking, channels and marks of turns cut away, in the forms of all known models.

use crate::Fault;
use crate::candidates::strict_end;
use crate::lenient::{self, Failure};
use crate::node::Node;
use crate::work::Work;

/// How thinking begins and ends; compared without regard to case.
const THINKING: &[(&str, &str)] = &[
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<scratchpad>", "</scratchpad>"),
    ("<analysis>", "</analysis>"),
    ("<antthinking>", "</antthinking>"),
    ("<inner_monologue>", "</inner_monologue>"),
    ("<seed:think>", "</seed:think>"),
    ("<mm:think>", "</mm:think>"),
    ("[think]", "[/think]"),
    ("[reasoning]", "[/reasoning]"),
    ("◁think▷", "◁/think▷"),
    ("<|think|>", "<|/think|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|start_thinking|>", "<|end_thinking|>"),
    ("<|thinking|>", "<|/thinking|>"),
    ("<|channel>thought", "<channel|>"),
    ("<unused94>", "<unused95>"),
    ("<｜begin▁of▁thinking｜>", "<｜end▁of▁thinking｜>"),
];

/// What begins the answer's own channel: everything before it is another channel's.
const FINAL: &[&str] = &[
    "<|channel|>final",
    "<|start_response|>",
    "<|begin_of_solution|>",
    "<|response|>",
    "assistantfinal",
    "here is my response:",
];

/// What ends a model's turn: what follows is not its answer any more.
const ENDS: &[&str] = &[
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

/// How the next turn of the other side begins, in a line of its own, where no mark stands.
const OTHER_SIDE: &[&str] =
    &["\nuser:", "\nhuman:", "\n### instruction", "\n### input", "\n### human", "\n### user", "\n[inst]"];

/// Marks of turns, which say nothing.
const MARKS: &[&str] = &[
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

/// A reply in its parts.
pub(crate) struct Parts<'t> {
    pub(crate) visible: &'t str,
    pub(crate) thinking: &'t str,
    /// Whether the thinking came to its end.
    pub(crate) has_ended: bool,
}

/// Cuts a reply behind the last end of its thinking, and before thinking that never ends.
///
/// # Errors
/// As [`Work::spend`].
pub(crate) fn parts<'t>(text: &'t str, work: &mut Work<'_>) -> Result<Parts<'t>, Fault> {
    // Each mark holds one of these.
    let small = text.to_ascii_lowercase();
    work.spend(text.len())?;
    let has_turn = OTHER_SIDE.iter().any(|mark| small.contains(mark));
    let has_mark = text.contains(['<', '◁']) || text.contains("[/") || text.contains("[THINK");
    if !has_mark && !has_turn && !has_final(text) {
        return Ok(Parts { visible: text, thinking: "", has_ended: true });
    }
    let mut cut = 0;
    let mut end = text.len();
    for (_, close) in THINKING {
        cut = cut.max(last_outside(&small, cut, close, work)?.map_or(0, |at| at + close.len()));
    }
    for mark in FINAL {
        let begins_channel = |_: &usize| *mark != "assistantfinal" || is_channel_name(&small);
        if let Some(at) = last_outside(&small, cut, mark, work)?.filter(begins_channel) {
            cut = at + mark.len();
            // Between the channel's name and its text stands what constrains it.
            let is_channel = mark.starts_with("<|channel");
            if let Some(offset) = small[cut..].find("<|message|>").filter(|_| is_channel) {
                cut += offset + "<|message|>".len();
            }
        }
    }
    for (open, _) in THINKING {
        if let Some(at) = first_outside(&small[..end], cut, open, work)? {
            end = at;
        }
    }
    for mark in ENDS.iter().chain(OTHER_SIDE) {
        // Harmony ends each channel with one of these.
        let is_between_channels = *mark == "<|end|>" && small.contains("<|channel|>");
        if !is_between_channels
            && let Some(at) = first_outside(&small[..end], cut, mark, work)?
            && !without_marks(&text[cut..at]).is_empty()
        {
            end = at;
        }
    }
    // What stands around thinking that never ended is the answer, unless nothing does.
    let thinking = if cut > 0 { &text[..cut] } else { &text[end..] };
    Ok(Parts { visible: &text[cut..end], thinking, has_ended: cut > 0 })
}

fn has_final(text: &str) -> bool {
    text.contains("assistantfinal") || text.contains("my response:")
}

fn is_channel_name(small: &str) -> bool {
    let start = small.trim_start();
    start.starts_with("analysis") || start.starts_with("commentary")
}

/// The last place from `from` on at which `mark` stands and not inside JSON.
fn last_outside(small: &str, from: usize, mark: &str, work: &mut Work<'_>) -> Result<Option<usize>, Fault> {
    let mut end = small.len();
    loop {
        work.spend(1)?;
        let Some(offset) = small[from..end].rfind(mark) else { return Ok(None) };
        let place = from + offset;
        if json_around(small, from, place, work)?.is_none() {
            return Ok(Some(place));
        }
        end = place;
    }
}

/// The first such place.
fn first_outside(small: &str, from: usize, mark: &str, work: &mut Work<'_>) -> Result<Option<usize>, Fault> {
    let mut at = from;
    loop {
        work.spend(1)?;
        let Some(offset) = small[at..].find(mark) else { return Ok(None) };
        let place = at + offset;
        match json_around(small, from, place, work)? {
            Some(end) => at = end,
            None => return Ok(Some(place)),
        }
    }
}

/// The end of the JSON that begins after `from` and holds `place`.
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

/// Whether nothing stands before an answer but the beginning of its fence.
fn begins_answer(before: &str) -> bool {
    let before = without_marks(before);
    before.is_empty() || before.starts_with("```") && !before.contains(char::is_whitespace)
}

/// The end of the JSON that leniently stands at `start`, where it is all that follows.
fn lenient_end(text: &str, start: usize, work: &mut Work<'_>) -> Result<Option<usize>, Fault> {
    match lenient::read(text, start, work) {
        Ok((Node::Object { is_closed: true, .. }, end)) => {
            let is_all =
                without_marks(text[end..].trim_matches(|c: char| c == '`' || c.is_whitespace())).is_empty();
            Ok(is_all.then_some(end))
        }
        Err(Failure::Ended(fault)) => Err(fault),
        Ok(_) | Err(Failure::NotJson | Failure::TooDeep(_)) => Ok(None),
    }
}

/// Takes marks of turns from both ends of a plain text.
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

/// The inside of the element that models put around an answer, when one ends the text.
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
