//! Tasks: a process that dies before or after any append repeats no completed step, journals each result once, and asks about
//! what may be done only once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use engine::{Access, Continuation, Tool, ToolContext, ToolDescription, ToolExample};
use interpreter::Setup;
use kernel::{
    Answer, BUILT_IN, Effect, EffectClass, Error, Event, Fact, Json, Outcome, Phrase, QuestionKind,
    ToolOffer, ToolResult, Value,
};
use serde_json::json;

use super::log::{Death, MemoryLog};
use super::stage::{Stage, on_one_thread};

/// How often each call was made.
type Calls = Arc<Mutex<BTreeMap<String, u32>>>;

/// A tool of steps that counts its calls.
struct StepTool {
    name: &'static str,
    class: EffectClass,
    calls: Calls,
}

#[async_trait]
impl Tool for StepTool {
    fn describe(&self) -> ToolDescription {
        let any = || Json(json!({"type": "object"}));
        ToolDescription { name: self.name.into(), description: String::new(), input: any(), output: any() }
    }
    fn access(&self, _: &serde_json::Value) -> Access {
        Access::own_folder(self.class)
    }
    fn title(&self, input: &serde_json::Value) -> Phrase {
        Phrase::verbatim(what(input))
    }
    fn examples(&self) -> Vec<ToolExample> {
        Vec::new()
    }
    async fn call(&self, input: &serde_json::Value, _: &ToolContext) -> Result<ToolResult, Error> {
        *self.calls.lock().unwrap().entry(what(input)).or_default() += 1;
        tokio::task::yield_now().await;
        let output = json!({ "result": what(input), "path": what(input) });
        Ok(ToolResult { output: Json(output), ..ToolResult::default() })
    }
}

/// What a call is about.
fn what(input: &serde_json::Value) -> String {
    let of = |field: &str| input[field].as_str().filter(|text| !text.is_empty()).map(str::to_owned);
    of("expression").or_else(|| of("path")).unwrap_or_default()
}

fn step(id: &str, role: &str, tool: &str, input: serde_json::Value) -> serde_json::Value {
    json!({ "stepId": id, "assigned_agent_role": role, "tool_name": tool, "sub_task_input": input })
}

fn calculation(id: &str, expression: &str) -> serde_json::Value {
    step(id, "UtilityAgent", "CalculatorTool", json!({ "expression": expression }))
}

fn append(id: &str, name: &str) -> serde_json::Value {
    let params = json!({ "filename": name, "content": "@{outputs.a.result_data}" });
    step(id, "Orchestrator", "FileSystemTool", json!({ "operation": "append_to_file", "params": params }))
}

/// The pipeline of tasks with this plan; the program does without a model what it can.
fn stage(plan: &serde_json::Value, calls: &Calls) -> Stage {
    let pipeline = pipelines::all().into_iter().find(|pipeline| pipeline.id() == "task").unwrap();
    let offer = |slot: &str| {
        let offer =
            ToolOffer { name: slot.into(), description: String::new(), schema: Value::new(json!({})) };
        (slot.to_owned(), offer)
    };
    let named = ["calculator", "file_system", "read_webpage", "download_file"];
    let of_slots = pipeline.definition().tools.keys().map(String::as_str);
    let offers = of_slots.chain(named).map(offer).collect();
    let setup = Setup { tools: offers, ..Setup::default() };
    let tool = |name, class| -> Arc<dyn Tool> { Arc::new(StepTool { name, class, calls: calls.clone() }) };
    let stage = Stage::with(pipeline.tree(&setup).unwrap(), |touched| {
        touched.tools = vec![tool("calculator", EffectClass::Pure), tool("file_system", EffectClass::Once)];
    });
    let text = |text: &str| Value::text(text);
    let inputs = [
        ("task", text("Do it")),
        ("mode", text("full")),
        ("given_plan", text(&plan.to_string())),
        ("max_attempts", Value::new(json!(2))),
    ];
    Stage { inputs: inputs.map(|(key, value)| (key.to_owned(), value)).into(), ..stage }.in_memory()
}

