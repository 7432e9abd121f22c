//! Signing in at a server over OAuth, as two processes with one keyring and one data folder do.

#![allow(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    missing_docs,
    unused_crate_dependencies,
    reason = "a test ends where something unexpected comes, and uses a part of what the crate uses"
)]

#[path = "../../../../../tests/testkit/loopback.rs"]
#[allow(dead_code, unreachable_pub, reason = "what the testkit beside it uses")]
mod loopback;
#[path = "../../../../../tests/testkit/oauth_server.rs"]
#[allow(dead_code, unreachable_pub, reason = "what the testkit beside it uses")]
mod oauth_server;

mod changes;
mod machine;

use std::time::Duration;

use kernel::{Code, ToolFailure};
use machine::{Machine, asking, call, finish, sign_in, visit};
use mcp::Revocation;
use oauth_server::OAuthServer;
use serde_json::json;

#[tokio::test]
async fn a_server_reports_a_missing_sign_in_and_works_after_it() {
    let machine = Machine::new();
    let servers = machine.process();
    let error = call(&servers, "look").await.unwrap_err();
    assert_eq!(error.code, Code::PermissionNeeded);
    assert!(error.message.contains("`galley tool-server sign-in guarded`"), "{error}");
    assert_eq!(servers.signed_in("guarded"), None);

    let signed_in = sign_in(&servers, &[]).await.unwrap();
    assert_eq!(signed_in.scopes, ["offline_access", "read"]);
    assert_eq!(call(&servers, "look").await.unwrap(), "look: done");
    assert_eq!(call(&machine.process(), "look").await.unwrap(), "look: done", "another process");
    assert_eq!(servers.signed_in("guarded"), Some(signed_in));
    let seen = machine.server.seen();
    assert_eq!((seen.refreshed, seen.refused), (0, Vec::new()));
    // Tokens are in the keyring, and nowhere else.
    let kept = machine.kept().unwrap();
    assert!(kept.contains("access-") && kept.contains("refresh-"));
    assert!(
        !["access-", "refresh-"].iter().any(|word| machine.files().contains(word)),
        "{}",
        machine.files()
    );
}

#[tokio::test]
async fn two_processes_share_one_concurrent_refresh() {
    let machine = Machine::new();
    let first = machine.signed_in(&[]).await;
    let second = machine.process();
    call(&first, "look").await.unwrap();
    call(&second, "look").await.unwrap();
    for round in 1..=3 {
        machine.server.end_access_tokens();
        let (one, other) = tokio::join!(call(&first, "look"), call(&second, "look"));
        assert_eq!((one.unwrap(), other.unwrap()), ("look: done".to_owned(), "look: done".to_owned()));
        let seen = machine.server.seen();
        assert_eq!((seen.refreshed, seen.reused), (round, 0), "{:?}", seen.refused);
    }
}

#[tokio::test]
async fn a_token_is_renewed_at_its_expiry_and_not_before() {
    let machine = Machine::new();
    machine.server.end_tokens_after(0);
    let servers = machine.signed_in(&[]).await;
    // The server would still accept the token that it declared as expiring.
    call(&servers, "look").await.unwrap();
    assert!(machine.server.seen().refreshed >= 1);
    machine.server.end_tokens_after(3600);
    call(&servers, "look").await.unwrap();
    let before = machine.server.seen().refreshed;
    call(&servers, "look").await.unwrap();
    call(&machine.process(), "look").await.unwrap();
    assert_eq!((machine.server.seen().refreshed, machine.server.seen().reused), (before, 0));
}

#[tokio::test]
async fn closing_a_connection_during_a_renewal_keeps_the_sign_in() {
    let machine = Machine::new();
    machine.signed_in(&[]).await;
    // One of these delays is between the server's answer and the keyring.
    for wait in 0..40 {
        let servers = machine.process();
        call(&servers, "look").await.unwrap();
        machine.server.end_access_tokens();
        let calling = servers.clone();
        let stopped = tokio::spawn(async move { call(&calling, "look").await });
        tokio::time::sleep(Duration::from_millis(wait)).await;
        servers.close().await;
        stopped.abort();
    }
    call(&machine.process(), "look").await.unwrap();
    assert_eq!(machine.server.seen().reused, 0);
}

