//! Interruptions of a sign-in: the program ends, another process changes it, the user cancels it, the server or the
//! keyring refuses.

use std::pin::pin;
use std::sync::Arc;

use futures::poll;
use kernel::Code;
use mcp::{Revocation, ServerConfig, SignInRequest, ToolServers};

use crate::machine::{Machine, asking, browse, call, finish, sign_in, sign_in_for};

#[tokio::test]
async fn the_program_waits_for_a_running_renewal_at_its_end() {
    let machine = Machine::new();
    machine.signed_in(&[]).await;
    let servers = machine.process();
    call(&servers, "look").await.unwrap();
    machine.server.end_access_tokens();
    machine.server.gate.hold("POST /token");
    let calling = servers.clone();
    let stopped = tokio::spawn(async move { call(&calling, "look").await });
    machine.server.gate.held().await;
    stopped.abort();
    let _ = stopped.await;
    let before = machine.kept();
    let mut closing = pin!(servers.close());
    assert!(poll!(closing.as_mut()).is_pending());
    machine.server.gate.release();
    closing.await;
    assert_ne!(machine.kept(), before);
    call(&machine.process(), "look").await.unwrap();
    assert_eq!((machine.server.seen().refreshed, machine.server.seen().reused), (1, 0));
}

#[tokio::test]
async fn a_connection_is_closed_with_its_last_token() {
    let machine = Machine::new();
    machine.server.end_tokens_after(0);
    let servers = machine.signed_in(&[]).await;
    call(&servers, "look").await.unwrap();
    let before = machine.server.seen().refreshed;
    assert!(before >= 1, "each request renews the token");
    machine.server.gate.hold("DELETE /mcp");
    servers.set([].into());
    machine.server.gate.held().await;
    machine.server.gate.release();
    assert_eq!(machine.server.seen().refreshed, before);
}

#[tokio::test]
async fn changes_by_another_process_apply_at_the_next_call() {
    let machine = Machine::new();
    // The server still accepts the previous tokens.
    machine.server.revoke_nothing();
    let first = machine.signed_in(&[]).await;
    call(&first, "look").await.unwrap();
    assert_eq!(machine.server.seen().caller, Some(0));
    let second = machine.process();
    second.sign_out("guarded").await.unwrap();
    assert_eq!(call(&first, "look").await.unwrap_err().code, Code::PermissionNeeded);
    for caller in 1..=2 {
        sign_in(&second, &[]).await.unwrap();
        call(&first, "look").await.unwrap();
        assert_eq!(machine.server.seen().caller, Some(caller));
    }
    assert_eq!(machine.server.seen().refreshed, 0);
}

#[tokio::test]
async fn a_call_is_retried_when_another_process_got_the_missing_scope() {
    let machine = Machine::new();
    let first = machine.signed_in(&[]).await;
    call(&first, "look").await.unwrap();
    machine.server.gate.hold("POST /mcp");
    let erased = tokio::spawn(async move { call(&first, "erase").await });
    machine.server.gate.held().await;
    sign_in(&machine.process(), &["write"]).await.unwrap();
    machine.server.gate.release();
    assert_eq!(erased.await.unwrap().unwrap(), "erase: done");
}

#[tokio::test]
async fn a_forgotten_client_is_registered_again_at_the_next_sign_in() {
    for error in ["invalid_client", "unauthorized_client"] {
        let machine = Machine::new();
        let servers = machine.signed_in(&[]).await;
        machine.server.end_access_tokens();
        machine.server.refuse_clients(error);
        let refused = call(&servers, "look").await.unwrap_err();
        assert_eq!(refused.code, Code::PermissionNeeded, "{refused}");
        assert!(refused.message.contains("sign in again: `galley tool-server sign-in guarded`"), "{refused}");
        assert_eq!((machine.kept(), servers.signed_in("guarded")), (None, None));
        sign_in(&servers, &[]).await.unwrap();
        call(&servers, "look").await.unwrap();
    }
}

