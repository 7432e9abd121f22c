//! The tool servers of the person, in `tool_servers.toml` of the data folder; their secret values are in the keyring.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;

use engine::{BYTES_OF_TOKEN, FixedTools, Tool, ToolDirectory};
use kernel::{Code, form, phrase};
use mcp::{Given, ServerConfig, ToolServers};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use tokio::sync::watch;

use crate::accounts::tool_server_import::read_servers;
use crate::accounts::tool_server_sign_ins::signed_in_card;
use crate::accounts::tool_server_values::{entry, purpose};
use crate::api::{
    AddTools, ForeignToolCard, GivenValue, ImportToolServers, ImportedToolServers, Named, Nothing,
    RefusedTool, SaveToolServer, ToolServerCard, ToolServerCards, ToolServerSetup, ToolServerTest,
};
use crate::program::toml_file::TomlFile;
use crate::{ApiError, Desk};

/// The file in the data folder.
const FILE: &str = "tool_servers.toml";
/// Most servers.
const MOST_SERVERS: usize = 100;
/// The longest secret value, in bytes.
const LONGEST_VALUE: usize = 16 << 10;

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    #[serde(default, rename = "server", skip_serializing_if = "BTreeMap::is_empty")]
    servers: BTreeMap<String, ServerConfig>,
    /// The tools that are added to pipelines, by pipeline id: `SERVER/TOOL`, or `SERVER/*`.
    #[serde(default, rename = "pipeline", skip_serializing_if = "BTreeMap::is_empty")]
    pipelines: BTreeMap<String, AddedToPipeline>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AddedToPipeline {
    tools: Vec<String>,
}

/// The servers of a data folder.
pub(crate) struct SavedToolServers(TomlFile<Saved>);

impl SavedToolServers {
    pub(crate) fn of(folder: &Path) -> SavedToolServers {
        SavedToolServers(TomlFile::new(folder, FILE, form!("Your tool servers")))
    }

    /// The valid servers.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn usable(&self) -> Result<BTreeMap<String, ServerConfig>, ApiError> {
        Ok(self.0.read()?.usable())
    }
}

impl Saved {
    fn usable(&self) -> BTreeMap<String, ServerConfig> {
        let servers = self.servers.iter().filter(|(name, config)| config.check(name).is_ok());
        servers.map(|(name, config)| (name.clone(), config.clone())).collect()
    }
}

impl SavedToolServers {
    /// The tools that are added to a pipeline.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn added_to(&self, pipeline: &str) -> Result<Vec<String>, ApiError> {
        Ok(self.0.read()?.pipelines.remove(pipeline).unwrap_or_default().tools)
    }
}

/// The program's own tools and those of servers.
pub(crate) struct AllTools {
    pub(crate) own: FixedTools,
    pub(crate) servers: ToolServers,
}

impl ToolDirectory for AllTools {
    fn tools(&self) -> Vec<Arc<dyn Tool>> {
        let mut tools = self.own.tools();
        tools.extend(self.servers.tools());
        tools
    }

    fn tool(&self, name: &str) -> Option<Arc<dyn Tool>> {
        self.own.tool(name).or_else(|| self.servers.tool(name))
    }

    fn changes(&self) -> watch::Receiver<()> {
        self.servers.changes()
    }
}

impl Desk {
    pub(crate) async fn list_tool_servers(&self, _: Nothing) -> Result<ToolServerCards, ApiError> {
        let saved = self.inner.saved_tool_servers.0.read()?;
        // Another process, or the person, may have changed the file.
        self.inner.tool_servers.set(saved.usable());
        let Saved { servers, pipelines } = saved;
        let card = |(name, config): (String, ServerConfig)| ToolServerCard {
            listed: self.listed_tools(&name),
            signed_in: self.inner.tool_servers.signed_in(&name).map(signed_in_card),
            setup: setup_of(name, config),
        };
        Ok(ToolServerCards {
            servers: servers.into_iter().map(card).collect(),
            pipelines: pipelines.into_iter().map(|(pipeline, added)| (pipeline, added.tools)).collect(),
            remark: None,
        })
    }

