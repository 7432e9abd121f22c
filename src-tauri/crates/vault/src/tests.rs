use std::sync::atomic::{AtomicU32, Ordering};

use keyring_core::Error;
use secrecy::ExposeSecret;

use super::*;

/// A keyring that counts its calls and may refuse.
#[derive(Default, Clone)]
struct Counted {
    kept: Arc<Mutex<HashMap<String, String>>>,
    asked: Arc<AtomicU32>,
    refuses: Arc<std::sync::atomic::AtomicBool>,
}

impl Counted {
    fn answer<T>(&self, with: impl FnOnce(&mut HashMap<String, String>) -> T) -> Result<T, Error> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        if self.refuses.load(Ordering::SeqCst) {
            return Err(Error::NoStorageAccess("the prompt was dismissed".into()));
        }
        Ok(with(&mut self.kept.lock().unwrap()))
    }
}

impl Store for Counted {
    fn read(&self, entry: &str) -> Result<Option<SecretString>, Error> {
        if entry == "twice" {
            return Err(Error::Ambiguous(Vec::new()));
        }
        self.answer(|kept| kept.get(entry).cloned().map(SecretString::from))
    }

    fn write(&self, entry: &str, key: &SecretString) -> Result<(), Error> {
        self.answer(|kept| _ = kept.insert(entry.to_owned(), key.expose_secret().to_owned()))
    }

    fn remove(&self, entry: &str) -> Result<(), Error> {
        self.answer(|kept| _ = kept.remove(entry))
    }

    fn is_shut(&self, _: &str) -> bool {
        self.refuses.load(Ordering::SeqCst)
    }
}

fn text(key: Option<SecretString>) -> Option<String> {
    key.map(|key| key.expose_secret().to_owned())
}

#[tokio::test]
async fn a_key_is_read_once_however_often_it_is_needed() {
    let store = Counted::default();
    Vault::over(store.clone()).keep("work", SecretString::from("鍵 of work")).await.unwrap();
    let vault = Vault::over(store.clone());
    let before = store.asked.load(Ordering::SeqCst);
    for _ in 0..5 {
        assert_eq!(text(vault.read("work").await.unwrap()).as_deref(), Some("鍵 of work"));
    }
    assert_eq!(store.asked.load(Ordering::SeqCst) - before, 1);
    assert_eq!(text(Vault::over(store).read("other").await.unwrap()), None, "another entry");
}