#[tokio::test]
async fn a_required_scope_is_requested_once_and_an_unknown_one_blocks_nothing() {
    let machine = Machine::new();
    let servers = machine.signed_in(&[]).await;
    let asked = || machine.server.seen().asked.pop().unwrap();
    machine.server.give_only(&["read"]);
    call(&servers, "erase").await.unwrap_err();
    sign_in(&servers, &[]).await.unwrap();
    assert!(asked().contains("write"), "{}", asked());
    sign_in(&servers, &[]).await.unwrap();
    assert!(!asked().contains("write"), "{}", asked());

    machine.server.challenge_for("reign");
    call(&servers, "erase").await.unwrap_err();
    let error = sign_in(&servers, &[]).await.unwrap_err();
    let words = "does not give these scopes: read, offline_access, reign. The next sign-in asks for those";
    assert!(error.message.contains(words), "{error}");
    sign_in(&servers, &[]).await.unwrap();
    assert_eq!(asked(), "read offline_access");

    let exact = SignInRequest { is_exact: true, ..asking(&["write"]) };
    sign_in_for(&servers, exact).await.unwrap();
    assert_eq!(asked(), "write");
}

#[tokio::test]
async fn the_tokens_of_a_dropped_sign_in_are_revoked_and_not_stored() {
    for is_removed in [false, true] {
        let machine = Machine::new();
        let servers = machine.process();
        let begun = servers.begin_sign_in("guarded", asking(&[])).await.unwrap();
        machine.server.gate.hold("POST /token");
        let browser = browse(&begun);
        let waiting = tokio::spawn(finish(begun));
        machine.server.gate.held().await;
        if is_removed {
            servers.set([].into());
        } else {
            waiting.abort();
        }
        machine.server.gate.release();
        let finished = waiting.await;
        assert!(is_removed != finished.as_ref().is_err_and(tokio::task::JoinError::is_cancelled));
        if let Ok(finished) = finished {
            assert_eq!(finished.unwrap_err().code, Code::Cancelled);
        }
        browser.await.unwrap();
        servers.close().await;
        assert_eq!((machine.server.seen().revoked, machine.kept()), (1, None), "removed: {is_removed}");
        assert_eq!(machine.process().signed_in("guarded"), None);
    }
}

#[tokio::test]
async fn tokens_that_cannot_be_stored_are_revoked_and_the_previous_ones_stay() {
    let machine = Machine::new();
    let servers = machine.signed_in(&[]).await;
    let before = machine.kept();
    let begun = servers.begin_sign_in("guarded", asking(&[])).await.unwrap();
    let browser = browse(&begun);
    let grant = begun.wait().await.unwrap();
    browser.await.unwrap();
    machine.keyring.refuse_changes(true);
    assert_eq!(grant.keep().await.unwrap_err().code, Code::KeyUnavailable);
    machine.keyring.refuse_changes(false);
    servers.close().await;
    assert_eq!((machine.server.seen().revoked, machine.kept()), (1, before));
    call(&machine.process(), "look").await.unwrap();
}

#[tokio::test]
async fn a_sign_in_ends_with_its_server_and_continues_while_the_address_stays() {
    let machine = Machine::new();
    let servers = machine.process();
    let config = ServerConfig { url: Some(machine.server.url()), ..ServerConfig::default() };
    let other = ServerConfig { timeout_s: Some(7), ..config.clone() };
    let begun = servers.begin_sign_in("guarded", asking(&[])).await.unwrap();
    let browser = browse(&begun);
    servers.set([("guarded".to_owned(), other)].into());
    finish(begun).await.unwrap();
    browser.await.unwrap();
    call(&servers, "look").await.unwrap();

    let elsewhere = ServerConfig { url: Some("http://127.0.0.1:9/mcp".to_owned()), ..config };
    for configs in [[].into(), [("guarded".to_owned(), elsewhere)].into()] {
        let servers = machine.process();
        let begun = servers.begin_sign_in("guarded", asking(&[])).await.unwrap();
        servers.set(configs);
        assert_eq!(finish(begun).await.unwrap_err().code, Code::Cancelled);
    }
}

