//! Adds up the cells of a choice, and compares two choices case by case.

use serde::{Deserialize, Serialize};
use ts_rs::TS;

use crate::{CellResult, Judgement, Spent};

/// The sum over the cells of one choice.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct Totals {
    /// Cells with a result.
    pub cells: u32,
    /// Cells in which all expectations hold.
    pub cells_held: u32,
    /// Judged expectations of all cells.
    pub expectations: u32,
    /// Expectations that hold.
    pub held: u32,
    /// The share of expectations that hold, from 0 to 1; `null` without expectations.
    pub share: Option<f64>,
    /// The mean score of the rubrics, from 0 to 10; `null` without one.
    pub score: Option<f64>,
    /// What the runs used up.
    pub spent: Spent,
    /// What the judging models used up.
    pub judging: Spent,
}

impl Totals {
    /// The sum over these cells.
    pub fn of<'a>(cells: impl IntoIterator<Item = &'a CellResult>) -> Totals {
        let mut totals = Totals::default();
        let mut scores = Vec::new();
        for cell in cells {
            totals.cells += 1;
            totals.cells_held += u32::from(cell.judgements.iter().all(Judgement::holds));
            totals.expectations += count(cell.judgements.len());
            totals.held += count(held(cell));
            scores.extend(cell.judgements.iter().filter_map(|judgement| judgement.score));
            totals.spent = totals.spent + cell.spent;
            totals.judging = totals.judging + cell.judging;
        }
        totals.share =
            (totals.expectations > 0).then(|| f64::from(totals.held) / f64::from(totals.expectations));
        totals.score = mean(&scores);
        totals
    }
}

/// How a choice differs from another one on the same cases.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize, TS)]
pub struct ChoiceComparison {
    /// Cases with more expectations that hold, or with as many and a higher score.
    pub better: u32,
    /// Cases with fewer.
    pub worse: u32,
    /// Cases without a difference.
    pub same: u32,
    /// How likely so uneven a result is when both choices are equally good, from 0 to 1: a two-sided sign test.
    pub chance: f64,
}

/// Compares two choices: for each case the result of the one and of the other. Cases without both are left out.
pub fn compare<'a>(
    pairs: impl IntoIterator<Item = (Option<&'a CellResult>, Option<&'a CellResult>)>,
) -> ChoiceComparison {
    let mut difference = ChoiceComparison::default();
    for (before, after) in pairs {
        let Some((before, after)) = before.zip(after) else { continue };
        let scores = |cell: &CellResult| {
            let scores: Vec<f64> = cell.judgements.iter().filter_map(|judgement| judgement.score).collect();
            mean(&scores).unwrap_or_default()
        };
        let order = held(after).cmp(&held(before)).then(scores(after).total_cmp(&scores(before)));
        match order {
            std::cmp::Ordering::Greater => difference.better += 1,
            std::cmp::Ordering::Less => difference.worse += 1,
            std::cmp::Ordering::Equal => difference.same += 1,
        }
    }
    difference.chance = sign_test(difference.better, difference.worse);
    difference
}

fn held(cell: &CellResult) -> usize {
    cell.judgements.iter().filter(|judgement| judgement.holds()).count()
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

fn mean(numbers: &[f64]) -> Option<f64> {
    (!numbers.is_empty()).then(|| numbers.iter().sum::<f64>() / numbers.len() as f64)
}

/// The two-sided exact sign test: the probability of a split at least as uneven when both sides are equally likely.
fn sign_test(better: u32, worse: u32) -> f64 {
    let (n, fewer) = (better + worse, better.min(worse));
    // The binomial coefficients as logarithms: their product with 2^-n leaves the range of numbers otherwise.
    let mut choose = 0.0_f64;
    let mut tail = 0.0;
    for k in 0..=fewer {
        if k > 0 {
            choose += f64::from(n - k + 1).ln() - f64::from(k).ln();
        }
        tail += (choose - f64::from(n) * std::f64::consts::LN_2).exp();
    }
    (2.0 * tail).min(1.0)
}

#[cfg(test)]
mod tests {
    use kernel::phrase;

    use super::*;
    use crate::Verdict;

    fn cell(verdicts: &[Verdict], score: Option<f64>) -> CellResult {
        let judgement = |verdict: &Verdict| Judgement {
            verdict: *verdict,
            reason: phrase!("The run has no text"),
            score,
            run: None,
        };
        CellResult {
            outcome: None,
            error: None,
            output: String::new(),
            judgements: verdicts.iter().map(judgement).collect(),
            refused: Vec::new(),
            spent: Spent { cost: Some(0.5), ..Spent::default() },
            judging: Spent::default(),
        }
    }

    #[test]
    fn what_is_not_judged_counts_as_not_held() {
        use Verdict::{Failed, Held, Unjudged};
        let cells = [cell(&[Held, Held], None), cell(&[Held, Unjudged], Some(4.0)), cell(&[Failed], None)];
        let totals = Totals::of(&cells);
        assert_eq!((totals.cells, totals.cells_held, totals.held, totals.expectations), (3, 1, 3, 5));
        assert_eq!((totals.share, totals.score, totals.spent.cost), (Some(0.6), Some(4.0), Some(1.5)));
        assert_eq!(Totals::of(&[cell(&[], None)]).share, None);
    }

    #[test]
    fn a_choice_is_better_by_cases_and_the_chance_of_it_is_told() {
        use Verdict::{Failed, Held};
        let (good, bad) = (cell(&[Held], None), cell(&[Failed], None));
        let mut pairs = vec![(Some(&bad), Some(&good)); 6];
        pairs.extend([(Some(&good), Some(&good)), (Some(&good), None)]);
        let difference = compare(pairs);
        assert_eq!((difference.better, difference.worse, difference.same), (6, 0, 1));
        assert!((difference.chance - 1.0 / 32.0).abs() < 1e-12, "{}", difference.chance);
        let (four, seven) = (cell(&[Failed], Some(4.0)), cell(&[Failed], Some(7.0)));
        assert_eq!(compare([(Some(&seven), Some(&four))]).worse, 1);
        assert!((sign_test(0, 0) - 1.0).abs() < 1e-12 && (sign_test(5, 5) - 1.0).abs() < 1e-12);
        assert!(sign_test(2_000, 1_000) < 1e-60);
    }
}
