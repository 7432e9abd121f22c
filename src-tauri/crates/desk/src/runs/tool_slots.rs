//! The tools for the slots of a pipeline: which fit, which one a run uses, and remarks on them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use engine::{MOST_TOOL_TOKENS, ToolDescription, tool_tokens};
use interpreter::{Pipeline, Setup};
use kernel::{
    Code, CredentialRoute, Definition, Phrase, PipelineDefinition, RunId, ToolOffer, ToolSlot, Value, phrase,
};
use tools::{KeyNeed, OfferedTool};

use crate::ApiError;
use crate::accounts::services::{missing_address, missing_key};
use crate::api::{SlotCard, SlotChoice};
use crate::runs::RunService;

/// The chosen tool of each slot, by the slot's name.
pub(crate) type ChosenTools = BTreeMap<String, String>;

/// The slots of a pipeline for a form.
pub(crate) fn slot_cards(definition: &PipelineDefinition) -> Vec<SlotCard> {
    let choice = |source: &OfferedTool| SlotChoice {
        id: source.id.to_owned(),
        title: source.title.to_owned(),
        is_offline: source.is_offline(),
    };
    let card = |(name, slot): (&String, &ToolSlot)| SlotCard {
        name: name.clone(),
        title: slot.title.clone(),
        default: slot.default.clone(),
        choices: tools::fitting(&slot.kind).iter().map(choice).collect(),
    };
    definition.tools.iter().map(card).collect()
}

/// The tool of this name in a slot.
fn tool_of(name: &str, slot: &ToolSlot, chosen: &str) -> Result<&'static OfferedTool, ApiError> {
    let fitting = tools::fitting(&slot.kind);
    fitting.iter().find(|tool| tool.id == chosen).ok_or_else(|| {
        let known: Vec<&str> = fitting.iter().map(|tool| tool.id).collect();
        let message =
            phrase!("The slot `{name}` has no tool `{chosen}`; it has {known}", name, chosen, known);
        ApiError::new(Code::BadInput, message)
    })
}

/// The chosen tools with their slots. A tool that does not exist any more is left out.
fn chosen<'a>(
    pipeline: &'a Pipeline,
    tools: &ChosenTools,
) -> impl Iterator<Item = (&'a str, &'a ToolSlot, &'static OfferedTool)> {
    let slots = pipeline.definition().tools.iter();
    slots.filter_map(|(name, slot)| Some((name.as_str(), slot, tool_of(name, slot, tools.get(name)?).ok()?)))
}

/// The tools that agents of a pipeline use without a slot.
fn named_tools(pipeline: &Pipeline) -> impl Iterator<Item = &str> {
    let definition = pipeline.definition();
    let agents = definition.agents.values();
    let named = agents.flat_map(|agent| agent.tools.iter().chain(agent.call.iter().map(|call| &call.tool)));
    named.filter(|name| !definition.tools.contains_key(*name)).map(String::as_str)
}

impl RunService {
    /// The tool of every slot: the requested one, else the pipeline's, else the one in the settings of its kind, else
    /// the first that fits.
    ///
    /// # Errors
    /// `bad_input` for an unknown slot or tool.
    pub(crate) fn chosen_tools(
        &self,
        pipeline: &Pipeline,
        asked: &ChosenTools,
    ) -> Result<ChosenTools, ApiError> {
        let (slots, kinds) = (&pipeline.definition().tools, &pipeline.registry().slots);
        if let Some(name) = asked.keys().find(|name| !slots.contains_key(*name)) {
            let known: Vec<&str> = slots.keys().map(String::as_str).collect();
            let message = match known.is_empty() {
                true => phrase!("`{id}` has no slots for tools", id = pipeline.id()),
                false => phrase!("There is no slot `{name}`; there is {known}", name, known),
            };
            return Err(ApiError::new(Code::BadInput, message));
        }
        let mut tools = ChosenTools::new();
        for (name, slot) in slots {
            let chosen = match asked.get(name).or(slot.default.as_ref()) {
                Some(chosen) => chosen.clone(),
                None => match kinds.get(slot.kind.as_str()).and_then(|kind| kind.setting) {
                    Some(setting) => self.settings.get(setting)?,
                    None => {
                        tools::fitting(&slot.kind).first().map(|tool| tool.id.to_owned()).unwrap_or_default()
                    }
                },
            };
            tool_of(name, slot, &chosen)?;
            tools.insert(name.clone(), chosen);
        }
        Ok(tools)
    }