    fn listed_tools(&self, server: &str) -> Vec<ForeignToolCard> {
        let tools = self.inner.tool_servers.listed(server).into_iter();
        tools
            .map(|(name, description, bytes)| ForeignToolCard {
                name,
                description,
                tokens: u32::try_from(bytes / BYTES_OF_TOKEN).unwrap_or(u32::MAX),
            })
            .collect()
    }

    pub(crate) async fn save_tool_server(&self, asked: SaveToolServer) -> Result<ToolServerCards, ApiError> {
        let SaveToolServer { setup, replaces, values, for_session } = asked;
        let (name, config) = config_of(setup)?;
        if let Some(name) = values.keys().find(|name| !given(&config).contains_key(*name)) {
            let message = phrase!("`{name}` is not a variable or header of this tool server", name);
            return Err(ApiError::new(Code::BadInput, message));
        }
        // Names are checked before values are stored, and values are stored before they are named.
        may_take(&self.inner.saved_tool_servers.0.read()?, &name, replaces.as_deref())?;
        for (variable, value) in values {
            self.keep_value(&name, &config, &variable, value, for_session).await?;
        }
        let mut former = None;
        self.inner.saved_tool_servers.0.change(|saved| {
            may_take(saved, &name, replaces.as_deref())?;
            former = replaces.as_ref().and_then(|name| Some((name.clone(), saved.servers.remove(name)?)));
            saved.servers.insert(name.clone(), config.clone());
            if let Some((former, _)) = former.as_ref().filter(|(former, _)| *former != name) {
                // Tools that were added to pipelines follow the new name of the server.
                for tool in saved.pipelines.values_mut().flat_map(|added| &mut added.tools) {
                    if let Some((_, own)) = tool.split_once('/').filter(|(server, _)| server == former) {
                        *tool = format!("{name}/{own}");
                    }
                }
            }
            Ok(())
        })?;
        let mut remark = None;
        if let Some((former_name, former)) = former {
            if former_name != name || purpose(&former) != purpose(&config) {
                self.inner.rules.forget_server(&former_name)?;
            }
            if former_name != name || former.url != config.url || config.sets_authorization() {
                remark = self.forget_sign_in(&former_name).await;
            }
            let kept: BTreeSet<String> = kept_entries(&name, &config).collect();
            let gone = kept_entries(&former_name, &former).filter(|entry| !kept.contains(entry));
            self.forget_values(gone).await;
        }
        Ok(ToolServerCards { remark, ..self.list_tool_servers(Nothing {}).await? })
    }

