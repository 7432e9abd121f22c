use std::sync::Arc;

use engine::{Tool, Typed};
use kernel::{Code, ToolFailure};
use serde_json::Value;

use super::*;
use crate::run_folder::test_run::TestRun;

/// The tool with a run.
struct Run {
    run: TestRun,
    tool: Typed<FileSystemTool>,
}

impl std::ops::Deref for Run {
    type Target = TestRun;

    fn deref(&self) -> &TestRun {
        &self.run
    }
}

impl Run {
    fn new() -> Run {
        let run = TestRun::new();
        let tool = Typed(FileSystemTool::new(run.outside.path()));
        Run { run, tool }
    }

    async fn call(&self, input: Value) -> Result<kernel::ToolResult, Error> {
        self.tool.call(&input, &self.context).await
    }

    async fn write(&self, operation: &str, path: &str, content: &str) -> Result<kernel::ToolResult, Error> {
        self.call(json!({"operation": operation, "path": path, "content": content})).await
    }

    async fn ask(&self, operation: &str, path: &str) -> Result<Value, Error> {
        self.call(json!({"operation": operation, "path": path})).await.map(|result| result.output.0)
    }

    fn folder(&self) -> Folder {
        Folder::of(FILE_SYSTEM, &self.context, LARGEST_TEXT).unwrap()
    }
}

fn is_of_path(error: &Error) -> bool {
    error.tool_failure.as_deref() == Some(&ToolFailure::BadInput { place: "/path".to_owned() })
}

#[tokio::test]
async fn its_examples_work_in_sequence_and_alone() {
    let run = Run::new();
    for example in run.tool.examples() {
        for run in [&run, &Run::new()] {
            let output = run.call(example.input.clone()).await.unwrap().output.0.to_string();
            assert!(output.contains(example.output_contains), "{}: {output}", example.title);
        }
    }
}

#[test]
fn its_input_schema_is_one_flat_object_for_all_providers() {
    let schema = Typed(FileSystemTool::new(Path::new("nowhere"))).describe().input.0;
    let text = schema.to_string();
    assert!(!text.contains("oneOf") && !text.contains("anyOf") && !text.contains("null"), "{schema:#}");
    assert_eq!(schema["required"], json!(["operation", "path"]), "{schema:#}");
    assert_eq!(schema["additionalProperties"], json!(false));
}

#[tokio::test]
async fn files_are_created_read_appended_replaced_listed_and_deleted() {
    let run = Run::new();
    let created = run.write("create_file", "notes/計画.md", "# 計画\n").await.unwrap();
    let [file] = created.files.as_slice() else { panic!("{created:?}") };
    assert_eq!((file.path.as_str(), file.bytes), ("notes/計画.md", 9));
    let contents = &run.context.folder.as_ref().unwrap().contents;
    assert_eq!(contents.content(file.hash.as_ref().unwrap()).unwrap(), "# 計画\n".as_bytes());

    let again = run.write("create_file", "notes/計画.md", "# 計画\n").await.unwrap();
    assert_eq!(again.files, created.files, "repeated after a crash");
    let other = run.write("create_file", "notes/計画.md", "x").await.unwrap_err();
    assert!(other.message.contains("overwrite_file"), "{}", other.message);

    run.write("append_to_file", "notes/計画.md", "- 一").await.unwrap();
    let read = run.ask("read_file", "notes/計画.md").await.unwrap();
    assert_eq!(read, json!({"path": "notes/計画.md", "bytes": 14, "content": "# 計画\n- 一"}));
    run.write("overwrite_file", "notes/計画.md", "new").await.unwrap();
    run.write("append_to_file", "a/b/c/d/deep.txt", "new").await.unwrap();
    std::fs::write(run.on_disk(".galley-unfinished"), "left by a crash").unwrap();

    let flat = run.ask("list_files", ".").await.unwrap();
    let folder = |path: &str| json!({"path": path, "kind": "folder", "bytes": 0});
    assert_eq!(flat["entries"], json!([folder("a"), folder("notes")]));
    let deep =
        run.call(json!({"operation": "list_files", "path": "", "recursive": true})).await.unwrap().output.0;
    let file = json!({"path": "notes/計画.md", "kind": "file", "bytes": 3});
    assert_eq!(deep["entries"], json!([folder("a"), folder("a/b"), folder("a/b/c"), folder("notes"), file]));
    let below = run.ask("list_files", "a/b/c/d").await.unwrap();
    assert_eq!(below["entries"][0]["path"], "a/b/c/d/deep.txt");

    let deleted = run.call(json!({"operation": "delete_file", "path": "notes/計画.md"})).await.unwrap();
    assert_eq!((deleted.files[0].hash.as_ref(), &deleted.output.0["bytes"]), (None, &json!(3)));
    let repeated = run.call(json!({"operation": "delete_file", "path": "notes/計画.md"})).await.unwrap();
    assert_eq!(repeated.files, deleted.files);
    let missing = run.ask("read_file", "notes/計画.md").await.unwrap_err();
    assert!(missing.code == Code::NotFound && missing.message.contains("list_files"), "{missing:?}");
    assert_eq!(run.ask("delete_file", "a").await.unwrap_err().code, Code::ToolFailed);
}

