//! How long a prompt is: its text, and its number of tokens where the server does not count them.

use std::borrow::Cow;

use kernel::{Error, ModelRequest};

use crate::request::{json_of, says_something, text_of};

/// What surrounds a message in the prompt: marks of its beginning, its speaker and its end.
const MOST_TOKENS_AROUND_A_MESSAGE: u64 = 16;
/// Letters that a long word has for each of its tokens, at most.
const MOST_LETTERS_OF_TOKEN: u64 = 6;
/// Chinese, Japanese and Korean characters of one token, at most: frequent words of two or three are one token.
const MOST_IDEOGRAPHS_OF_TOKEN: u64 = 3;
/// Bytes of one token in most texts: about one character of Chinese or Japanese, and a little less than in English.
const USUAL_BYTES_OF_TOKEN: u64 = 3;

/// A prompt, in the parts of which a server makes one text.
pub(crate) struct Prompt<'a> {
    parts: Vec<Cow<'a, str>>,
}

impl<'a> Prompt<'a> {
    pub(crate) fn of(request: &'a ModelRequest) -> Result<Prompt<'a>, Error> {
        let mut parts = vec![text_of(&request.instruction)?];
        for message in request.messages.iter().filter(|message| says_something(message)) {
            parts.push(text_of(&message.content)?);
            for call in &message.tool_requests {
                parts.push(Cow::Owned(format!("{} {}", call.tool, call.input.0)));
            }
        }
        for tool in &request.tools {
            let words = format!("{} {} {}", tool.name, tool.description, json_of(&tool.schema)?);
            parts.push(Cow::Owned(words));
        }
        Ok(Prompt { parts })
    }

    /// The whole text.
    pub(crate) fn text(&self) -> String {
        self.parts.join("\n")
    }

    /// More tokens than any tokenizer makes of it: none makes two of one byte.
    pub(crate) fn most_tokens(&self) -> u64 {
        let bytes: usize = self.parts.iter().map(|part| part.len()).sum();
        bytes as u64 + self.parts.len() as u64 * MOST_TOKENS_AROUND_A_MESSAGE
    }

    /// Enough tokens for it in most texts. Many tokenizers make one token of each digit.
    pub(crate) fn usual_tokens(&self) -> u64 {
        let digits: usize =
            self.parts.iter().map(|part| part.bytes().filter(u8::is_ascii_digit).count()).sum();
        let bytes: usize = self.parts.iter().map(|part| part.len()).sum();
        let others = bytes.saturating_sub(digits) as u64;
        digits as u64 + others / USUAL_BYTES_OF_TOKEN + self.parts.len() as u64 * MOST_TOKENS_AROUND_A_MESSAGE
    }

    /// Fewer tokens than any tokenizer makes of it.
    pub(crate) fn least_tokens(&self) -> u64 {
        let (mut letters, mut ideographs) = (0_u64, 0_u64);
        for part in &self.parts {
            let mut before = ' ';
            for character in part.chars() {
                // Long runs of one character, and blanks, are often one token.
                let is_new = character != before && !character.is_whitespace();
                before = character;
                match is_new {
                    true if is_ideograph(character) => ideographs += 1,
                    true => letters += 1,
                    false => {}
                }
            }
        }
        letters / MOST_LETTERS_OF_TOKEN + ideographs / MOST_IDEOGRAPHS_OF_TOKEN
    }
}

/// Whether a character is of Chinese, Japanese or Korean.
fn is_ideograph(character: char) -> bool {
    matches!(
        character,
        '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}'
            | '\u{20000}'..='\u{3ffff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn estimates_hold_the_numbers_of_real_tokenizers_in_every_script() {
        // The most tokens are those of SmolLM2, whose tokenizer knows little but English; the fewest are by the rates
        // that are published of Qwen, DeepSeek and Llama 3.
        for (text, fewest, most) in [
            ("The quick brown fox jumps over the lazy dog. ".repeat(20), 181, 201),
            ("人工智能正在改变我们的生活方式。".repeat(20), 160, 520),
            ("人工知能は私たちの生活を変えています。".repeat(20), 200, 620),
            ("인공지능이 우리의 생활을 바꾸고 있습니다. ".repeat(20), 200, 980),
            ("3.14159265358979323846 ".repeat(20), 160, 460),
            ("        return self.value\n".repeat(20), 80, 101),
            ("-".repeat(800), 10, 13),
        ] {
            let prompt = Prompt { parts: vec![Cow::Borrowed(&text)] };
            assert!(prompt.least_tokens() <= fewest, "{text}: {}", prompt.least_tokens());
            assert!(prompt.most_tokens() >= most, "{text}: {}", prompt.most_tokens());
            let (least, usual, most) = (prompt.least_tokens(), prompt.usual_tokens(), prompt.most_tokens());
            assert!(least <= usual && usual <= most, "{text}: {least} {usual} {most}");
        }
    }
}
