//! The questions that the engine asks, and how their answers are read.

use std::collections::BTreeMap;

use kernel::{
    ADD, AgentChange, AgentKind, AskedInput, AskedPermission, BUILT_IN, Choice, Definition, Error,
    GateAnswer, GateQuestion, GateSide, ITEM, LIFT, LimitName, Outline, Overrides, PermissionAnswer, Phrase,
    Question, QuestionKind, RESULT, Reached, Rule, ServerAnswer, ServerQuestion, ToolCall, Value, amount,
    form, phrase,
};
use serde::{Deserialize, Serialize};

use crate::instance_start::InstanceStart;
use crate::ports::AgentChanges;
use crate::{limits, tool_directory};

pub(crate) const REPEAT: &str = "repeat";
/// The answer that ends the run at a question of the engine.
pub const STOP: &str = "stop";
pub(crate) const FINISH: &str = "finish";
/// The program's answer to a question about time: the effect was done while the question was open.
pub(crate) const NOT_NEEDED: &str = "not_needed";
pub(crate) const RETRY: &str = "retry";
/// The answer that goes on at a gate.
const GO_ON: &str = "go_on";
/// The answer that sends nothing to the server of a tool.
const DECLINE: &str = "decline";
/// The answer that runs the stage without a model.
const WITHOUT: &str = "built_in";
/// The prefix of an answer that names another profile.
const ANOTHER: &str = "profile:";

fn choice(value: &str, label: impl Into<Phrase>) -> Choice {
    Choice::new(value, label)
}

fn question(kind: QuestionKind, text: Phrase, choices: Vec<Choice>, default: &str) -> Question {
    Question { kind, text, choices, default: default.to_owned(), is_free: false, details: Value::default() }
}

/// The question at a reached limit: add, finish with the best result so far, or stop. Where a price is not known,
/// adding does not help: the person enters the price, or lifts the limit.
pub(crate) fn limit(reached: &Reached) -> Question {
    let is_unpriced = reached.unpriced.is_some();
    let mut choices = if is_unpriced {
        vec![choice(RETRY, form!("Try again")), choice(LIFT, form!("Go on without this limit"))]
    } else {
        vec![choice(ADD, added(reached.name, reached.step()))]
    };
    choices.extend([choice(FINISH, form!("Finish with the best so far")), choice(STOP, form!("Stop"))]);
    let used_up = limits::used_up(reached);
    let text = if is_unpriced {
        phrase!(
            "The call was not sent: {used_up}. Put the price into `prices.toml` in the data folder and try again, go on \
             without this limit, finish with the best so far, or stop?",
            used_up
        )
    } else {
        phrase!("{used_up}. Add to it, finish with the best so far, or stop?", used_up)
    };
    let details = Value::new(serde_json::to_value(reached).unwrap_or_default());
    // The person may also answer with a number, which is added.
    let is_free = !is_unpriced;
    Question {
        is_free,
        details,
        ..question(QuestionKind::Limit { limit: reached.name }, text, choices, FINISH)
    }
}

/// The choice that adds to a limit.
fn added(limit: LimitName, more: f64) -> Phrase {
    match limit {
        LimitName::MaxLlmCalls => phrase!("Add {more} calls and go on", more),
        LimitName::MaxToolCalls => phrase!("Add {more} tool calls and go on", more),
        LimitName::MaxTotalTokens | LimitName::MaxOutputTokens => {
            phrase!("Add {more} tokens and go on", more)
        }
        LimitName::MaxExecutionTimeS => phrase!("Add {more} s and go on", more),
        LimitName::MaxCost => phrase!("Add ${more} and go on", more),
    }
}

/// The details shown with the question about a profile, and the settings for each other profile.
#[derive(Default, Serialize, Deserialize)]
struct AboutProfile {
    provider_words: Option<String>,
    others: BTreeMap<String, AgentChanges>,
}

