//! The agents of the unknown pipeline. They ask no model; one is made like those that do, so that it can be forked with
//! another instruction.

use async_trait::async_trait;
use engine::{Agent, AgentError, AnswerForm, Cx, Flow, LlmAgent, LlmAgentParts};
use futures::future::BoxFuture;
use kernel::{
    AgentKind, CallRange, Choice, Contract, Delta, Error, Outline, Phrase, Question, QuestionKind, State,
};
use serde_json::{Value, json};

use crate::keys::{
    CAUTION, COURSE, ERRAND, EVIDENCE, IMPRINT, LAPS, MANUSCRIPT, MEASURES, TONE, VERDICT, WAYPOINTS,
};

pub(crate) const SCRIBE: &str = "patient_scribe";

type Work = for<'a> fn(&'a mut Cx) -> BoxFuture<'a, Result<Flow, AgentError>>;

/// An agent that is a function.
pub(crate) struct Hand {
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

fn hand(name: &str, title: &str, contract: Contract, work: Work) -> Hand {
    let outline = Outline {
        name: name.to_owned(),
        title: title.to_owned(),
        agent: AgentKind::Custom,
        contract,
        stream: None,
        calls: CallRange::default(),
        children: Vec::new(),
    };
    Hand { outline, work }
}

/// Plans, and at once plans better.
pub(crate) fn navigator() -> Hand {
    hand("old_navigator", "Navigator", Contract::new(&[ERRAND.name], &[], &[COURSE.name]), |cx| {
        Box::pin(async move {
            let errand = cx.get(&ERRAND)?;
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

pub(crate) fn collector() -> Hand {
    hand("box_collector", "Collector", Contract::new(&[ERRAND.name], &[], &[EVIDENCE.name]), |cx| {
        Box::pin(async move {
            let _: Value = cx.get(&ERRAND)?;
            let piece = |title: &str, summary: &str| json!({"title": title, "url": "https://example.org/lanterns", "source": "Harbour Gazette", "published": "2026-05-04", "summary": summary});
            let pieces = json!({"pieces": [
                piece("Lanterns of the old harbour", "Lanterns must be carried dry. Three of them light the whole quay."),
                piece("Rowing by night", "A rowing boat crosses the bay in twenty minutes at low tide."),
            ]});
            cx.set(&EVIDENCE, &pieces).await?;
            Ok(Flow::Continue)
        })
    })
}

pub(crate) fn surveyor() -> Hand {
    hand("bay_surveyor", "Surveyor", Contract::new(&[ERRAND.name], &[], &[WAYPOINTS.name]), |cx| {
        Box::pin(async move {
            let _: Value = cx.get(&ERRAND)?;
            let place = |name: &str, latitude: f64, longitude: f64, says: &str| json!({"name": name, "coordinates": {"latitude": latitude, "longitude": longitude}, "description": says});
            let places = json!({"places": [
                place("Shed", 54.3712, 10.1204, "where the lanterns hang"),
                place("Jetty", 54.3731, 10.1391, "where the boat lies"),
                place("Harbour", 54.3829, 10.1543, "where they are wanted"),
            ]});
            cx.set(&WAYPOINTS, &places).await?;
            Ok(Flow::Continue)
        })
    })
}

/// Asks how it is to sound.
pub(crate) fn toll_keeper() -> Hand {
    hand("toll_keeper", "Toll keeper", Contract::new(&[COURSE.name], &[], &[TONE.name]), |cx| {
        Box::pin(async move {
            let _: Value = cx.get(&COURSE)?;
            let choice =
                |value: &str, label: &str| Choice { value: value.into(), label: Phrase::verbatim(label) };
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

/// A text with its length.
pub(crate) fn leaf(body: &str) -> Value {
    json!({"body": body, "length": body.split_whitespace().count()})
}

/// Writes what the last verdict asked for.
pub(crate) fn scribe() -> Result<LlmAgent, Error> {
    LlmAgent::new(LlmAgentParts {
        name: SCRIBE.into(),
        title: "Scribe".into(),
        instruction: "Write the manuscript.".to_owned(),
        contract: Contract::new(
            &[ERRAND.name, EVIDENCE.name],
            &[TONE.name, VERDICT.name],
            &[MANUSCRIPT.name, MEASURES.name],
        ),
        key: MANUSCRIPT.name.into(),
        streams: Some("body".into()),
        form: AnswerForm::Json(json!({
            "type": "object", "additionalProperties": false, "required": ["body"],
            "properties": {"body": {"type": "string"}, "length": {"type": "integer"}}
        })),
        prompt: Box::new(|cx| Ok(cx.get(&ERRAND)?.to_string())),
        titles: None,
        finish: Box::new(|_, json| Ok(json)),
        derive: Some(Box::new(|_, answer| {
            let length = answer["length"].as_u64().unwrap_or_default();
            let check = |name: &str, passed: bool, detail: String| json!({"name": name, "passed": passed, "detail": detail});
            Delta::of(MANUSCRIPT.name, answer.clone()).with(
                MEASURES.name,
                json!([
                    check("length", length <= 60, format!("{length} of 60 words")),
                    check("lanterns", length > 12, "“Three lanterns” are named".to_owned()),
                ]),
            )
        })),
        verify: None,
        built_in: Some(Box::new(|state: &State| {
            let has_verdict = state.get(VERDICT.name).is_some();
            let tone = state.get(TONE.name).and_then(kernel::Value::as_str).unwrap_or("plain").to_owned();
            let body = if has_verdict {
                format!(
                    "## Three lanterns\n\nThree lanterns are carried dry [1] in a {tone} boat that crosses the bay in twenty minutes [2]. More is at [the harbour](https://example.org/harbour).\n\n![A picture of the quay](https://example.org/quay.png)"
                )
            } else {
                "Three lanterns swim to the harbour.".to_owned()
            };
            Ok(leaf(&body))
        })),
        exit_field: None,
        offers_exit: false,
        tools: Vec::new(),
    })
}

/// Judges twice: the second time it is content, and the laps end.
pub(crate) fn assessor() -> Hand {
    let contract = Contract::new(&[MANUSCRIPT.name], &[LAPS.name], &[VERDICT.name, LAPS.name]);
    hand("stern_assessor", "Assessor", contract, |cx| {
        Box::pin(async move {
            let _: Value = cx.get(&MANUSCRIPT)?;
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
            cx.change(Delta::of(VERDICT.name, verdict).with(LAPS.name, json!(laps))).await?;
            Ok(if is_fit { Flow::ExitLoop } else { Flow::Continue })
        })
    })
}

pub(crate) fn printer() -> Hand {
    let contract =
        Contract::new(&[MANUSCRIPT.name], &[COURSE.name], &[IMPRINT.name, CAUTION.name, COURSE.name]);
    hand("quiet_printer", "Printer", contract, |cx| {
        Box::pin(async move {
            let leaf: Value = cx.get(&MANUSCRIPT)?;
            let mut course = cx.find(&COURSE)?.unwrap_or_default();
            for step in course["stages"]
                .as_array_mut()
                .into_iter()
                .flatten()
                .filter_map(Value::as_array_mut)
                .flatten()
            {
                step["status"] = json!("done");
            }
            let printed = Delta::of(IMPRINT.name, leaf["body"].clone())
                .with(CAUTION.name, json!("printed without a proof-reader"))
                .with(COURSE.name, course);
            cx.surface(printed).await?;
            Ok(Flow::Continue)
        })
    })
}
