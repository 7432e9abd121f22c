//! A data folder that others may read, or that somebody else has prepared.

use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use super::galley::{Galley, Told, program};

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// Everything in a folder, with what is in its folders.
fn everything(folder: &Path) -> Vec<PathBuf> {
    let mut found = vec![folder.to_owned()];
    let mut next = 0;
    while let Some(path) = found.get(next).cloned() {
        if path.is_dir() {
            found.extend(std::fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        }
        next += 1;
    }
    found
}

/// Runs a command that may not take long, with every right given to everybody by default.
fn run(galley: &Galley, words: &str) -> Told {
    let script = format!("umask 0; exec timeout 30 {} {words}", program().display());
    Told::of(galley.command(Path::new("sh")).args(["-c", &script]))
}

#[test]
fn what_is_in_the_data_folder_is_the_owners_alone_whatever_the_shell_or_an_earlier_program_said() {
    let galley = Galley::new();
    run(&galley, "run ai-news --input user_topic=rag --source library --as-of 2026-07-01").ok();
    run(&galley, "config set theme dark").ok();
    let is_private = |path: &Path| mode(path) == if path.is_dir() { 0o700 } else { 0o600 };
    for path in everything(&galley.data()) {
        assert!(is_private(&path), "{}: {:o}", path.display(), mode(&path));
    }
    let doctor = run(&galley, "doctor").out;
    assert!(doctor.contains("✓ Access: only you"), "{doctor}");
    for path in everything(&galley.data()) {
        let wide = if path.is_dir() { 0o755 } else { 0o644 };
        std::fs::set_permissions(&path, PermissionsExt::from_mode(wide)).unwrap();
    }
    run(&galley, "runs").ok();
    for path in everything(&galley.data()) {
        assert!(is_private(&path), "{}: {:o}", path.display(), mode(&path));
    }

    // What the program does not change is said.
    let shared = galley.here();
    std::fs::write(shared.join("somebody-elses"), "x").unwrap();
    std::fs::set_permissions(&shared, PermissionsExt::from_mode(0o1777)).unwrap();
    let told = run(&galley, &format!("--data-dir {} doctor", shared.display())).exits(1);
    assert!(told.out.contains("✗ Access: other users") && told.out.contains("chmod -R go="), "{}", told.out);
    assert_eq!(std::fs::metadata(&shared).unwrap().permissions().mode() & 0o7777, 0o1777);
}

#[test]
fn links_in_a_data_folder_lead_nothing_elsewhere_and_a_persons_own_link_to_the_settings_stays() {
    let galley = Galley::new();
    run(&galley, "runs").ok();
    let (data, elsewhere) = (galley.data(), galley.here());
    let theirs = galley.file("theirs", "theirs");
    for (name, target) in [
        ("settings.lock", elsewhere.join("lock")),
        ("updates.json", PathBuf::from(&theirs)),
        ("turns", elsewhere.clone()),
    ] {
        let _ = std::fs::remove_file(data.join(name));
        symlink(target, data.join(name)).unwrap();
    }
    run(&galley, "config set theme dark").exits(1).says(&["cannot be written", "link"]);
    run(&galley, "run ai-news --input user_topic=rag --source open-news --as-of 2026-07-01");
    assert_eq!(std::fs::read_dir(&elsewhere).unwrap().count(), 0, "nothing was made there");
    assert_eq!(std::fs::read_to_string(&theirs).unwrap(), "theirs");
    std::fs::remove_file(data.join("settings.lock")).unwrap();

    let own = galley.file("dotfiles/settings.toml", "language = \"ja\"\n");
    symlink(&own, data.join("settings.toml")).unwrap();
    run(&galley, "config set theme dark").ok();
    assert!(data.join("settings.toml").is_symlink());
    let text = std::fs::read_to_string(&own).unwrap();
    assert!(text.contains("theme = \"dark\"") && text.contains("language = \"ja\""), "{text}");
    std::fs::remove_file(&own).unwrap();
    run(&galley, "config get theme").exits(2).says(&["settings.toml", "link"]);
    run(&galley, "config set theme light").exits(2);
    assert!(!Path::new(&own).exists());
}

#[test]
fn pipes_and_devices_in_a_data_folder_are_refused_at_once_and_never_read_without_end() {
    for name in [
        "settings.toml",
        "settings.lock",
        "galley.lock",
        "galley.sqlite3",
        "prices.toml",
        "feeds.opml",
        "updates.json",
    ] {
        for is_pipe in [true, false] {
            let galley = Galley::new();
            run(&galley, "runs").ok();
            let file = galley.data().join(name);
            let _ = std::fs::remove_file(&file);
            match is_pipe {
                true => assert!(std::process::Command::new("mkfifo").arg(&file).status().unwrap().success()),
                false => symlink("/dev/zero", &file).unwrap(),
            }
            for words in [
                "config set theme dark",
                "doctor",
                "run ai-news --input user_topic=rag --source library --as-of 2026-07-01",
            ] {
                let told = run(&galley, words);
                assert_ne!(told.code, Some(124), "{name}, {words}: it hangs");
                assert!(told.code.is_some(), "{name}, {words}: {told:?}");
            }
            let refused =
                run(&galley, if name == "settings.lock" { "config set theme dark" } else { "doctor" });
            assert!(name == "updates.json" || refused.code != Some(0), "{name}: {refused:?}");
        }
    }
}

#[test]
fn settings_that_have_no_effect_are_said_once_at_the_start_and_by_the_doctor() {
    let galley = Galley::new();
    run(&galley, "runs").ok();
    let text = "theme = 3\ncolour = 'red'\n[net]\nallow = ['http://127.0.0.1:1', 'http://127.0.0.1:2']\n\
        [profiles.work]\nprovider = 'openai-compatible'\nbase_url = 'http://127.0.0.1:1'\nmodle = 'x'\n";
    std::fs::write(galley.data().join("settings.toml"), text).unwrap();
    let told = run(&galley, "runs").ok();
    let lines: Vec<&str> = told.err.lines().filter(|line| line.starts_with("Warning")).collect();
    assert_eq!(lines.len(), 3, "{}", told.err);
    for (line, words) in lines.iter().zip([
        ["theme", "a text in quotes"],
        ["colour", "is no setting"],
        ["profiles.work.modle", "is no setting"],
    ]) {
        assert!(
            line.starts_with("Warning: Settings ") && words.iter().all(|word| line.contains(word)),
            "{line}"
        );
    }
    assert_eq!(run(&galley, "config get theme").ok().out, "system\n");
    assert_eq!(run(&galley, "config get net.allow").ok().out, "http://127.0.0.1:1, http://127.0.0.1:2\n");
    let doctor = run(&galley, "doctor").exits(1);
    assert!(doctor.err.is_empty(), "{}", doctor.err);
    for said in ["✗ Settings theme", "✗ Settings colour", "✗ Settings profiles.work.modle"] {
        assert!(doctor.out.contains(said), "{said}: {}", doctor.out);
    }
}
