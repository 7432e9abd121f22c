//! The arguments of the browser. Each switches off a way past the proxy, or something that no page needs.
//! The test with a hostile page holds every one of them against the browser that is installed: names of switches change.

use net::{Proxy, Url};

/// Where the browser's own services are looked for: a port of this machine at which Chromium itself refuses to ask.
const NOWHERE: &str = "http://127.0.0.1:9/";

/// Virtual time that a page gets, in milliseconds: its timers run at once, and what it loads is waited for, which ends
/// where the proxy lets nothing through any more.
const VIRTUAL_TIME_MS: u64 = 10_000;

/// The switches, and the page.
pub(crate) fn of(page: &Url, proxy: &Proxy) -> Vec<String> {
    let fixed = [
        "--headless",
        "--dump-dom",
        // All goes through the proxy, also what is addressed to this machine.
        "--proxy-bypass-list=<-loopback>",
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        "--disable-quic",
        // The second name is that of older versions.
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-features=WebTransport,DirectSockets,MediaRouter,DialMediaRouteProvider,OptimizationHints,\
         NetworkTimeServiceQuerying,Translate,AutofillServerCommunication",
        // The browser contacts no service of its own.
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-extensions",
        "--disable-component-extensions-with-background-pages",
        "--disable-default-apps",
        "--disable-domain-reliability",
        "--disable-client-side-phishing-detection",
        "--disable-field-trial-config",
        "--disable-breakpad",
        "--disable-search-engine-choice-screen",
        "--metrics-recording-only",
        "--no-default-browser-check",
        "--no-first-run",
        "--no-pings",
        // Nothing of the machine is shown to the page.
        "--incognito",
        "--deny-permission-prompts",
        "--disable-gpu",
        "--disable-notifications",
        "--disable-speech-api",
        "--mute-audio",
        "--password-store=basic",
        "--use-mock-keychain",
        "--js-flags=--max-old-space-size=512",
        "--window-size=1280,1600",
    ];
    let own_services = [
        format!("--component-updater=url-source={NOWHERE}"),
        format!("--apps-gallery-update-url={NOWHERE}"),
        format!("--gaia-url={NOWHERE}"),
        format!("--google-apis-url={NOWHERE}"),
        format!("--google-url={NOWHERE}"),
    ];
    let of_page = [
        format!("--proxy-server=http://{}", proxy.address()),
        // It says that it is a program and which one, in the form that pages know.
        format!(
            "--user-agent=Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome Safari/537.36 {}",
            proxy.agent()
        ),
        format!("--virtual-time-budget={VIRTUAL_TIME_MS}"),
        page.to_string(),
    ];
    fixed.into_iter().map(str::to_owned).chain(own_services).chain(of_page).collect()
}
