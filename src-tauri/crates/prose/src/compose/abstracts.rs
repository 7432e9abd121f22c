//! How an abstract is told that cannot be told in sequence, mostly because its result stands too far behind its own part: by
//! what was made and then by what came of it, by its finding alone where that speaks of nothing that the title does not
//! name, or by what was made alone.

use super::item::{Draft, RESULT};
use crate::candidates::Candidate;
use crate::standing;

/// How plainly a sentence must announce what was made to be told as that.
const PLAINLY_MADE: f64 = 1.5;
/// The same where its writers say that they did it.
const MADE: f64 = 0.5;
/// How much less a result is worth with each sentence that it stands behind what was made.
const OF_LATE: f64 = 0.6;

impl Draft {
    /// Places of the sentences in the order in which they are told, the likeliest order first.
    pub(super) fn with_gaps(&self) -> Vec<Vec<usize>> {
        let own = self.own_part();
        let contributions: Vec<usize> = self.contributions().into_iter().filter(|at| *at >= own).collect();
        let results = self.by(|candidate| self.early(candidate));
        let results = results.into_iter().filter(|at| *at >= own && self.candidates[*at].as_result >= RESULT);
        let title = standing::Known::of(&self.credit.title, true);
        let leading = contributions.iter().take(2).filter(|at| self.goes_on(**at, **at + 1));
        let (mut orders, rest): (Vec<Vec<usize>>, Vec<Vec<usize>>) = leading
            .map(|at| vec![*at, at + 1])
            .partition(|both| self.candidates[both[1]].as_next_result >= RESULT);
        for result in results.take(4) {
            let before = |at: &usize| *at < result;
            let named =
                contributions.iter().copied().find(|at| before(at) && self.names_subject(*at, result));
            let is_named = self.is_named_by(result, &title);
            let made = named.or_else(|| contributions.iter().copied().find(before).filter(|_| is_named));
            orders.extend(made.map(|made| vec![made, result]));
            if is_named && self.tells_by_itself(result) {
                orders.push(vec![result]);
            }
        }
        orders.extend(rest);
        orders.extend(contributions.into_iter().take(3).map(|at| vec![at]));
        orders
    }

    /// Whether a result says what it is a result of: that a thing is good without saying what it does is none.
    fn tells_by_itself(&self, result: usize) -> bool {
        let Candidate { text, as_lead, .. } = &self.candidates[result];
        *as_lead > PLAINLY_MADE || self.hits(result) >= 2 || text.contains(|c: char| c.is_ascii_digit())
    }

    /// Names in a sentence that it opens with as if they were known: written with capitals inside.
    fn subjects(&self, at: usize) -> impl Iterator<Item = &str> {
        let text = &self.candidates[at].text;
        let words = text.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| word.len() > 2);
        words.filter(|word| word.chars().skip(1).any(char::is_uppercase)).take(6)
    }

    /// Whether the title has the names that a result speaks of, as far as the paper made them.
    fn is_named_by(&self, result: usize, title: &standing::Known) -> bool {
        let made = self.contributions();
        let own = |name: &&str| {
            made.iter().any(|at| {
                let text = &self.candidates[*at].text;
                text.contains(&format!("({name})"))
                    || NAMING.iter().any(|verb| text.contains(&format!("{verb} {name}")))
            })
        };
        self.subjects(result).filter(own).all(|name| title.names(name))
    }

    fn names_subject(&self, made: usize, result: usize) -> bool {
        self.subjects(result).any(|name| self.candidates[made].text.contains(name))
    }

    fn contributions(&self) -> Vec<usize> {
        self.by(|candidate| candidate.as_lead)
            .into_iter()
            .filter(|at| self.is_made_in(&self.candidates[*at]))
            .collect()
    }

    /// Whether a sentence says what was made or done.
    fn is_made_in(&self, candidate: &Candidate) -> bool {
        let names_it = candidate.is_own || self.names_itself(candidate);
        candidate.as_lead > if names_it { MADE } else { PLAINLY_MADE }
    }

    /// How well a sentence tells what came of a work; the main result stands first among them.
    pub(super) fn early(&self, candidate: &Candidate) -> f64 {
        let own = self.candidates.get(self.own_part()).map_or(0, |own| own.index);
        let behind = candidate.index.saturating_sub(own);
        candidate.as_result - behind.min(10) as f64 * OF_LATE
    }
}

/// Verbs behind which what was made is named.
const NAMING: [&str; 10] = [
    "propose",
    "introduce",
    "present",
    "develop",
    "introduces",
    "presents",
    "proposes",
    "called",
    "build",
    "release",
];
