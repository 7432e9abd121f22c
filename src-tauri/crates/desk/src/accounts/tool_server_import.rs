//! Imports MCP servers from the files of other programs: `mcpServers`, or `servers`.

use std::collections::BTreeMap;

use kernel::{Code, Phrase, phrase};
use serde::Deserialize;

use crate::ApiError;
use crate::api::{GivenValue, ToolServerSetup};

/// Longest file, in bytes.
const LONGEST_FILE: usize = 1 << 20;

#[derive(Deserialize)]
struct File {
    #[serde(default, rename = "mcpServers")]
    mcp_servers: BTreeMap<String, Entry>,
    #[serde(default)]
    servers: BTreeMap<String, Entry>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Entry {
    command: String,
    args: Vec<String>,
    env: BTreeMap<String, String>,
    cwd: String,
    url: String,
    headers: BTreeMap<String, String>,
    disabled: bool,
}

/// A server with its values for the keyring.
pub(crate) type ReadServer = (ToolServerSetup, BTreeMap<String, String>);

/// Reads the servers of such a file. All values go into the keyring, because secrets cannot be distinguished from other
/// values.
///
/// # Errors
/// `bad_input` where the file has another format.
pub(crate) fn read_servers(text: &str) -> Result<Vec<ReadServer>, ApiError> {
    let bad = |why: Phrase| {
        let message = phrase!(
            "This is not a file of MCP servers: {why}. Choose one with `mcpServers` in it, as other programs write it",
            why
        );
        ApiError::new(Code::BadInput, message)
    };
    if text.len() > LONGEST_FILE {
        return Err(bad(phrase!("it is too long")));
    }
    let file: File = serde_json::from_str(text).map_err(|error| bad(Phrase::verbatim(error.to_string())))?;
    let servers: Vec<ReadServer> = file.mcp_servers.into_iter().chain(file.servers).map(read).collect();
    if servers.is_empty() { Err(bad(phrase!("it names no server"))) } else { Ok(servers) }
}

fn read((name, entry): (String, Entry)) -> ReadServer {
    let is_address = !entry.url.is_empty();
    let (mut given, mut values) = (BTreeMap::new(), BTreeMap::new());
    for (variable, value) in if is_address { entry.headers } else { entry.env } {
        let of_variable = value.strip_prefix("${").and_then(|rest| rest.strip_suffix('}'));
        let from = match of_variable.map(|named| named.strip_prefix("env:").unwrap_or(named)) {
            Some(named) => GivenValue::Variable { variable: named.to_owned() },
            None => {
                values.insert(variable.clone(), value);
                GivenValue::Keyring
            }
        };
        given.insert(variable, from);
    }
    let setup = ToolServerSetup {
        name: server_name(&name),
        command: entry.command,
        args: entry.args,
        folder: entry.cwd,
        url: entry.url,
        given,
        is_off: entry.disabled,
        ..ToolServerSetup::default()
    };
    (setup, values)
}

/// Converts another program's name of a server: `GitHub (work)` becomes `github-work`.
fn server_name(name: &str) -> String {
    let sign = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' };
    let signs: String = name.to_lowercase().chars().map(sign).collect();
    let words: Vec<&str> = signs.split('-').filter(|word| !word.is_empty()).collect();
    words.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_another_program_gives_its_servers_and_keeps_values_apart() {
        let text = r#"{"mcpServers": {
            "GitHub (work)": {"command": "npx", "args": ["-y", "x"], "env": {"TOKEN": "abc", "HOST": "${GH_HOST}"}},
            "web": {"type": "http", "url": "https://example.org/mcp", "headers": {"Authorization": "Bearer x"}, "disabled": true}
        }, "inputs": []}"#;
        let servers = read_servers(text).unwrap();
        let (github, values) = &servers[0];
        assert_eq!((github.name.as_str(), github.command.as_str()), ("github-work", "npx"));
        assert_eq!(github.given["HOST"], GivenValue::Variable { variable: "GH_HOST".into() });
        assert_eq!(github.given["TOKEN"], GivenValue::Keyring);
        assert_eq!(values["TOKEN"], "abc");
        assert!(servers[1].0.is_off && servers[1].1["Authorization"] == "Bearer x");
        for text in ["", "[]", "{}", r#"{"mcpServers": {"a": 3}}"#] {
            assert!(read_servers(text).is_err(), "{text}");
        }
    }
}
