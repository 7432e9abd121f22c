//! A desk in a process of its own, which is asked over the bridge.

use std::io::{BufRead, BufReader};
use std::process::{Child, Stdio};

use serde_json::{Value, json};

use super::galley::{Galley, program};

/// A desk in a process of its own that can be killed.
pub(crate) struct Host {
    child: Child,
    address: String,
    token: String,
    runtime: tokio::runtime::Runtime,
}

impl Host {
    /// A desk in the data folder of this place.
    pub(crate) fn open(galley: &Galley) -> Host {
        let mut command = galley.command(&program().with_file_name("bridge"));
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let (address, token) = line.trim().split_once("/#token=").unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Host { child, address: address.to_owned(), token: token.to_owned(), runtime }
    }

    /// What a command gives, or why it is refused.
    pub(crate) fn ask(&self, command: &str, payload: Value) -> Result<Value, Value> {
        self.runtime.block_on(async {
            let request =
                reqwest::Client::new().post(format!("{}/rpc", self.address)).bearer_auth(&self.token);
            let body = json!({"cmd": command, "payload": payload}).to_string();
            let request = request.header("content-type", "application/json").body(body);
            let response = request.send().await.unwrap();
            let is_ok = response.status().is_success();
            let told: Value = serde_json::from_str(&response.text().await.unwrap()).unwrap();
            if is_ok { Ok(told) } else { Err(told) }
        })
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}
