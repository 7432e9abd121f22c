//! `galley tool-server`: lists, adds, tests and removes MCP servers.

use std::collections::BTreeMap;
use std::path::PathBuf;

use desk::api::{
    AddTools, DocumentText, GivenValue, ImportToolServers, ImportedToolServers, Named, Nothing,
    ReadServerText, SaveToolServer, ServerText, ServerTexts, ToolServerCard, ToolServerCards,
    ToolServerSetup, ToolServerSignIn, ToolServerTest,
};
use desk::{ApiError, Desk};

use crate::arguments::{AddToolServer, ReadText, SignInToolServer, ToolServer};
use crate::desk_client::{ask, open};
use crate::table::{one_line, table};
use crate::{option_values, output};

/// `galley tool-server`.
pub(crate) async fn tool_server(data_dir: Option<PathBuf>, asked: ToolServer) -> Result<u8, ApiError> {
    // Standard input is read first: if it cannot be read, nothing is changed.
    match asked {
        ToolServer::List => {
            let found: ToolServerCards = ask(&open(data_dir).await?, "list_tool_servers", Nothing {}).await?;
            let rows: Vec<Vec<String>> = found.servers.iter().map(row).collect();
            output::write(&table(&["NAME", "WHERE", "TOOLS", "STATE"], &rows))?;
            for (pipeline, tools) in &found.pipelines {
                output::write(&format!("{pipeline}: {}\n", one_line(&tools.join(" "))))?;
            }
        }
        ToolServer::Add(asked) => {
            let value =
                if asked.set_stdin.is_some() { Some(option_values::standard_input("value")?) } else { None };
            let request = request(asked, value)?;
            let name = request.setup.name.clone();
            let _: ToolServerCards = ask(&open(data_dir).await?, "save_tool_server", request).await?;
            output::tell(&format!(
                "The tool server {name} is kept; `galley tool-server test {name}` starts it and lists its tools"
            ));
        }
        ToolServer::Import { file } => {
            let text = option_values::text_of(&file.display().to_string(), "")?;
            let request = ImportToolServers { text, for_session: false };
            let imported: ImportedToolServers =
                ask(&open(data_dir).await?, "import_tool_servers", request).await?;
            for name in &imported.added {
                output::write(&format!("{name}: added\n"))?;
            }
            for refused in &imported.refused {
                output::write(&format!("{}: {}\n", refused.name, one_line(&refused.why.english())))?;
            }
            return Ok(if imported.refused.is_empty() { 0 } else { 1 });
        }
        ToolServer::Test { name } => {
            let desk = open(data_dir).await?;
            let tested = test(&desk, &name).await;
            desk.close().await;
            output::write(&tested?)?;
        }
        ToolServer::Texts { name } => {
            let desk = open(data_dir).await?;
            let found = ask::<ServerTexts>(&desk, "list_server_texts", Named { name }).await;
            desk.close().await;
            output::write(&texts(&found?))?;
        }
        ToolServer::Read(asked) => {
            let request = text_request(asked)?;
            let desk = open(data_dir).await?;
            let read = ask::<DocumentText>(&desk, "read_server_text", request).await;
            desk.close().await;
            output::write(&format!("{}\n", read?.text.trim_end()))?;
        }
        ToolServer::Use { pipeline, tools } => {
            let request = AddTools { pipeline, tools };
            let _: ToolServerCards = ask(&open(data_dir).await?, "add_tools_to_pipeline", request).await?;
        }
        ToolServer::SignIn(asked) => {
            let desk = open(data_dir).await?;
            let signed_in = sign_in(&desk, asked).await;
            desk.close().await;
            output::tell(&signed_in?);
        }
        ToolServer::SignOut { name } => change(data_dir, "sign_out_tool_server", name).await?,
        ToolServer::Remove { name } => change(data_dir, "remove_tool_server", name).await?,
    }
    Ok(0)
}

fn texts(found: &ServerTexts) -> String {
    let about = |title: &str, description: &str| one_line(&[title, description].join("  "));
    let resources = found.resources.iter();
    let resources = resources.map(|one| vec![one_line(&one.uri), about(&one.title, &one.description)]);
    let prompts = found.prompts.iter().map(|one| {
        let arguments = one.arguments.iter();
        let named =
            arguments.map(|one| if one.is_required { one.name.clone() } else { format!("[{}]", one.name) });
        let named: Vec<String> = named.collect();
        let call = format!("{} {}", one.name, named.join(" "));
        vec![one_line(call.trim()), about(&one.title, &one.description)]
    });
    let rows: [Vec<Vec<String>>; 2] = [resources.collect(), prompts.collect()];
    table(&["RESOURCE", "DESCRIPTION OF THE SERVER"], &rows[0])
        + &table(&["PROMPT", "DESCRIPTION OF THE SERVER"], &rows[1])
}

