//! The resources of tool servers: lists them, and reads them as inputs of runs.

use crate::ApiError;
use crate::accounts::AccountService;
use crate::api::{
    DocumentText, Named, ReadServerText, ServerPromptArgument, ServerPromptCard, ServerResourceCard,
    ServerText, ServerTexts,
};

impl AccountService {
    pub(crate) async fn list_server_texts(&self, named: Named) -> Result<ServerTexts, ApiError> {
        self.tool_servers.reload()?;
        let (resources, prompts) = self.tool_servers.loaded.texts(&named.name).await?;
        let argument =
            |(name, description, is_required)| ServerPromptArgument { name, description, is_required };
        let resource =
            |mcp::ServerResource { uri, title, description }| ServerResourceCard { uri, title, description };
        let prompt = |mcp::ServerPrompt { name, title, description, arguments }| {
            let arguments = arguments.into_iter().map(argument).collect();
            ServerPromptCard { name, title, description, arguments }
        };
        Ok(ServerTexts {
            resources: resources.into_iter().map(resource).collect(),
            prompts: prompts.into_iter().map(prompt).collect(),
        })
    }

    pub(crate) async fn read_server_text(&self, asked: ReadServerText) -> Result<DocumentText, ApiError> {
        self.tool_servers.reload()?;
        let servers = &self.tool_servers.loaded;
        let text = match asked.what {
            ServerText::Resource { uri } => servers.read_resource(&asked.server, &uri).await?,
            ServerText::Prompt { prompt, arguments } => {
                let arguments = arguments.into_iter().map(|(name, value)| (name, value.into())).collect();
                servers.prompt(&asked.server, &prompt, arguments).await?
            }
        };
        Ok(DocumentText { text })
    }
}
