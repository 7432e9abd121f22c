//! Shows evaluations: tables for people, lines for programs. The fields of the lines are stable.

use desk::ApiError;
use desk::api::{
    EvaluatedCase, EvaluatedChoice, EvaluationCard, EvaluationCards, EvaluationTable, Judgement,
    Verdict as Judged,
};
use serde_json::{Value, json};

use crate::option_values::refused;
use crate::output;
use crate::table::{cell, duration, minute, money, one_line, table};

/// Columns of a criterion in a table.
const CRITERION: usize = 44;
/// Most judgements that did not hold in a table.
const MOST_FAILED: usize = 50;

/// Whether an evaluation reaches its threshold.
pub(crate) struct Verdict {
    pub(crate) passed: bool,
    share: Option<f64>,
    threshold: Option<f64>,
}

impl Verdict {
    /// The verdict on the last choice.
    pub(crate) fn of(table: &EvaluationTable, threshold: Option<f64>) -> Verdict {
        let share = table.card.choices.last().and_then(|choice| choice.totals.share);
        let passed = threshold.is_none_or(|least| share.is_some_and(|share| share >= least));
        Verdict { passed, share, threshold }
    }

    /// What is said where the threshold is not reached.
    pub(crate) fn sentence(&self) -> Option<String> {
        let threshold = self.threshold.filter(|_| !self.passed)?;
        let share = self.share.map_or("None".to_owned(), percent);
        Some(format!("{share} of the expectations hold for the last choice, below {}", percent(threshold)))
    }
}

fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent.fract() == 0.0 { format!("{percent} %") } else { format!("{percent:.1} %") }
}

/// The list of evaluations.
pub(crate) fn show_list(cards: &EvaluationCards) -> Result<(), ApiError> {
    if cards.evaluations.is_empty() {
        output::tell("There is no evaluation yet; `galley eval SET` begins one");
        return Ok(());
    }
    let row = |card: &EvaluationCard| {
        let of_choice = |choice: &EvaluatedChoice| {
            let share = choice.totals.share.map_or("–".to_owned(), percent);
            format!("{} {share}", one_line(&choice.label))
        };
        let choices: Vec<String> = card.choices.iter().map(of_choice).collect();
        vec![
            card.evaluation.clone(),
            minute(card.started_at_ms),
            card.status.word().to_owned(),
            format!("{}/{}", card.done, card.cells),
            one_line(&card.set),
            cell(&choices.join(" · "), 80),
        ]
    };
    let rows: Vec<Vec<String>> = cards.evaluations.iter().map(row).collect();
    output::write(&table(&["EVALUATION", "BEGAN", "STATUS", "CELLS", "SET", "CHOICES"], &rows))
}

/// An evaluation: its choices, every case by criterion, and what did not hold with its run.
pub(crate) fn show_table(shown: &EvaluationTable) -> Result<(), ApiError> {
    let card = &shown.card;
    output::write(&format!(
        "Evaluation {} of {}: {}, {} of {} cells\n\n",
        card.evaluation,
        one_line(&card.set),
        card.status.word(),
        card.done,
        card.cells
    ))?;
    let rows: Vec<Vec<String>> = card.choices.iter().map(choice_row).collect();
    let head = ["CHOICE", "HELD", "SHARE", "SCORE", "CASES", "COST", "TIME", "TOKENS", "THAN THE FIRST"];
    output::write(&table(&head, &rows))?;
    let labels = card.choices.iter().map(|choice| cell(&choice.label, 24));
    let mut head: Vec<String> = vec!["CASE".to_owned(), "CRITERION".to_owned()];
    head.extend(labels);
    head.push(String::new());
    let head: Vec<&str> = head.iter().map(String::as_str).collect();
    let rows: Vec<Vec<String>> = shown.cases.iter().flat_map(case_rows).collect();
    if !rows.is_empty() {
        output::write(&format!("\n{}", table(&head, &rows)))?;
    }
    show_failed(shown)
}

fn choice_row(choice: &EvaluatedChoice) -> Vec<String> {
    let totals = &choice.totals;
    let spent = totals.spent;
    let cost = money(spent.cost, spent.unpriced_calls);
    let judging = match totals.judging.calls {
        0 => String::new(),
        _ => format!(" + {} judging", money(totals.judging.cost, totals.judging.unpriced_calls)),
    };
    let difference = choice.difference.map_or(String::new(), |difference| {
        format!(
            "{} better, {} worse, {} same; by chance {}",
            difference.better,
            difference.worse,
            difference.same,
            percent((difference.chance * 1_000.0).round() / 1_000.0)
        )
    });
    vec![
        cell(&choice.label, 40),
        format!("{} of {}", totals.held, totals.expectations),
        totals.share.map_or("–".to_owned(), percent),
        totals.score.map_or("–".to_owned(), |score| format!("{score:.1}")),
        format!("{} of {}", totals.cells_held, totals.cells),
        format!("{cost}{judging}"),
        duration(spent.active_ms),
        spent.tokens.to_string(),
        difference,
    ]
}