fn text_request(asked: ReadText) -> Result<ReadServerText, ApiError> {
    let what = match (asked.resource, asked.prompt) {
        (Some(uri), _) => ServerText::Resource { uri },
        (None, prompt) => {
            let arguments = asked.set.iter().map(|pair| pair_of(pair)).collect::<Result<_, _>>()?;
            ServerText::Prompt { prompt: prompt.unwrap_or_default(), arguments }
        }
    };
    Ok(ReadServerText { server: asked.name, what })
}

/// Changes one server, and prints the remarks on it.
async fn change(data_dir: Option<PathBuf>, command: &str, name: String) -> Result<(), ApiError> {
    let done: ToolServerCards = ask(&open(data_dir).await?, command, Named { name }).await?;
    if let Some(remark) = done.remark {
        output::tell(&one_line(&remark.english()));
    }
    Ok(())
}

async fn sign_in(desk: &Desk, asked: SignInToolServer) -> Result<String, ApiError> {
    let SignInToolServer { name, scope, client, no_browser } = asked;
    let is_exact = !scope.is_empty();
    let request = desk::api::SignInToolServer { name: name.clone(), scopes: scope, is_exact, client };
    let begun: ToolServerSignIn = ask(desk, "sign_in_tool_server", request).await?;
    output::write(&format!("{}\n", begun.address))?;
    let is_opened = !no_browser && open::that_detached(&begun.address).is_ok();
    output::tell(match is_opened {
        true => "Sign in in the browser that opens; Ctrl+C cancels",
        false => "Open this address in a browser of this machine to sign in; Ctrl+C cancels",
    });
    let cards: ToolServerCards = ask(desk, "finish_sign_in", Named { name: name.clone() }).await?;
    let card = cards.servers.into_iter().find(|card| card.setup.name == name);
    let scopes = card.and_then(|card| card.signed_in).map(|signed_in| signed_in.scopes).unwrap_or_default();
    Ok(match scopes.is_empty() {
        true => format!("You are signed in at {name}"),
        false => one_line(&format!("You are signed in at {name} for {}", scopes.join(", "))),
    })
}

async fn test(desk: &Desk, name: &str) -> Result<String, ApiError> {
    let tested: ToolServerTest = ask(desk, "test_tool_server", Named { name: name.to_owned() }).await?;
    let protocol = if tested.is_new_protocol { "2026-07-28" } else { "initialize" };
    let mut report = format!("{} ({protocol})\n", if tested.title.is_empty() { name } else { &tested.title });
    let rows: Vec<Vec<String>> = tested
        .tools
        .iter()
        .map(|tool| {
            vec![format!("{name}/{}", tool.name), tool.tokens.to_string(), one_line(&tool.description)]
        })
        .collect();
    report += &table(&["TOOL", "TOKENS", "DESCRIPTION OF THE SERVER"], &rows);
    for refused in &tested.refused {
        report += &format!("{} is not offered: {}\n", refused.name, one_line(&refused.why.english()));
    }
    if !tested.standard_error.trim().is_empty() {
        report += &format!("\nStandard error:\n{}\n", tested.standard_error.trim_end());
    }
    Ok(report)
}

fn row(card: &ToolServerCard) -> Vec<String> {
    let setup = &card.setup;
    let place = match setup.url.is_empty() {
        true => format!("{} {}", setup.command, setup.args.join(" ")),
        false => setup.url.clone(),
    };
    let state = match (setup.is_off, card.signed_in.is_some()) {
        (true, _) => "off",
        (false, true) => "on, signed in",
        (false, false) => "on",
    };
    vec![setup.name.clone(), one_line(place.trim()), card.listed.len().to_string(), state.to_owned()]
}

fn request(asked: AddToolServer, value: Option<String>) -> Result<SaveToolServer, ApiError> {
    let mut given = BTreeMap::new();
    for pair in &asked.set {
        let (name, text) = pair_of(pair)?;
        given.insert(name, GivenValue::Text { text });
    }
    for pair in &asked.set_env {
        let (name, variable) = pair_of(pair)?;
        given.insert(name, GivenValue::Variable { variable });
    }
    let mut values = BTreeMap::new();
    if let (Some(name), Some(value)) = (asked.set_stdin, value) {
        given.insert(name.clone(), GivenValue::Keyring);
        values.insert(name, value);
    }
    let mut words = asked.command.into_iter();
    let setup = ToolServerSetup {
        name: asked.name,
        command: words.next().unwrap_or_default(),
        args: words.collect(),
        folder: asked.folder,
        url: asked.url,
        given,
        tools: asked.tool,
        timeout_s: asked.timeout,
        is_off: false,
    };
    Ok(SaveToolServer { setup, replaces: None, values, for_session: false })
}

fn pair_of(pair: &str) -> Result<(String, String), ApiError> {
    match pair.split_once('=').filter(|(name, _)| !name.is_empty()) {
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => Err(option_values::refused(format!("`{pair}` has no name and value; write NAME=VALUE"))),
    }
}
