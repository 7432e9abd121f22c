//! Evaluates an expression with units, percentages and dates, so that no model has to calculate.
//!
//! The result is deterministic: no random numbers, no exchange rates and no current date. `fend` parses recursively, so
//! length and nesting are capped, it runs on its own thread with a large stack, and it is interrupted at the time limit
//! or when its stack runs out. Expressions cannot define functions.

mod ambiguity;

use std::thread;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use engine::{Access, CancellationToken, ToolContext, ToolExample, ToolOutput, TypedTool, bad_input};
use fend_core::{Context, Interrupt};
use kernel::{Code, Error, Phrase, phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::sync::oneshot;

use ambiguity::ambiguous;

/// The name of the tool.
pub const CALCULATOR: &str = "calculator";

/// The longest expression, in characters.
const LONGEST: usize = 1_000;

/// The most brackets that may be open at once.
const DEEPEST: usize = 50;

/// The longest result, in characters.
const LONGEST_RESULT: usize = 2_000;

/// Reliable digits of an approximate number: `fend` calculates with 53 bits.
const SURE_DIGITS: usize = 15;

const WITHIN: Duration = Duration::from_secs(2);

/// The stack of a calculation in bytes, and the bytes that it may use before it is interrupted.
const STACK: usize = 64 << 20;
const MOST_STACK: usize = 40 << 20;

/// The prefix of a number that is not exact.
const APPROXIMATE: &str = "approx. ";

/// Calculates an expression.
pub struct CalculatorTool;

/// What to calculate.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CalculatorInput {
    /// The expression, such as `60 km/h * 45 min to km`, `15% of 80 kg` or `@2026-11-30 + 90 days`.
    pub expression: String,
}

/// What comes out.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct CalculatorOutput {
    /// The result with its unit; `approx.` stands before what is not exact.
    pub result: String,
    /// Whether the result is rounded or otherwise not exact.
    pub is_approximate: bool,
}

#[async_trait]
impl TypedTool for CalculatorTool {
    type Input = CalculatorInput;
    type Output = CalculatorOutput;
    const NAME: &'static str = CALCULATOR;
    const DESCRIPTION: &'static str = "Calculates an expression exactly where that is possible: numbers, percent, units with conversions \
         (`5 km + 3 miles to m`), functions such as sqrt, ln and sin, and days (`@2026-11-30 + 90 days`). It knows no \
         rates of currencies, no random numbers and not what day today is.";

    fn access(&self, _: &CalculatorInput) -> Access {
        Access::looks()
    }

    fn title(&self, input: &CalculatorInput) -> Phrase {
        phrase!("calculated {expression}", expression = journal_text(&input.expression))
    }

    fn intent(&self, input: &CalculatorInput) -> Phrase {
        phrase!("Calculates {expression}", expression = journal_text(&input.expression))
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(10)
    }

    fn examples(&self) -> Vec<ToolExample> {
        let example = |title, expression: &str, output_contains| ToolExample {
            title,
            input: json!({"expression": expression}),
            output_contains,
        };
        vec![
            example("distance from speed and time", "60 km/h * 45 min to km", "\"45 km\""),
            example("a share", "15% of 80 kg", "\"12 kg\""),
            example("a root, which is not exact", "sqrt 2", "approx. 1.4142135"),
            example("the day that is 90 days later", "@2026-11-30 + 90 days", "28 February 2027"),
        ]
    }

    async fn call(
        &self,
        input: CalculatorInput,
        context: &ToolContext,
    ) -> Result<ToolOutput<CalculatorOutput>, Error> {
        let expression = input.expression.trim().to_owned();
        check(&expression).map_err(|why| bad_input(CALCULATOR, "/expression", &why))?;
        let result = calculate(expression.clone(), context.cancel.clone()).await?;
        let is_approximate = result.contains(APPROXIMATE);
        let result = if is_approximate { with_sure_digits(&result) } else { result };
        let summary = phrase!(
            "{expression} is {result}",
            expression = journal_text(&expression),
            result = journal_text(&result)
        );
        Ok(ToolOutput::new(CalculatorOutput { result, is_approximate }, summary))
    }
}

