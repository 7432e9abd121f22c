//! Trees of agents: generated, named, built.

use std::sync::Arc;

use engine::{Acted, Agent, Cx, FlowStep, ForEachAgent, LoopAgent, OnDemand, ParallelAgent, SequentialAgent};
use kernel::{Condition, Contract, Delta, ForEach, ITEM, RESULT};
use proptest::prelude::*;
use serde_json::json;

use super::agents::{Action, Custom, Leaf, seen};
use super::rounds::roles;

#[derive(Debug, Clone)]
pub(crate) enum Tree {
    Leaf {
        actions: Vec<Action>,
        exits_at: Option<u32>,
    },
    Sequential(Vec<Tree>),
    Parallel(Vec<Tree>),
    Loop(u32, Vec<Tree>),
    /// A change of its own behind the first child, the other children under a condition, a failure that is answered.
    Stepped(Vec<Tree>),
    /// So many instances of its child, two at once.
    Each(u32, Box<Tree>),
    /// Runs its child twice.
    Twice(Box<Tree>),
    /// Goes on when its child fails.
    Tolerant(Box<Tree>),
}

pub(crate) fn leaf(actions: &[Action]) -> Tree {
    Tree::Leaf { actions: actions.to_vec(), exits_at: None }
}

/// A leaf as an agent of this name.
pub(crate) fn agent(name: &str, actions: &[Action]) -> Arc<dyn Agent> {
    Arc::new(Leaf::new(name, actions, None))
}

pub(crate) fn exiting(actions: &[Action], round: u32) -> Tree {
    Tree::Leaf { actions: actions.to_vec(), exits_at: Some(round) }
}

impl Tree {
    pub(crate) fn has_branches(&self) -> bool {
        match self {
            Tree::Leaf { .. } => false,
            Tree::Parallel(_) | Tree::Each(..) => true,
            Tree::Sequential(children) | Tree::Loop(_, children) | Tree::Stepped(children) => {
                children.iter().any(Tree::has_branches)
            }
            Tree::Twice(child) | Tree::Tolerant(child) => child.has_branches(),
        }
    }

    /// How many actions it does at the most.
    fn weight(&self) -> usize {
        let sum = |children: &[Tree]| children.iter().map(Tree::weight).sum::<usize>();
        match self {
            Tree::Leaf { actions, .. } => actions.len(),
            Tree::Sequential(children) | Tree::Parallel(children) => sum(children),
            Tree::Loop(rounds, children) => *rounds as usize * sum(children),
            Tree::Stepped(children) => 2 + sum(children),
            Tree::Each(items, child) => *items as usize * child.weight(),
            Tree::Twice(child) => 2 * child.weight(),
            Tree::Tolerant(child) => child.weight(),
        }
    }

    /// The agents: `p` for the root, then a letter of the kind and a number, parents first.
    pub(crate) fn build(&self) -> Arc<dyn Agent> {
        self.build_as("p", &mut 0)
    }

    fn build_as(&self, name: &str, count: &mut u32) -> Arc<dyn Agent> {
        let mut all = |children: &[Tree]| -> Vec<Arc<dyn Agent>> {
            children
                .iter()
                .map(|child| {
                    *count += 1;
                    let name = format!("{}{count}", child.letter());
                    child.build_as(&name, count)
                })
                .collect()
        };
        match self {
            Tree::Leaf { actions, exits_at } => Arc::new(Leaf::new(name, actions, *exits_at)),
            Tree::Sequential(children) => Arc::new(SequentialAgent::new(name, name, all(children))),
            Tree::Parallel(children) => Arc::new(ParallelAgent::new(name, name, all(children))),
            Tree::Loop(rounds, children) => {
                let children = all(children);
                let keys = roles(&children);
                Arc::new(LoopAgent::new(name, name, *rounds, children).told_by(&keys))
            }
            Tree::Stepped(children) => stepped(name, all(children)),
            Tree::Each(items, child) => each(name, *items, all(std::slice::from_ref(child))),
            Tree::Twice(child) => Arc::new(Custom::new(name, true, all(std::slice::from_ref(child)))),
            Tree::Tolerant(child) => Arc::new(Custom::new(name, false, all(std::slice::from_ref(child)))),
        }
    }

    fn letter(&self) -> &'static str {
        match self {
            Tree::Leaf { .. } => "a",
            Tree::Sequential(_) => "s",
            Tree::Parallel(_) => "b",
            Tree::Loop(..) => "l",
            Tree::Stepped(_) => "f",
            Tree::Each(..) => "e",
            Tree::Twice(_) => "w",
            Tree::Tolerant(_) => "t",
        }
    }
}

/// Any tree.
pub(crate) fn trees() -> impl Strategy<Value = Tree> {
    grown(true, 60)
}

/// Any tree in which nothing runs beside anything.
pub(crate) fn trees_in_sequence() -> impl Strategy<Value = Tree> {
    grown(false, 60)
}

/// Trees of few actions, for laws that try each of their moments.
pub(crate) fn small_trees() -> impl Strategy<Value = Tree> {
    grown(true, 18)
}