    /// The setup of a tree with these tools in its slots. Tools of servers are as they were when the run began.
    pub(crate) fn setup(
        &self,
        pipeline: &Pipeline,
        tools: &ChosenTools,
        foreign: &BTreeMap<String, ToolOffer>,
        decides_issues: bool,
    ) -> Setup {
        let of_slots = chosen(pipeline, tools).map(|(slot, _, tool)| (slot, tool.tool));
        let own = named_tools(pipeline).filter(|name| !ToolDescription::is_foreign(name));
        let offers = of_slots.chain(own.map(|name| (name, name)));
        let offers = offers.filter_map(|(name, tool)| Some((name.to_owned(), self.offer(tool)?)));
        let foreign = foreign.iter().map(|(name, offer)| (name.clone(), offer.clone()));
        Setup { tools: offers.chain(foreign).collect(), decides_issues, ..Setup::default() }
    }

    /// The description of a tool for a model; `None` where the tool is missing.
    fn offer(&self, tool: &str) -> Option<ToolOffer> {
        let description = self.world.tools.tool(tool)?.describe();
        Some(ToolOffer {
            name: description.name,
            description: description.description,
            schema: Value::new(description.input.0),
        })
    }

    /// The present tools of servers that a pipeline uses; missing ones are left out.
    pub(crate) fn foreign_tools(&self, pipeline: &Pipeline) -> BTreeMap<String, ToolOffer> {
        let named = named_tools(pipeline).filter(|name| ToolDescription::is_foreign(name));
        named.filter_map(|name| Some((name.to_owned(), self.offer(name)?))).collect()
    }