#[tokio::test]
async fn concurrent_reads_of_a_key_show_one_prompt() {
    let store = Counted::default();
    store.refuses.store(true, Ordering::SeqCst);
    let vault = Vault::over(store.clone());
    let (a, b, c) = tokio::join!(vault.read("work"), vault.read("work"), vault.read("home"));
    assert!(a.is_err() && b.is_err() && c.is_err());
    assert_eq!(store.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn concurrent_checks_of_the_keyring_share_a_result() {
    let store = Counted::default();
    store.refuses.store(true, Ordering::SeqCst);
    let vault = Vault::over(store.clone());
    let (a, b, c) = tokio::join!(vault.state(), vault.state(), vault.state());
    assert!(a.is_err() && b.is_err() && c.is_err(), "{a:?} {b:?} {c:?}");
    assert_eq!(store.asked.load(Ordering::SeqCst), 1);
    store.refuses.store(false, Ordering::SeqCst);
    assert!(vault.state().await.is_ok(), "who looks later looks anew");
}

#[tokio::test]
async fn a_dismissed_prompt_is_not_repeated_until_the_person_needs_it() {
    let store = Counted::default();
    let vault = Vault::over(store.clone());
    store.refuses.store(true, Ordering::SeqCst);
    for entry in ["work", "home", "work"] {
        let error = vault.read(entry).await.unwrap_err();
        assert!(
            error.message.contains("dismissed") && error.message.contains("for this session only"),
            "{error}"
        );
    }
    assert_eq!(store.asked.load(Ordering::SeqCst), 1, "one prompt");
    store.refuses.store(false, Ordering::SeqCst);
    vault.keep("home", SecretString::from("kept")).await.unwrap();
    assert_eq!(text(vault.read("elsewhere").await.unwrap()), None);
}

#[tokio::test]
async fn a_declined_key_is_not_requested_again_on_read_but_on_the_next_save() {
    let store = Counted::default();
    let vault = Vault::over(store.clone());
    store.refuses.store(true, Ordering::SeqCst);
    vault.keep("home", SecretString::from("typed")).await.unwrap_err();
    let error = vault.read("work").await.unwrap_err();
    assert!(error.message.contains("dismissed"), "{error}");
    assert_eq!(store.asked.load(Ordering::SeqCst), 1, "one prompt");
    vault.keep("home", SecretString::from("typed")).await.unwrap_err();
    assert_eq!(store.asked.load(Ordering::SeqCst), 2);
}

#[tokio::test]
async fn an_error_of_one_entry_does_not_affect_the_others() {
    let store = Counted::default();
    Vault::over(store.clone()).keep("work", SecretString::from("kept")).await.unwrap();
    let vault = Vault::over(store);
    let error = vault.read("twice").await.unwrap_err();
    assert!(error.message.contains("several keys for this profile"), "{error}");
    assert_eq!(text(vault.read("work").await.unwrap()).as_deref(), Some("kept"));
}

#[tokio::test]
async fn a_forgotten_key_is_removed_everywhere() {
    let store = Counted::default();
    let vault = Vault::over(store.clone());
    vault.keep("work", SecretString::from("secret")).await.unwrap();
    vault.forget("work").await.unwrap();
    assert!(store.kept.lock().unwrap().is_empty());
    assert_eq!(text(vault.read("work").await.unwrap()), None);
}

#[tokio::test]
async fn a_failed_removal_keeps_the_key_and_gives_no_advice_about_doing_without_the_keyring() {
    let store = Counted::default();
    let vault = Vault::over(store.clone());
    vault.keep("work", SecretString::from("secret")).await.unwrap();
    store.refuses.store(true, Ordering::SeqCst);
    let error = vault.forget("work").await.unwrap_err();
    assert!(error.message.ends_with("Unlock it and try again."), "{error}");
    assert_eq!(text(vault.read("work").await.unwrap()).as_deref(), Some("secret"));
}

#[test]
fn messages_of_the_keyring_about_a_key_are_not_repeated() {
    let error = error::worded(&Error::Invalid("secret".to_owned(), "sk-test-1234567890 is odd".to_owned()));
    assert!(!error.message.contains("sk-test"), "{error}");
}

#[tokio::test]
async fn a_keyring_that_was_unlocked_meanwhile_is_read() {
    let store = Counted::default();
    Vault::over(store.clone()).keep("work", SecretString::from("kept")).await.unwrap();
    let vault = Vault::over(store.clone());
    store.refuses.store(true, Ordering::SeqCst);
    vault.read("work").await.unwrap_err();
    vault.read("work").await.unwrap_err();
    store.refuses.store(false, Ordering::SeqCst);
    assert_eq!(text(vault.read("work").await.unwrap()).as_deref(), Some("kept"));
}

#[test]
fn a_key_of_this_session_is_valid_for_its_purpose_only() {
    let vault = Vault::over(Counted::default());
    vault.set_session_key("work", "one address", SecretString::from("for it"));
    assert!(
        vault.session_key("work", "another").is_none() && vault.session_key("home", "one address").is_none()
    );
    assert_eq!(text(vault.session_key("work", "one address")).as_deref(), Some("for it"));
    vault.remove_session_key("work");
    assert!(vault.session_key("work", "one address").is_none());
}

/// A keyring that blocks until released.
struct Waiting {
    over: Counted,
    until: Mutex<std::sync::mpsc::Receiver<()>>,
    done: std::sync::mpsc::Sender<()>,
}

impl Store for Waiting {
    fn read(&self, entry: &str) -> Result<Option<SecretString>, Error> {
        self.over.read(entry)
    }

    fn write(&self, entry: &str, key: &SecretString) -> Result<(), Error> {
        self.until.lock().unwrap().recv().unwrap();
        self.over.write(entry, key)
    }

    fn remove(&self, entry: &str) -> Result<(), Error> {
        self.over.remove(entry)?;
        self.done.send(()).unwrap();
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn a_keyring_that_answers_too_late_stores_and_loses_nothing() {
    let over = Counted::default();
    over.write("work, of old", &SecretString::from("old")).unwrap();
    let (let_it, until) = std::sync::mpsc::channel();
    let (done, is_done) = std::sync::mpsc::channel();
    let vault = Vault::over(Waiting { over: over.clone(), until: Mutex::new(until), done });
    let error = {
        let keep = vault.keep("work, as of now", SecretString::from("new"));
        tokio::pin!(keep);
        tokio::select! {
            biased;
            _ = &mut keep => panic!("nobody answered"),
            () = std::future::ready(()) => {}
        }
        tokio::time::advance(LONGEST_PROMPT).await;
        keep.await.unwrap_err()
    };
    assert!(error.message.contains("did not answer"), "{error}");
    let_it.send(()).unwrap();
    is_done.recv().unwrap();
    assert_eq!(over.kept.lock().unwrap().keys().collect::<Vec<_>>(), ["work, of old"]);
    assert_eq!(text(vault.read("work, of old").await.unwrap()).as_deref(), Some("old"));
}
