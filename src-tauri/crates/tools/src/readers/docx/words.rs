//! The words of a paragraph, which come in runs: on the line, raised or lowered.

use crate::readers::formula;

/// How high words stand.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Height {
    #[default]
    Line,
    Raised,
    Lowered,
}

impl Height {
    /// The one that `vertAlign` names.
    pub(super) fn named(name: &str) -> Height {
        match name {
            "superscript" => Height::Raised,
            "subscript" => Height::Lowered,
            _ => Height::Line,
        }
    }
}

/// What was written of a paragraph so far.
#[derive(Default)]
pub(super) struct Words {
    text: String,
    /// The raised words at its end: Word splits a figure such as `−6` into runs as it likes.
    raised: String,
    /// Where the mark of the last power stands.
    power: Option<usize>,
    is_behind_formula: bool,
}

impl Words {
    /// Goes on behind these.
    pub(super) fn behind(text: String) -> Words {
        Words { text, ..Words::default() }
    }

    pub(super) fn into_text(mut self) -> String {
        self.end_raised();
        self.text
    }

    pub(super) fn write(&mut self, words: &str, height: Height) {
        if height == Height::Raised {
            self.raised.push_str(words);
        } else if !words.is_empty() {
            self.end_raised();
            self.push(words);
            if height == Height::Lowered {
                self.join_fraction();
            }
        }
    }

    pub(super) fn write_formula(&mut self, formula: &str) {
        self.end_raised();
        self.text.push_str(formula::parted(&self.text, formula));
        self.text.push_str(formula);
        self.is_behind_formula = true;
    }

    /// A tab parts words; before the first there is nothing to part.
    pub(super) fn tab(&mut self) {
        self.end_raised();
        if !self.text.is_empty() {
            self.text.push(' ');
        }
    }

    /// A raised figure behind another one is a power.
    fn end_raised(&mut self) {
        let raised = std::mem::take(&mut self.raised);
        if raised.is_empty() {
            return;
        }
        // The stroke of a fraction may be raised with its upper half.
        self.power =
            formula::is_power(&self.text, raised.trim_end_matches(['/', '⁄'])).then_some(self.text.len());
        if self.power.is_some() {
            self.text.push('^');
            self.is_behind_formula = false;
        }
        self.push(&raised);
    }

    /// A figure behind a formula is none of it.
    fn push(&mut self, words: &str) {
        if self.is_behind_formula && words.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            self.text.push(' ');
        }
        self.text.push_str(words);
        self.is_behind_formula = false;
    }

    /// Where a lowered figure stands behind a raised one and a stroke, both are a fraction and no power: `3 1/2`.
    fn join_fraction(&mut self) {
        let Some(mark) = self.power.take() else { return };
        let is_figure = |half: &str| !half.is_empty() && half.chars().all(|c| c.is_ascii_digit());
        let halves = self.text[mark + 1..].split_once(['/', '⁄']);
        if halves.is_some_and(|(above, below)| is_figure(above) && is_figure(below)) {
            self.text.replace_range(mark..=mark, " ");
        }
    }
}
