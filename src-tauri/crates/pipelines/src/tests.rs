use std::collections::BTreeSet;

use interpreter::{Setup, read};

use super::*;

fn faults(text: &str) -> Vec<String> {
    match read(text, &registry()) {
        Ok(_) => Vec::new(),
        Err(faults) => faults.iter().map(ToString::to_string).collect(),
    }
}

const PRESS_NOTE: &str = include_str!("../../../../docs/pipelines/press-note.toml");

const MINUTES: &str = include_str!("../../../../docs/pipelines/meeting-minutes.toml");

const PAGE_DIGESTS: &str = include_str!("../../../../docs/pipelines/page-digests.toml");

#[test]
fn the_worked_examples_and_the_smallest_pipeline_can_run() {
    for text in [PRESS_NOTE, MINUTES, PAGE_DIGESTS, interpreter::MINIMAL] {
        assert_eq!(faults(text), Vec::<String>::new());
    }
}

#[test]
fn a_faulty_file_is_reported_with_its_line_and_the_reason() {
    // What is replaced, its replacement, the start of the line that the fault names, and its message.
    for (from, to, line, reason) in [
        ("reads = [\"topic\"]\n", "reads = [\"topics\"]\n", "reads", "there is no key `topics`"),
        ("tool = \"search\"", "tool = \"seach\"", "call = ", "there is no tool `seach`; there is search"),
        ("\"grounded\"]", "\"sound\"]", "checks", "there is no function `sound` here"),
        (
            "without_model = \"check\"",
            "without_model = \"judge\"",
            "without_model = \"judge",
            "no function `judge`",
        ),
        ("role = \"review\"", "role = \"reviews\"", "role = \"reviews", "there is no role `reviews`"),
        (
            "output = \"role\"",
            "output = { type = \"nonsense\" }",
            "output = { type",
            "this is no JSON Schema",
        ),
        ("rounds = 2", "rounds = 0", "steps", "a loop has 1 to 100 rounds, not 0"),
        ("rounds = 2", "rounds = \"topic\"", "steps", "may never end"),
        ("{{ topic }}\n", "{{ other }}\n", "prompt", "there is no key `other`"),
        ("{{ review.notes }}", "{{ review.notes }", "prompt", "the template is wrong"),
        ("{{ topic }}\n", "{{ topic | upcase }}\n", "prompt", "there is no filter `upcase`; there is data"),
        (
            "  \"searcher\",\n",
            "  \"searcher\",\n  \"searcher\",\n",
            "steps",
            "`searcher` stands in two steps",
        ),
        ("hits.items is empty", "hits.items is lovely", "", "is lovely"),
        ("may_read = [\"draft\", \"review\"]", "may_read = [\"draft\"]", "prompt", "name it in `reads`"),
        (
            "[\"draft\", \"hits\", \"found_by_code\"]",
            "[\"note\", \"found_by_code\"]",
            "[agent.reviewer]",
            "no agent before it writes",
        ),
        ("[agent.writer]", "[agent.searcher]", "[agent.searcher]\ntitle = \"Writer", "duplicate"),
        ("title = \"Press note\"", "title = \"Press note", "title", "invalid basic string"),
        ("hits.items is empty", "hits.itms is empty", "steps", "there is no field `itms`; there is items"),
        ("max_results = 5", "max_hits = 5", "call", "a tool of kind `search` has no field `max_hits`"),
        (
            "role = { draft = \"markdown\", word_limit = 150 }",
            "role = { draft = \"markdown\" }\nschema.properties.text = { type = \"string\" }",
            "role = { draft",
            "the role names the field `markdown`, which the schema has not; it has text",
        ),
        ("id = \"press-note\"", "id = \"user\"", "id", "stands for the person"),
        ("[limits]", "[limits]\nmax_llm_cals = 1", "max_llm_cals", "unknown field"),
        ("kind = \"search\"", "kind = \"tides\"", "kind", "there are no tools of kind `tides`"),
    ] {
        assert!(PRESS_NOTE.contains(from), "{from}");
        let text = PRESS_NOTE.replacen(from, to, 1);
        let at =
            if line.is_empty() { text.find(to) } else { text.find(&format!("\n{line}")).map(|at| at + 1) };
        let place = format!("line {}, ", text[..at.unwrap()].matches('\n').count() + 1);
        let reported = faults(&text);
        assert!(
            reported.iter().any(|fault| fault.starts_with(&place) && fault.contains(reason)),
            "{to}: {place}{reported:#?}"
        );
    }
    let long = format!("{PRESS_NOTE}\n# {}", "x".repeat(1 << 20));
    assert!(faults(&long)[0].contains("a pipeline has at most"));
}

