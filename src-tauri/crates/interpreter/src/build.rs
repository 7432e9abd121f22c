//! Builds the tree of agents from a definition.

use std::cell::RefCell;
use std::sync::Arc;

use engine::{
    Acted, Action, Agent, Flow, FlowStep, ForEachAgent, LoopAgent, ParallelAgent, RoundLimit, SequentialAgent,
};
use kernel::{
    Code, Condition, ConditionTest, Contract, Delta, Error, ForEach, KeyPath, Note, PipelineDefinition,
    Rounds, Step, phrase,
};
use serde_json::json;

use crate::declared_agent::DeclaredAgent;
use crate::issue_gate::{DismissedIssues, IssueGate};
use crate::prompt_values::values;
use crate::registry::{CustomContext, FunctionContext, Registry};
use crate::setup::{Setup, most_rounds};
use crate::template::Filling;
use crate::tree::Tree;

/// Builds the tree of a definition. `setup` has the tool of each slot.
///
/// # Errors
/// `bad_input` if `check` finds errors: unknown names, invalid templates or schemas.
pub fn build(
    definition: &Arc<PipelineDefinition>,
    setup: &Setup,
    registry: &Registry,
) -> Result<Arc<dyn Agent>, Error> {
    let name = root_name(definition);
    let names = definition.agents.keys().cloned().chain(given_names(&definition.flow.steps));
    let names = names.chain([name.clone()]).collect();
    let mut tree = Tree {
        definition: definition.clone(),
        registry,
        setup,
        names,
        building: RefCell::default(),
        loops: 0,
    };
    let flow = &definition.flow;
    let (steps, contract) = tree.steps(&flow.steps, &name)?;
    Ok(Arc::new(SequentialAgent::of_steps(&name, &definition.title, contract, steps).root()))
}

/// The name of the whole flow.
pub(crate) fn root_name(definition: &PipelineDefinition) -> String {
    let name = &definition.flow.name;
    if name.is_empty() { definition.id.replace('-', "_") } else { name.clone() }
}

/// The names that the definition gives to steps, in the order of the flow.
pub(crate) fn given_names(steps: &[Step]) -> Vec<String> {
    let mut names = Vec::new();
    for step in steps {
        let (name, inner): (Option<&String>, Vec<&[Step]>) = match step {
            Step::Sequence { name, steps, .. }
            | Step::Parallel { name, steps, .. }
            | Step::Loop { name, steps, .. } => (Some(name), vec![steps]),
            Step::ForEach(each) => (Some(&each.name), Vec::new()),
            Step::When { steps, otherwise, .. } => (None, vec![steps, otherwise]),
            Step::Try { steps, failures } => {
                (None, vec![steps, &failures.on_tool_failure, &failures.on_malformed, &failures.on_limit])
            }
            Step::Agent(_)
            | Step::Set(_)
            | Step::Surface(_)
            | Step::Run { .. }
            | Step::Note(_)
            | Step::ExitLoop
            | Step::End => (None, Vec::new()),
        };
        names.extend(name.filter(|name| !name.is_empty()).cloned());
        inner.into_iter().for_each(|steps| names.extend(given_names(steps)));
    }
    names
}

