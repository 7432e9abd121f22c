//! The resources and prompts of a server. The user chooses one as the input of a run, where it is an ordinary text.

use std::time::Duration;

use futures::FutureExt;
use futures::future::BoxFuture;
use kernel::{Code, Error, Phrase, phrase};
use rmcp::model::{
    ContentBlock, Cursor, GetPromptRequestParams, PaginatedRequestParams, Prompt, PromptArgument,
    ReadResourceRequestParams, Resource, ResourceContents, Role,
};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde_json::{Map, Value};
use tokio::time::timeout;

use crate::connection::{Connection, LIST_TIMEOUT};
use crate::listing::plain;
use crate::servers::ToolServers;
use crate::service_errors::why;

/// The most resources, and the most prompts, that are listed of one server.
const MOST_ITEMS: usize = 1000;
/// The longest address of a resource, and the longest name of a prompt or argument, in bytes.
const LONGEST_ADDRESS: usize = 2000;
/// The longest title and description, in characters.
const LONGEST_TITLE: usize = 200;
const LONGEST_DESCRIPTION: usize = 1000;
/// The most arguments of a prompt.
const MOST_ARGUMENTS: usize = 50;
/// The largest text, in bytes: the limit of an input.
const LARGEST_TEXT: usize = 1 << 20;
/// The time limit of reading one.
const READ_TIMEOUT: Duration = Duration::from_secs(60);

/// A resource of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerResource {
    /// Its URI at the server, of any scheme.
    pub uri: String,
    /// Its title from the server.
    pub title: String,
    /// Its description from the server; may be empty.
    pub description: String,
}

/// A prompt of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerPrompt {
    /// Its name at the server.
    pub name: String,
    /// Its title from the server.
    pub title: String,
    /// Its description from the server; may be empty.
    pub description: String,
    /// Its arguments: name, description from the server, and whether it is required.
    pub arguments: Vec<(String, String, bool)>,
}

impl ToolServers {
    /// The resources and prompts of a server, up to the limits.
    ///
    /// # Errors
    /// As [`ToolServers::prepare`]; `tool_failed` when it does not list them.
    pub async fn texts(&self, server: &str) -> Result<(Vec<ServerResource>, Vec<ServerPrompt>), Error> {
        let connection = self.server(server)?.connection().await?;
        let peer = renewed_peer(&connection);
        let (has_resources, has_prompts) = match peer.peer_info() {
            Some(info) => (info.capabilities.resources.is_some(), info.capabilities.prompts.is_some()),
            None => (true, true),
        };
        let listed = async {
            let resources = if has_resources { resources(peer).await? } else { Vec::new() };
            let prompts = if has_prompts { prompts(peer).await? } else { Vec::new() };
            Ok((resources, prompts))
        };
        within(server, LIST_TIMEOUT, listed).await
    }

    /// The text of a resource.
    ///
    /// # Errors
    /// As [`ToolServers::prepare`]; `tool_failed` when it cannot be read or is no text.
    pub async fn read_resource(&self, server: &str, uri: &str) -> Result<String, Error> {
        let connection = self.server(server)?.connection().await?;
        let request = ReadResourceRequestParams::new(uri);
        let read = within(server, READ_TIMEOUT, renewed_peer(&connection).read_resource(request)).await?;
        let texts = read.contents.into_iter().map(|part| match part {
            ResourceContents::TextResourceContents { text, .. } => Some(text),
            _ => None,
        });
        text(server, texts.collect::<Option<Vec<_>>>())
    }

