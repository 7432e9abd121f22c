//! Recovery of a damaged database: nothing of it is lost, and a backup takes its place.

use std::collections::BTreeMap;
use std::path::Path;

use engine::{Durability, LibraryArticle, Log};
use kernel::{Code, Outcome, Value};
use serde_json::json;
use store::{DATABASE_FILE, NewArticle, Recovered, Replacement, Store};

use crate::samples::{ended, set, shared, start, started};

/// All files of the folder with their bytes, except the lock.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let named = entries.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), path));
    named
        .filter(|(name, _)| name != "galley.lock")
        .map(|(name, path)| (name, std::fs::read(path).unwrap()))
        .collect()
}

/// A folder with a run, its backup, and a database that was damaged afterwards, with the log of a crash.
async fn damaged() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let start = start("run-1");
    store.create(&start, vec![started(&start), set(2, "k", json!("kept"))]).await.unwrap();
    store.back_up().await.unwrap();
    let backup = store.backups().unwrap()[0].file.clone();
    store.close().await;
    drop(store);
    std::fs::write(folder.path().join(DATABASE_FILE), "no database any more ".repeat(99)).unwrap();
    for (end, bytes) in [("-wal", "the log, of a run or of two"), ("-shm", "")] {
        std::fs::write(folder.path().join(format!("{DATABASE_FILE}{end}")), bytes).unwrap();
    }
    // A failed attempt to open it keeps the log.
    assert!(Store::open(folder.path()).is_err());
    (folder, backup)
}

fn of_backup(name: &str) -> Replacement {
    Replacement::Backup(name.to_owned())
}

fn recovered(folder: &Path, replacement: &Replacement) -> Recovered {
    Store::recover(folder, replacement).unwrap()
}

#[tokio::test]
async fn a_backup_replaces_a_damaged_database_which_is_kept_with_its_side_files() {
    let (folder, backup) = damaged().await;
    let before = files(folder.path());
    assert_eq!(Store::backups_of(folder.path()).unwrap()[0].file, backup);
    let recovery = recovered(folder.path(), &of_backup(&backup));
    assert_eq!((recovery.runs, recovery.backup.as_ref()), (1, Some(&backup)));
    let kept = recovery.kept.unwrap();
    assert!(kept.starts_with("galley-damaged-2") && kept.ends_with(".sqlite3"), "{kept}");
    let after = files(folder.path());
    for end in ["", "-wal", "-shm"] {
        assert_eq!(after[&format!("{kept}{end}")], before[&format!("{DATABASE_FILE}{end}")], "{end}");
    }
    assert_eq!(after[&format!("{kept}-wal")], b"the log, of a run or of two");
    assert_eq!(after[&backup], before[&backup]);
    assert_eq!(after[DATABASE_FILE], before[&backup]);
    assert_eq!(after.len(), before.len() + 1, "{:?}", after.keys());
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.load(&start("run-1").run).await.unwrap().events.len(), 2);
    assert_eq!(store.backups().unwrap().len(), 1, "what is damaged is no backup");
}

#[tokio::test]
async fn an_empty_history_replaces_the_database_and_each_kept_one_has_its_own_name() {
    let (folder, backup) = damaged().await;
    let first = recovered(folder.path(), &Replacement::Empty).kept.unwrap();
    drop(Store::open(folder.path()).unwrap());
    let second = recovered(folder.path(), &Replacement::Empty).kept.unwrap();
    assert_ne!(first, second);
    let left = files(folder.path());
    assert!([&first, &second, &backup].iter().all(|name| left.contains_key(*name)), "{:?}", left.keys());
    assert!(left.keys().all(|name| !name.ends_with(".partial")), "{:?}", left.keys());
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.count_runs().await.unwrap(), (0, 0));
}

#[tokio::test]
async fn nothing_is_renamed_for_an_open_folder_an_unknown_name_or_a_damaged_backup() {
    let (folder, backup) = damaged().await;
    std::fs::write(folder.path().join("galley-backup-9-broken.sqlite3"), "nor was this ever one ".repeat(99))
        .unwrap();
    std::fs::write(folder.path().join("galley-backup-9-empty.sqlite3"), "").unwrap();
    let before = files(folder.path());
    for (name, code) in [
        ("galley-backup-9-broken.sqlite3", Code::DatabaseCorrupt),
        ("galley-backup-9-empty.sqlite3", Code::NotFound),
        ("galley-backup-9-missing.sqlite3", Code::NotFound),
        ("../galley-backup-9-broken.sqlite3", Code::NotFound),
        (DATABASE_FILE, Code::NotFound),
    ] {
        let error = Store::recover(folder.path(), &of_backup(name)).unwrap_err();
        assert!(error.code == code && error.to_string().contains(name), "{error}");
    }
    let other = std::fs::File::open(folder.path().join("galley.lock")).unwrap();
    other.lock_shared().unwrap();
    for wanted in [of_backup(&backup), Replacement::Empty, Replacement::Readable, Replacement::Fullest] {
        let error = Store::recover(folder.path(), &wanted).unwrap_err();
        assert!(
            error.code == Code::DatabaseLocked && error.to_string().contains("Close every other"),
            "{error}"
        );
    }
    assert_eq!(files(folder.path()), before);
    other.unlock().unwrap();
    recovered(folder.path(), &of_backup(&backup));
}