/// Runs it in processes that die so, and one that does not. Gives its outcome, and how often the last process wrote.
async fn run(stage: &Stage, deaths: &[Death]) -> (Outcome, u32) {
    let mut definition = stage.definition();
    definition.agents.values_mut().for_each(|agent| agent.profile = BUILT_IN.into());
    let mut lives = deaths.iter().copied().map(Some).chain([None, None]);
    loop {
        let death = lives.next().unwrap();
        let begun = match stage.disk.recorded() {
            None => stage.begin_in(definition.clone(), MemoryLog::open(stage.disk.clone(), death)).await,
            Some(_) => stage.resume(Continuation::default(), death).await,
        };
        let end = match &begun {
            Ok((handle, log)) => Some(handle.ended().await).filter(|_| !log.is_dead()).map(|end| (end, log)),
            Err(_) => None,
        };
        stage.assert_sound().await;
        if let Some((end, log)) = end {
            return (end.outcome, log.appends());
        }
    }
}

/// The calls that the log tells as done, each by what it was about.
fn answered(events: &[Event]) -> BTreeMap<String, u32> {
    let mut asked = BTreeMap::new();
    let mut done = BTreeMap::new();
    for event in events {
        match &event.fact {
            Fact::EffectAsked { effect: Effect::Tool { call }, .. } => {
                asked.insert((event.path.clone(), event.n), what(call.input.json_or_null()));
            }
            Fact::EffectAnswered { asked: n, answer: Answer::Done { .. }, .. } => {
                if let Some(call) = asked.get(&(event.path.clone(), *n)) {
                    *done.entry(call.clone()).or_default() += 1;
                }
            }
            _ => {}
        }
    }
    done
}

/// A plan with steps beside each other, one that may be done only once, references, and one that fails.
fn plans() -> [(serde_json::Value, Outcome); 2] {
    let first = json!([calculation("a", "1 + 1"), calculation("b", "2 + 2")]);
    let second = json!([append("kept", "notes.txt"), calculation("c", "@{outputs.b.result_data} * 3")]);
    let broken = json!([calculation("d", "@{outputs.a.result_data.deeper}"), calculation("e", "5")]);
    [(json!([first, second]), Outcome::Finished), (json!([first, second, broken]), Outcome::Failed)]
}

#[test]
fn a_task_whose_process_dies_at_any_append_repeats_no_completed_step_and_asks_about_what_is_once() {
    on_one_thread(async {
        for (plan, outcome) in plans() {
            let whole = stage(&plan, &Calls::default());
            let (end, appends) = run(&whole, &[]).await;
            assert_eq!(end, outcome);
            let expected = answered(&whole.events());
            for number in 0..appends {
                for death in [Death::Before(number), Death::After(number)] {
                    let calls = Calls::default();
                    let stage = stage(&plan, &calls);
                    assert_eq!(run(&stage, &[death]).await.0, outcome, "{death:?}");
                    assert_repeated_nothing(&stage, &calls, &expected, death);
                    stage.assert_replays(stage.events()).await;
                }
            }
        }
    });
}

fn assert_repeated_nothing(stage: &Stage, calls: &Calls, expected: &BTreeMap<String, u32>, death: Death) {
    let events = stage.events();
    let repeats = stage.touched.questions();
    let repeats = repeats.iter().filter(|question| question.kind == QuestionKind::Repeat).count() as u32;
    // A call that was not repeated by the person's wish is told by none of its answers.
    let told = answered(&events);
    assert!(told.iter().all(|(call, times)| expected.get(call) == Some(times)), "{death:?}: {told:?}");
    for (call, times) in calls.lock().unwrap().iter() {
        let most = if call == "notes.txt" { 1 + repeats } else { 2 };
        assert!(*times <= most, "{death:?}: {call} was done {times} times");
    }
}
