//! The arguments of the browser. Each one blocks traffic past the proxy, or disables a feature that no page needs. The
//! test with a hostile page checks all of them against the installed browser, because names of switches change.

use net::{Proxy, Url};

/// The address for the browser's own services: a local port that Chromium itself refuses to contact.
const UNREACHABLE: &str = "http://127.0.0.1:9/";

/// The virtual time of a page in milliseconds: its timers fire at once, and loading is waited for until the proxy
/// blocks all traffic.
const VIRTUAL_TIME_MS: u64 = 10_000;

/// The switches, and the address of the page.
pub(crate) fn of(page: &Url, proxy: &Proxy) -> Vec<String> {
    let fixed = [
        "--headless",
        "--dump-dom",
        // All traffic uses the proxy, also that to this machine.
        "--proxy-bypass-list=<-loopback>",
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
        "--disable-quic",
        // The second name is for older versions.
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--disable-features=WebTransport,DirectSockets,MediaRouter,DialMediaRouteProvider,OptimizationHints,\
         NetworkTimeServiceQuerying,Translate,AutofillServerCommunication",
        // Disables the browser's own background requests.
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
        // Hides information about the machine from the page.
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
        format!("--component-updater=url-source={UNREACHABLE}"),
        format!("--apps-gallery-update-url={UNREACHABLE}"),
        format!("--gaia-url={UNREACHABLE}"),
        format!("--google-apis-url={UNREACHABLE}"),
        format!("--google-url={UNREACHABLE}"),
    ];
    let of_page = [
        format!("--proxy-server=http://{}", proxy.address()),
        // A user agent that names this program, in the usual form.
        format!(
            "--user-agent=Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome Safari/537.36 {}",
            proxy.agent()
        ),
        format!("--virtual-time-budget={VIRTUAL_TIME_MS}"),
        page.to_string(),
    ];
    fixed.into_iter().map(str::to_owned).chain(own_services).chain(of_page).collect()
}