#[tokio::test]
async fn the_newest_usable_backup_is_used_when_nothing_is_readable() {
    let (folder, backup) = damaged().await;
    let broken = folder.path().join("galley-backup-9-broken.sqlite3");
    std::fs::write(broken, "the newest one is of no use ".repeat(99)).unwrap();
    let recovery = recovered(folder.path(), &Replacement::Fullest);
    assert_eq!((recovery.runs, recovery.shortened, recovery.lost, recovery.backup), (1, 0, 0, Some(backup)));
    let store = Store::open(folder.path()).unwrap();
    assert_eq!(store.load(&start("run-1").run).await.unwrap().events.len(), 2);
}

#[tokio::test]
async fn a_missing_database_is_recovered_from_its_backup_and_an_orphaned_log_is_kept() {
    let (folder, backup) = damaged().await;
    std::fs::remove_file(folder.path().join(DATABASE_FILE)).unwrap();
    let recovery = recovered(folder.path(), &Replacement::Fullest);
    assert_eq!(recovery.backup, Some(backup));
    let kept = recovery.kept.unwrap();
    assert_eq!(
        std::fs::read(folder.path().join(format!("{kept}-wal"))).unwrap(),
        b"the log, of a run or of two"
    );
    assert_eq!(Store::open(folder.path()).unwrap().count_runs().await.unwrap(), (1, 0));
}

/// Three runs, an article, messages and the log of a crash; then one event of the second run and one large value of the
/// third are damaged.
#[tokio::test]
async fn readable_events_are_recovered_run_by_run() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    store.keep_messages();
    let large = |word: &str| json!(word.repeat(3_000));
    for n in 1..=3 {
        let start = start(&format!("run-{n}"));
        let events = [
            started(&start),
            set(2, "k", json!(n)),
            set(3, "large", large(&format!("{n} "))),
            set(4, "final", json!("said")),
            ended(5),
        ];
        store.create(&start, events[..4].to_vec()).await.unwrap();
        store.append(&start.run, shared(events[4..].to_vec()), Durability::Committed).await.unwrap();
    }
    store.mark_run(&start("run-1").run, Some("mine".to_owned()), Some(true), None).await.unwrap();
    let article = NewArticle {
        article: LibraryArticle { title: "Volcanoes".into(), text: "Iceland".into(), ..article() },
        authors: Vec::new(),
        categories: Vec::new(),
        origin: "test".into(),
    };
    store.import(vec![article], |_| {}).await.unwrap();
    let database = rusqlite::Connection::open(store.file()).unwrap();
    database.execute("UPDATE events SET fact = '{\"kind\":' WHERE id = (2 << 32) + 4", []).unwrap();
    let spoilt = Value::new(large("3 ")).hash().0;
    assert_eq!(
        database.execute("UPDATE contents SET json = '\"other\"' WHERE hash = ?1", [spoilt]).unwrap(),
        1
    );
    drop(database);
    store.close().await;
    drop(store);

    let recovery = recovered(folder.path(), &Replacement::Fullest);
    assert_eq!((recovery.runs, recovery.shortened, recovery.lost, recovery.backup), (3, 2, 0, None));
    let store = Store::open(folder.path()).unwrap();
    let outcome = async |n: u32| {
        let card = store.run_card(&start(&format!("run-{n}")).run).await.unwrap();
        (card.last_seq, card.outcome, card.held_by)
    };
    assert_eq!(outcome(1).await, (5, Some(Outcome::Finished), None));
    assert_eq!(outcome(2).await, (3, None, None), "it can be resumed from there");
    assert_eq!(outcome(3).await, (2, None, None));
    let recorded = store.load(&start("run-1").run).await.unwrap();
    assert_eq!(recorded.events[2].delta().unwrap().set["large"], Value::new(large("1 ")));
    assert_eq!(store.run_card(&start("run-1").run).await.unwrap().title, "mine");
    assert_eq!(store.list_articles(Some("iceland"), 9).await.unwrap().total, 1);
    assert_eq!(store.messages(&start("run-1").session).await.unwrap().len(), 6);
    assert_eq!(store.search_runs("said", None, 9).await.unwrap().runs.len(), 1);
    assert!(store.inspect(|_, _| {}).await.unwrap().problems.is_empty());
    store
        .append(&start("run-2").run, shared(vec![set(4, "k", json!(0))]), Durability::Committed)
        .await
        .unwrap_err();
    store.hold(&start("run-2").run).await.unwrap();
    store
        .append(&start("run-2").run, shared(vec![set(4, "k", json!(0))]), Durability::Committed)
        .await
        .unwrap();
}

