//! Pipelines, tools and providers are data: what serves all of them names none.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use tools::{GENERAL_TOOLS, SEARCH_SOURCES};

/// Where the form of a pipeline knows its fields.
const PIPELINE_FORM: &[&str] = &["ui/src/panels/pipeline/fields.ts"];

/// Words that are also the program's own, each with the files that may say it and what it means there.
const ALLOWED: &[(&str, &[&str])] = &[
    // The person's collection, which is a screen and a topic of the doctor.
    ("library", &["ui/src/app/", "ui/src/App.svelte", "ui/src/screens/"]),
    // What a person does in lists and texts, and the role of a model in a profile.
    ("search", &["ui/src/", "src-tauri/crates/desk/src/accounts/services.rs"]),
    // A value of CSS.
    ("auto", &["ui/src/"]),
    // A role of keys, with a panel of its own.
    ("plan", &["src-tauri/crates/kernel/src/pipeline/role.rs", "ui/src/"]),
    // Words of the grammar of a pipeline's file, which its form offers: the kinds of tools, and the days of a search.
    ("days", PIPELINE_FORM),
    ("place_details", PIPELINE_FORM),
    ("point_search", PIPELINE_FORM),
    ("routing", PIPELINE_FORM),
    ("station_search", PIPELINE_FORM),
    ("title_search", PIPELINE_FORM),
    ("weather", PIPELINE_FORM),
    // A table of that file is called so, too.
    ("routing", &["ui/src/kit/toml-edit.ts", "ui/src/panels/pipeline/entries.ts"]),
    // Work beside other work, the messages of the queue, and the timer of a system.
    (
        "Task",
        &[
            "src-tauri/crates/desk/src/accounts/task_queue.rs",
            "src-tauri/crates/desk/src/desk.rs",
            "src-tauri/crates/desk/src/runs/mod.rs",
            "src-tauri/crates/desk/src/schedules/timers/task_scheduler.rs",
            "src-tauri/crates/desk/src/worker.rs",
            "src-tauri/crates/engine/src/",
            "src-tauri/crates/kernel/src/",
        ],
    ),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

/// The names of every pipeline, agent, key, tool, service and provider of the program. `built-in` is none of them: it is
/// the profile that needs no model.
fn names() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for pipeline in pipelines::all() {
        let definition = pipeline.definition();
        names.extend([definition.id.clone(), definition.title.clone()]);
        names.extend(pipeline.keys().iter().map(|key| key.name.clone()));
        names.extend(pipeline.agents().iter().map(|agent| agent.name.clone()));
    }
    for source in SEARCH_SOURCES {
        names.extend([source.id, source.tool].map(str::to_owned));
        let services = source.services.iter().flat_map(|service| [service.name, service.title]);
        names.extend(services.map(str::to_owned));
    }
    names.extend(GENERAL_TOOLS.iter().map(|tool| tool.name.to_owned()));
    for (kind, slot) in pipelines::registry().slots {
        names.extend([kind].iter().chain(slot.options).map(|name| (*name).to_owned()));
    }
    names.extend(
        models::providers().into_iter().flat_map(|provider| [provider.id, provider.title]).map(str::to_owned),
    );
    names
}

/// The code of a folder, without tests, records and catalogues of words: each file with its text up to its tests.
fn code(folder: &str) -> Vec<(String, String)> {
    let (mut folders, mut files) = (vec![root().join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
            let (path, name) = (entry.path(), entry.file_name().into_string().unwrap());
            if entry.file_type().unwrap().is_dir() {
                if !["tests", "fixtures", "i18n"].contains(&name.as_str()) {
                    folders.push(path);
                }
                continue;
            }
            let is_test = name == "tests.rs" || name.contains(".test.") || name.starts_with("fake-");
            let is_code = [".rs", ".ts", ".svelte"].iter().any(|ending| name.ends_with(ending));
            if is_code && !is_test && name != "bindings.ts" {
                let text = std::fs::read_to_string(&path).unwrap();
                let text = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
                let path = path.strip_prefix(root()).unwrap().to_string_lossy().replace('\\', "/");
                files.push((path, text));
            }
        }
    }
    files
}

#[test]
fn kernel_engine_desk_and_page_name_no_pipeline_no_tool_and_no_provider() {
    let names = names();
    assert!(names.len() > 30, "{names:?}");
    let mut found = Vec::new();
    for folder in
        ["src-tauri/crates/kernel/src", "src-tauri/crates/engine/src", "src-tauri/crates/desk/src", "ui/src"]
    {
        for (file, text) in code(folder) {
            // What is said to people who read the code is no use of a name.
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            for (line, name) in lines.flat_map(|line| names.iter().map(move |name| (line, name))) {
                let is_plain_word = name.chars().all(|character| character.is_ascii_lowercase());
                let is_named = match is_plain_word {
                    true => line.contains(&format!("\"{name}\"")) || line.contains(&format!("`{name}`")),
                    false => line.contains(name.as_str()),
                };
                let is_allowed = ALLOWED.iter().any(|(allowed, files)| {
                    allowed == name && files.iter().any(|known| file.starts_with(known))
                });
                if is_named && !is_allowed {
                    found.push(format!("{file} names `{name}`: {}", line.trim()));
                }
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
