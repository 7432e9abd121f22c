//! What an agent may touch is declared, checked before a run and enforced during it.

use std::sync::Arc;

use async_trait::async_trait;
use engine::{Agent, AgentError, Cx, Flow};
use kernel::{
    AgentKind, AgentOutcome, CheckError, Code, Contract, Delta, Fact, Note, Outcome, Outline, USER_WORDS,
    Value, check,
};
use proptest::prelude::*;

use super::agents::{Action, outline};
use super::stage::{Stage, cases, on_one_thread};
use super::tree::{Tree, leaf, trees};

/// Reads and writes what it is told, without asking anything.
struct Handler {
    outline: Outline,
    reads: Option<&'static str>,
    writes: Option<&'static str>,
}

#[async_trait]
impl Agent for Handler {
    fn outline(&self) -> &Outline {
        &self.outline
    }

    async fn run(&self, cx: &mut Cx) -> Result<Flow, AgentError> {
        if let Some(key) = self.reads {
            cx.get(&kernel::Key::<String>::new(key, key, kernel::Role::Data))?;
        }
        if let Some(key) = self.writes {
            cx.change(Delta::of(key, Value::text("written"))).await?;
        }
        Ok(Flow::Continue)
    }
}

/// An agent that cannot do without a key.
pub(crate) fn needs(key: &'static str) -> Arc<dyn Agent> {
    let contract = Contract::new(&[key], &[], &[]);
    Arc::new(Handler {
        outline: outline("p", AgentKind::Custom, contract, vec![]),
        reads: Some(key),
        writes: None,
    })
}

#[test]
fn an_undeclared_write_is_refused_and_journalled() {
    on_one_thread(async {
        let contract = Contract::new(&[], &[], &["mine"]);
        let outline = outline("p", AgentKind::Custom, contract, vec![]);
        let stage = Stage::with(Arc::new(Handler { outline, reads: None, writes: Some("yours") }), |_| {});
        let end = stage.run().await;
        let error = end.error.unwrap();
        assert_eq!((end.outcome, error.code), (Outcome::Failed, Code::ContractBroken));
        assert_eq!(error.message, "`p` writes `yours`, which its contract does not declare");
        assert_eq!(end.state.get("yours"), None);
        assert!(
            stage
                .events()
                .iter()
                .any(|event| matches!(&event.fact, Fact::Noted { note: Note::Refused { .. } }))
        );
        assert!(matches!(
            &stage.events()[4].fact,
            Fact::AgentEnded { outcome: AgentOutcome::Failed { error }, .. } if error.code == Code::ContractBroken
        ));
    });
}

#[test]
fn an_undeclared_read_is_refused_and_what_was_read_is_recorded() {
    on_one_thread(async {
        let sneaky = outline("p", AgentKind::Custom, Contract::default(), vec![]);
        let stage =
            Stage::with(Arc::new(Handler { outline: sneaky, reads: Some("topic"), writes: None }), |_| {});
        let error = stage.run().await.error.unwrap();
        assert_eq!(error.message, "`p` reads `topic`, which its contract does not declare");

        let stage = Stage::of(&leaf(&[Action::Look]));
        stage.run().await;
        let reads: Vec<_> = stage
            .events()
            .into_iter()
            .filter_map(|event| match event.fact {
                Fact::EffectAsked { reads, .. } => Some(reads),
                _ => None,
            })
            .collect();
        assert_eq!(reads, [["key_p", "topic", USER_WORDS]]);
    });
}

fn agent(name: &str, reads: &[&str], writes: &[&str]) -> Outline {
    outline(name, AgentKind::Llm, Contract::new(reads, &[], writes), vec![])
}

#[test]
fn a_reader_without_a_writer_before_it_is_refused_by_name() {
    let late = outline(
        "p",
        AgentKind::Sequential,
        Contract::default(),
        vec![agent("reader", &["draft"], &[]), agent("writer", &["topic"], &["draft"])],
    );
    let errors = check(&late, &["topic", "draft"], &["topic"]);
    let missing = |agent: &str| vec![CheckError::MissingWriter { agent: agent.into(), key: "draft".into() }];
    assert_eq!(errors, missing("reader"));
    assert!(errors[0].to_string().contains("`reader` reads `draft`"));
    // In a loop the first round decides.
    let in_loop = Outline { agent: AgentKind::Loop { max_rounds: 3 }, ..late };
    assert_eq!(check(&in_loop, &["topic", "draft"], &["topic"]), missing("reader"));
}

#[test]
fn siblings_beside_each_other_must_not_share_what_one_of_them_writes() {
    let below =
        outline("s", AgentKind::Sequential, Contract::default(), vec![agent("reader", &["draft"], &[])]);
    for siblings in
        [vec![agent("writer", &[], &["draft"]), below.clone()], vec![below, agent("writer", &[], &["draft"])]]
    {
        let beside = outline("p", AgentKind::Parallel, Contract::default(), siblings);
        let conflict =
            CheckError::Conflict { writer: "writer".into(), other: "s".into(), key: "draft".into() };
        assert_eq!(check(&beside, &["draft"], &["draft"]), [conflict]);
    }
    let writers = vec![agent("one", &[], &["draft"]), agent("two", &[], &["draft"])];
    let beside = outline("p", AgentKind::Parallel, Contract::default(), writers.clone());
    assert_eq!(check(&beside, &["draft"], &[]).len(), 1, "one conflict, told once");
    let in_sequence = outline("p", AgentKind::Sequential, Contract::default(), writers);
    assert_eq!(check(&in_sequence, &["draft"], &[]), []);
}

proptest! {
    #![proptest_config(cases(32))]

    #[test]
    fn the_generated_trees_pass_the_check(tree in trees()) {
        let drawn = Tree::build(&tree).outline().clone();
        let keys: Vec<String> = drawn.walk().iter().flat_map(|agent| agent.contract.writes.clone()).collect();
        let declared: Vec<&str> = keys.iter().map(String::as_str).chain(["topic"]).collect();
        prop_assert_eq!(check(&drawn, &declared, &["topic"]), []);
    }
}
