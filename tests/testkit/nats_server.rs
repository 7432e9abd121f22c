//! A real NATS server for a test: on a free port of this machine, with a folder of its own, gone with the test. And a way to
//! it that can be cut.

#![allow(clippy::expect_used, clippy::panic, reason = "a test without its server fails here")]

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tempfile::TempDir;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The servers that `scripts/prepare tests` fetches, of the two ages that are supported.
pub fn nats_programs() -> Vec<PathBuf> {
    let root =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().find(|folder| folder.join("Cargo.lock").is_file());
    let programs = root.expect("a workspace").join(".tools/nats");
    let found: Vec<PathBuf> = ["system", "newest"]
        .map(|age| programs.join(age).join("nats-server"))
        .into_iter()
        .filter(|path| path.is_file())
        .collect();
    assert!(!found.is_empty(), "no NATS server in {}: run `scripts/prepare tests`", programs.display());
    found
}

/// A server that runs until it is dropped.
pub struct NatsServer {
    program: PathBuf,
    config: PathBuf,
    port: u16,
    child: Child,
    folder: TempDir,
}

impl NatsServer {
    /// Starts one with JetStream and these lines of configuration, and waits until it answers.
    pub async fn start(program: &Path, config: &str) -> NatsServer {
        NatsServer::with(program, &format!("jetstream {{ store_dir: \"DIR\" }}\n{config}")).await
    }

    /// Starts one with this configuration alone, in which `DIR` stands for its folder.
    pub async fn with(program: &Path, config: &str) -> NatsServer {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("nats.conf");
        let text = config.replace("DIR", &folder.path().display().to_string());
        std::fs::write(&file, text).expect("a configuration");
        // Taken and let go: the server is told which, so that it can be started again at the same place.
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        let child = spawn(program, &file, port);
        let mut server = NatsServer { program: program.to_owned(), config: file, port, child, folder };
        server.answers().await;
        server
    }

    /// Its port.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// The number of its process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Its folder.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Ends it at once, as when its machine fails.
    pub fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Ends it at once and starts it again with what it has stored.
    pub async fn restart(&mut self) {
        self.kill();
        self.child = spawn(&self.program, &self.config, self.port);
        self.answers().await;
    }

    async fn answers(&mut self) {
        for _ in 0..600 {
            if TcpStream::connect(("127.0.0.1", self.port)).await.is_ok() {
                return;
            }
            let ended = self.child.try_wait().ok().flatten();
            assert!(ended.is_none(), "{} ended: {ended:?}", self.program.display());
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        panic!("{} does not answer", self.program.display());
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}

fn spawn(program: &Path, config: &Path, port: u16) -> Child {
    Command::new(program)
        .args(["--addr", "127.0.0.1", "--port", &port.to_string(), "--config"])
        .arg(config)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("a server")
}

/// A way to a port of this machine that can be cut and mended.
pub struct Proxy {
    port: u16,
    is_open: Arc<watch::Sender<bool>>,
    listening: tokio::task::JoinHandle<()>,
}

impl Proxy {
    /// A way that is open.
    pub async fn to(target: u16) -> Proxy {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let is_open = Arc::new(watch::Sender::new(true));
        let state = is_open.clone();
        let listening = tokio::spawn(async move {
            while let Ok((mut near, _)) = listener.accept().await {
                let mut state = state.subscribe();
                if !*state.borrow_and_update() {
                    continue;
                }
                tokio::spawn(async move {
                    let Ok(mut far) = TcpStream::connect(("127.0.0.1", target)).await else { return };
                    tokio::select! {
                        _ = copy_bidirectional(&mut near, &mut far) => {}
                        _ = state.changed() => {}
                    }
                });
            }
        });
        Proxy { port, is_open, listening }
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// Breaks every connection and takes none.
    pub fn cut(&self) {
        self.is_open.send_replace(false);
    }

    /// Takes connections again.
    pub fn mend(&self) {
        self.is_open.send_replace(true);
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.listening.abort();
    }
}