#[tokio::test]
async fn escaping_and_deceptive_paths_are_refused_by_every_operation() {
    let run = Run::new();
    let long = "ü".repeat(128);
    let deep = "a/".repeat(16) + "a";
    let refused = [
        "",
        "/etc/passwd",
        "..",
        "../secret",
        "a/../../secret",
        "./",
        "a/./..",
        "a/",
        "a\\b",
        "..\\secret",
        "C:\\x",
        "C:x",
        "a\0b",
        "a\nb",
        "a\u{7f}",
        "a\u{202e}txt.exe",
        "a\u{200b}",
        "a\u{feff}b",
        "a\u{2066}b",
        "a\u{e0041}",
        "a.",
        "a ",
        "a. ",
        "CON",
        "con.txt",
        "x/Aux.md",
        "COM1",
        "lpt¹.log",
        "nul .txt",
        "conin$",
        "file:stream",
        "a?",
        "|",
        &long,
        &deep,
        ".galley-unfinished",
    ];
    for path in refused {
        for operation in ["create_file", "read_file", "append_to_file", "overwrite_file", "delete_file"] {
            let error = run.write(operation, path, "x").await.unwrap_err();
            assert!(is_of_path(&error), "{operation} {path:?}: {error:?}");
        }
        if !["", "a/", "./"].contains(&path) {
            assert!(is_of_path(&run.ask("list_files", path).await.unwrap_err()), "{path:?}");
        }
    }
    assert_eq!(std::fs::read_dir(run.on_disk("")).unwrap().count(), 0);
    assert_eq!(std::fs::read_dir(run.outside.path()).unwrap().count(), 2);
}

#[tokio::test]
async fn names_in_all_scripts_are_normalized_and_lookalikes_of_separators_are_letters() {
    let run = Run::new();
    for (written, kept) in [("./notes.md", "notes.md"), ("a//b/./c.md", "a/b/c.md")] {
        let made = run.write("create_file", written, "x").await.unwrap();
        assert_eq!(made.output.0["path"], kept);
    }
    for path in [
        "日本語.md",
        "ملف.txt",
        "ü.txt",
        "😀.md",
        "．．／secret",
        "a／b",
        "‥",
        "console.txt",
        "com10",
        ".hidden",
    ] {
        run.write("create_file", path, path).await.unwrap();
        assert_eq!(run.ask("read_file", path).await.unwrap()["content"], path);
    }
    assert_eq!(std::fs::read_dir(run.on_disk("")).unwrap().count(), 12, "no other folder was made");
    // Composed and decomposed forms name the same file.
    let error = run.write("create_file", "u\u{308}.txt", "other").await.unwrap_err();
    assert!(error.message.contains("exists"), "{error:?}");
}

