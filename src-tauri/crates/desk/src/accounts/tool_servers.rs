//! The commands about tool servers. The secret values of the servers are in the keyring.

use std::collections::{BTreeMap, BTreeSet};

use engine::BYTES_OF_TOKEN;
use kernel::{Code, phrase};
use mcp::{Given, ServerConfig};
use secrecy::SecretString;

use crate::ApiError;
use crate::accounts::AccountService;
use crate::accounts::saved_tool_servers::{AddedToPipeline, Saved};
use crate::accounts::tool_server_import::read_servers;
use crate::accounts::tool_server_sign_ins::signed_in_card;
use crate::accounts::tool_server_values::{entry, purpose};
use crate::api::{
    AddTools, ForeignToolCard, GivenValue, ImportToolServers, ImportedToolServers, Named, Nothing,
    RefusedTool, SaveToolServer, ToolServerCard, ToolServerCards, ToolServerSetup, ToolServerTest,
};

/// Most servers.
const MOST_SERVERS: usize = 100;
/// The longest secret value, in bytes.
const LONGEST_VALUE: usize = 16 << 10;

impl AccountService {
    pub(crate) async fn list_tool_servers(&self, _: Nothing) -> Result<ToolServerCards, ApiError> {
        let Saved { servers, pipelines } = self.tool_servers.reload()?;
        let card = |(name, config): (String, ServerConfig)| ToolServerCard {
            listed: self.listed_tools(&name),
            signed_in: self.tool_servers.loaded.signed_in(&name).map(signed_in_card),
            setup: setup_of(name, config),
        };
        Ok(ToolServerCards {
            servers: servers.into_iter().map(card).collect(),
            pipelines: pipelines.into_iter().map(|(pipeline, added)| (pipeline, added.tools)).collect(),
            remark: None,
        })
    }

    fn listed_tools(&self, server: &str) -> Vec<ForeignToolCard> {
        let tools = self.tool_servers.loaded.listed(server).into_iter();
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
        may_take(&self.tool_servers.file.read()?, &name, replaces.as_deref())?;
        for (variable, value) in values {
            self.keep_value(&name, &config, &variable, value, for_session).await?;
        }
        let mut former = None;
        self.tool_servers.file.change(|saved| {
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
                self.rules.forget_server(&former_name)?;
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
            self.vault.set_session_key(&entry, &purpose, value);
            return Ok(());
        }
        self.vault.remove_session_key(&entry);
        self.vault.keep(&format!("{entry} for {purpose}"), value).await
    }

    pub(crate) async fn add_tools_to_pipeline(&self, asked: AddTools) -> Result<ToolServerCards, ApiError> {
        let AddTools { pipeline, tools } = asked;
        if !self.pipelines.get(&pipeline)?.takes_tools() {
            let message = phrase!(
                "No agent of `{pipeline}` takes tools of servers; write `added_tools = \"called\"` at one, in a copy of your own",
                pipeline
            );
            return Err(ApiError::new(Code::BadInput, message));
        }
        self.tool_servers.file.change(|saved| {
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
        // The sign-in belongs to the server as it is saved now.
        let config = self.tool_servers.reload()?.servers.remove(&named.name);
        let config = config.ok_or_else(|| unknown(&named.name))?;
        self.tool_servers.file.change(|saved| {
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
        self.rules.forget_server(&named.name)?;
        for variable in given(&config).keys() {
            self.vault.remove_session_key(&entry(&named.name, variable));
        }
        self.forget_values(kept_entries(&named.name, &config)).await;
        let remark = self.forget_sign_in(&named.name).await;
        Ok(ToolServerCards { remark, ..self.list_tool_servers(Nothing {}).await? })
    }

    /// Removes the values of a server. Without a keyring the server is changed or removed all the same.
    async fn forget_values(&self, entries: impl Iterator<Item = String>) {
        for entry in entries {
            if let Err(error) = self.vault.forget(&entry).await {
                tracing::warn!(%error, "a value of a tool server stays in the keyring");
            }
        }
    }

    pub(crate) async fn test_tool_server(&self, named: Named) -> Result<ToolServerTest, ApiError> {
        // The file may have been changed by hand, so the keyring is asked again.
        self.vault.ask_again();
        self.tool_servers.reload()?;
        let report = self.tool_servers.loaded.test(&named.name).await?;
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
