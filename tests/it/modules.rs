//! The modules of a crate are held to what the crates are held to: they use each other in no circle.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::path::Path;
use std::slice;

use testkit::{ModuleGraph, module_graph};

/// The shortest circle through a module: its modules, each of which uses the next, the last one the first.
fn circle(graph: &ModuleGraph, start: &str) -> Option<Vec<String>> {
    let mut ways = VecDeque::from([vec![start.to_owned()]]);
    let mut seen = BTreeSet::new();
    while let Some(way) = ways.pop_front() {
        for used in graph.get(way.last()?).into_iter().flat_map(BTreeMap::keys) {
            if used == start {
                return Some(way);
            }
            if seen.insert(used.clone()) {
                ways.push_back([&way[..], slice::from_ref(used)].concat());
            }
        }
    }
    None
}

/// A circle as text, from whichever of its modules it was found: for each arrow one file that makes it.
fn describe(graph: &ModuleGraph, mut circle: Vec<String>) -> String {
    let first = (0..circle.len()).min_by_key(|at| &circle[*at]).unwrap();
    circle.rotate_left(first);
    let mut text = circle.join(", ");
    for (at, user) in circle.iter().enumerate() {
        let used = &circle[(at + 1) % circle.len()];
        let file = graph[user][used].strip_prefix(root()).unwrap();
        write!(text, "\n    {user} uses {used} in {}", file.display()).unwrap();
    }
    text
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

#[test]
fn the_modules_of_a_crate_use_each_other_in_no_circle() {
    let crates = std::fs::read_dir(root().join("src-tauri/crates")).unwrap();
    let mut circles = BTreeSet::new();
    for folder in crates.map(|entry| entry.unwrap().path()) {
        let graph = module_graph(&folder);
        let found = graph.keys().filter_map(|module| Some(describe(&graph, circle(&graph, module)?)));
        let name = folder.file_name().unwrap().to_string_lossy();
        circles.extend(found.map(|circle| format!("{name}: {circle}")));
    }
    let circles = Vec::from_iter(circles);
    assert!(circles.is_empty(), "move an item to the module where it belongs:\n{}", circles.join("\n"));
}

#[test]
fn an_arrow_is_found_in_every_way_to_name_a_module_and_in_no_test() {
    let folder = tempfile::tempdir().unwrap();
    let write = |file: &str, text: &str| {
        let file = folder.path().join("src").join(file);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, text).unwrap();
    };
    write(
        "lib.rs",
        "mod by_use; mod by_path; mod by_macro; mod by_name; mod in_folder; mod shown; #[cfg(test)] mod tests;
         mod here { fn f() { super::shown::f() } }
         pub use shown::{Shown, Other as Renamed};",
    );
    write("by_use.rs", "use crate::{by_path::{self, x}, std::y};");
    write("by_path.rs", "fn f() -> super::by_macro::T { g::<u8>() }");
    write("by_macro.rs", "fn f() { println!(\"{}\", [crate::by_name::N]) }");
    write("by_name.rs", "use crate::Renamed; #[cfg(test)] mod tests { use crate::by_use::T; }");
    write("in_folder/mod.rs", "mod deep;");
    write("in_folder/deep.rs", "use super::x; use super::super::by_use;");
    write(
        "shown.rs",
        "#[macro_export] macro_rules! loud { () => { $crate::in_folder::X } } fn f() { g::h() }",
    );
    write("tests.rs", "use crate::by_use;");
    let arrows: Vec<String> = module_graph(folder.path())
        .iter()
        .flat_map(|(from, to)| to.keys().map(move |to| format!("{from} {to}")))
        .collect();
    let expected = [
        "by_macro by_name",
        "by_name shown",
        "by_path by_macro",
        "by_use by_path",
        "here shown",
        "in_folder by_use",
        "shown in_folder",
    ];
    assert_eq!(arrows, expected);
    let circle = circle(&module_graph(folder.path()), "shown").unwrap().join(" ");
    assert_eq!(circle, "shown in_folder by_use by_path by_macro by_name");
}