/// The question after a profile failed without a fallback: retry when it is repaired, use another profile, or stop.
pub(crate) fn profile(name: &str, error: &Error, others: BTreeMap<String, AgentChanges>) -> Question {
    let goes_on = others.keys().map(|other| {
        choice(
            &format!("{ANOTHER}{other}"),
            match other.as_str() {
                BUILT_IN => phrase!("Go on without a model"),
                other => phrase!("Go on with {profile}", profile = other),
            },
        )
    });
    let choices = std::iter::once(choice(RETRY, form!("Try again")))
        .chain(goes_on)
        .chain(std::iter::once(choice(STOP, form!("Stop"))))
        .collect();
    let kind = QuestionKind::Profile { profile: name.to_owned(), code: error.code };
    let about = AboutProfile { provider_words: error.provider_words.clone(), others };
    let details = Value::new(serde_json::to_value(about).unwrap_or_default());
    Question { details, ..question(kind, (*error.phrase).clone(), choices, STOP) }
}

/// The question after an unusable answer: ask again, run the stage without a model where possible, or stop.
pub(crate) fn malformed(error: &Error, agent: &str, has_built_in: bool) -> Question {
    let without = has_built_in.then(|| choice(WITHOUT, form!("Do this stage without a model")));
    let choices = std::iter::once(choice(RETRY, form!("Ask the model again")))
        .chain(without)
        .chain(std::iter::once(choice(STOP, form!("Stop"))))
        .collect();
    let change = AgentChange {
        profile: Some(BUILT_IN.to_owned()),
        model: Some(BUILT_IN.to_owned()),
        fallbacks: Some(Vec::new()),
        ..AgentChange::default()
    };
    let details = Value::new(
        serde_json::to_value(AgentChanges::from([(agent.to_owned(), change)])).unwrap_or_default(),
    );
    Question { details, ..question(QuestionKind::Malformed, (*error.phrase).clone(), choices, STOP) }
}

/// The choice that continues without a model, if the question offers it.
pub(crate) fn without_model(question: &Question) -> Option<&str> {
    let values = question.choices.iter().map(|choice| choice.value.as_str());
    values.into_iter().find(|value| *value == WITHOUT || value.strip_prefix(ANOTHER) == Some(BUILT_IN))
}

/// What an answer of the person changes from there on.
pub(crate) enum Change {
    /// Raises a limit.
    More(Reached, f64),
    /// Lifts a limit of the run.
    Lifted(LimitName),
    /// Changes the profiles of agents.
    Agents(Overrides),
    /// Allows a tool in this run.
    Grant(Rule),
}

impl Change {
    pub(crate) fn apply(&self, definition: &mut Definition) {
        match self {
            Change::More(reached, more) => definition.raise(reached, *more),
            Change::Lifted(name) => definition.set_limit(*name, None),
            Change::Agents(overrides) => definition.replace_failed(overrides),
            Change::Grant(rule) => definition.allowed_tools.push(rule.clone()),
        }
    }
}

/// The change that follows from the person's answer.
pub(crate) fn change(question: &Question, answer: &Value) -> Option<Change> {
    let given = answer;
    let answer = given.as_str().unwrap_or_default();
    match &question.kind {
        QuestionKind::Limit { .. } => {
            let reached = question.limit_reached()?;
            if reached.is_lifted(answer) {
                return Some(Change::Lifted(reached.name));
            }
            let more = reached.added(answer)?;
            Some(Change::More(reached, more))
        }
        QuestionKind::Profile { .. } => {
            let about = AboutProfile::deserialize(question.details.json_or_null()).ok()?;
            let agents = about.others.get(answer.strip_prefix(ANOTHER)?)?.clone();
            Some(Change::Agents(Overrides { agents, ..Overrides::default() }))
        }
        QuestionKind::Malformed => {
            let agents = AgentChanges::deserialize(question.details.json_or_null()).ok()?;
            (answer == WITHOUT).then(|| Change::Agents(Overrides { agents, ..Overrides::default() }))
        }
        QuestionKind::Permission { .. } => match permission_of(given)? {
            // Allowing it always also allows it in this run, even if the rule is deleted later.
            PermissionAnswer::Run | PermissionAnswer::Always => {
                Some(Change::Grant(asked_permission(question)?.rule))
            }
            _ => None,
        },
        QuestionKind::Agent
        | QuestionKind::Issues
        | QuestionKind::Repeat
        | QuestionKind::Gate { .. }
        | QuestionKind::ToolServer { .. } => None,
    }
}