/// A row for each criterion, with a mark where the choices differ.
fn case_rows(case: &EvaluatedCase) -> Vec<Vec<String>> {
    let row = |(index, criterion): (usize, &String)| {
        let judgements = case.cells.iter().map(|cell| {
            let result = cell.result.as_ref()?;
            result.judgements.get(index)
        });
        let words: Vec<String> = judgements.map(|judgement| judgement.map_or("…".to_owned(), word)).collect();
        let differs = words.windows(2).any(|pair| pair[0] != pair[1]);
        let name = if index == 0 { cell(&case.name, 30) } else { String::new() };
        let mut row = vec![name, cell(criterion, CRITERION)];
        row.extend(words);
        row.push(if differs { "≠".to_owned() } else { String::new() });
        row
    };
    case.criteria.iter().enumerate().map(row).collect()
}

fn word(judgement: &Judgement) -> String {
    let word = match judgement.verdict {
        Judged::Held => "held",
        Judged::Failed => "FAILED",
        Judged::Unjudged => "not judged",
    };
    match judgement.score {
        None => word.to_owned(),
        Some(score) => format!("{word} {score}"),
    }
}

/// What did not hold, with the reason and the run.
fn show_failed(shown: &EvaluationTable) -> Result<(), ApiError> {
    let mut rows: Vec<Vec<String>> = Vec::new();
    let mut failed = 0;
    for case in &shown.cases {
        for (choice, evaluated) in shown.card.choices.iter().zip(&case.cells) {
            let judgements = evaluated.result.iter().flat_map(|result| &result.judgements);
            for (criterion, judgement) in
                case.criteria.iter().zip(judgements).filter(|(_, judgement)| !judgement.holds())
            {
                failed += 1;
                if rows.len() < MOST_FAILED {
                    rows.push(vec![
                        cell(&case.name, 30),
                        cell(&choice.label, 24),
                        cell(criterion, CRITERION),
                        evaluated.run.clone().unwrap_or("–".to_owned()),
                        cell(&judgement.reason.english(), 80),
                    ]);
                }
            }
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    output::write(&format!("\n{}", table(&["CASE", "CHOICE", "DID NOT HOLD", "RUN", "REASON"], &rows)))?;
    if failed > rows.len() {
        output::tell(&format!("{} of {failed} are shown; `--json` gives all", rows.len()));
    }
    Ok(())
}

/// One case: its inputs, and the text and judgements of each choice.
pub(crate) fn show_case(shown: &EvaluationTable, name: &str) -> Result<(), ApiError> {
    let case = find(shown, name)?;
    let inputs = case.inputs.iter().map(|(key, value)| format!("{key}: {}", crate::fields::shown(&value.0)));
    output::write_text(&inputs.collect::<Vec<_>>().join("\n"))?;
    for (choice, evaluated) in shown.card.choices.iter().zip(&case.cells) {
        let run = evaluated.run.as_deref().unwrap_or("no run");
        output::write(&format!("\n{} · {run}\n", one_line(&choice.label)))?;
        let Some(result) = &evaluated.result else { continue };
        output::write_text(&result.output)?;
        for (criterion, judgement) in case.criteria.iter().zip(&result.judgements) {
            let run = judgement.run.as_ref().map(|run| format!(" (run {run})")).unwrap_or_default();
            let reason = one_line(&judgement.reason.english());
            output::write(&format!("  {}: {}. {reason}{run}\n", one_line(criterion), word(judgement)))?;
        }
        for tool in &result.refused {
            output::write(&format!("  {} was not called: nobody was there to allow it\n", one_line(tool)))?;
        }
    }
    Ok(())
}

fn find<'a>(shown: &'a EvaluationTable, name: &str) -> Result<&'a EvaluatedCase, ApiError> {
    shown.cases.iter().find(|case| case.name == name).ok_or_else(|| {
        let names: Vec<&str> = shown.cases.iter().map(|case| case.name.as_str()).collect();
        refused(format!("There is no case `{}`; there is {}", one_line(name), one_line(&names.join(", "))))
    })
}

/// Every cell, or those of one case, as a line of JSON; then the evaluation.
pub(crate) fn write_lines(
    shown: &EvaluationTable,
    case: Option<&str>,
    verdict: Option<&Verdict>,
) -> Result<(), ApiError> {
    if let Some(name) = case {
        find(shown, name)?;
    }
    for of_case in shown.cases.iter().filter(|known| case.is_none_or(|name| known.name == name)) {
        for (choice, evaluated) in shown.card.choices.iter().zip(&of_case.cells) {
            let mut line = json!({
                "type": "cell", "case": of_case.name, "choice": choice.label, "run": evaluated.run,
                "result": evaluated.result,
            });
            if let (Some(result), Some(judgements)) =
                (&evaluated.result, line.pointer_mut("/result/judgements").and_then(Value::as_array_mut))
            {
                for ((judged, criterion), judgement) in
                    judgements.iter_mut().zip(&of_case.criteria).zip(&result.judgements)
                {
                    judged["criterion"] = json!(criterion);
                    judged["reason"] = json!(judgement.reason.english());
                }
            }
            output::write_json(&line)?;
        }
    }
    let mut last = json!(shown.card);
    last["type"] = json!("evaluation");
    if let Some(verdict) = verdict {
        last["share"] = json!(verdict.share);
        last["threshold"] = json!(verdict.threshold);
        last["passed"] = json!(verdict.passed);
    }
    output::write_json(&last)
}
