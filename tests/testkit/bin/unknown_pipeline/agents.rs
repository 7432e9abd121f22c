//! The functions of the unknown pipeline: agents of code, actions, a check, and a text without a model.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Acted, Agent, AgentError, Cx, Flow};
use futures::future::BoxFuture;
use interpreter::{Check, Custom, CustomContext, FunctionContext, Registry, Run, WithoutModel};
use kernel::{
    AgentKind, CallRange, CheckResult, Choice, Delta, Error, Key, Outline, Phrase, Question, QuestionKind,
    Role,
};
use serde_json::{Value, json};

const ERRAND: &str = "errand_slip";
const COURSE: Key<Value> = Key::new("course_card", "Course", Role::Plan);
const EVIDENCE: &str = "evidence_box";
const WAYPOINTS: &str = "waypoint_list";
const TONE: Key<Value> = Key::new("tone_wish", "Tone", Role::Data);
const MANUSCRIPT: &str = "manuscript_leaf";
const VERDICT: &str = "verdict_sheet";
const LAPS: Key<Value> = Key::new("lap_board", "Laps", Role::Rounds);
const IMPRINT: &str = "imprint_leaf";
const CAUTION: &str = "caution_note";

/// The functions of the program with those that the pipeline names.
pub(crate) fn registry() -> Registry {
    let mut registry = pipelines::registry();
    registry.custom.extend([
        ("navigator", navigator as Custom),
        ("toll_keeper", toll_keeper),
        ("assessor", assessor),
    ]);
    registry.run.extend([
        ("collect_evidence", collect as Run),
        ("survey_the_bay", survey),
        ("print_it", print),
    ]);
    registry.checks.insert("says_how", says_how as Check);
    registry.without_model.insert("write_of_lanterns", write as WithoutModel);
    registry
}

type Work = for<'a> fn(&'a mut Cx) -> BoxFuture<'a, Result<Flow, AgentError>>;

/// An agent that is a function.
struct Hand {
    outline: Outline,
    work: Work,
}

#[async_trait]
impl Agent for Hand {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        (self.work)(cx).await
    }
}

/// The agent that is declared under this name, with this work.
fn hand(context: &CustomContext<'_>, work: Work) -> Result<Arc<dyn Agent>, Error> {
    let declared = &context.definition.agents[context.agent];
    let outline = Outline {
        name: context.agent.to_owned(),
        title: declared.title.clone(),
        agent: AgentKind::Custom,
        contract: context.definition.contract(declared),
        stream: None,
        is_on_demand: false,
        calls: CallRange::default(),
        children: Vec::new(),
    };
    Ok(Arc::new(Hand { outline, work }))
}

/// Plans, and at once plans better.
fn navigator(context: &CustomContext<'_>) -> Result<Arc<dyn Agent>, Error> {
    hand(context, |cx| {
        Box::pin(async move {
            let errand = cx.value(ERRAND)?.map(|errand| errand.json_or_null().clone());
            let step = |id: &str, says: &str, after: &[&str], status: &str| {
                json!({
                    "stepId": id, "assigned_agent_role": "Porter", "tool_name": "lantern",
                    "narrative_step": says, "depends_on": after, "status": status,
                    "sub_task_input": {"errand": errand, "from": after.first().map(|first| format!("@{{outputs.{first}.result_data}}"))}
                })
            };
            let first = json!({"revision": 0, "most_revisions": 2, "stages": [
                [step("look", "Look for the lanterns", &[], "failed")],
                [step("swim", "Swim to the harbour", &["look"], "planned")],
            ]});
            cx.set(&COURSE, &first).await?;
            let second = json!({
                "revision": 1, "most_revisions": 2, "reason": "The lanterns must stay dry.",
                "stages": [
                    [step("look", "Look for the lanterns in the shed", &[], "done")],
                    [step("wrap", "Wrap them in oilcloth", &["look"], "running")],
                    [step("row", "Row to the harbour", &["wrap"], "planned")],
                    [step("light", "Light them on the quay", &["row", "wrap"], "planned")],
                ]
            });
            cx.set(&COURSE, &second).await?;
            Ok(Flow::Continue)
        })
    })
}

fn collect(_: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let piece = |title: &str, summary: &str| json!({"title": title, "url": "https://example.org/lanterns", "source": "Harbour Gazette", "published": "2026-05-04", "summary": summary});
    let pieces = json!({"pieces": [
        piece("Lanterns of the old harbour", "Lanterns must be carried dry. Three of them light the whole quay."),
        piece("Rowing by night", "A rowing boat crosses the bay in twenty minutes at low tide."),
    ]});
    Ok(Acted { delta: Delta::of(EVIDENCE, pieces), ..Acted::default() })
}