#[tokio::test]
async fn an_expired_sign_in_requires_a_new_one_and_its_token_is_not_reused() {
    let machine = Machine::new();
    let servers = machine.signed_in(&[]).await;
    machine.server.end_sign_ins();
    let error = call(&servers, "look").await.unwrap_err();
    assert!(
        error.message.contains("is over; sign in again: `galley tool-server sign-in guarded`"),
        "{error}"
    );
    assert_eq!(machine.kept(), None);
    assert_eq!(servers.signed_in("guarded"), None);
    let refused = machine.server.seen().refused.len();
    call(&servers, "look").await.unwrap_err();
    assert_eq!(machine.server.seen().refused.len(), refused, "nothing is left to refuse");
    sign_in(&servers, &[]).await.unwrap();
    call(&servers, "look").await.unwrap();
}

#[tokio::test]
async fn a_missing_scope_fails_the_call_and_is_requested_at_the_next_sign_in() {
    let machine = Machine::new();
    let servers = machine.signed_in(&[]).await;
    let error = call(&servers, "erase").await.unwrap_err();
    assert!(
        error
            .message
            .contains("write. If you allow it, sign in again with `galley tool-server sign-in guarded`")
    );
    let needed = ToolFailure::SignInNeeded { server: "guarded".into(), scopes: vec!["write".into()] };
    assert_eq!(error.tool_failure.as_deref(), Some(&needed));
    assert!(machine.server.seen().called.is_empty());
    assert_eq!(call(&servers, "look").await.unwrap(), "look: done", "what was allowed goes on");

    let signed_in = sign_in(&machine.process(), &[]).await.unwrap();
    assert_eq!(signed_in.scopes, ["offline_access", "read", "write"]);
    // The first process still has the previous token, which the server still accepts.
    assert_eq!(call(&servers, "erase").await.unwrap(), "erase: done");
}

#[tokio::test]
async fn an_answer_with_another_state_is_refused_and_changes_nothing() {
    let machine = Machine::new();
    let servers = machine.process();
    let sign_in = servers.begin_sign_in("guarded", asking(&[])).await.unwrap();
    let address = reqwest::Url::parse(sign_in.address()).unwrap();
    let field = |name: &str| address.query_pairs().find(|(key, _)| key == name).unwrap().1.into_owned();
    let (redirect, state, address) = (field("redirect_uri"), field("state"), address.to_string());
    let finished = tokio::spawn(finish(sign_in));
    for query in
        ["code=stolen&state=guessed", "code=stolen", "error=access_denied&state=", &format!("state={state}")]
    {
        let (status, page) = visit(&format!("{redirect}?{query}")).await;
        assert_eq!(status, 400, "{query}");
        assert!(page.contains("does not belong to the sign-in"), "{page}");
    }
    assert_eq!(visit(&redirect.replace("callback", "favicon.ico")).await.0, 404);
    assert!(!finished.is_finished());
    let (status, page) = visit(&address).await;
    assert_eq!((status, page.contains("You can close this window")), (200, true));
    finished.await.unwrap().unwrap();
    assert!(machine.server.seen().refused.is_empty(), "no code of another came to it");
}

#[tokio::test]
async fn a_declined_sign_in_fails_and_a_dropped_one_stops_waiting() {
    let machine = Machine::new();
    let servers = machine.process();
    let dropped = servers.begin_sign_in("guarded", asking(&[])).await.unwrap();
    let address = reqwest::Url::parse(dropped.address()).unwrap();
    let redirect = address.query_pairs().find(|(key, _)| key == "redirect_uri").unwrap().1.into_owned();
    drop(dropped);
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    assert!(client.get(redirect).send().await.unwrap_err().is_connect());
    machine.server.decline();
    let error = sign_in(&servers, &[]).await.unwrap_err();
    assert!(error.message.contains("access_denied not today"), "{error}");
    assert_eq!(servers.signed_in("guarded"), None);
}