#[tokio::test]
async fn a_run_with_a_damaged_definition_or_inputs_keeps_its_events_and_is_marked() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut starts: Vec<kernel::Start> = (1..=5).map(|n| start(&format!("run-{n}"))).collect();
    // The second run has the definition of the first; the inputs of the fourth are too long for its row.
    starts[1].definition = starts[0].definition.clone();
    let long: String = "all that is asked ".repeat(200);
    starts[3].inputs = [("user_topic".to_owned(), Value::text(long))].into();
    for start in &starts {
        store.create(start, vec![started(start), set(2, "k", json!("paid for")), ended(3)]).await.unwrap();
    }
    let database = rusqlite::Connection::open(store.file()).unwrap();
    let spoil = |run: &str, column: &str, into: &str| {
        let sql = format!(
            "UPDATE contents SET json = {into} WHERE hash = (SELECT {column} FROM runs WHERE run = '{run}')"
        );
        assert_eq!(database.execute(&sql, []).unwrap(), 1, "{run}");
    };
    spoil("run-1", "definition", "replace(json, 'Writer', 'Wr1ter')");
    spoil("run-3", "definition", "substr(json, 1, 40)");
    spoil("run-4", "inputs", "replace(json, 'asked', 'asket')");
    drop(database);
    store.close().await;
    drop(store);

    let recovery = recovered(folder.path(), &Replacement::Fullest);
    assert_eq!((recovery.runs, recovery.shortened, recovery.without_definition, recovery.lost), (5, 0, 4, 0));
    let store = Store::open(folder.path()).unwrap();
    for was in &starts {
        let recorded = store.load(&was.run).await.unwrap();
        let is_lost = was.run.0 != "run-5";
        assert_eq!(recorded.events.len(), 3, "{}", was.run);
        assert_eq!(recorded.start.definition.is_lost, is_lost, "{}", was.run);
        assert_eq!(recorded.start.definition.title, was.definition.title);
        assert_eq!(recorded.start.inputs == was.inputs, was.run.0 != "run-4");
        assert_eq!(store.run_card(&was.run).await.unwrap().outcome, Some(Outcome::Finished));
    }
    assert!(store.inspect(|_, _| {}).await.unwrap().problems.is_empty());
}

#[tokio::test]
async fn lost_definitions_inputs_and_large_values_come_from_a_backup() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let mut starts: Vec<kernel::Start> = (1..=3).map(|n| start(&format!("run-{n}"))).collect();
    starts[1].inputs = [("user_topic".to_owned(), Value::text("asked ".repeat(400)))].into();
    let large = json!("paid for ".repeat(1_000));
    for start in &starts[..2] {
        store.create(start, vec![started(start), set(2, "large", large.clone()), ended(3)]).await.unwrap();
    }
    store.back_up().await.unwrap();
    // Newer than the backup, which is therefore not the whole history.
    store.create(&starts[2], vec![started(&starts[2]), set(2, "k", json!(1)), ended(3)]).await.unwrap();
    let database = rusqlite::Connection::open(store.file()).unwrap();
    let deleted = "DELETE FROM contents WHERE hash IN (SELECT inputs FROM runs) OR json = ?1";
    assert_eq!(database.execute(deleted, [large.to_string()]).unwrap(), 2);
    let spoilt = "UPDATE contents SET json = replace(json, 'Writer', 'Wr1ter') WHERE json LIKE '%outline%'";
    assert_eq!(database.execute(spoilt, []).unwrap(), 3);
    drop(database);
    store.close().await;
    drop(store);

    let recovery = recovered(folder.path(), &Replacement::Fullest);
    assert_eq!((recovery.runs, recovery.shortened, recovery.without_definition, recovery.lost), (3, 0, 1, 0));
    assert_eq!(recovery.backup, None, "no event is given up for it");
    let store = Store::open(folder.path()).unwrap();
    for was in &starts[..2] {
        let recorded = store.load(&was.run).await.unwrap();
        assert_eq!((&recorded.start.definition, &recorded.start.inputs), (&was.definition, &was.inputs));
        assert_eq!(recorded.events[1].delta().unwrap().set["large"], Value::new(large.clone()));
    }
    let newest = store.load(&starts[2].run).await.unwrap();
    assert!(newest.start.definition.is_lost && newest.events.len() == 3);
    assert!(store.inspect(|_, _| {}).await.unwrap().problems.is_empty());
}

