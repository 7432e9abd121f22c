//! The text of a paragraph, assembled from runs on the baseline, superscript or subscript.

use crate::readers::formula;

/// The vertical position of words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Height {
    #[default]
    Line,
    Raised,
    Lowered,
}

impl Height {
    /// The position that `vertAlign` names.
    pub(super) fn named(name: &str) -> Height {
        match name {
            "superscript" => Height::Raised,
            "subscript" => Height::Lowered,
            _ => Height::Line,
        }
    }
}

/// The text of a paragraph so far.
#[derive(Default)]
pub(super) struct Words {
    text: String,
    /// The superscript text at its end: Word splits a figure such as `−6` into several runs.
    raised: String,
    /// The position of the last `^`.
    power: Option<usize>,
    is_behind_formula: bool,
}

impl Words {
    /// Continues after this text.
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

    /// A tab separates words; at the start of a paragraph it is dropped.
    pub(super) fn tab(&mut self) {
        self.end_raised();
        if !self.text.is_empty() {
            self.text.push(' ');
        }
    }

    /// Writes superscript digits after a number as a power.
    fn end_raised(&mut self) {
        let raised = std::mem::take(&mut self.raised);
        if raised.is_empty() {
            return;
        }
        // The slash of a fraction may be superscript together with the numerator.
        self.power =
            formula::is_power(&self.text, raised.trim_end_matches(['/', '⁄'])).then_some(self.text.len());
        if self.power.is_some() {
            self.text.push('^');
            self.is_behind_formula = false;
        }
        self.push(&raised);
    }

    /// Appends text, separated from a formula before it if it begins with a digit.
    fn push(&mut self, words: &str) {
        if self.is_behind_formula && words.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            self.text.push(' ');
        }
        self.text.push_str(words);
        self.is_behind_formula = false;
    }

    /// Turns a superscript number, a slash and a subscript number into a fraction instead of a power: `3 1/2`.
    fn join_fraction(&mut self) {
        let Some(mark) = self.power.take() else { return };
        let is_figure = |half: &str| !half.is_empty() && half.chars().all(|c| c.is_ascii_digit());
        let halves = self.text[mark + 1..].split_once(['/', '⁄']);
        if halves.is_some_and(|(above, below)| is_figure(above) && is_figure(below)) {
            self.text.replace_range(mark..=mark, " ");
        }
    }
}
