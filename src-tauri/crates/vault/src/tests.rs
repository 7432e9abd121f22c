use std::sync::atomic::{AtomicU32, Ordering};

use keyring_core::Error;
use secrecy::ExposeSecret;

use super::*;

/// A keyring that counts how often it is asked, and may refuse.
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

fn slot(entry: &str) -> Slot {
    of(entry, "where it was given for")
}

fn of(entry: &str, purpose: &str) -> Slot {
    Slot { entry: entry.to_owned(), purpose: purpose.to_owned() }
}

fn text(key: Option<SecretString>) -> Option<String> {
    key.map(|key| key.expose_secret().to_owned())
}

#[tokio::test]
async fn a_key_is_read_once_however_often_it_is_needed() {
    let store = Counted::default();
    Vault::over(store.clone()).keep(&slot("work"), SecretString::from("鍵 of work")).await.unwrap();
    let vault = Vault::over(store.clone());
    let before = store.asked.load(Ordering::SeqCst);
    for _ in 0..5 {
        assert_eq!(text(vault.read(&slot("work")).await.unwrap()).as_deref(), Some("鍵 of work"));
    }
    assert_eq!(store.asked.load(Ordering::SeqCst) - before, 1);
    assert_eq!(text(Vault::over(store).read(&slot("other")).await.unwrap()), None, "another entry");
}

#[tokio::test]
async fn those_who_need_a_key_at_once_are_one_prompt() {
    let store = Counted::default();
    store.refuses.store(true, Ordering::SeqCst);
    let vault = Vault::over(store.clone());
    let (work, home) = (slot("work"), slot("home"));
    let (a, b, c) = tokio::join!(vault.read(&work), vault.read(&work), vault.read(&home));
    assert!(a.is_err() && b.is_err() && c.is_err());
    assert_eq!(store.asked.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn who_refused_is_not_asked_again_until_they_do_something_that_needs_it() {
    let store = Counted::default();
    let vault = Vault::over(store.clone());
    store.refuses.store(true, Ordering::SeqCst);
    for profile in ["work", "home", "work"] {
        let fault = vault.read(&slot(profile)).await.unwrap_err();
        assert!(
            fault.message.contains("dismissed") && fault.message.contains("for this session only"),
            "{fault}"
        );
    }
    assert_eq!(store.asked.load(Ordering::SeqCst), 1, "one prompt");
    vault.keep_for_session(&slot("work"), SecretString::from("for now"));
    assert_eq!(text(vault.read(&slot("work")).await.unwrap()).as_deref(), Some("for now"));
    store.refuses.store(false, Ordering::SeqCst);
    vault.keep(&slot("home"), SecretString::from("kept")).await.unwrap();
    assert_eq!(text(vault.read(&slot("elsewhere")).await.unwrap()), None);
}

#[tokio::test]
async fn what_is_wrong_with_one_entry_keeps_no_other_from_being_read() {
    let store = Counted::default();
    Vault::over(store.clone()).keep(&slot("work"), SecretString::from("kept")).await.unwrap();
    let vault = Vault::over(store);
    let fault = vault.read(&slot("twice")).await.unwrap_err();
    assert!(fault.message.contains("several keys for this profile"), "{fault}");
    assert_eq!(text(vault.read(&slot("work")).await.unwrap()).as_deref(), Some("kept"));
}

#[tokio::test]
async fn a_key_that_is_forgotten_is_nowhere() {
    let store = Counted::default();
    let vault = Vault::over(store.clone());
    vault.keep(&slot("work"), SecretString::from("secret")).await.unwrap();
    vault.forget("work").await.unwrap();
    assert!(store.kept.lock().unwrap().is_empty());
    assert_eq!(text(vault.read(&slot("work")).await.unwrap()), None);
}

#[test]
fn what_a_keyring_says_of_a_key_is_not_repeated() {
    let fault = fault::worded(&Error::Invalid("secret".to_owned(), "sk-test-1234567890 is odd".to_owned()));
    assert!(!fault.message.contains("sk-test"), "{fault}");
}

#[tokio::test]
async fn a_keyring_that_was_unlocked_meanwhile_is_read_without_anybody_saying_so() {
    let store = Counted::default();
    Vault::over(store.clone()).keep(&slot("work"), SecretString::from("kept")).await.unwrap();
    let vault = Vault::over(store.clone());
    store.refuses.store(true, Ordering::SeqCst);
    vault.read(&slot("work")).await.unwrap_err();
    vault.read(&slot("work")).await.unwrap_err();
    store.refuses.store(false, Ordering::SeqCst);
    assert_eq!(text(vault.read(&slot("work")).await.unwrap()).as_deref(), Some("kept"));
}

#[tokio::test]
async fn a_key_in_memory_counts_for_nothing_but_what_it_was_given_for() {
    let vault = Vault::over(Counted::default());
    vault.keep_for_session(&of("work", "one address"), SecretString::from("for it"));
    assert!(vault.known(&of("work", "another")).is_none());
    assert_eq!(text(vault.read(&of("work", "another")).await.unwrap()), None);
    assert_eq!(text(vault.known(&of("work", "one address"))).as_deref(), Some("for it"));
}

#[tokio::test]
async fn a_key_that_was_for_nothing_is_taken_back_unless_another_was_kept_since() {
    let store = Counted::default();
    let vault = Vault::over(store.clone());
    vault.keep(&of("work", "what it was"), SecretString::from("old")).await.unwrap();
    vault.keep(&of("work", "what it is"), SecretString::from("new")).await.unwrap();
    vault.take_back(&of("work", "what it was")).await.unwrap();
    assert_eq!(text(vault.read(&of("work", "what it is")).await.unwrap()).as_deref(), Some("new"));
    vault.take_back(&of("work", "what it is")).await.unwrap();
    assert!(store.kept.lock().unwrap().is_empty());
}
