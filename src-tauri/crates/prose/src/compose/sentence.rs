//! How a sentence of an article is told: whether it can be understood where it stands, and in whose voice.

use super::frames::framed;
use super::ideographic::{self, Language};
use super::item::{CUT, Draft, Item};
use super::long_forms::with_long_forms;
use super::shorten::{beginning, shortened, without_asides};
use super::voice::{self, Opening, follow, open};
use crate::candidates::Candidate;
use crate::standing::{
    Known, Untold, has_unknown_object, leans_on, names_its_own, points_at_known, stands_alone, stands_behind,
};

/// Words of a sentence that is told whole.
const LONG: usize = 48;
/// The same of the first, where it cannot be cut.
const LONGEST_LEAD: usize = 56;
/// Words below which a sentence of an article is a fragment.
const FRAGMENT: usize = 6;

impl Draft {
    /// Whether it speaks of something as known that only sentences before it have named which are not told.
    fn leans_on_untold(&self, candidate: &Candidate, at: usize, item: &Item) -> bool {
        // What stands before the own part of a paper speaks of things in general.
        let from = if self.credit.is_paper && !item.in_sequence { self.own_part() } else { 0 };
        let before = (from..at).filter(|place| !item.used.contains(place));
        let untold =
            before.map(|place| Untold { text: &self.candidates[place].text, stems: &self.stems[place] });
        leans_on(&candidate.text, &item.known, &untold.collect::<Vec<_>>())
    }