impl Tree<'_> {
    /// The steps of a composed agent, with the keys that it uses itself.
    fn steps(&mut self, steps: &[Step], author: &str) -> Result<(Vec<FlowStep>, Contract), Error> {
        let mut contract = Contract::default();
        let built = self.inner(steps, author, &mut contract)?;
        Ok((built, contract))
    }

    fn inner(
        &mut self,
        steps: &[Step],
        author: &str,
        contract: &mut Contract,
    ) -> Result<Vec<FlowStep>, Error> {
        let mut built = Vec::with_capacity(steps.len());
        for step in steps {
            let gate = self.gate(step, contract);
            let is_skipped = gate.is_some() && self.loops == 0;
            built.extend(gate);
            let step = self.step(step, author, contract)?;
            built.push(if is_skipped { self.unless_accepted(step) } else { step });
        }
        Ok(built)
    }

    /// The stages at which the person decides on the issues of a review, before an agent that rewrites the draft.
    fn gate(&mut self, step: &Step, contract: &mut Contract) -> Option<FlowStep> {
        let Step::Agent(name) = step else { return None };
        let rewrites = self.definition.agents.get(name).is_some_and(|agent| self.definition.rewrites(agent));
        if !self.setup.decides_issues || !rewrites {
            return None;
        }
        let review = self.definition.review_key()?.to_owned();
        let definition = self.definition.clone();
        let gate = IssueGate::new(&definition, &self.name("", "decide_issues"))?;
        let name = self.name("", "dismissed_issues");
        let dismissed = DismissedIssues::new(&definition, &name, self.loops > 0)?;
        add(&mut contract.may_read, &review);
        if self.loops == 0 {
            self.definition.issues_key().into_iter().for_each(|issues| add(&mut contract.may_read, issues));
        }
        let value = KeyPath { key: review, fields: Vec::new() };
        // Before the first review there are no issues, so the stage is skipped.
        Some(FlowStep::When {
            condition: Condition { value, test: ConditionTest::Present },
            steps: vec![FlowStep::Agent(Arc::new(gate)), FlowStep::Agent(Arc::new(dismissed))],
            otherwise: Vec::new(),
        })
    }

    /// A rewrite outside a loop, which is skipped if every issue was dismissed.
    fn unless_accepted(&self, rewrite: FlowStep) -> FlowStep {
        let issues = self.definition.issues_key().unwrap_or_default().to_owned();
        let value = KeyPath { key: issues, fields: vec!["is_draft_accepted".to_owned()] };
        let condition = Condition { value, test: ConditionTest::NotTrue };
        FlowStep::When { condition, steps: vec![rewrite], otherwise: Vec::new() }
    }

    fn step(&mut self, step: &Step, author: &str, contract: &mut Contract) -> Result<FlowStep, Error> {
        Ok(match step {
            Step::Agent(name) => FlowStep::Agent(self.agent(name)?),
            Step::Sequence { name, title, steps } => {
                let title = titled(title, name, "Sequence");
                let name = self.name(name, "sequence");
                let (steps, own) = self.steps(steps, &name)?;
                FlowStep::Agent(Arc::new(SequentialAgent::of_steps(&name, title, own, steps)))
            }
            Step::Parallel { name, title, steps, at_most } => {
                let title = titled(title, name, "Parallel");
                let name = self.name(name, "parallel");
                let branches = steps.iter().map(|step| self.branch(step)).collect::<Result<_, _>>()?;
                let agent = ParallelAgent::new(&name, title, branches).at_most(*at_most);
                FlowStep::Agent(Arc::new(agent))
            }
            Step::ForEach(each) => {
                let title = titled(&each.title, &each.name, "For each").to_owned();
                let name = self.name(&each.name, "for_each");
                let declared = ForEach { name, title, ..each.clone() };
                FlowStep::Agent(Arc::new(ForEachAgent::new(declared, self.on_demand(&each.run)?)))
            }
            Step::Loop { name, title, steps, rounds, until } => {
                let title = titled(title, name, "Loop");
                let name = self.name(name, "loop");
                self.loops += 1;
                let built = self.steps(steps, &name);
                self.loops -= 1;
                let (steps, mut own) = built?;
                if let Some(until) = until {
                    add(&mut own.may_read, &until.value.key);
                }
                let rounds = match rounds {
                    Rounds::Number(number) => RoundLimit::Number(*number),
                    Rounds::Input(key) => {
                        add(&mut own.may_read, key);
                        let given = self.setup.rounds.get(key).copied();
                        let most = given.unwrap_or_else(|| most_rounds(&self.definition, key));
                        RoundLimit::Input { key: key.clone(), most }
                    }
                };
                let agent = LoopAgent::of_steps(&name, title, own, steps, rounds, until.clone());
                FlowStep::Agent(Arc::new(agent.told_by(&self.definition.declarations())))
            }
            Step::When { condition, steps, otherwise } => {
                add(&mut contract.may_read, &condition.value.key);
                FlowStep::When {
                    condition: condition.clone(),
                    steps: self.inner(steps, author, contract)?,
                    otherwise: self.inner(otherwise, author, contract)?,
                }
            }
            Step::Try { steps, failures } => {
                let mut answer = |steps: &[Step]| -> Result<Option<Vec<FlowStep>>, Error> {
                    let built = self.inner(steps, author, contract)?;
                    Ok(Some(built).filter(|steps| !steps.is_empty()))
                };
                FlowStep::Try {
                    on_tool_failure: answer(&failures.on_tool_failure)?,
                    on_malformed: answer(&failures.on_malformed)?,
                    on_limit: answer(&failures.on_limit)?,
                    steps: self.inner(steps, author, contract)?,
                }
            }
            Step::Set(values) => FlowStep::Act(self.setting(values, contract, false)?),
            Step::Surface(values) => FlowStep::Act(self.setting(values, contract, true)?),
            Step::Run { function, reads, writes } => {
                reads.iter().for_each(|key| add(&mut contract.may_read, key));
                writes.iter().for_each(|key| add(&mut contract.writes, key));
                FlowStep::Act(self.running(function, reads, author)?)
            }
            Step::Note(id) => FlowStep::Act(self.noting(id)),
            Step::ExitLoop => FlowStep::Act(ending(Flow::ExitLoop)),
            Step::End => FlowStep::Act(ending(Flow::End)),
        })
    }

    pub(crate) fn agent(&self, name: &str) -> Result<Arc<dyn Agent>, Error> {
        let Some(declared) = self.definition.agents.get(name) else {
            let known: Vec<&str> = self.definition.agents.keys().map(String::as_str).collect();
            let message = phrase!("There is no agent `{name}`; there is {known}", name, known);
            return Err(Error::new(Code::BadInput, message));
        };
        match &declared.custom {
            Some(custom) => self.function(&self.registry.custom, custom)?(&CustomContext {
                definition: &self.definition,
                registry: self.registry,
                agent: name,
                tools: &self.setup.tools,
                on_demand: &|name| self.on_demand(name),
            }),
            None => Ok(Arc::new(DeclaredAgent::new(self, name, declared)?)),
        }
    }

    /// A branch of a parallel step, as an agent of its own.
    fn branch(&mut self, step: &Step) -> Result<Arc<dyn Agent>, Error> {
        let is_agent = matches!(
            step,
            Step::Agent(_)
                | Step::Sequence { .. }
                | Step::Parallel { .. }
                | Step::ForEach(_)
                | Step::Loop { .. }
        );
        if is_agent && let FlowStep::Agent(agent) = self.step(step, "", &mut Contract::default())? {
            return Ok(agent);
        }
        let name = self.name("", "branch");
        let (steps, own) = self.steps(std::slice::from_ref(step), &name)?;
        Ok(Arc::new(SequentialAgent::of_steps(&name, "Branch", own, steps)))
    }

    fn setting(
        &self,
        set: &indexmap::IndexMap<String, serde_json::Value>,
        contract: &mut Contract,
        surface: bool,
    ) -> Result<Action, Error> {
        let fillings = set.iter().map(|(key, value)| {
            let filling = Filling::new(value)?;
            Ok((key.clone(), filling.reads(), filling))
        });
        let fillings: Vec<(String, Vec<String>, Filling)> =
            fillings.collect::<Result<_, crate::template::TemplateError>>().map_err(|error| {
                Error::new(
                    Code::BadInput,
                    phrase!("A value to set is no template: {why}", why = error.reason),
                )
            })?;
        for (key, reads, _) in &fillings {
            add(&mut contract.writes, key);
            reads.iter().for_each(|key| add(&mut contract.may_read, key));
        }
        let (definition, registry) = (self.definition.clone(), self.registry.clone());
        Ok(Arc::new(move |cx| {
            let mut acted = Acted { surface, ..Acted::default() };
            let mut state = cx.view().clone();
            for (key, reads, filling) in &fillings {
                let values = values(&definition, cx, reads)?;
                let value = filling.fill(&values).map_err(|error| {
                    Error::new(
                        Code::BadInput,
                        phrase!("The value of `{key}` cannot be filled in: {why}", key, why = error.reason),
                    )
                })?;
                let declared = definition.keys.get(key);
                let schema = declared.map(|key| key.schema.clone().unwrap_or_else(|| key.role.schema()));
                if let Some(reason) = schema.and_then(|schema| crate::draft::misshape(&schema, &value)) {
                    let message =
                        phrase!("The value that is set has not the shape of `{key}`: {reason}", key, reason);
                    return Err(Error::new(Code::BadInput, message).into());
                }
                let change = crate::draft::change(&definition, &registry, None, &state, key, value);
                // Only keys of the contract: checks of a draft are written if the step declares them.
                let change =
                    Delta { set: change.set.into_iter().filter(|(name, _)| name == key).collect(), ..change };
                state.apply(&change);
                acted.delta.set.extend(change.set);
            }
            Ok(acted)
        }))
    }

    fn running(&self, function: &str, reads: &[String], author: &str) -> Result<Action, Error> {
        let run = self.function(&self.registry.run, function)?;
        let (definition, registry) = (self.definition.clone(), self.registry.clone());
        let (author, reads) = (author.to_owned(), reads.to_vec());
        Ok(Arc::new(move |cx| {
            for key in &reads {
                cx.value(key)?;
            }
            let context = FunctionContext {
                definition: &definition,
                registry: &registry,
                agent: &author,
                state: cx.view(),
                failure: cx.failure(),
            };
            Ok(run(&context).map_err(|reason| Error::new(Code::BadInput, reason))?)
        }))
    }

    fn noting(&self, id: &str) -> Action {
        let note = Note::decision(id, json!({}));
        Arc::new(move |_| Ok(Acted { notes: vec![note.clone()], ..Acted::default() }))
    }
}

fn ending(flow: Flow) -> Action {
    Arc::new(move |_| Ok(Acted { flow, ..Acted::default() }))
}

fn add(keys: &mut Vec<String>, key: &str) {
    if !keys.iter().any(|known| known == key) {
        keys.push(key.to_owned());
    }
}

/// The title of a composed agent: its own, else its given name, else its kind.
fn titled<'a>(title: &'a str, given: &'a str, kind: &'a str) -> &'a str {
    [title, given, kind].into_iter().find(|text| !text.is_empty()).unwrap_or_default()
}
