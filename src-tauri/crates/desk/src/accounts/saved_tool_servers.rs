//! The tool servers of the person, as `tool_servers.toml` of the data folder names them, and the tools that runs find.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use engine::{FixedTools, Tool, ToolDirectory};
use kernel::form;
use mcp::{ServerConfig, ToolServers};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use vault::Vault;

use crate::ApiError;
use crate::accounts::tool_server_values::ServerValues;
use crate::program::toml_file::TomlFile;

/// The file in the data folder.
const FILE: &str = "tool_servers.toml";

/// The content of the file.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Saved {
    #[serde(default, rename = "server", skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) servers: BTreeMap<String, ServerConfig>,
    /// The tools that are added to pipelines, by pipeline id: `SERVER/TOOL`, or `SERVER/*`.
    #[serde(default, rename = "pipeline", skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) pipelines: BTreeMap<String, AddedToPipeline>,
}

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AddedToPipeline {
    pub(crate) tools: Vec<String>,
}

impl Saved {
    /// The valid servers.
    fn usable(&self) -> BTreeMap<String, ServerConfig> {
        let servers = self.servers.iter().filter(|(name, config)| config.check(name).is_ok());
        servers.map(|(name, config)| (name.clone(), config.clone())).collect()
    }
}

/// The servers of a data folder.
pub(crate) struct SavedToolServers {
    pub(crate) file: TomlFile<Saved>,
    /// The servers as the file named them when it was loaded last.
    pub(crate) loaded: ToolServers,
}

impl SavedToolServers {
    /// Loads the file. An invalid file is reported where the servers are listed, and where one is needed.
    pub(crate) fn open(folder: &Path, vault: Arc<Vault>) -> SavedToolServers {
        let values = Arc::new(ServerValues { vault });
        let servers = SavedToolServers {
            file: TomlFile::new(folder, FILE, form!("Your tool servers")),
            loaded: ToolServers::new(tools::readers::program(), folder, values),
        };
        if let Err(error) = servers.reload() {
            tracing::warn!(%error, "the tool servers cannot be read");
        }
        servers
    }

    /// Loads the file again, because another process or the person may have changed it.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn reload(&self) -> Result<Saved, ApiError> {
        let saved = self.file.read()?;
        self.loaded.set(saved.usable());
        Ok(saved)
    }

    /// The tools that are added to a pipeline.
    ///
    /// # Errors
    /// The file cannot be read.
    pub(crate) fn added_to(&self, pipeline: &str) -> Result<Vec<String>, ApiError> {
        Ok(self.file.read()?.pipelines.remove(pipeline).unwrap_or_default().tools)
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