const POSTING: &str = r#"
id = "posting"
title = "Posting"

[input.topic]
title = "Topic"
kind = "long_text"

[key.letters]
title = "Letters"
[key.posted]
title = "Posted"

[agent.postman]
on_demand = true
input = { type = "object" }
instruction = "Say that the letter is posted."
prompt = "{{ item.text }}"
without_model = "write"

[flow]
steps = [
  { set = { letters = [{ text = "one" }] } },
  { for_each = "letters", run = "postman", at_most = 4, collect = "posted" },
]
"#;

#[test]
fn an_agent_on_demand_is_run_only_by_a_step_for_each() {
    let sound = POSTING.replace("without_model = \"write\"\n", "");
    assert_eq!(faults(&sound), Vec::<String>::new());
    for (from, to, reason) in [
        (
            "{ for_each = \"letters\", run = \"postman\", at_most = 4, collect = \"posted\" }",
            "\"postman\"",
            "stands in no step",
        ),
        (
            "  { for_each = \"letters\", run = \"postman\", at_most = 4, collect = \"posted\" },\n",
            "",
            "no step runs `postman`",
        ),
        ("on_demand = true\n", "", "takes no input; write `on_demand = true`"),
        ("on_demand = true\n", "on_demand = true\nwrites = \"posted\"\n", "its answer is its output"),
        ("on_demand = true\n", "on_demand = true\nexit_tool = true\n", "stands in no loop"),
        ("input = { type = \"object\" }", "input = { type = \"nothing\" }", "no JSON Schema"),
        ("[key.letters]", "[key.item]\ntitle = \"Item\"\n[key.letters]", "choose another name"),
        ("for_each = \"letters\"", "for_each = \"leters\"", "there is no key `leters`"),
        ("collect = \"posted\"", "collect = \"post\"", "there is no key `post`"),
        (", collect = \"posted\"", "", "needs `collect`"),
        ("run = \"postman\"", "run = \"nobody\"", "there is no agent `nobody` on demand; there is postman"),
        ("at_most = 4", "at_most = 0", "at least 1"),
        ("at_most = 4", "rounds = 4", "`rounds` does not belong to a step of `for_each`"),
        ("{{ item.text }}", "{{ letter.text }}", "there is no key `letter`"),
    ] {
        assert!(sound.contains(from), "{from}");
        let reported = faults(&sound.replacen(from, to, 1));
        assert!(reported.iter().any(|fault| fault.contains(reason)), "{to}: {reported:#?}");
    }
}

#[test]
fn what_would_exhaust_the_stack_memory_or_time_is_rejected_before_a_run() {
    for value in ["1".to_owned() + &"+1".repeat(20_000), "topic".to_owned() + &" | upper".repeat(5_000)] {
        let text =
            PRESS_NOTE.replacen("{{ draft.markdown }}\" } }", &format!("{{{{ {value} }}}}\" }} }}"), 1);
        let reported = faults(&text);
        assert!(reported.iter().any(|fault| fault.contains("more than 2000 bytes")), "{reported:?}");
    }
    let inner = "{ loop = [\"writer\", \"reviewer\"], rounds = 2 }";
    let nested = format!("{{ loop = [{{ loop = [{inner}], rounds = 100 }}], rounds = 100 }}");
    let reported = faults(&PRESS_NOTE.replacen(inner, &nested, 1));
    assert!(reported.iter().any(|fault| fault.contains("at most 1000 are run")), "{reported:?}");
}

#[test]
fn what_would_fail_or_mislead_during_a_run_is_rejected_before() {
    for (from, to, reason) in [
        ("without_model = \"check\"", "without_model = \"check\"\ntemperature = nan", "a number from 0 to 2"),
        ("max_execution_time_s = 120", "max_execution_time_s = inf", "cannot be inf"),
        ("{ loop = [\"writer\", \"reviewer\"], rounds = 2 }", "\"writer\", \"reviewer\"", "stands in none"),
        ("writes = \"hits\"\n", "", "which key takes what the tool found"),
        ("\"hits\", \"found_by_code\"]", "\"hits\"]", "name their key in `reads`"),
        (
            "  \"searcher\",\n  { when = \"hits.items is empty\", end = { note = \"Nothing was found on this topic.\" } },",
            "  { when = \"topic is present\", steps = [\"searcher\"] },",
            "`writer` reads `hits`, but no input and no agent before it writes that key",
        ),
        ("kind = \"document\"", "kind = \"number\"\ndefault = \"five\"", "not of its kind"),
        ("default = \"the team\"", "default = \"nobody\"", "one of its choices"),
    ] {
        let text = if PRESS_NOTE.contains(from) { PRESS_NOTE } else { MINUTES };
        assert!(text.contains(from), "{from}");
        let reported = faults(&text.replacen(from, to, 1));
        assert!(reported.iter().any(|fault| fault.contains(reason)), "{to}: {reported:#?}");
    }
}