    /// A sentence as it is told there, and whether it is the authors of whom it tells.
    pub(super) fn worded(
        &self,
        candidate: &Candidate,
        (at, longest): (usize, usize),
        item: &Item,
    ) -> Option<(String, bool)> {
        let is_first = item.sentences.is_empty();
        let follows = self.follows(at, item);
        if self.language != Language::Spaced {
            let leans = ideographic::is_leaning(&candidate.text);
            let said = ideographic::retold(&candidate.text, self.language, self.credit.is_paper);
            let said = said.trim_end_matches(['。', '！', '.', '!']);
            // Who speaks of themselves is nobody a reader knows.
            let points = !follows && candidate.index > 0 && ideographic::points_back(said);
            if leans && !follows || points || ideographic::speaks_of_itself(said) {
                return None;
            }
            let said = if is_first {
                ideographic::framed(said, &self.credit, self.language)
            } else {
                said.to_owned()
            };
            return Some((format!("{said}[{}]。", self.number), false));
        }
        if self.leans_on_untold(candidate, at, item) {
            return None;
        }
        if !self.credit.is_paper && voice::is_in_first_person(&candidate.text) {
            return self.quoted(candidate, follows, item).map(|said| (said, false));
        }
        let text = without_asides(&candidate.text);
        let text = voice::plainer(&text);
        // A sentence right behind the one it leans on is understood there, if its writers wrote it so.
        // The first sentence of an article leans on nothing.
        let is_from_start = item.in_sequence && item.used.first().copied().unwrap_or(at) == 0;
        let may_lean =
            (follows || is_first && candidate.index == 0) && (!self.credit.is_paper || is_from_start);
        if follows && may_lean && !is_first && !self.credit.is_paper {
            let said = candidate.text.trim_end_matches(['.', ' ']);
            let fits = said.split_whitespace().count() <= LONG;
            return fits.then(|| (format!("{said} [{}].", self.number), false));
        }
        // So is one of a paper, if the one before was told whole.
        let is_bound = follows
            && !is_first
            && item.is_whole
            && (item.in_sequence && candidate.is_leaning
                || points_at_known(&text, &item.known)
                    && (candidate.is_leaning || stands_behind(&text, &item.known)));
        if !may_lean && !is_bound {
            let opened = open(&text)?;
            let core = match &opened {
                Opening::Authors { rest, .. } | Opening::Work { rest, .. } => rest,
                Opening::Plain { sentence } => sentence,
            };
            // A paper has no method or system that the reader knows before one was told.
            let is_bare = is_first && self.credit.is_paper && matches!(opened, Opening::Plain { .. });
            let known = is_bare.then(|| Known::of(&self.credit.title, false));
            // Of what writers did, the thing stands right behind the verb.
            let told = if matches!(opened, Opening::Plain { .. }) { core.as_str() } else { beginning(core) };
            let is_named = || !self.credit.is_paper || names_its_own(told, &item.known);
            if !stands_alone(core, known.as_ref().unwrap_or(&item.known)) || !is_named() {
                return None;
            }
            let is_deed = is_first && matches!(opened, Opening::Authors { .. });
            if is_deed && has_unknown_object(core, &item.known) {
                return None;
            }
        }
        // "ReviewBee 2.0 is out" is short and says it all.
        let has_figure = || text.contains(|c: char| c.is_ascii_digit());
        let says_much = || !is_first && (item.in_sequence && follows || has_figure());
        let fragment = if self.is_introduced_in(candidate) || says_much() { FRAGMENT - 2 } else { FRAGMENT };
        if text.split_whitespace().count() < fragment {
            return None;
        }
        let long = with_long_forms(&text, (&self.credit.title, &item.sentences), &self.long_forms);
        let text = if is_first { long? } else { long.unwrap_or(text) };
        let most = |said: &str| {
            let words = said.split_whitespace().count();
            let tight = (longest < CUT && words > longest).then(|| self.cut(said, longest)).flatten();
            let shorter = || if words <= LONG { Some(said.to_owned()) } else { self.cut(said, CUT) };
            // What was made is told whole rather than not at all.
            let as_it_is = || (is_first && words <= LONGEST_LEAD).then(|| said.to_owned());
            tight.or_else(shorter).or_else(as_it_is)
        };
        let (said, tells_of_authors) = if is_first {
            let opening = match open(&text)? {
                Opening::Authors { lead, rest } => Opening::Authors { lead, rest: most(&rest)? },
                Opening::Work { noun, rest } => Opening::Work { noun, rest: most(&rest)? },
                Opening::Plain { sentence } => {
                    Opening::Plain { sentence: voice::capitalised(&most(&sentence)?) }
                }
            };
            (framed(&opening, &self.credit), matches!(opening, Opening::Authors { .. }))
        } else {
            let known = if item.tells_of_authors { voice::Known::Yes } else { voice::Known::No };
            let (said, subject) = follow(&text, known)?;
            (most(&said)?, subject == voice::Known::Yes)
        };
        let said = said.trim_end_matches(['.', ' ', ',', ';']);
        Some((format!("{said} [{}].", self.number), tells_of_authors))
    }

    /// What a company says of itself, word for word between quotation marks.
    pub(super) fn quoted(&self, candidate: &Candidate, follows: bool, item: &Item) -> Option<String> {
        let is_first = item.sentences.is_empty();
        let said = candidate.text.trim_end_matches(['.', ' ']);
        let stands = follows || is_first && candidate.index == 0 || stands_alone(said, &item.known);
        let fits = said.split_whitespace().count() <= LONG;
        let quotation = format!("“{said}”");
        let told = match is_first {
            true => framed(&Opening::Plain { sentence: quotation }, &self.credit),
            false => format!("In the article's own words: {quotation}"),
        };
        (stands && fits).then(|| format!("{told} [{}].", self.number))
    }

    /// A long sentence cut where a clause ends, if what it told by figures is kept.
    fn cut(&self, said: &str, most: usize) -> Option<String> {
        let has_figure = |text: &str| text.contains(|c: char| c.is_ascii_digit());
        let short = shortened(said, most)?;
        (stands_alone(&short, &Known::of(said, self.credit.is_paper))
            && (!has_figure(said) || has_figure(&short)))
        .then_some(short)
    }
}