fn survey(_: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let place = |name: &str, latitude: f64, longitude: f64, says: &str| json!({"name": name, "coordinates": {"latitude": latitude, "longitude": longitude}, "description": says});
    let places = json!({"places": [
        place("Shed", 54.3712, 10.1204, "where the lanterns hang"),
        place("Jetty", 54.3731, 10.1391, "where the boat lies"),
        place("Harbour", 54.3829, 10.1543, "where they are wanted"),
    ]});
    Ok(Acted { delta: Delta::of(WAYPOINTS, places), ..Acted::default() })
}

/// Asks how it is to sound.
fn toll_keeper(context: &CustomContext<'_>) -> Result<Arc<dyn Agent>, Error> {
    hand(context, |cx| {
        Box::pin(async move {
            let _: Value = cx.get(&COURSE)?;
            let choice = |value: &str, label: &str| Choice::new(value, Phrase::verbatim(label));
            let question = Question {
                kind: QuestionKind::Agent,
                text: Phrase::verbatim("How is the manuscript to sound?"),
                choices: vec![choice("plain", "Plain"), choice("solemn", "Solemn")],
                default: "plain".into(),
                is_free: true,
                details: json!({"course": "four steps", "boats": 1}).into(),
            };
            let answer = cx.ask_user(question).await?;
            cx.set(&TONE, &json!(answer)).await?;
            Ok(Flow::Continue)
        })
    })
}

/// Writes what the last verdict asked for.
fn write(context: &FunctionContext<'_>) -> Result<Value, Phrase> {
    let tone = context.text(TONE.name);
    let body = match context.state.get(VERDICT) {
        Some(_) => format!(
            "## Three lanterns\n\nThree lanterns are carried dry [1] in a {tone} boat that crosses the bay in twenty minutes [2]. More is at [the harbour](https://example.org/harbour).\n\n![A picture of the quay](https://example.org/quay.png)"
        ),
        None => "Three lanterns swim to the harbour.".to_owned(),
    };
    Ok(json!({ "body": body }))
}

fn says_how(context: &FunctionContext<'_>) -> CheckResult {
    let text = context.answer_text();
    let problem = (text.split_whitespace().count() <= 12).then(|| Phrase::verbatim("nothing is said of how"));
    CheckResult::new("how", problem, || Phrase::verbatim("“Three lanterns” are carried somehow"))
}

/// Judges twice: the second time it is content, and the laps end.
fn assessor(context: &CustomContext<'_>) -> Result<Arc<dyn Agent>, Error> {
    hand(context, |cx| {
        Box::pin(async move {
            cx.value(MANUSCRIPT)?;
            let mut laps = cx.find(&LAPS)?.and_then(|laps| laps.as_array().cloned()).unwrap_or_default();
            let is_fit = !laps.is_empty();
            let problems = if is_fit {
                json!([])
            } else {
                json!([
                    {"text": "“swim to the harbour” is no way to treat a lantern", "severity": "grave"},
                    {"text": "Nothing is cited; [1] would carry it", "severity": "slight"}
                ])
            };
            let said = if is_fit { "The lanterns arrive **dry**." } else { "The lanterns get wet." };
            laps.push(json!({
                "round": laps.len() + 1,
                "score": if is_fit { 0.92 } else { 0.41 },
                "scores": {"dryness": if is_fit { 1.0 } else { 0.1 }, "style": 0.7},
                "verdict": if is_fit { "accepted" } else { "rejected" },
                "changed": if is_fit { "They are carried by boat." } else { "A first try." }
            }));
            let verdict = json!({"said": said, "faults": problems, "goes": is_fit});
            cx.change(Delta::of(VERDICT, verdict).with(LAPS.name, json!(laps))).await?;
            Ok(if is_fit { Flow::ExitLoop } else { Flow::Continue })
        })
    })
}

fn print(context: &FunctionContext<'_>) -> Result<Acted, Phrase> {
    let leaf: Value = context.read(MANUSCRIPT).unwrap_or_default();
    let mut course: Value = context.read(COURSE.name).unwrap_or_default();
    let stages = course["stages"].as_array_mut().into_iter().flatten();
    for step in stages.filter_map(Value::as_array_mut).flatten() {
        step["status"] = json!("done");
    }
    let printed = Delta::of(IMPRINT, leaf["body"].clone())
        .with(CAUTION, json!("printed without a proof-reader"))
        .with(COURSE.name, course);
    Ok(Acted { delta: printed, surface: true, ..Acted::default() })
}