#[test]
fn two_concurrent_writers_of_one_key_are_rejected() {
    let text = PRESS_NOTE.replacen(
        "{ loop = [\"writer\", \"reviewer\"], rounds = 2 }",
        "{ parallel = [\"writer\", \"second\"] }, { loop = [\"reviewer\"], rounds = 1 }",
        1,
    );
    let second = "[agent.second]\nreads = [\"hits\"]\nwrites = \"draft\"\ninstruction = \"Write.\"\n\n[flow]";
    let reported = faults(&text.replacen("[flow]", second, 1));
    assert!(reported.iter().any(|fault| fault.contains("which runs beside it")), "{reported:#?}");
}

/// For each role: the value as its type writes it, and values of another shape.
#[test]
fn the_schema_of_a_role_and_its_type_accept_the_same_values() {
    use kernel::{Checks, JudgedRounds, Places, Plan, Review, Role, Source, Sources, StepRecords};
    use serde::de::DeserializeOwned;
    use serde_json::{Value, json};

    /// The value that the type writes after reading this one; `None` if it cannot read it.
    fn reads<T: DeserializeOwned + serde::Serialize>(value: &Value) -> Option<Value> {
        serde_json::from_value::<T>(value.clone()).ok().and_then(|read| serde_json::to_value(read).ok())
    }
    type Reads = fn(&Value) -> Option<Value>;
    let review = Role::Review { notes: "notes".into(), issues: "issues".into(), ready: "ready".into() };
    let source = Source { title: "One".into(), ..Source::default() };
    let step = json!({"stepId": "a", "status": "done", "sub_task_input": {"query": 1}, "depends_on": ["b"]});
    let place = json!({"name": "Quay", "coordinates": {"latitude": 54.3, "longitude": -10.1}});
    let carried_out =
        json!({"stepId": "a", "result_data": [1], "error_details": {"message": "no", "type": "network"}});
    let cases: [(Role, Reads, Value, Vec<Value>); 7] = [
        (
            Role::Checks,
            reads::<Checks>,
            json!([{"name": "length", "passed": true, "detail": "12 words"}]),
            vec![
                json!({}),
                json!([{"name": "length"}]),
                json!([{"name": "a", "passed": "yes", "detail": ""}]),
            ],
        ),
        (
            review,
            reads::<Review>,
            json!({"notes": "Good.", "issues": ["too long"], "ready": false}),
            vec![
                json!([]),
                json!({"notes": 1, "issues": [], "ready": true}),
                json!({"notes": "", "issues": [3], "ready": true}),
            ],
        ),
        (
            Role::Sources { items: "items".into() },
            |value| reads::<Sources>(value.get("items")?).map(|items| json!({ "items": items })),
            json!({ "items": Sources(vec![source]) }),
            vec![json!([]), json!({"items": [{}]}), json!({"items": [{"title": "One", "url": 1}]})],
        ),
        (
            Role::Plan,
            reads::<Plan>,
            json!({"stages": [[step]], "revision": 1, "most_revisions": null, "reason": "It rained."}),
            vec![
                json!([]),
                json!({"stages": [{"stepId": "a"}]}),
                json!({"stages": [[{"id": "a"}]]}),
                json!({"stages": [[{"stepId": "a", "status": "completed"}]]}),
            ],
        ),
        (
            Role::Steps,
            reads::<StepRecords>,
            json!([carried_out, step]),
            vec![json!({}), json!([{"result_data": 1}]), json!([{"stepId": "a", "error_details": "no"}])],
        ),
        (
            Role::Rounds,
            reads::<JudgedRounds>,
            json!([{"round": 1, "score": 0.5, "scores": {"style": 0.5}, "verdict": "good"}, {"round": 2, "score": null}]),
            vec![
                json!({"rounds": []}),
                json!([{"score": 1}]),
                json!([{"round": 1, "scores": {"style": "high"}}]),
            ],
        ),
        (
            Role::Places { changed_by: None },
            reads::<Places>,
            json!({"places": [place, {"name": "nowhere", "coordinates": null}], "route": [0]}),
            vec![json!([]), json!({"places": [{"lat": 1}]}), json!({"places": [], "route": ["Quay"]})],
        ),
    ];
    for (role, reads, good, bad) in cases {
        let schema = role.schema();
        assert_eq!(interpreter::draft::misshape(&schema, &good), None, "{role:?}");
        let written = reads(&good).unwrap();
        assert_eq!(interpreter::draft::misshape(&schema, &written), None, "{role:?}: {written}");
        for value in bad {
            assert!(
                interpreter::draft::misshape(&schema, &value).is_some(),
                "{role:?}: {value} by the schema"
            );
            assert_eq!(reads(&value), None, "{role:?}: {value} by the type");
        }
    }
}

