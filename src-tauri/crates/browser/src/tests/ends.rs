//! Endless pages, and programs that are no browser: each ends at its limit, and nothing is left of it.

use super::server::{Reply, Server};
use super::*;

fn page_of(path: &str) -> Reply {
    let script = match path {
        "/never" => "while (true) {}",
        "/grows" => "for (let i = 0; i < 40; i++) document.write('<p>' + 'x'.repeat(100000) + '</p>')",
        "/loads" => {
            "fetch('/flood').then(answer => answer.text()).catch(() => document.body.append('stopped'))"
        }
        "/connects" => {
            "Promise.allSettled(Array.from({length: 1000}, (_, i) => fetch('/data?' + i))).then(all => \
             document.body.append('loaded ' + (all.filter(one => one.status == 'fulfilled').length < 100)))"
        }
        "/waits" => "fetch('/silence')",
        "/data" => return Reply::Page("x".to_owned()),
        "/flood" => return Reply::Flood,
        "/silence" => return Reply::Silence,
        _ => return Reply::Page("x".to_owned()),
    };
    Reply::Page(format!("<!doctype html><body><p>本文</p><script>{script}</script></body>"))
}

async fn read(place: &Place, server: &Server, path: &str) -> Result<RenderedPage, Error> {
    let (net, _) = net_for(&[&server.base]);
    place.browser.read(&net, &Url::parse(&format!("{}{path}", server.base)).unwrap()).await
}

#[tokio::test]
async fn an_endless_page_ends_at_the_time_limit_without_leftovers() {
    let server = Server::start(page_of);
    let Some(mut place) = Place::of_installed() else { return };
    place.browser.caps.within = Duration::from_secs(8);
    let error = read(&place, &server, "/never").await.unwrap_err();
    assert_eq!(error.code, Code::Timeout, "{error:?}");
    place.check_is_clean().await;
}

#[tokio::test]
async fn a_page_that_grows_without_end_is_refused() {
    let server = Server::start(page_of);
    let Some(mut place) = Place::of_installed() else { return };
    place.browser.caps.most_bytes = 1 << 20;
    let error = read(&place, &server, "/grows").await.unwrap_err();
    assert!(error.message.contains("larger than 1048576 bytes"), "{error:?}");
    place.check_is_clean().await;
}

#[tokio::test]
async fn traffic_and_connections_beyond_the_limits_are_dropped() {
    let server = Server::start(page_of);
    let Some(mut place) = Place::of_installed() else { return };
    place.browser.caps.most_traffic = 4 << 20;
    let flooded = read(&place, &server, "/loads").await.unwrap();
    let html = String::from_utf8_lossy(&flooded.html);
    assert!(html.contains("本文") && html.ends_with("stopped</body></html>\n"), "{html}");
    let is_too_large = |error: &NetError| matches!(error, NetError::TooLarge { .. });
    assert!(flooded.errors.iter().any(is_too_large), "{:?}", flooded.errors);

    place.browser.caps.most_connections = 50;
    let connected = read(&place, &server, "/connects").await.unwrap();
    assert!(String::from_utf8_lossy(&connected.html).contains("loaded true"));
    let is_too_many = |error: &NetError| matches!(error, NetError::TooManyConnections { most: 50, .. });
    assert!(connected.errors.iter().any(is_too_many), "{:?}", connected.errors);
    assert!(server.paths().iter().filter(|path| path.starts_with("/data")).count() <= 50);
    place.check_is_clean().await;
}

#[tokio::test]
async fn a_page_that_waits_for_an_answer_is_printed_as_it_is() {
    let server = Server::start(page_of);
    let Some(mut place) = Place::of_installed() else { return };
    place.browser.caps.quiet = Duration::from_secs(2);
    let read = read(&place, &server, "/waits").await.unwrap();
    assert!(server.paths().contains(&"/silence".to_owned()));
    assert!(String::from_utf8_lossy(&read.html).contains("本文"));
    place.check_is_clean().await;
}

#[tokio::test]
async fn dropping_the_future_ends_the_browser() {
    let server = Server::start(page_of);
    let Some(place) = Place::of_installed() else { return };
    tokio::select! {
        read = read(&place, &server, "/never") => panic!("{read:?}"),
        () = server.is_asked("/never") => {}
    }
    place.check_is_clean().await;
}