/// The reason why an expression is refused before it is evaluated.
fn check(expression: &str) -> Result<(), String> {
    if expression.is_empty() {
        return Err("the expression is empty; write one such as `2 + 3`".to_owned());
    }
    let length = expression.chars().count();
    if length > LONGEST {
        return Err(format!("it has {length} characters, more than {LONGEST}; calculate it in parts"));
    }
    if let Some(control) = expression.chars().find(|c| c.is_control()) {
        return Err(format!("it has the character {control:?}; write it in one line"));
    }
    // A closing bracket without an opening one gets its opening bracket at the start.
    let count = |brackets: &[char]| expression.chars().filter(|c| brackets.contains(c)).count();
    let (mut open, mut deepest) = (count(&[')']).saturating_sub(count(&['('])), 0);
    for character in expression.chars() {
        match character {
            '(' | '[' | '{' => open += 1,
            ')' | ']' | '}' => open = open.saturating_sub(1),
            _ => {}
        }
        deepest = deepest.max(open);
    }
    if deepest > DEEPEST {
        return Err(format!("its brackets are more than {DEEPEST} deep; calculate it in parts"));
    }
    if expression.contains(['\\', ':']) || expression.contains("=>") {
        return Err(
            "it defines a function, which is not calculated; write out what is to be calculated".to_owned()
        );
    }
    if throws_dice(expression) {
        return Err("it throws dice, as in `2d6`; write out what is to be calculated".to_owned());
    }
    if let Some(why) = ambiguous(expression) {
        return Err(why);
    }
    if expression.trim_start().starts_with('@') && expression[1..].starts_with(|c: char| c.is_alphabetic()) {
        return Err("`@` stands only before a day, such as @2026-11-30".to_owned());
    }
    Ok(())
}

/// Whether an expression rolls dice, such as `2d6`: `fend` enumerates all rolls and cannot be interrupted there.
/// Hexadecimal numbers contain the same letters, but after other characters.
fn throws_dice(expression: &str) -> bool {
    let is_of_number = |c: char| c.is_ascii_alphanumeric() || "#_,".contains(c);
    expression.match_indices('d').any(|(at, _)| {
        let before = &expression[..at];
        let number = &before[before.trim_end_matches(is_of_number).len()..];
        expression[at + 1..].starts_with(|c: char| c.is_ascii_digit())
            && !number.contains(|c: char| c.is_ascii_alphabetic() && !"boeE".contains(c))
    })
}

/// Evaluates on a dedicated thread.
async fn calculate(expression: String, cancel: CancellationToken) -> Result<String, Error> {
    let (sender, receiver) = oneshot::channel();
    let about = journal_text(&expression);
    let failed = |why: Phrase| {
        let message = phrase!("`{expression}` cannot be calculated: {why}", expression = about.clone(), why);
        Error::new(Code::ToolFailed, message)
    };
    let started = thread::Builder::new().name(CALCULATOR.to_owned()).stack_size(STACK).spawn(move || {
        let limits = Limits { ends: Instant::now() + WITHIN, cancel, stack_begins: stack_place() };
        let calculated = fend_core::evaluate_with_interrupt(&expression, &mut Context::new(), &limits);
        let calculated = calculated.map(|result| result.get_main_result().trim().to_owned());
        // The receiver may have stopped waiting.
        let _ = sender.send((calculated, limits.reached()));
    });
    started.map_err(|error| failed(Phrase::verbatim(error.to_string())))?;
    // The sender is dropped without a message when the calculation panics.
    let Ok((calculated, reached)) = receiver.await else {
        return Err(failed(phrase!("the calculator stopped; write it in another way")));
    };
    match calculated {
        Ok(result) if result.is_empty() => {
            Err(failed(phrase!("it has no result; write what is to be calculated")))
        }
        // An address in a result would be taken for one that a tool found.
        Ok(result) if result.contains("://") => {
            Err(failed(phrase!("its result is a text; only numbers, units and days are calculated")))
        }
        Ok(result) if result.chars().count() > LONGEST_RESULT => Err(failed(phrase!(
            "its result has more than {most} characters; ask for fewer digits, such as `to 15 sf`",
            most = LONGEST_RESULT
        ))),
        Ok(result) => Ok(result),
        Err(_) if reached == Some(Limit::Cancelled) => {
            Err(Error::new(Code::Cancelled, phrase!("The calculation was stopped")))
        }
        Err(_) if reached.is_some() => Err(failed(phrase!(
            "it takes longer than {seconds} s or nests too deep; calculate it in parts or with smaller numbers",
            seconds = WITHIN.as_secs()
        ))),
        Err(why) if why == NO_TODAY => Err(failed(phrase!(
            "the calculator does not know today; write the day itself, such as @2026-11-30"
        ))),
        Err(why) if why == NO_RATES => Err(failed(phrase!(
            "the calculator knows no rates of currencies; leave the currencies out and calculate with the numbers"
        ))),
        Err(why) => Err(failed(phrase!("{why}; check the expression", why))),
    }
}

