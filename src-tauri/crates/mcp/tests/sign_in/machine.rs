//! A machine on which the user signs in: its data folder, its keyring, its processes, and the server.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use async_trait::async_trait;
use engine::ToolContext;
use kernel::{Code, Error, Phrase, phrase};
use mcp::{Keyring, ServerConfig, SignIn, SignInRequest, ToolServers};
use secrecy::{ExposeSecret, SecretString};
use serde_json::json;
use tokio::task::JoinHandle;

use crate::oauth_server::OAuthServer;

/// The keyring of all processes.
#[derive(Default, Clone)]
pub(crate) struct SharedKeyring {
    kept: Arc<Mutex<BTreeMap<String, String>>>,
    is_locked: Arc<AtomicBool>,
    is_read_only: Arc<AtomicBool>,
    /// In characters.
    pub(crate) longest: Option<usize>,
}

impl SharedKeyring {
    /// Makes the keyring unavailable.
    pub(crate) fn lock(&self) {
        self.is_locked.store(true, Ordering::SeqCst);
    }

    /// Makes the keyring read-only.
    pub(crate) fn refuse_changes(&self, is_read_only: bool) {
        self.is_read_only.store(is_read_only, Ordering::SeqCst);
    }

    fn entries(&self, refuses: &AtomicBool) -> Result<MutexGuard<'_, BTreeMap<String, String>>, Error> {
        match refuses.load(Ordering::SeqCst) {
            true => Err(Error::new(
                Code::KeyUnavailable,
                Phrase::sentences([phrase!("It is locked."), phrase!("Keep the key for this session only.")]),
            )),
            false => Ok(self.kept.lock().unwrap()),
        }
    }
}

#[async_trait]
impl Keyring for SharedKeyring {
    async fn value(&self, _: &str, _: &ServerConfig, _: &str) -> Result<SecretString, Error> {
        unreachable!("no server of these tests has a value in the keyring")
    }

    async fn sign_in(&self, entry: &str) -> Result<Option<SecretString>, Error> {
        Ok(self.entries(&self.is_locked)?.get(entry).map(|text| text.as_str().into()))
    }

    async fn keep_sign_in(&self, entry: &str, kept: Option<SecretString>) -> Result<(), Error> {
        let mut all = self.entries(&self.is_read_only)?;
        let characters = kept.as_ref().map_or(0, |text| text.expose_secret().chars().count());
        assert!(self.longest.is_none_or(|longest| characters <= longest), "{characters} characters");
        match kept {
            Some(text) => all.insert(entry.to_owned(), text.expose_secret().to_owned()),
            None => all.remove(entry),
        };
        Ok(())
    }

    fn longest_entry(&self) -> Option<usize> {
        self.longest
    }
}

/// A machine with a data folder and a keyring.
pub(crate) struct Machine {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) keyring: SharedKeyring,
    pub(crate) server: OAuthServer,
}

impl Machine {
    pub(crate) fn new() -> Machine {
        Machine {
            folder: tempfile::tempdir().unwrap(),
            keyring: SharedKeyring::default(),
            server: OAuthServer::start(),
        }
    }

    /// A new process on this machine.
    pub(crate) fn process(&self) -> ToolServers {
        let servers = ToolServers::new(None, self.folder.path(), Arc::new(self.keyring.clone()));
        let config = ServerConfig { url: Some(self.server.url()), ..ServerConfig::default() };
        servers.set([("guarded".to_owned(), config)].into());
        servers
    }

    /// A process in which the user has signed in.
    pub(crate) async fn signed_in(&self, scopes: &[&str]) -> ToolServers {
        let servers = self.process();
        sign_in(&servers, scopes).await.unwrap();
        servers
    }

    /// The number of entries in the keyring.
    pub(crate) fn entries(&self) -> usize {
        self.keyring.kept.lock().unwrap().len()
    }

    /// The stored text of the only sign-in.
    pub(crate) fn kept(&self) -> Option<String> {
        self.keyring.kept.lock().unwrap().values().next().cloned()
    }

    /// The content of all files in the data folder.
    pub(crate) fn files(&self) -> String {
        let mut folders = vec![self.folder.path().to_owned()];
        let mut text = String::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => text += &std::fs::read_to_string(path).unwrap(),
                }
            }
        }
        text
    }
}

pub(crate) fn asking(scopes: &[&str]) -> SignInRequest {
    let scopes = scopes.iter().map(|scope| (*scope).to_owned()).collect();
    SignInRequest { scopes, ..SignInRequest::default() }
}

pub(crate) async fn sign_in(servers: &ToolServers, scopes: &[&str]) -> Result<mcp::SignedIn, Error> {
    sign_in_for(servers, asking(scopes)).await
}

pub(crate) async fn sign_in_for(servers: &ToolServers, asked: SignInRequest) -> Result<mcp::SignedIn, Error> {
    let sign_in = servers.begin_sign_in("guarded", asked).await?;
    let browser = browse(&sign_in);
    let signed_in = finish(sign_in).await;
    browser.await.unwrap();
    signed_in
}

pub(crate) async fn finish(sign_in: SignIn) -> Result<mcp::SignedIn, Error> {
    sign_in.wait().await?.keep().await
}

/// Opens the address of a sign-in as a browser does.
pub(crate) fn browse(sign_in: &SignIn) -> JoinHandle<(u16, String)> {
    let address = sign_in.address().to_owned();
    tokio::spawn(async move { visit(&address).await })
}

/// The status and the page at an address.
pub(crate) async fn visit(address: &str) -> (u16, String) {
    let answer = reqwest::Client::builder().no_proxy().build().unwrap().get(address).send().await.unwrap();
    (answer.status().as_u16(), answer.text().await.unwrap())
}

pub(crate) async fn call(servers: &ToolServers, tool: &str) -> Result<String, Error> {
    let name = format!("guarded/{tool}");
    servers.prepare(&name).await?;
    let result = servers.tool(&name).unwrap().call(&json!({}), &ToolContext::default()).await?;
    Ok(result.output.0["text"].as_str().unwrap().to_owned())
}