/// Whether this answer to the question about a limit retries the stopped effect unchanged.
pub(crate) fn is_tried_again(question: &Question, answer: &str) -> bool {
    answer == RETRY && question.limit_reached().is_some_and(|reached| reached.unpriced.is_some())
}

/// Whether this answer refuses the request that a question of the engine is about.
pub(crate) fn is_refusal(question: &Question, answer: &Value) -> bool {
    let given = answer;
    let answer = given.as_str().unwrap_or_default();
    match &question.kind {
        QuestionKind::Agent | QuestionKind::Issues | QuestionKind::ToolServer { .. } => false,
        QuestionKind::Limit { .. } => {
            !is_tried_again(question, answer)
                && !matches!(answer, ADD | LIFT | NOT_NEEDED)
                && amount(answer).is_none()
        }
        QuestionKind::Profile { .. } | QuestionKind::Malformed | QuestionKind::Gate { .. } => answer == STOP,
        QuestionKind::Permission { .. } => matches!(
            permission_of(given),
            None | Some(
                PermissionAnswer::Refuse | PermissionAnswer::RefuseBecause(_) | PermissionAnswer::Nobody
            )
        ),
        QuestionKind::Repeat => answer != REPEAT,
    }
}

/// The question whether a tool may be called.
pub(crate) fn permission(asked: AskedPermission) -> Question {
    let tool = asked.call.tool.clone();
    let place = asked.rule.place.as_deref();
    let covered = match place {
        Some(place) => phrase!("every call of `{tool}` at {place}", tool, place),
        None => phrase!("every call of `{tool}`", tool),
    };
    let choices = vec![
        choice("once", form!("Allow once")),
        choice("run", phrase!("Allow in this run: {covered}", covered = covered.clone())),
        choice("always", phrase!("Always allow: {covered}", covered)),
        choice("refuse", form!("Refuse")),
    ];
    let kind = QuestionKind::Permission { tool: tool.clone() };
    let text = phrase!("`{tool}` wants to act. {intent}. Allow it?", tool, intent = asked.intent.clone());
    let details = Value::new(serde_json::to_value(asked).unwrap_or_default());
    Question { details, ..question(kind, text, choices, "refuse") }
}

/// The question that the server of a tool asks. Without an answer, the server gets none.
pub(crate) fn tool_server(tool: &str, asked: ServerQuestion) -> Question {
    let done = matches!(asked.asks_for, AskedInput::Page { .. });
    let choices = done
        .then(|| choice("done", form!("I have done it there")))
        .into_iter()
        .chain([choice(DECLINE, form!("Do not tell")), choice("cancel", form!("End the call"))])
        .collect();
    let text = phrase!("`{tool}` asks before it continues: {message}", tool, message = asked.message.clone());
    let details = Value::new(serde_json::to_value(asked).unwrap_or_default());
    let kind = QuestionKind::ToolServer { tool: tool.to_owned() };
    Question { details, ..question(kind, text, choices, DECLINE) }
}

/// The question at a gate.
pub(crate) fn gate(
    agent: &Outline,
    side: GateSide,
    asks_model: bool,
    instance: Option<&InstanceStart>,
) -> Question {
    let (name, contract) = (agent.name.clone(), &agent.contract);
    let not_begun = instance.filter(|_| side == GateSide::Before);
    let (text, keys) = match side {
        GateSide::Before => {
            let reads = contract.reads.iter().chain(&contract.may_read);
            // The result of an instance does not exist before it has begun.
            let reads = reads.filter(|key| not_begun.is_none() || *key != RESULT).cloned().collect();
            (phrase!("The run stops before `{agent}` starts. Go on?", agent = &agent.name), reads)
        }
        GateSide::After => {
            let text =
                phrase!("The run stops after `{agent}`. Go on with what it made?", agent = &agent.name);
            (text, contract.writes.clone())
        }
    };
    let choices = vec![choice(GO_ON, form!("Go on")), choice(STOP, form!("Stop"))];
    let takes_changes = side == GateSide::After && matches!(agent.agent, AgentKind::Llm) && asks_model;
    let asked = GateQuestion {
        keys,
        takes_changes,
        output: instance.and_then(|started| started.output.clone()).map(Value::new),
        item: not_begun.map(|started| started.instance.input.clone()),
        input: not_begun.and_then(|started| started.input.clone()).map(Value::new),
    };
    let details = Value::new(serde_json::to_value(asked).unwrap_or_default());
    let kind = QuestionKind::Gate { agent: name, side };
    Question { details, ..question(kind, text, choices, GO_ON) }
}

