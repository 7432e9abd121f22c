//! What a server has to read beside its tools: resources, and prompts that it fills in. A person chooses one and puts it into a
//! run as an input, where it is a text like any other.

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

use crate::connection::{Connection, LIST};
use crate::listing::plain;
use crate::servers::ToolServers;
use crate::service_errors::why;

/// So many resources, and prompts, of one server are listed.
const MOST: usize = 1000;
/// The longest address of a resource, and the longest name of a prompt and of an argument, in bytes.
const LONGEST_ADDRESS: usize = 2000;
/// The longest title and description, in characters.
const LONGEST_TITLE: usize = 200;
const LONGEST_DESCRIPTION: usize = 1000;
/// So many arguments of a prompt are asked for.
const MOST_ARGUMENTS: usize = 50;
/// The largest text, in bytes: what an input takes.
const LARGEST_TEXT: usize = 1 << 20;
/// How long reading one may take.
const READ: Duration = Duration::from_secs(60);

/// A resource of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerResource {
    /// Its address at the server, of any scheme.
    pub uri: String,
    /// Its title, in the server's words.
    pub title: String,
    /// What it is, in the server's words; may be empty.
    pub description: String,
}

/// A prompt of a server.
#[derive(Debug, Clone, PartialEq)]
pub struct ServerPrompt {
    /// Its name at the server.
    pub name: String,
    /// Its title, in the server's words.
    pub title: String,
    /// What it is for, in the server's words; may be empty.
    pub description: String,
    /// What it is filled in with: the name, what the server says of it, and whether it is needed.
    pub arguments: Vec<(String, String, bool)>,
}

impl ToolServers {
    /// The resources and prompts of a server, as many as are read.
    ///
    /// # Errors
    /// As [`ToolServers::prepare`]; `tool_failed` where it does not list them.
    pub async fn texts(&self, server: &str) -> Result<(Vec<ServerResource>, Vec<ServerPrompt>), Error> {
        let connection = self.server(server)?.connection().await?;
        let peer = asked(&connection);
        let (has_resources, has_prompts) = match peer.peer_info() {
            Some(info) => (info.capabilities.resources.is_some(), info.capabilities.prompts.is_some()),
            None => (true, true),
        };
        let listed = async {
            let resources = if has_resources { resources(peer).await? } else { Vec::new() };
            let prompts = if has_prompts { prompts(peer).await? } else { Vec::new() };
            Ok((resources, prompts))
        };
        within(server, LIST, listed).await
    }

    /// The text of a resource.
    ///
    /// # Errors
    /// As [`ToolServers::prepare`]; `tool_failed` where it cannot be read or is no text.
    pub async fn read_resource(&self, server: &str, uri: &str) -> Result<String, Error> {
        let connection = self.server(server)?.connection().await?;
        let request = ReadResourceRequestParams::new(uri);
        let read = within(server, READ, asked(&connection).read_resource(request)).await?;
        let texts = read.contents.into_iter().map(|part| match part {
            ResourceContents::TextResourceContents { text, .. } => Some(text),
            _ => None,
        });
        text(server, texts.collect::<Option<Vec<_>>>())
    }

    /// A prompt, filled in: its messages as one text, each of another speaker than the person with who says it.
    ///
    /// # Errors
    /// As [`ToolServers::prepare`]; `tool_failed` where it cannot be filled in or is no text.
    pub async fn prompt(
        &self,
        server: &str,
        name: &str,
        arguments: Map<String, Value>,
    ) -> Result<String, Error> {
        let connection = self.server(server)?.connection().await?;
        let mut request = GetPromptRequestParams::new(name);
        request.arguments = (!arguments.is_empty()).then_some(arguments);
        let filled = within(server, READ, asked(&connection).get_prompt(request)).await?;
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

/// The server, which may speak now.
fn asked(connection: &Connection) -> &Peer<RoleClient> {
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

/// What all pages of a list hold, up to the most that is read. A page without anything is the last one.
async fn every_page<'a, T>(
    page: impl Fn(Option<Cursor>) -> BoxFuture<'a, Result<(Vec<T>, Option<Cursor>), ServiceError>>,
) -> Result<Vec<T>, ServiceError> {
    let (mut all, mut cursor) = (Vec::new(), None);
    loop {
        let (listed, next) = page(cursor).await?;
        let is_last = listed.is_empty();
        all.extend(listed);
        cursor = next.filter(|_| !is_last && all.len() < MOST);
        if cursor.is_none() {
            all.truncate(MOST);
            return Ok(all);
        }
    }
}

/// Whether a name can be shown and given back as it is.
fn is_plain(name: &str) -> bool {
    name.len() <= LONGEST_ADDRESS && plain(name, usize::MAX) == name
}

async fn within<T>(
    server: &str,
    time: Duration,
    asking: impl Future<Output = Result<T, ServiceError>>,
) -> Result<T, Error> {
    match timeout(time, asking).await {
        Ok(Ok(told)) => Ok(told),
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