    /// A pipeline with the present tools of servers that the person added to it.
    ///
    /// # Errors
    /// The added tools cannot be read, or are too long for an agent that plans.
    pub(crate) fn with_tools_of_servers(&self, pipeline: Arc<Pipeline>) -> Result<Arc<Pipeline>, ApiError> {
        let added = self.tool_servers.added_to(pipeline.id())?;
        let of_servers: BTreeMap<String, Vec<String>> = pipeline
            .whole_servers()
            .chain(added.iter().filter_map(|tool| tool.strip_suffix("/*")))
            .map(|server| (server.to_owned(), self.tool_servers.loaded.offered(server)))
            .collect();
        if added.is_empty() && of_servers.is_empty() {
            return Ok(pipeline);
        }
        let named = added.iter().flat_map(|tool| match tool.strip_suffix("/*") {
            Some(server) => of_servers.get(server).cloned().unwrap_or_default(),
            None => vec![tool.clone()],
        });
        let mut seen = BTreeSet::new();
        let offers: Vec<ToolOffer> =
            named.filter(|name| seen.insert(name.clone())).filter_map(|name| self.offer(&name)).collect();
        let tokens: usize = offers.iter().map(tool_tokens).sum();
        if pipeline.plans() && tokens > MOST_TOOL_TOKENS {
            let message = phrase!(
                "The tools that are added to `{pipeline}` take about {tokens} tokens of each plan; at most {most} are told. Add fewer of them",
                pipeline = pipeline.id(),
                tokens,
                most = MOST_TOOL_TOKENS
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
        Ok(Arc::new(pipeline.with_tools(&offers, &of_servers)))
    }

    /// Starts the servers of the tools that a pipeline uses or that are added to it.
    ///
    /// # Errors
    /// A server fails, or has no such tool.
    pub(crate) async fn prepare_foreign_tools(&self, pipeline: &Pipeline) -> Result<(), ApiError> {
        let added = self.tool_servers.added_to(pipeline.id())?;
        let added = added.iter().map(String::as_str);
        let named: BTreeSet<&str> =
            named_tools(pipeline).filter(|name| ToolDescription::is_foreign(name)).chain(added).collect();
        if named.is_empty() {
            return Ok(());
        }
        self.tool_servers.reload()?;
        for name in named {
            self.tool_servers.loaded.prepare(name).await?;
        }
        Ok(())
    }

    /// Starts the servers of a resumed run. Where one fails, its calls fail.
    pub(crate) async fn prepare_foreign_tools_of_run(&self, run: &RunId) -> Result<(), ApiError> {
        let start = self.store.start(run).await?;
        let names = start.definition.foreign_tools.keys();
        if names.len() > 0 {
            self.tool_servers.reload()?;
        }
        for name in names {
            if let Err(error) = self.tool_servers.loaded.prepare(name).await {
                tracing::warn!(%error, "a tool of a run that goes on is not there");
            }
        }
        Ok(())
    }

    /// The setup of an outline before tools are chosen: the default of each slot, else the first tool that fits.
    pub(crate) fn setup_of_picture(&self, pipeline: &Pipeline) -> Setup {
        let slots = pipeline.definition().tools.iter();
        let first = slots.filter_map(|(name, slot)| {
            let first = || Some(tools::fitting(&slot.kind).first()?.id.to_owned());
            Some((name.clone(), slot.default.clone().or_else(first)?))
        });
        self.setup(pipeline, &first.collect(), &BTreeMap::new(), false)
    }

    /// The route by which a tool asks a model, if one does.
    pub(crate) fn route_of_tools(&self, pipeline: &Pipeline, tools: &ChosenTools) -> Option<CredentialRoute> {
        chosen(pipeline, tools)
            .find_map(|(_, _, tool)| self.world.tools.tool(tool.tool)?.credential_route(None))
    }

    /// The missing addresses and keys of the tools.
    pub(crate) fn remarks_on_tools(
        &self,
        pipeline: &Pipeline,
        tools: &ChosenTools,
    ) -> Result<Vec<Phrase>, ApiError> {
        let (vault, settings) = (&self.vault, &self.settings);
        let mut remarks = Vec::new();
        for (_, _, tool) in chosen(pipeline, tools) {
            for service in tool.services {
                remarks.extend(missing_address(settings, service)?);
            }
            for service in tool.services.iter().filter(|_| tool.key != KeyNeed::None) {
                let route =
                    || self.world.tools.tool(tool.tool).map(|tool| tool.credential_route(None).is_none());
                if let Some(why) = missing_key(vault, settings, service.name)? {
                    remarks.push(why);
                } else if tool.key == KeyNeed::Required && route() == Some(true) {
                    remarks.push(phrase!(
                        "The source `{source}` has no key, so the search will fail; keys are given out at {page}, and a profile of `{name}` keeps one",
                        source = tool.id,
                        page = tool.key_page,
                        name = service.name
                    ));
                }
            }
        }
        Ok(remarks)
    }

    /// Remarks on the tools before a run starts, and the date by which the library has recent articles.
    pub(crate) async fn remarks_on_recency(
        &self,
        pipeline: &Pipeline,
        definition: &Definition,
    ) -> Result<(Vec<Phrase>, Option<String>), ApiError> {
        let (mut remarks, mut recent_as_of) = (Vec::new(), None);
        for (_, slot, tool) in chosen(pipeline, &definition.tools) {
            if tool.chooses_itself {
                remarks.push(phrase!(
                    "The source is `{source}`. {purpose}",
                    source = tool.id,
                    purpose = tool.purpose
                ));
            }
            // Only a local collection has a date; the web is always current.
            let kind = pipeline.registry().slots.get(slot.kind.as_str());
            let looks_back = kind.and_then(|kind| kind.looks_back).and_then(|looks_back| looks_back(slot));
            let (Some(collection), Some(days)) = (tool.collection, looks_back) else { continue };
            let today = engine::now().to_zoned(jiff::tz::TimeZone::UTC).date();
            let as_of = definition.as_of.as_deref().and_then(|day| day.parse().ok()).unwrap_or(today);
            let latest = self.store.latest_day().await?;
            let latest = latest.and_then(|day| day.parse::<jiff::civil::Date>().ok());
            let Some(latest) = latest else { continue };
            if i64::from((as_of - latest).get_days()) > i64::from(days) {
                remarks.push(phrase!(
                    "The latest article of {library} is of {latest}; searched as of {day}, nothing may be recent enough. Begin the run as of {latest}.",
                    library = collection,
                    latest = latest.to_string(),
                    day = as_of.to_string()
                ));
                recent_as_of = Some(latest.to_string());
            }
        }
        Ok((remarks, recent_as_of))
    }
}