#[test]
fn every_text_of_a_built_in_pipeline_is_translated_into_every_language() {
    for pipeline in all().into_iter().chain([one_step(), judge()]) {
        let definition = pipeline.definition();
        let general =
            registry().tools.into_iter().map(|tool| (tool.clone(), interpreter::placeholder(&tool)));
        let slots = definition.tools.keys().map(|slot| (slot.clone(), interpreter::placeholder(slot)));
        let setup = Setup { tools: general.chain(slots).collect(), decides_issues: true, ..Setup::default() };
        let outline = pipeline.tree(&setup).unwrap().outline().clone();
        let mut said = BTreeSet::from([definition.title.as_str(), &definition.purpose]);
        said.extend(definition.inputs.values().flat_map(|input| [input.title.as_str(), input.help.as_str()]));
        said.extend(pipeline.keys().iter().map(|key| key.title.as_str()));
        said.extend(definition.presets.values().map(|preset| preset.description.as_str()));
        said.extend(outline.walk().iter().map(|agent| agent.title.as_str()));
        said.extend(definition.notes.values().map(|note| note.text.as_str()));
        // An input without help has no text there.
        said.remove("");
        assert_eq!(definition.translations.len(), 2);
        for (language, words) in &definition.translations {
            let translated: BTreeSet<_> = words.keys().map(String::as_str).collect();
            assert!(translated.is_superset(&said), "{language}: {:?}", said.difference(&translated));
            let names = |text: &str| -> BTreeSet<String> {
                text.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0.to_owned())).collect()
            };
            assert!(words.iter().all(|(english, theirs)| names(english) == names(theirs)));
            assert!(words.iter().all(|(english, theirs)| english != theirs && !theirs.is_ascii()));
        }
    }
}

/// The faults of a flow of these steps, with writers of `a` and of `b` and a reader of `b`.
fn flow(steps: &str) -> Vec<String> {
    let agent = |name: &str, keys: &str| {
        format!("[agent.{name}]\ntitle = \"{name}\"\n{keys}\ninstruction = \"Write.\"\noutput = \"text\"\n")
    };
    let head = "id = \"flow\"\ntitle = \"Flow\"\npurpose = \"A flow.\"\n[input.topic]\ntitle = \"Topic\"\n";
    let keys = "[key.a]\ntitle = \"A\"\n[key.b]\ntitle = \"B\"\n[key.c]\ntitle = \"C\"\n";
    let agents = [
        agent("one", "reads = [\"topic\"]\nwrites = \"a\""),
        agent("two", "reads = [\"topic\"]\nwrites = \"b\""),
        agent("three", "reads = [\"b\"]\nwrites = \"c\""),
    ];
    faults(&format!("{head}{keys}{}[flow]\nsteps = [{steps}]\n", agents.concat()))
}

#[test]
fn after_a_loop_only_the_keys_that_every_exit_has_written_are_known() {
    let left_early =
        r#""one", { loop = [{ when = "a is present", steps = ["exit_loop"] }, "two"], rounds = 2 }, "three""#;
    assert!(flow(left_early)[0].contains("no agent before it writes"), "{:?}", flow(left_early));
    let left_late = r#""one", { loop = ["two", "exit_loop"], rounds = 2 }, "three""#;
    assert_eq!(flow(left_late), Vec::<String>::new());
    let set_before = r#""one", { set = { c = "{{ b.text }}" } }, "two", "three""#;
    assert!(flow(set_before)[0].contains("sets what `b` says"), "{:?}", flow(set_before));
}

#[test]
fn steps_with_the_same_name_are_rejected_also_when_concurrent() {
    let steps = r#""one", { parallel = [{ sequence = ["two"], name = "q" }, { sequence = [{ set = { c = "x" } }], name = "q" }] }, "three""#;
    assert!(flow(steps).iter().any(|fault| fault.contains("are called `q`")), "{:?}", flow(steps));
    let as_agent = r#"{ loop = ["one"], rounds = 1, name = "two" }, "two", "three""#;
    assert!(flow(as_agent).iter().any(|fault| fault.contains("are called `two`")), "{:?}", flow(as_agent));
}
