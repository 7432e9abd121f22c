//! Makes the choices of an evaluation from repeated options.

use desk::ApiError;
use desk::api::EvaluationChoice;

use crate::arguments::Eval;
use crate::option_values::{agent_temperature, parted, refused, value};

/// What one option sets in a choice.
enum Given {
    Profile(String),
    Pipeline(String),
    PipelineOf(String),
    Instruction(String, String),
    Model(String, String),
    AgentProfile(String, String),
    Temperature(Option<String>, f64),
}

/// One value of an option, with its name in tables.
struct OptionValue {
    label: String,
    given: Given,
}

/// An option, or an option for one agent, with its values in order.
struct Varied {
    option: String,
    values: Vec<OptionValue>,
}

/// The choices: so many as the most often repeated option has values. An option that is given once holds for all.
pub(crate) fn choices(asked: &Eval) -> Result<Vec<EvaluationChoice>, ApiError> {
    let varied = varied(asked)?;
    let count = varied.iter().map(|option| option.values.len()).max().unwrap_or(1);
    if let Some(other) = varied.iter().find(|option| ![1, count].contains(&option.values.len())) {
        return Err(refused(format!(
            "`{}` is given {} times and another option {count} times; give it once, or once for each of {count} choices",
            other.option,
            other.values.len()
        )));
    }
    let choice = |number: usize| {
        let mut choice = EvaluationChoice::default();
        let mut labels = Vec::new();
        for option in &varied {
            let value = option.values.get(number).or(option.values.first());
            let Some(value) = value else { continue };
            if option.values.len() > 1 {
                labels.push(value.label.clone());
            }
            set(&mut choice, &value.given);
        }
        choice.label = (!labels.is_empty()).then(|| labels.join(", "));
        choice
    };
    Ok((0..count).map(choice).collect())
}

fn varied(asked: &Eval) -> Result<Vec<Varied>, ApiError> {
    let mut varied: Vec<Varied> = Vec::new();
    let mut add = |option: String, label: String, given: Given| {
        let value = OptionValue { label, given };
        match varied.iter_mut().find(|known| known.option == option) {
            Some(known) => known.values.push(value),
            None => varied.push(Varied { option, values: vec![value] }),
        }
    };
    for profile in &asked.profile {
        add("--profile".into(), profile.clone(), Given::Profile(profile.clone()));
    }
    for pipeline in &asked.pipeline {
        add("--pipeline".into(), pipeline.clone(), Given::Pipeline(pipeline.clone()));
    }
    for run in &asked.pipeline_of {
        add("--pipeline-of".into(), format!("as in {run}"), Given::PipelineOf(run.clone()));
    }
    for pair in &asked.changes.model {
        let (agent, model) = parted("--model", "AGENT=MODEL", pair)?;
        let given = Given::Model(agent.to_owned(), model.to_owned());
        add(format!("--model {agent}"), format!("{agent}={model}"), given);
    }
    for pair in &asked.changes.agent_profile {
        let (agent, profile) = parted("--agent-profile", "AGENT=PROFILE", pair)?;
        let given = Given::AgentProfile(agent.to_owned(), profile.to_owned());
        add(format!("--agent-profile {agent}"), format!("{agent}={profile}"), given);
    }
    for pair in &asked.changes.instruction {
        let (agent, text) = parted("--instruction", "AGENT=@FILE", pair)?;
        let given = Given::Instruction(agent.to_owned(), value(text)?);
        add(format!("--instruction {agent}"), format!("{agent}={text}"), given);
    }
    for temperature in &asked.changes.temperature {
        let (agent, number) = agent_temperature(temperature)?;
        let option = agent.map_or("--temperature".to_owned(), |agent| format!("--temperature {agent}"));
        let given = Given::Temperature(agent.map(str::to_owned), number);
        add(option, format!("temperature {temperature}"), given);
    }
    Ok(varied)
}

fn set(choice: &mut EvaluationChoice, given: &Given) {
    match given {
        Given::Profile(profile) => choice.profile = Some(profile.clone()),
        Given::Pipeline(pipeline) => choice.pipeline = Some(pipeline.clone()),
        Given::PipelineOf(run) => choice.pipeline_of_run = Some(run.clone()),
        Given::Instruction(agent, text) => {
            choice.agents.entry(agent.clone()).or_default().instruction = Some(text.clone());
        }
        Given::Model(agent, model) => {
            choice.agents.entry(agent.clone()).or_default().model = Some(model.clone());
        }
        Given::AgentProfile(agent, profile) => {
            choice.agents.entry(agent.clone()).or_default().profile = Some(profile.clone());
        }
        Given::Temperature(None, number) => choice.temperature = Some(*number),
        Given::Temperature(Some(agent), number) => {
            choice.agents.entry(agent.clone()).or_default().temperature = Some(*number);
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::arguments::{Arguments, Command};

    fn chosen(words: &str) -> Result<Vec<EvaluationChoice>, ApiError> {
        let words = ["galley", "eval"].into_iter().chain(words.split(' '));
        match Arguments::try_parse_from(words).unwrap().command {
            Some(Command::Eval(asked)) => choices(&asked),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_option_that_is_repeated_makes_choices_and_one_that_is_not_holds_for_all() {
        let choices = chosen("capitals --profile a --profile b --model writer=m --temperature 0").unwrap();
        assert_eq!(choices.len(), 2);
        assert_eq!(
            choices.iter().map(|choice| choice.label.as_deref()).collect::<Vec<_>>(),
            [Some("a"), Some("b")]
        );
        assert!(choices.iter().all(|choice| choice.agents["writer"].model.as_deref() == Some("m")));
        assert!(choices.iter().all(|choice| choice.temperature == Some(0.0)));
        let both =
            chosen("s --model w=x --model w=y --model v=z --instruction w=One --instruction w=Two").unwrap();
        assert_eq!(both[1].label.as_deref(), Some("w=y, w=Two"));
        assert_eq!(both[1].agents["v"].model.as_deref(), Some("z"));
        assert_eq!(chosen("capitals").unwrap()[0].label, None);
        let uneven = chosen("s --profile a --profile b --model w=x --model w=y --model w=z").unwrap_err();
        assert!(uneven.message.contains("`--profile` is given 2 times"), "{uneven}");
    }
}