#[cfg(unix)]
#[tokio::test]
async fn links_and_pipes_are_neither_followed_nor_waited_for() {
    use std::os::unix::fs::symlink;

    let run = Run::new();
    run.write("create_file", "inside/a.txt", "a").await.unwrap();
    symlink("../secret", run.on_disk("out")).unwrap();
    symlink(run.outside.path(), run.on_disk("up")).unwrap();
    symlink("inside", run.on_disk("in")).unwrap();
    symlink("missing", run.on_disk("nowhere")).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(run.on_disk("pipe")).status().unwrap();
    assert!(pipe.success());
    for path in ["out", "up/secret", "up/new", "in/a.txt", "nowhere", "pipe"] {
        for operation in ["create_file", "read_file", "append_to_file", "overwrite_file", "delete_file"] {
            let call = run.write(operation, path, "x");
            let error =
                tokio::time::timeout(std::time::Duration::from_secs(5), call).await.unwrap().unwrap_err();
            let message = &error.message;
            assert!(
                message.contains("link") || message.contains("no ordinary file"),
                "{operation} {path}: {message}"
            );
        }
    }
    assert!(run.ask("list_files", "up").await.is_err());
    let listed =
        run.call(json!({"operation": "list_files", "path": ".", "recursive": true})).await.unwrap().output.0;
    let paths: Vec<&str> =
        listed["entries"].as_array().unwrap().iter().map(|entry| entry["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["inside", "inside/a.txt"]);
    assert_eq!(std::fs::read_to_string(run.outside.path().join("secret")).unwrap(), "secret");
    assert_eq!(std::fs::read_dir(run.outside.path()).unwrap().count(), 2);
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn replacing_a_folder_by_a_link_during_writes_does_not_escape_the_folder() {
    use std::sync::atomic::{AtomicBool, Ordering};

    use rustix::fs::{CWD, RenameFlags};

    let run = Run::new();
    std::fs::create_dir(run.outside.path().join("target")).unwrap();
    std::fs::create_dir(run.on_disk("swap")).unwrap();
    std::os::unix::fs::symlink("../target", run.on_disk("link")).unwrap();
    let (swap, link) = (run.on_disk("swap"), run.on_disk("link"));
    let is_over = Arc::new(AtomicBool::new(false));
    let over = is_over.clone();
    let swapping = std::thread::spawn(move || {
        while !over.load(Ordering::SeqCst) {
            rustix::fs::renameat_with(CWD, &swap, CWD, &link, RenameFlags::EXCHANGE).unwrap();
        }
    });
    let mut written = 0;
    for index in 0..300 {
        written += usize::from(run.write("overwrite_file", "swap/a.txt", &index.to_string()).await.is_ok());
    }
    is_over.store(true, Ordering::SeqCst);
    swapping.join().unwrap();
    assert!(written > 0);
    assert_eq!(std::fs::read_dir(run.outside.path().join("target")).unwrap().count(), 0);
}

#[tokio::test]
async fn too_large_too_many_and_binary_files_are_refused_without_leftovers() {
    let run = Run::new();
    let full = "x".repeat(4 << 20);
    run.write("create_file", "full", &full).await.unwrap();
    for (operation, path, content, reason) in [
        ("append_to_file", "full", "x", "use several files"),
        ("overwrite_file", "more", &*(full.clone() + "x"), "use several files"),
        ("append_to_file", "empty", "", "nothing to add"),
    ] {
        let error = run.write(operation, path, content).await.unwrap_err();
        assert!(error.message.contains(reason), "{}", error.message);
    }
    assert!(run.ask("create_file", "none").await.unwrap_err().message.contains("/content"));
    std::fs::write(run.on_disk("large"), full.clone() + "x").unwrap();
    std::fs::write(run.on_disk("binary"), [0xff, 0xfe, 0x00]).unwrap();
    assert!(run.ask("read_file", "large").await.unwrap_err().message.contains("more than 4194304 bytes"));
    assert!(run.ask("read_file", "binary").await.unwrap_err().message.contains("no text"));

    let folder = run.folder().capped(9 << 20);
    let path = RunPath::of_file("new/file").unwrap();
    let error = folder.write(&path, &vec![b'x'; 2 << 20], Existing::Refused).unwrap_err();
    assert!(error.message.contains("delete some first"), "{}", error.message);
    let hash = kernel::Hash::of(&vec![b'x'; 2 << 20]);
    assert!(run.context.folder.as_ref().unwrap().contents.content(&hash).is_err(), "kept nowhere");
    folder.write(&RunPath::of_file("full").unwrap(), b"small", Existing::Replaced).unwrap();
    folder.write(&path, &vec![b'x'; 2 << 20], Existing::Refused).unwrap();

    for index in 0..1_001 {
        std::fs::write(run.on_disk(&format!("{index}")), "").unwrap();
    }
    let listed = run.ask("list_files", ".").await.unwrap();
    assert_eq!((listed["entries"].as_array().unwrap().len(), &listed["is_cut"]), (1_000, &json!(true)));
    let names: Vec<_> =
        std::fs::read_dir(run.on_disk("")).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(!names.iter().any(|name| name == ".galley-unfinished" || name == "more"), "{names:?}");
}

#[tokio::test]
async fn concurrent_appends_to_a_file_lose_nothing() {
    let run = Run::new();
    let lines = (0..40).map(|index| format!("{index}\n")).collect::<Vec<String>>();
    let added =
        futures::future::join_all(lines.iter().map(|line| run.write("append_to_file", "log", line))).await;
    assert!(added.iter().all(Result::is_ok));
    let content = run.ask("read_file", "log").await.unwrap()["content"].as_str().unwrap().to_owned();
    assert_eq!(content.lines().count(), 40);
}

#[test]
fn it_declares_its_effect_and_whether_it_is_repeatable() {
    let tool = Typed(FileSystemTool::new(Path::new("nowhere")));
    let says = |operation: &str| {
        let input = json!({"operation": operation, "path": "a\u{202e}.md", "content": "12"});
        (tool.access(&input), tool.intent(&input).english())
    };
    let (access, intent) = says("create_file");
    assert_eq!(access, Access::own_folder(EffectClass::Repeatable));
    assert_eq!(intent, "Writes 2 bytes to a\u{fffd}.md in the folder of the run");
    assert_eq!(says("append_to_file").0, Access::own_folder(EffectClass::Repeatable));
    assert_eq!(says("delete_file").0, Access::own_folder(EffectClass::Repeatable));
    assert_eq!(says("read_file").0, Access::looks());
}

#[tokio::test]
async fn a_pdf_uses_a_font_of_the_user_by_its_plain_name_only() {
    let run = Run::new();
    std::fs::create_dir(run.outside.path().join("fonts")).unwrap();
    std::fs::write(run.outside.path().join("fonts/none.ttf"), "no font").unwrap();
    for (font, why) in
        [("missing.ttf", "put a .ttf"), ("../secret", "no plain name"), ("none.ttf", "it has no font")]
    {
        let asked =
            json!({ "operation": "create_pdf_from_text", "path": "a.pdf", "content": "Text", "font": font });
        let error = run.call(asked).await.unwrap_err();
        assert!(error.message.contains(why), "{font}: {}", error.message);
    }
}