#[tokio::test]
async fn a_browser_that_does_not_start_says_why() {
    let server = Server::start(page_of);
    let no_sandbox = Place::of_script("echo 'FATAL: No usable sandbox! If you are on Ubuntu' >&2; exit 1");
    let error = read(&no_sandbox, &server, "/").await.unwrap_err();
    assert!(error.message.contains("cannot start its sandbox"), "{error:?}");
    assert!(error.message.contains("net.browser false"), "{error:?}");
    no_sandbox.check_is_clean().await;

    let empty = Place::of_script("exit 0");
    let error = read(&empty, &server, "/").await.unwrap_err();
    assert_eq!(error.code, Code::Network);
    assert!(error.message.contains("could not open the page of 127.0.0.1"), "{error:?}");
    empty.check_is_clean().await;

    let past_proxy = Place::of_script("echo '<p>from elsewhere</p>'");
    let error = read(&past_proxy, &server, "/").await.unwrap_err();
    assert!(error.message.contains("loaded the page of 127.0.0.1 past Galley"), "{error:?}");
    past_proxy.check_is_clean().await;

    let missing = Place::of(PathBuf::from("/nowhere/chromium"));
    let error = read(&missing, &server, "/").await.unwrap_err();
    assert!(error.message.contains("`/nowhere/chromium` cannot be started"), "{error:?}");
    missing.check_is_clean().await;
}

#[tokio::test]
async fn an_endlessly_printing_program_is_killed_with_its_children() {
    let server = Server::start(page_of);
    let mut place = Place::of_script("(yes error >&2) & sleep 1000 & yes");
    place.browser.caps.most_bytes = 1 << 20;
    let error = read(&place, &server, "/").await.unwrap_err();
    assert!(error.message.contains("larger than"), "{error:?}");
    place.check_is_clean().await;
}

#[tokio::test]
async fn it_gets_only_the_necessary_environment() {
    let server = Server::start(page_of);
    // It connects to the proxy as a browser does.
    let place = Place::of_script(
        "for argument; do case $argument in --proxy-server=*) port=${argument##*:} ;; esac; done\n\
         exec 3<>/dev/tcp/127.0.0.1/$port; printf 'GET / HTTP/1.1\\r\\n\\r\\n' >&3; read -r _ <&3; env",
    );
    let read = read(&place, &server, "/").await.unwrap();
    let text = String::from_utf8(read.html).unwrap();
    let known = ["PATH", "LANG", "LC_ALL", "HOME", "TMPDIR", "TEMP", "TMP", "PWD", "SHLVL", "_", "OLDPWD"];
    let known = known.into_iter().chain(["USERPROFILE", "APPDATA", "LOCALAPPDATA"]);
    let known: Vec<&str> = known.collect();
    for name in text.lines().filter_map(|line| Some(line.split_once('=')?.0)) {
        assert!(known.contains(&name) || name.starts_with("XDG_") || name.starts_with("DBUS_"), "{name}");
    }
    let folder = place.folder.path().display().to_string();
    assert!(text.contains(&format!("HOME={folder}/{}", profile::PREFIX)), "{text}");
}

#[tokio::test]
async fn a_profile_that_a_killed_program_left_is_removed_a_day_later() {
    let server = Server::start(page_of);
    let place = Place::of_script("exit 0");
    let [old, new, other] =
        [format!("{}old", profile::PREFIX), format!("{}new", profile::PREFIX), "other".to_owned()]
            .map(|name| place.folder.path().join(name));
    for folder in [&old, &new, &other] {
        std::fs::create_dir(folder).unwrap();
    }
    let two_days_ago = std::time::SystemTime::now() - Duration::from_secs(2 * 24 * 60 * 60);
    for folder in [&old, &other] {
        std::fs::File::open(folder).unwrap().set_modified(two_days_ago).unwrap();
    }
    assert!(read(&place, &server, "/").await.is_err());
    assert_eq!([old, new, other].map(|folder| folder.exists()), [false, true, true]);
}