#[tokio::test]
async fn weekly_backups_are_made_while_idle_two_are_kept_and_they_recover_a_lost_header() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    let weekly = || -> Vec<String> {
        let files = Store::backups_of(folder.path()).unwrap().into_iter().map(|backup| backup.file);
        files.filter(|file| file.contains("-weekly-")).collect()
    };
    assert!(!store.back_up_weekly().await.unwrap(), "nothing is stored");
    let first = start("run-1");
    store.create(&first, vec![started(&first)]).await.unwrap();
    assert!(!store.back_up_weekly().await.unwrap(), "somebody works on a run");
    store.append(&first.run, shared(vec![ended(2)]), Durability::Committed).await.unwrap();
    store.back_up().await.unwrap();
    assert!(store.back_up_weekly().await.unwrap(), "what the person made is another one");
    assert!(!store.back_up_weekly().await.unwrap(), "there is one of this week");
    let day = std::time::Duration::from_secs(24 * 60 * 60);
    for days in [8, 9, 10] {
        // Makes each of them older than a week.
        for (n, file) in weekly().into_iter().enumerate() {
            let copy = std::fs::File::options().write(true).open(folder.path().join(file)).unwrap();
            copy.set_modified(std::time::SystemTime::now() - day * (days + n as u32)).unwrap();
        }
        assert!(store.back_up_weekly().await.unwrap());
    }
    assert_eq!((weekly().len(), store.backups().unwrap().len()), (2, 3));
    let second = start("run-2");
    store.create(&second, vec![started(&second), ended(2)]).await.unwrap();
    store.close().await;
    drop(store);
    let file = folder.path().join(DATABASE_FILE);
    let mut bytes = std::fs::read(&file).unwrap();
    bytes[..100].fill(0);
    std::fs::write(&file, bytes).unwrap();
    let recovery = recovered(folder.path(), &Replacement::Fullest);
    assert_eq!((recovery.runs, recovery.backup), (1, Some(weekly()[0].clone())));
    assert_eq!(Store::open(folder.path()).unwrap().load(&first.run).await.unwrap().events.len(), 2);
}

/// The page size of the database in bytes.
const PAGE: usize = 4096;

#[tokio::test]
async fn damaged_pages_lose_only_their_own_rows() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(folder.path()).unwrap();
    for n in 0..60 {
        let start = start(&format!("run-{n:02}"));
        let many = (2..=20).map(|seq| set(seq, &format!("k{seq}"), json!("y".repeat(900))));
        store.create(&start, std::iter::once(started(&start)).chain(many).collect()).await.unwrap();
        store.release(&start.run).await.unwrap();
    }
    store.close().await;
    drop(store);
    let file = folder.path().join(DATABASE_FILE);
    let mut bytes = std::fs::read(&file).unwrap();
    // Eight adjacent pages with events: a page of definitions would affect all runs with them.
    let holds_events = |page: &[u8]| page.split(|byte| *byte != b'y').any(|same| same.len() >= 800);
    let pages: Vec<bool> = bytes.chunks(PAGE).map(holds_events).collect();
    let from = pages.windows(8).rposition(|pages| pages.iter().all(|is| *is)).unwrap() * PAGE;
    bytes[from..from + 8 * PAGE].fill(0);
    std::fs::write(&file, bytes).unwrap();
    let recovery = recovered(folder.path(), &Replacement::Readable);
    assert!(recovery.runs >= 55 && (1..=5).contains(&(recovery.shortened + recovery.lost)), "{recovery:?}");
    let store = Store::open(folder.path()).unwrap();
    assert!(store.inspect(|_, _| {}).await.unwrap().problems.is_empty());
}

fn article() -> LibraryArticle {
    LibraryArticle {
        id: String::new(),
        title: String::new(),
        url: String::new(),
        source: String::new(),
        published: String::new(),
        text: String::new(),
        is_sample: false,
    }
}
