//! Tests of the installed browser with hostile pages, and of scripts that stand in for a failing browser.
#![cfg(unix)]

mod ends;
mod hostile;
mod server;

use std::net::IpAddr;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures::FutureExt as _;
use kernel::Code;
use net::{Addresses, Lookup};
use tempfile::TempDir;

use super::*;

/// The id of the unprivileged user that runs the browser when the tests run as root.
const UNPRIVILEGED_USER: u32 = 65_534;

/// When this variable is `1`, tests that start the browser are skipped.
const WITHOUT_BROWSER: &str = "GALLEY_WITHOUT_BROWSER";

/// The time limit for cleanup that ends on its own.
const CLEANUP_TIMEOUT: Duration = Duration::from_secs(20);

/// A DNS server that records its queries and resolves no name.
#[derive(Clone, Default)]
struct Names(Arc<Mutex<Vec<String>>>);

impl Lookup for Names {
    fn addresses(&self, name: &str) -> Addresses {
        self.0.lock().unwrap().push(name.to_owned());
        std::future::ready(Ok(vec![IpAddr::from([127, 0, 0, 1])])).boxed()
    }
}

/// A browser with a temporary folder for profiles.
struct Place {
    folder: TempDir,
    /// The script that stands in for a browser, if any.
    _program: Option<TempDir>,
    browser: Browser,
}

impl Place {
    /// The installed browser, which `scripts/prepare tests` installs. Without one a test fails, unless a variable
    /// allows skipping it.
    fn of_installed() -> Option<Place> {
        if std::env::var_os(WITHOUT_BROWSER).is_some_and(|value| value == "1") {
            println!("left out, because {WITHOUT_BROWSER} is 1");
            return None;
        }
        let program = programs::installed();
        let program = program.expect("no Chromium is installed; run `scripts/prepare tests` and test again");
        Some(Place::of(program))
    }

    /// A shell script that is started in place of a browser.
    fn of_script(lines: &str) -> Place {
        let mut place = Place::of(PathBuf::new());
        let programs = tempfile::tempdir().unwrap();
        let program = programs.path().join("stand-in");
        std::fs::write(&program, format!("#!/bin/bash\n{lines}\n")).unwrap();
        for path in [programs.path(), &program] {
            open_to_all(path);
        }
        place.browser.program = program;
        place._program = Some(programs);
        place
    }

    fn of(program: PathBuf) -> Place {
        let folder = tempfile::tempdir().unwrap();
        open_to_all(folder.path());
        let user = is_root().then_some(UNPRIVILEGED_USER);
        let mut browser = Browser::usable(Some(program), is_root(), user).unwrap();
        browser.folder = folder.path().to_owned();
        Place { folder, _program: None, browser }
    }

    /// Whether no process started for this place, and no folder of it, is left.
    fn is_clean(&self) -> bool {
        let folder = self.folder.path().display().to_string();
        let is_ours = |process: std::fs::DirEntry| {
            let command = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&command).contains(&folder)
        };
        let is_running =
            std::fs::read_dir("/proc").is_ok_and(|mut all| all.any(|one| one.is_ok_and(is_ours)));
        !is_running && std::fs::read_dir(&folder).unwrap().next().is_none()
    }

    /// Checks that nothing is left. Processes need a moment to end after their browser.
    async fn check_is_clean(&self) {
        let cleaned = async {
            while !self.is_clean() {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        let is_clean = tokio::time::timeout(CLEANUP_TIMEOUT, cleaned).await.is_ok();
        assert!(is_clean, "a process or a profile is left in {}", self.folder.path().display());
    }
}

fn open_to_all(path: &Path) {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
}

fn net_for(allowed: &[&str]) -> (Net, Names) {
    let names = Names::default();
    let net = Net::with(Arc::new(names.clone()), false).allowing(allowed.iter().copied());
    (net, names)
}

#[test]
fn as_root_it_fails_with_the_next_step() {
    let program = || Some(PathBuf::from("/usr/bin/chromium"));
    for (is_root, user) in [(true, None), (true, Some(0)), (false, Some(0))] {
        let error = Browser::usable(program(), is_root, user).unwrap_err();
        assert_eq!(error.code, Code::ToolFailed);
        assert!(error.message.contains("As root") && error.message.contains("ordinary user"), "{error:?}");
    }
    assert!(Browser::usable(program(), false, None).is_ok());
    if is_root() {
        assert!(Browser::find().unwrap_err().message.contains("As root"));
    }
}

#[test]
fn without_a_browser_the_error_names_browsers_to_install() {
    let error = Browser::usable(None, false, None).unwrap_err();
    assert!(error.message.contains("Chromium") && error.message.contains("install one"), "{error:?}");
}

#[tokio::test]
async fn the_sandbox_stays_enabled_and_all_traffic_uses_the_proxy() {
    let (net, _) = net_for(&[]);
    let page = Url::parse("http://page.example.org/?a=--no-sandbox").unwrap();
    let proxy = net.proxy_for(&page, ProxyCaps::default()).await.unwrap();
    let mut arguments = arguments::of(&page, &proxy);
    assert_eq!(arguments.pop().unwrap(), page.to_string(), "the page is the last of them");
    assert!(arguments.iter().all(|argument| argument.starts_with("--") && !argument.contains("sandbox")));
    assert!(arguments.contains(&format!("--proxy-server=http://{}", proxy.address())));
    assert!(arguments.iter().any(|argument| argument.contains(kernel::USER_AGENT)));
}
