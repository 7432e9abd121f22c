//! Interruptions of a sign-in: the program ends, another process changes it, the user cancels it, the server or the
//! keyring refuses.

use std::pin::pin;
use std::sync::Arc;

use futures::poll;
use kernel::Code;
use mcp::{Revocation, ServerConfig, SignInRequest, ToolServers};

use crate::machine::{Machine, asking, browse, call, finish, sign_in, sign_in_for};

#[tokio::test]
async fn the_end_of_the_program_waits_for_a_renewal_that_was_sent() {
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
async fn a_closed_connection_is_ended_with_the_token_that_it_held() {
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
async fn a_sign_out_and_a_new_sign_in_of_another_process_count_at_the_next_call() {
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
async fn a_call_that_needs_more_is_sent_again_where_another_process_got_more_meanwhile() {
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
async fn a_client_that_the_server_does_not_know_any_more_is_registered_anew_at_the_next_sign_in() {
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
async fn what_a_server_wanted_is_asked_for_once_and_a_scope_that_it_does_not_know_blocks_nothing() {
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
async fn the_tokens_of_a_sign_in_that_nobody_wants_any_more_are_revoked_and_not_kept() {
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
async fn tokens_that_were_given_are_revoked_where_they_are_not_kept_and_those_of_before_stay() {
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
async fn a_sign_in_waits_no_more_at_a_server_that_is_removed_and_goes_on_where_its_address_stays() {
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
async fn a_sign_in_says_that_it_needs_the_keyring_before_anything_is_asked_of_the_server() {
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
async fn a_sign_out_that_the_keyring_refuses_can_be_said_again() {
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
async fn who_sets_a_header_for_the_authorization_later_can_still_sign_out() {
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
async fn a_sign_in_that_one_entry_of_the_keyring_does_not_hold_is_kept_in_several() {
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