    /// A prompt with its arguments filled in: its messages as one text, with the speaker's name unless it is the user.
    ///
    /// # Errors
    /// As [`ToolServers::prepare`]; `tool_failed` when it cannot be filled in or is no text.
    pub async fn prompt(
        &self,
        server: &str,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<String, Error> {
        let connection = self.server(server)?.connection().await?;
        let mut request = GetPromptRequestParams::new(name);
        request.arguments = (!arguments.is_empty()).then_some(arguments);
        let filled = within(server, READ_TIMEOUT, renewed_peer(&connection).get_prompt(request)).await?;
        let texts = filled.messages.into_iter().map(|message| {
            let text = match message.content {
                ContentBlock::Text(text) => text.text,
                ContentBlock::Resource(embedded) => match embedded.resource {
                    ResourceContents::TextResourceContents { text, .. } => text,
                    _ => return None,
                },
                _ => return None,
            };
            Some(if message.role == Role::Assistant { format!("assistant: {text}") } else { text })
        });
        text(server, texts.collect::<Option<Vec<_>>>())
    }
}

/// The peer of the server, with its output allowance renewed.
fn renewed_peer(connection: &Connection) -> &Peer<RoleClient> {
    connection.renew();
    connection.peer()
}

async fn resources(peer: &Peer<RoleClient>) -> Result<Vec<ServerResource>, ServiceError> {
    let page = |cursor| {
        async move {
            let asked = PaginatedRequestParams::default().with_cursor(cursor);
            let page = peer.list_resources(Some(asked)).await?;
            Ok((page.resources, page.next_cursor))
        }
        .boxed()
    };
    let listed = every_page(page).await?.into_iter().filter(|one| is_plain(&one.uri));
    let resource = |one: Resource| ServerResource {
        title: plain(&one.title.unwrap_or(one.name), LONGEST_TITLE),
        description: plain(&one.description.unwrap_or_default(), LONGEST_DESCRIPTION),
        uri: one.uri,
    };
    Ok(listed.map(resource).collect())
}

async fn prompts(peer: &Peer<RoleClient>) -> Result<Vec<ServerPrompt>, ServiceError> {
    let page = |cursor| {
        async move {
            let asked = PaginatedRequestParams::default().with_cursor(cursor);
            let page = peer.list_prompts(Some(asked)).await?;
            Ok((page.prompts, page.next_cursor))
        }
        .boxed()
    };
    let listed = every_page(page).await?.into_iter().filter(|one| is_plain(&one.name));
    let argument = |one: PromptArgument| {
        let said = one.description.or(one.title).unwrap_or_default();
        (one.name, plain(&said, LONGEST_DESCRIPTION), one.required == Some(true))
    };
    let prompt = |one: Prompt| {
        let arguments = one.arguments.unwrap_or_default().into_iter().filter(|one| is_plain(&one.name));
        ServerPrompt {
            title: plain(&one.title.unwrap_or_else(|| one.name.clone()), LONGEST_TITLE),
            description: plain(&one.description.unwrap_or_default(), LONGEST_DESCRIPTION),
            arguments: arguments.take(MOST_ARGUMENTS).map(argument).collect(),
            name: one.name,
        }
    };
    Ok(listed.map(prompt).collect())
}

/// The items of all pages of a list, up to the limit. An empty page is the last one.
async fn every_page<'a, T>(
    page: impl Fn(Option<Cursor>) -> BoxFuture<'a, Result<(Vec<T>, Option<Cursor>), ServiceError>>,
) -> Result<Vec<T>, ServiceError> {
    let (mut all, mut cursor) = (Vec::new(), None);
    loop {
        let (listed, next) = page(cursor).await?;
        let is_last = listed.is_empty();
        all.extend(listed);
        cursor = next.filter(|_| !is_last && all.len() < MOST_ITEMS);
        if cursor.is_none() {
            all.truncate(MOST_ITEMS);
            return Ok(all);
        }
    }
}

/// Whether a name can be displayed and sent back unchanged.
fn is_plain(name: &str) -> bool {
    name.len() <= LONGEST_ADDRESS && plain(name, usize::MAX) == name
}

async fn within<T>(
    server: &str,
    time: Duration,
    asking: impl Future<Output = Result<T, ServiceError>>,
) -> Result<T, Error> {
    match timeout(time, asking).await {
        Ok(Ok(answer)) => Ok(answer),
        Ok(Err(error)) => Err(unread(server, &why(&error))),
        Err(_) => Err(unread(server, &phrase!("no answer in {seconds} seconds", seconds = time.as_secs()))),
    }
}

fn text(server: &str, texts: Option<Vec<String>>) -> Result<String, Error> {
    let Some(texts) = texts else { return Err(unread(server, &phrase!("it is not a text"))) };
    let text = texts.join("\n\n");
    match text.len() > LARGEST_TEXT {
        true => Err(unread(server, &phrase!("it has more than {most} bytes", most = LARGEST_TEXT))),
        false => Ok(text),
    }
}

fn unread(server: &str, why: &Phrase) -> Error {
    Error::new(
        Code::ToolFailed,
        phrase!("The tool server `{name}` does not give this to read: {why}", name = server, why),
    )
}