/// The error of `fend` for an expression that needs the current date.
const NO_TODAY: &str = "unable to get the current date";

/// The error of `fend` for currencies.
const NO_RATES: &str = "exchange rates are not available";

/// The conditions that interrupt a calculation.
struct Limits {
    ends: Instant,
    cancel: CancellationToken,
    stack_begins: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Limit {
    Cancelled,
    Time,
    Stack,
}

impl Limits {
    fn reached(&self) -> Option<Limit> {
        if self.cancel.is_cancelled() {
            Some(Limit::Cancelled)
        } else if Instant::now() >= self.ends {
            Some(Limit::Time)
        } else if self.stack_begins.abs_diff(stack_place()) > MOST_STACK {
            Some(Limit::Stack)
        } else {
            None
        }
    }
}

impl Interrupt for Limits {
    fn should_interrupt(&self) -> bool {
        self.reached().is_some()
    }
}

/// The approximate position of this thread on its stack.
#[inline(never)]
fn stack_place() -> usize {
    let here = 0_u8;
    (&raw const here).addr()
}

/// Rounds the numbers of a result to the reliable digits. Numbers in another base are left as they are.
fn with_sure_digits(result: &str) -> String {
    let mut text = String::with_capacity(result.len());
    let mut rest = result;
    while let Some(begin) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(begin);
        let is_part_of_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '#');
        let end = number.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(number.len());
        let (number, after) = number.split_at(end);
        text.push_str(before);
        if is_part_of_word || number.matches('.').count() > 1 || after.starts_with(['x', '#']) {
            text.push_str(number);
        } else {
            text.push_str(&rounded(number));
        }
        rest = after;
    }
    text.push_str(rest);
    text
}

/// A decimal number rounded to the reliable digits.
fn rounded(number: &str) -> String {
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let mut digits: Vec<u8> = whole.bytes().chain(fraction.bytes()).map(|digit| digit - b'0').collect();
    let zeros = digits.iter().take_while(|digit| **digit == 0).count();
    let kept = zeros + SURE_DIGITS;
    if digits.len() <= kept {
        return number.to_owned();
    }
    let mut carries = digits[kept] >= 5;
    digits[kept..].fill(0);
    for digit in digits[..kept].iter_mut().rev() {
        if !carries {
            break;
        }
        *digit += 1;
        carries = *digit == 10;
        if carries {
            *digit = 0;
        }
    }
    let written = |digits: &[u8]| digits.iter().map(|digit| char::from(b'0' + digit)).collect::<String>();
    let (whole, fraction) = digits.split_at(whole.len());
    let (whole, fraction) = (written(whole), written(fraction));
    let whole = if carries { format!("1{whole}") } else { whole };
    match fraction.trim_end_matches('0') {
        "" => whole,
        fraction => format!("{whole}.{fraction}"),
    }
}

/// An expression or a result as the journal shows it.
fn journal_text(text: &str) -> String {
    let visible = |c: char| if c.is_control() { ' ' } else { c };
    text.trim().chars().take(120).map(visible).collect()
}

#[cfg(test)]
mod tests;