fn grown(has_branches: bool, most_actions: usize) -> BoxedStrategy<Tree> {
    let action = prop_oneof![
        4 => Just(Action::Model), 2 => Just(Action::Look), 2 => Just(Action::Act), 1 => Just(Action::AskFirst),
        1 => Just(Action::Clock), 1 => Just(Action::Id), 1 => Just(Action::Gate),
    ];
    let leaf = (prop::collection::vec(action, 1..4), prop::option::weighted(0.4, 1..4u32));
    let leaf = leaf.prop_map(|(actions, exits_at)| Tree::Leaf { actions, exits_at }).boxed();
    let broken = Tree::Leaf { actions: vec![Action::Model, Action::Break], exits_at: None };
    let leaf_or_tolerated = prop_oneof![8 => leaf, 1 => Just(Tree::Tolerant(Box::new(broken)))].boxed();
    let composed = leaf_or_tolerated.prop_recursive(3, 10, 3, move |inner| {
        let several = prop::collection::vec(inner.clone(), 1..4);
        prop_oneof![
            3 => several.clone().prop_map(Tree::Sequential),
            3 => several.clone().prop_map(move |children| {
                if has_branches { Tree::Parallel(children) } else { Tree::Sequential(children) }
            }),
            3 => (1..4u32, several.clone()).prop_map(|(rounds, children)| Tree::Loop(rounds, children)),
            2 => several.clone().prop_map(Tree::Stepped),
            2 => (1..4u32, inner.clone()).prop_map(move |(items, child)| {
                if has_branches { Tree::Each(items, Box::new(child)) } else { child }
            }),
            1 => inner.prop_map(|child| Tree::Twice(Box::new(child))),
        ]
    });
    let whole = prop::collection::vec(composed, 1..3).prop_map(Tree::Sequential);
    whole
        .prop_filter("a tree of so many actions takes too long", move |tree| tree.weight() <= most_actions)
        .boxed()
}

/// Writes a list and runs an instance of its child for each item. An instance comes to what it saw at its end.
fn each(name: &str, items: u32, child: Vec<Arc<dyn Agent>>) -> Arc<dyn Agent> {
    let (list, results) = (format!("items_{name}"), format!("results_{name}"));
    let listing = list.clone();
    let set: engine::Action = Arc::new(move |_| {
        let items: Vec<u32> = (1..=items).collect();
        Ok(Acted { delta: Delta::of(&listing, json!(items)), ..Acted::default() })
    });
    let end: engine::Action =
        Arc::new(|cx| Ok(Acted { delta: Delta::of(RESULT, json!(seen(cx))), ..Acted::default() }));
    let steps = child.into_iter().map(FlowStep::Agent).chain([FlowStep::Act(end)]).collect();
    let contract = Contract::new(&[ITEM], &[], &[RESULT]);
    let one = format!("{name}i");
    let agent = Arc::new(SequentialAgent::of_steps(&one, &one, contract, steps));
    let on_demand = OnDemand { agent, input: Some(json!({"type": "integer"})), output: None, worker: None };
    let declared = ForEach {
        name: format!("{name}e"),
        title: format!("{name}e"),
        items: list.parse().unwrap(),
        run: one,
        at_most: Some(2),
        collect: results,
        failures: None,
        queue: false,
    };
    let steps = vec![FlowStep::Act(set), FlowStep::Agent(Arc::new(ForEachAgent::new(declared, on_demand)))];
    Arc::new(SequentialAgent::of_steps(name, name, Contract::new(&[], &[], &[&list]), steps))
}

/// Steps of a sequence: what they decide by changes with every edit of the topic.
fn stepped(name: &str, children: Vec<Arc<dyn Agent>>) -> Arc<dyn Agent> {
    let key = format!("flag_{name}");
    let (own, answered) = (key.clone(), key.clone());
    let set = move |cx: &Cx, length: usize| Acted {
        delta: Delta::of(&own, json!({ "length": length, "seen": seen(cx) })),
        ..Acted::default()
    };
    let length: engine::Action = Arc::new(move |cx| {
        let topic = cx.value("topic")?.map_or(0, |topic| topic.json_or_null().to_string().len());
        Ok(set(cx, topic))
    });
    let failed: engine::Action =
        Arc::new(move |_| Ok(Acted { delta: Delta::of(&answered, json!("failed")), ..Acted::default() }));
    let condition: Condition = format!("{key}.length is below 10").parse().unwrap();
    let broken = Leaf::new(&format!("{name}x"), &[Action::Model, Action::Break], None);
    let mut steps = Vec::new();
    for (index, child) in children.into_iter().enumerate() {
        let step = FlowStep::Agent(child);
        steps.push(match index {
            0 => step,
            1 => FlowStep::When { condition: condition.clone(), steps: vec![step], otherwise: Vec::new() },
            _ => FlowStep::When { condition: condition.clone(), steps: Vec::new(), otherwise: vec![step] },
        });
        if index == 0 {
            steps.push(FlowStep::Act(length.clone()));
        }
    }
    steps.push(FlowStep::Try {
        steps: vec![FlowStep::Agent(Arc::new(broken))],
        on_tool_failure: Some(vec![FlowStep::Act(failed)]),
        on_malformed: None,
        on_limit: None,
    });
    let contract = Contract::new(&["topic"], &[], &[&key]);
    Arc::new(SequentialAgent::of_steps(name, name, contract, steps))
}