/// The call that a question for permission is about; `None` for another question.
pub(crate) fn asked_permission(question: &Question) -> Option<AskedPermission> {
    let is_permission = matches!(question.kind, QuestionKind::Permission { .. });
    is_permission.then(|| AskedPermission::deserialize(question.details.json_or_null()).ok()).flatten()
}

fn permission_of(answer: &Value) -> Option<PermissionAnswer> {
    PermissionAnswer::deserialize(answer.json_or_null()).ok()
}

/// The call that this answer allows in all later runs.
pub fn always_allowed(question: &Question, answer: &Value) -> Option<AskedPermission> {
    let asked = asked_permission(question)?;
    (permission_of(answer)? == PermissionAnswer::Always).then_some(asked)
}

/// Checks an answer to a question: one of its choices, or another value that it allows. A changed input must fit the
/// schema of the tool; a changed item or output of an instance must fit its agent's schema.
///
/// # Errors
/// `bad_input` names the choices, or what does not fit.
pub fn admits(question: &Question, answer: &Value) -> Result<(), Error> {
    question.admits(answer)?;
    if let Some(asked) = asked_permission(question)
        && let Some(PermissionAnswer::Change(input)) = permission_of(answer)
    {
        tool_directory::fits(&asked.call.tool, asked.schema.json_or_null(), &input.0)?;
    }
    if let QuestionKind::ToolServer { tool } = &question.kind
        && let Some(AskedInput::Form { schema }) = question.of_server().map(|asked| asked.asks_for)
        && let Ok(ServerAnswer::Accept(form)) = ServerAnswer::deserialize(answer.json_or_null())
    {
        tool_directory::fits(tool, &schema.0, &form.0)?;
    }
    if let QuestionKind::Gate { agent, .. } = &question.kind
        && let Ok(GateAnswer::GoOnWith(delta)) = GateAnswer::deserialize(answer.json_or_null())
        && let Some(asked) = question.at_gate()
    {
        for (key, schema) in [(RESULT, asked.output), (ITEM, asked.input)] {
            let Some((value, schema)) = delta.set.get(key).zip(schema) else { continue };
            tool_directory::fits(agent, schema.json_or_null(), value.json_or_null())?;
        }
    }
    Ok(())
}

/// The question whether a fork repeats a call that its parent made.
pub(crate) fn done_before(call: &ToolCall) -> Question {
    let choices = vec![choice("reuse", form!("Use what it gave then")), choice(REPEAT, form!("Do it again"))];
    let text =
        phrase!("The run this one was forked from already did this: {what}. Do it again?", what = call.title);
    about(call, question(QuestionKind::Repeat, text, choices, "reuse"))
}

/// The question about a call that may be made only once and was in flight when the program died.
pub(crate) fn was_in_flight(call: &ToolCall) -> Question {
    let choices = vec![choice("skip", form!("Do not repeat it")), choice(REPEAT, form!("Do it again"))];
    let text = phrase!(
        "This was in flight when the program stopped and may have been done: {what}. Do it again?",
        what = call.title
    );
    about(call, question(QuestionKind::Repeat, text, choices, "skip"))
}

/// Attaches the call to the question. A replay reads it from there, even if the tool is no longer installed.
fn about(call: &ToolCall, question: Question) -> Question {
    Question { details: Value::new(serde_json::to_value(call).unwrap_or_default()), ..question }
}

/// The call a question is about.
pub(crate) fn call_of(question: &Question) -> Option<ToolCall> {
    if let Some(asked) = asked_permission(question) {
        return Some(asked.call);
    }
    ToolCall::deserialize(question.details.json_or_null()).ok()
}