    async fn keep_value(
        &self,
        server: &str,
        config: &ServerConfig,
        variable: &str,
        value: String,
        for_session: bool,
    ) -> Result<(), ApiError> {
        if value.is_empty() || value.len() > LONGEST_VALUE || value.contains(['\0', '\n', '\r']) {
            let message = phrase!(
                "The value of `{variable}` is empty, has a line break, or is too long; paste only the value",
                variable
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
        let (entry, purpose, value) = (entry(server, variable), purpose(config), SecretString::from(value));
        if for_session {
            self.inner.vault.set_session_key(&entry, &purpose, value);
            return Ok(());
        }
        self.inner.vault.remove_session_key(&entry);
        self.inner.vault.keep(&format!("{entry} for {purpose}"), value).await
    }

    pub(crate) async fn add_tools_to_pipeline(&self, asked: AddTools) -> Result<ToolServerCards, ApiError> {
        let AddTools { pipeline, tools } = asked;
        if !self.pipeline(&pipeline)?.takes_tools() {
            let message = phrase!(
                "No agent of `{pipeline}` takes tools of servers; write `added_tools = \"called\"` at one, in a copy of your own",
                pipeline
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
        self.inner.saved_tool_servers.0.change(|saved| {
            let is_known = |tool: &String| {
                let server = tool.split_once('/').filter(|(_, tool)| !tool.is_empty()).map(|(server, _)| server);
                server.is_some_and(|server| saved.servers.contains_key(server))
            };
            if let Some(tool) = tools.iter().find(|tool| !is_known(tool)) {
                let message = phrase!(
                    "`{tool}` is not a tool of a server that is set up; write SERVER/TOOL, or SERVER/* for all of its tools",
                    tool
                );
                return Err(ApiError::new(Code::BadInput, message));
            }
            match tools.is_empty() {
                true => saved.pipelines.remove(&pipeline),
                false => saved.pipelines.insert(pipeline.clone(), AddedToPipeline { tools: tools.clone() }),
            };
            Ok(())
        })?;
        self.list_tool_servers(Nothing {}).await
    }

    pub(crate) async fn remove_tool_server(&self, named: Named) -> Result<ToolServerCards, ApiError> {
        let mut saved = self.inner.saved_tool_servers.0.read()?;
        // The sign-in belongs to the server as it is saved now.
        self.inner.tool_servers.set(saved.usable());
        let config = saved.servers.remove(&named.name);
        let config = config.ok_or_else(|| unknown(&named.name))?;
        self.inner.saved_tool_servers.0.change(|saved| {
            saved.servers.remove(&named.name);
            // Its tools are removed from pipelines with it.
            for added in saved.pipelines.values_mut() {
                added
                    .tools
                    .retain(|tool| tool.split_once('/').is_none_or(|(server, _)| server != named.name));
            }
            saved.pipelines.retain(|_, added| !added.tools.is_empty());
            Ok(())
        })?;
        self.inner.rules.forget_server(&named.name)?;
        for variable in given(&config).keys() {
            self.inner.vault.remove_session_key(&entry(&named.name, variable));
        }
        self.forget_values(kept_entries(&named.name, &config)).await;
        let remark = self.forget_sign_in(&named.name).await;
        Ok(ToolServerCards { remark, ..self.list_tool_servers(Nothing {}).await? })
    }

    /// Removes the values of a server. Without a keyring the server is changed or removed all the same.
    async fn forget_values(&self, entries: impl Iterator<Item = String>) {
        for entry in entries {
            if let Err(error) = self.inner.vault.forget(&entry).await {
                tracing::warn!(%error, "a value of a tool server stays in the keyring");
            }
        }
    }

    pub(crate) async fn test_tool_server(&self, named: Named) -> Result<ToolServerTest, ApiError> {
        // The file may have been changed by hand, so the keyring is asked again.
        self.inner.vault.ask_again();
        self.inner.tool_servers.set(self.inner.saved_tool_servers.usable()?);
        let report = self.inner.tool_servers.test(&named.name).await?;
        let refused = report.refused.into_iter().map(|(name, why)| RefusedTool { name, why });
        Ok(ToolServerTest {
            title: report.title,
            is_new_protocol: report.era == mcp::Era::Discover,
            tools: self.listed_tools(&named.name),
            refused: refused.collect(),
            standard_error: report.standard_error,
        })
    }

    pub(crate) async fn import_tool_servers(
        &self,
        asked: ImportToolServers,
    ) -> Result<ImportedToolServers, ApiError> {
        let mut imported = ImportedToolServers { added: Vec::new(), refused: Vec::new() };
        for (setup, values) in read_servers(&asked.text)? {
            let name = setup.name.clone();
            let save = SaveToolServer { setup, replaces: None, values, for_session: asked.for_session };
            match self.save_tool_server(save).await {
                Ok(_) => imported.added.push(name),
                Err(error) => imported.refused.push(RefusedTool { name, why: *error.phrase }),
            }
        }
        Ok(imported)
    }
}

/// The keyring entries of a server's values.
fn kept_entries(name: &str, config: &ServerConfig) -> impl Iterator<Item = String> {
    let kept = given(config).iter().filter(|(_, from)| matches!(from, Given::Kept { .. }));
    kept.map(move |(variable, _)| format!("{} for {}", entry(name, variable), purpose(config)))
}

/// Refuses a server whose name is taken, unless it replaces that server.
fn may_take(saved: &Saved, name: &str, replaces: Option<&str>) -> Result<(), ApiError> {
    if let Some(former) = replaces.filter(|former| !saved.servers.contains_key(*former)) {
        return Err(unknown(former));
    }
    if replaces != Some(name) && saved.servers.contains_key(name) {
        let message = phrase!("There is a tool server `{name}` already; choose another name", name);
        return Err(ApiError::new(Code::BadInput, message));
    }
    if replaces.is_none() && saved.servers.len() >= MOST_SERVERS {
        let message = phrase!("You have {most} tool servers already; remove one first", most = MOST_SERVERS);
        return Err(ApiError::new(Code::BadInput, message));
    }
    Ok(())
}

fn unknown(name: &str) -> ApiError {
    ApiError::new(Code::NotFound, phrase!("There is no tool server `{name}`", name))
}

fn given(config: &ServerConfig) -> &BTreeMap<String, Given> {
    if config.url.is_some() { &config.headers } else { &config.env }
}

fn config_of(setup: ToolServerSetup) -> Result<(String, ServerConfig), ApiError> {
    let text = |text: String| (!text.trim().is_empty()).then(|| text.trim().to_owned());
    let from = |value| match value {
        GivenValue::Text { text } => Given::Text(text),
        GivenValue::Variable { variable } => Given::Variable { env: variable },
        GivenValue::Keyring => Given::Kept { keyring: true },
    };
    let given: BTreeMap<String, Given> =
        setup.given.into_iter().map(|(name, value)| (name, from(value))).collect();
    let url = text(setup.url);
    let (env, headers) = if url.is_some() { (BTreeMap::new(), given) } else { (given, BTreeMap::new()) };
    let config = ServerConfig {
        command: text(setup.command),
        args: setup.args,
        folder: text(setup.folder).map(Into::into),
        url,
        tools: (!setup.tools.is_empty()).then_some(setup.tools),
        timeout_s: setup.timeout_s,
        is_off: setup.is_off,
        env,
        headers,
    };
    config.check(&setup.name)?;
    Ok((setup.name, config))
}

fn setup_of(name: String, config: ServerConfig) -> ToolServerSetup {
    let from = |given: &Given| match given {
        Given::Text(text) => GivenValue::Text { text: text.clone() },
        Given::Variable { env } => GivenValue::Variable { variable: env.clone() },
        Given::Kept { .. } => GivenValue::Keyring,
    };
    ToolServerSetup {
        name,
        given: given(&config).iter().map(|(name, given)| (name.clone(), from(given))).collect(),
        command: config.command.unwrap_or_default(),
        args: config.args,
        folder: config.folder.map(|folder| folder.display().to_string()).unwrap_or_default(),
        url: config.url.unwrap_or_default(),
        tools: config.tools.unwrap_or_default(),
        timeout_s: config.timeout_s,
        is_off: config.is_off,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_server_that_another_process_added_is_listed_with_the_sign_in_at_it() {
        let folder = tempfile::tempdir().unwrap();
        let data_dir = Some(folder.path().to_owned());
        let desk = Desk::open(crate::Options { data_dir, ..crate::Options::default() }).await.unwrap();
        std::fs::write(folder.path().join(FILE), "[server.guarded]\nurl = \"https://example.com/mcp\"\n")
            .unwrap();
        let states = folder.path().join("tool_server_sign_ins");
        std::fs::create_dir(&states).unwrap();
        let address = kernel::Hash::of(b"https://example.com/mcp").0;
        let state = states.join(format!("guarded-{}.json", address.get(..16).unwrap()));
        std::fs::write(state, r#"{"is_signed_in": true, "scopes": ["read"]}"#).unwrap();
        let cards = desk.list_tool_servers(Nothing {}).await.unwrap();
        let signed_in = cards.servers.into_iter().map(|card| card.signed_in.unwrap().scopes);
        assert_eq!(signed_in.collect::<Vec<_>>(), [["read"]]);
        desk.close().await;
    }
}
