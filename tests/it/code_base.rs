//! The shape of the code base: arrows between crates, bindings, sizes of files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The page that has the table of crates.
fn architecture() -> String {
    std::fs::read_to_string(root().join("docs/architecture.md")).unwrap()
}

/// Crate and what it uses, from the table in `docs/architecture.md`.
fn told() -> BTreeMap<String, BTreeSet<String>> {
    architecture()
        .lines()
        .filter_map(|line| {
            let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
            let [name, layer, _, uses] = cells[..] else { return None };
            let is_row =
                layer.len() == 2 && layer.starts_with('L') && layer.ends_with(|c: char| c.is_ascii_digit());
            is_row.then(|| {
                (name.to_owned(), uses.split(", ").filter(|name| *name != "–").map(str::to_owned).collect())
            })
        })
        .collect()
}

/// Crate and what it uses of ours, from the manifests.
fn real() -> BTreeMap<String, BTreeSet<String>> {
    let mut manifests: Vec<PathBuf> = std::fs::read_dir(root().join("src-tauri/crates"))
        .unwrap()
        .map(|entry| entry.unwrap().path().join("Cargo.toml"))
        .collect();
    manifests.push(root().join("Cargo.toml"));
    let names: BTreeSet<String> = manifests.iter().map(|manifest| package(manifest).0).collect();
    manifests
        .iter()
        .map(|manifest| {
            let (name, uses) = package(manifest);
            (name, uses.into_iter().filter(|used| names.contains(used)).collect())
        })
        .collect()
}

/// The name of a package and its ordinary dependencies.
fn package(manifest: &Path) -> (String, BTreeSet<String>) {
    let text = std::fs::read_to_string(manifest).unwrap();
    let (mut section, mut name, mut uses) = ("", String::new(), BTreeSet::new());
    for line in text.lines() {
        if line.starts_with('[') {
            section = line.trim();
        } else if section == "[package]" && line.starts_with("name") {
            name = line.split('"').nth(1).unwrap().to_owned();
        } else if section == "[dependencies]" && !line.trim().is_empty() && !line.starts_with('#') {
            uses.insert(line.split(['.', ' ', '=']).next().unwrap().to_owned());
        }
    }
    (name, uses)
}

#[test]
fn the_arrows_between_the_crates_are_those_of_the_architecture_page() {
    assert_eq!(told(), real(), "left: the table in docs/architecture.md; right: the manifests");
}

#[test]
fn arrows_point_down_never_sideways() {
    let page = architecture();
    let layer = |name: &str| {
        let row = page.lines().find(|line| line.starts_with(&format!("| {name} |"))).unwrap();
        row.split('|').nth(2).unwrap().trim().to_owned()
    };
    for (name, uses) in real() {
        for used in uses {
            assert!(layer(&used) < layer(&name), "{name} ({}) uses {used} ({})", layer(&name), layer(&used));
        }
    }
}

#[test]
fn the_bindings_of_the_page_are_those_of_the_command_list() {
    let file = root().join("ui/src/ipc/bindings.ts");
    let now = desk::typescript();
    if std::env::var_os("UPDATE_BINDINGS").is_some() {
        std::fs::write(&file, &now).unwrap();
    }
    let committed = std::fs::read_to_string(&file).unwrap();
    assert!(
        committed == now,
        "the bindings are stale; docs/develop.md (Generated files) has the command that makes them"
    );
}

/// No line has more columns, beside the texts and patterns in it, which are not broken.
const WIDEST: usize = 120;

fn width_without_texts(line: &str) -> usize {
    if line.trim_start().starts_with("/(") {
        return 0;
    }
    let mut quote = None;
    let mut width = 0;
    for sign in line.chars() {
        match quote {
            Some(open) if sign == open => quote = None,
            Some(_) => continue,
            None if ['"', '`', '\''].contains(&sign) => quote = Some(sign),
            None => {}
        }
        width += 1;
    }
    width
}

#[test]
fn files_are_short_enough_to_read_and_narrow_enough_to_stand_beside_each_other() {
    let mut long = Vec::new();
    for (folder, bound) in [("src-tauri", 400), ("tests", 400), ("bench", 400), ("ui/src", 300)] {
        let mut folders = vec![root().join(folder)];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
                let path = entry.path();
                let name = path.strip_prefix(root()).unwrap().to_string_lossy().into_owned();
                if entry.file_type().unwrap().is_dir() {
                    if !["node_modules", "target", "gen", "out"]
                        .contains(&entry.file_name().to_str().unwrap())
                    {
                        folders.push(path);
                    }
                    continue;
                }
                let is_code = [".rs", ".ts", ".svelte", ".mjs"].iter().any(|ending| name.ends_with(ending));
                if !is_code || name.ends_with("bindings.ts") || name.contains("fixtures") {
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                let lines = text.lines().count();
                // Tests are lists of sentences, wherever they stand.
                let bound = if name.contains(".test.") { 400 } else { bound };
                if lines > bound {
                    long.push(format!("{name}: {lines} lines, at most {bound}"));
                }
                // rustfmt holds the code in Rust to its own width.
                if name.starts_with("ui") && !name.contains(".test.") {
                    let wide = text.lines().position(|line| width_without_texts(line) > WIDEST);
                    long.extend(wide.map(|at| format!("{name}:{}: wider than {WIDEST} columns", at + 1)));
                }
            }
        }
    }
    assert!(long.is_empty(), "split what holds two subjects:\n{}", long.join("\n"));
}