#[tokio::test]
async fn a_missing_keyring_is_reported_before_any_request_to_the_server() {
    let machine = Machine::new();
    machine.keyring.lock();
    let error = machine.process().begin_sign_in("guarded", asking(&[])).await.err().unwrap();
    assert_eq!(error.code, Code::KeyUnavailable);
    assert!(error.message.starts_with("It is locked. A sign-in at `guarded` needs the system's keyring"));
    assert!(!error.message.contains("session"), "{error}");
    assert_eq!(machine.server.seen().registered, 0);
}

#[tokio::test]
async fn two_data_folders_share_no_sign_in() {
    let machine = Machine::new();
    let servers = machine.signed_in(&[]).await;
    let folder = tempfile::tempdir().unwrap();
    let others = ToolServers::new(None, folder.path(), Arc::new(machine.keyring.clone()));
    let config = ServerConfig { url: Some(machine.server.url()), ..ServerConfig::default() };
    others.set([("guarded".to_owned(), config)].into());
    assert_eq!(call(&others, "look").await.unwrap_err().code, Code::PermissionNeeded);
    sign_in(&others, &[]).await.unwrap();
    others.sign_out("guarded").await.unwrap();
    call(&servers, "look").await.unwrap();
    call(&machine.process(), "look").await.unwrap();
}

#[tokio::test]
async fn a_sign_out_that_the_keyring_refuses_can_be_repeated() {
    let machine = Machine::new();
    let servers = machine.signed_in(&[]).await;
    machine.keyring.refuse_changes(true);
    assert_eq!(servers.sign_out("guarded").await.unwrap_err().code, Code::KeyUnavailable);
    assert!(servers.signed_in("guarded").is_some());
    machine.keyring.refuse_changes(false);
    assert_eq!(servers.sign_out("guarded").await.unwrap(), Some(Revocation::Done));
    assert_eq!((machine.kept(), servers.signed_in("guarded")), (None, None));
}

#[tokio::test]
async fn signing_out_works_after_an_authorization_header_is_set() {
    let machine = Machine::new();
    let servers = machine.signed_in(&[]).await;
    let headers = [("Authorization".to_owned(), mcp::Given::Text("Bearer mine".to_owned()))].into();
    let config = ServerConfig { url: Some(machine.server.url()), headers, ..ServerConfig::default() };
    servers.set([("guarded".to_owned(), config)].into());
    call(&servers, "look").await.unwrap_err();
    assert_eq!(
        machine.server.seen().called.len(),
        0,
        "the token of the sign-in is not sent beside the header"
    );
    let error = servers.begin_sign_in("guarded", asking(&[])).await.err().unwrap();
    assert!(error.message.contains("its header Authorization from you"), "{error}");
    assert!(servers.signed_in("guarded").is_some());
    assert_eq!(servers.sign_out("guarded").await.unwrap(), Some(Revocation::Done));
    assert_eq!(servers.signed_in("guarded"), None);
}

#[tokio::test]
async fn a_sign_in_too_long_for_one_keyring_entry_is_split() {
    let mut machine = Machine::new();
    machine.keyring.longest = Some(500);
    let servers = machine.signed_in(&[]).await;
    let entries = machine.entries();
    assert!(entries > 2, "{entries}");
    call(&machine.process(), "look").await.unwrap();
    machine.server.end_access_tokens();
    call(&servers, "look").await.unwrap();
    assert_eq!(
        (machine.server.seen().refreshed, machine.entries()),
        (1, entries),
        "nothing of the former stays"
    );
    call(&machine.process(), "look").await.unwrap();
    assert_eq!(servers.sign_out("guarded").await.unwrap(), Some(Revocation::Done));
    assert_eq!(machine.entries(), 0);
}