#[tokio::test]
async fn signing_out_deletes_the_tokens_even_if_revocation_fails() {
    let machine = Machine::new();
    let servers = machine.signed_in(&["write"]).await;
    assert_eq!(servers.sign_out("guarded").await.unwrap(), Some(Revocation::Done));
    assert!(machine.server.seen().revoked >= 1);
    assert_eq!(machine.kept(), None);
    assert_eq!(call(&servers, "look").await.unwrap_err().code, Code::PermissionNeeded);
    assert_eq!(servers.sign_out("guarded").await.unwrap(), None, "nobody is signed in");

    let again = sign_in(&servers, &[]).await.unwrap();
    assert!(again.scopes.contains(&"write".to_owned()), "what was allowed is asked for again: {again:?}");
    machine.server.revoke_nothing();
    let revocation = servers.sign_out("guarded").await.unwrap();
    assert!(
        matches!(&revocation, Some(Revocation::Failed(why)) if why.english().contains("HTTP 503")),
        "{revocation:?}"
    );
    assert_eq!(machine.kept(), None);
}

#[tokio::test]
async fn metadata_that_cannot_be_trusted_is_refused_before_anything_is_registered() {
    let machine = Machine::new();
    let servers = machine.process();
    for (field, value, words) in [
        ("issuer", json!("https://other.example"), "issuer mismatch"),
        ("issuer", json!(null), "missing required issuer"),
        ("code_challenge_methods_supported", json!(["plain"]), "PKCE"),
        ("code_challenge_methods_supported", json!(null), "PKCE"),
        ("token_endpoint", json!("http://other.example/token"), "not https"),
        ("authorization_endpoint", json!("file:///etc/passwd"), "not https"),
        ("registration_endpoint", json!("http://10.0.0.1/register"), "not https"),
        ("registration_endpoint", json!(null), "`galley tool-server sign-in guarded --client ID`"),
        ("scopes_supported", json!("x".repeat(2 << 20)), "longer than"),
    ] {
        machine.server.advertise(field, value);
        let error = servers.begin_sign_in("guarded", asking(&[])).await.err().unwrap();
        assert!(error.message.contains(words), "{field}: {error}");
    }
    let error = servers.begin_sign_in("guarded", asking(&["two words"])).await.err().unwrap();
    assert_eq!(error.code, Code::BadInput);
}

#[tokio::test]
async fn tokens_are_never_renewed_at_another_authorization_server() {
    let machine = Machine::new();
    let servers = machine.signed_in(&[]).await;
    machine.server.end_access_tokens();
    machine.server.advertise("issuer", json!("https://other.example"));
    call(&servers, "look").await.unwrap_err();
    machine.server.advertise("token_endpoint", json!("http://other.example/token"));
    call(&servers, "look").await.unwrap_err();
    let other = OAuthServer::start();
    machine.server.advertise("authorization_servers", json!([other.base_url]));
    let error = call(&servers, "look").await.unwrap_err();
    assert!(error.message.contains("sign in again"), "{error}");
    assert_eq!(other.seen().refused, Vec::<String>::new(), "it got no token of another");
    assert_eq!(machine.server.seen().refreshed, 0);
    // The other server publishes metadata in this one's name, at an address that is not bound to its issuer.
    other.advertise("issuer", json!(machine.server.base_url));
    let loose = format!("{}/loose/.well-known/metadata", other.base_url);
    machine.server.advertise("authorization_servers", json!([loose]));
    call(&servers, "look").await.unwrap_err();
    assert_eq!(other.seen().refused, Vec::<String>::new(), "it got no token of another");
    machine.server.advertise("service_documentation", json!(null));
    assert_eq!(call(&servers, "look").await.unwrap(), "look: done", "the sign-in was not lost over it");
}
