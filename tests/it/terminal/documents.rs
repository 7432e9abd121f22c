//! Hostile documents in an import: each costs its own reading and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use flate2::{Compress, Compression, FlushCompress};

use super::galley::{Galley, program};

const SOUND: &str = "# Sound\n\nA sound document about lanterns.";

/// One megabyte, as `/proc` counts.
const MEGABYTE: u64 = 1 << 10;

fn stream(fields: &str, content: &[u8]) -> Vec<u8> {
    let mut object = format!("<< {fields} /Length {} >>\nstream\n", content.len()).into_bytes();
    object.extend(content);
    object.extend(b"\nendstream");
    object
}

/// A page with this content, which sees these resources; more objects are numbered from 6.
fn page(content: Vec<u8>, resources: &str, more: Vec<Vec<u8>>) -> Vec<u8> {
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> {resources} >> >>"
    );
    let mut objects = vec![
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        page.into_bytes(),
        content,
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_vec(),
    ];
    objects.extend(more);
    let mut file = b"%PDF-1.7\n".to_vec();
    let mut places = String::new();
    for (index, object) in objects.iter().enumerate() {
        places.push_str(&format!("{:010} 00000 n \n", file.len()));
        file.extend(format!("{} 0 obj\n", index + 1).bytes());
        file.extend(object);
        file.extend(b"\nendobj\n");
    }
    let (count, table) = (objects.len() + 1, file.len());
    let end = format!(
        "xref\n0 {count}\n0000000000 65535 f \n{places}trailer\n<< /Size {count} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n"
    );
    file.extend(end.bytes());
    file
}

/// A table of objects in the file's own packed form, with these fields.
fn table(fields: &str) -> Vec<u8> {
    let start = "%PDF-1.5\n";
    format!(
        "{start}1 0 obj\n<< /Type /XRef {fields} /Size 2 /Root 1 0 R /Length 4 >>\nstream\nabcd\nendstream\nendobj\nstartxref\n{}\n%%EOF",
        start.len()
    )
    .into_bytes()
}

/// So many mebibytes of one byte, packed.
fn packed(byte: u8, mebibytes: usize) -> Vec<u8> {
    let mut packer = Compress::new(Compression::best(), true);
    let (plain, mut file) = (vec![byte; 16 << 20], Vec::with_capacity(1 << 20));
    packer.compress_vec(&plain, &mut file, FlushCompress::Full).unwrap();
    let head = file.len();
    // What follows a full flush stands for itself and can be repeated.
    packer.compress_vec(&plain, &mut file, FlushCompress::Full).unwrap();
    let part = file[head..].to_vec();
    for _ in 2..mebibytes / 16 {
        file.extend(&part);
    }
    file
}

/// Blanks in the oldest packing, whose table is filled and begun anew until so many bytes come out of it.
fn packed_the_old_way(bytes: u64) -> Vec<u8> {
    let (mut file, mut bits, mut count) = (Vec::new(), 0_u32, 0_u32);
    let mut put = |code: u32, width: u32| {
        bits = bits << width | code;
        count += width;
        while count >= 8 {
            count -= 8;
            file.push((bits >> count & 0xff) as u8);
        }
        bits &= (1 << count) - 1;
    };
    let mut made = 0;
    while made < bytes {
        put(256, if made == 0 { 9 } else { 12 });
        put(32, 9);
        let (mut next, mut width, mut length) = (258_u32, 9, 1_u64);
        while next < 4_094 {
            length += 1;
            made += length;
            put(next, width);
            next += 1;
            width += u32::from(next + 1 >= 1 << width && width < 12);
        }
    }
    file
}

/// Each of ten forms draws the next one ten times.
fn laughs() -> Vec<u8> {
    let form = |index: usize| {
        let fields = format!(
            "/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X {} 0 R >> >>",
            index + 7
        );
        stream(&fields, "/X Do ".repeat(10).as_bytes())
    };
    page(stream("", b"/X Do"), "/XObject << /X 6 0 R >>", (0..10).map(form).collect())
}

fn archive(part: &[u8]) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    writer.start_file("word/document.xml", zip::write::SimpleFileOptions::default()).unwrap();
    writer.write_all(part).unwrap();
    writer.finish().unwrap().into_inner()
}

/// What was seen of the processes that read documents, and the most memory that the program held.
#[derive(Default)]
struct Seen {
    limits: Vec<String>,
    environments: Vec<String>,
    kinds: BTreeSet<String>,
    most_memory: u64,
}

/// Looks at a program and its children until it ends.
fn watched(child: &mut Child) -> Seen {
    let mut seen = Seen::default();
    let own = child.id();
    while child.try_wait().unwrap().is_none() {
        seen.most_memory = seen.most_memory.max(field(own, "VmHWM"));
        for reader in readers(own) {
            let limits = of_process(reader, "limits");
            if !limits.is_empty() {
                seen.limits.push(limits);
                seen.environments.push(of_process(reader, "environ"));
                seen.kinds.extend(of_process(reader, "cmdline").split('\0').nth(2).map(str::to_owned));
            }
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    seen
}

/// The processes that read a document for this one.
fn readers(own: u32) -> Vec<u32> {
    let threads = std::fs::read_dir(format!("/proc/{own}/task")).into_iter().flatten().flatten();
    let children = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    let ids: Vec<u32> = children
        .flat_map(|ids| ids.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
        .filter_map(|id| id.parse().ok())
        .collect();
    ids.into_iter().filter(|id| of_process(*id, "cmdline").contains("__read-document")).collect()
}

fn of_process(process: u32, name: &str) -> String {
    std::fs::read_to_string(format!("/proc/{process}/{name}")).unwrap_or_default()
}

/// A figure of a process's status in kilobytes.
fn field(process: u32, name: &str) -> u64 {
    let status = of_process(process, "status");
    let line = status.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or(0)
}

#[test]
fn hostile_documents_are_named_with_a_reason_and_the_import_goes_on() {
    let mut galley = Galley::new();
    galley.environment.push(("GALLEY_TEST_SECRET", "of-nobody-else".to_owned()));
    let bomb = packed(b' ', 3_072);
    let files: BTreeMap<&str, Vec<u8>> = [
        ("a-width.pdf", table("/W[9223372036854775807 1 1]")),
        ("b-count.pdf", table("/W[0 0 0]/Index[0 4294967295]")),
        ("c-flate.pdf", page(stream("/Filter /FlateDecode", &bomb), "", vec![])),
        ("d-old.pdf", page(stream("/Filter /LZWDecode", &packed_the_old_way(3 << 30)), "", vec![])),
        (
            "e-ascii.pdf",
            page(stream("/Filter [/FlateDecode /ASCII85Decode]", &packed(b'z', 800)), "", vec![]),
        ),
        ("f-deep.pdf", page(stream("", &b"[".repeat(5_000_000)), "", vec![])),
        ("g-loop.pdf", laughs()),
        ("h-zip.docx", archive(&[b"<w:p>".repeat(1 << 20), vec![b'x'; 150 << 20]].concat())),
        ("i-page.html", format!("<title>Deep</title>{}words", "<div/>".repeat(50_000)).into_bytes()),
        ("z-sound.md", SOUND.as_bytes().to_vec()),
    ]
    .into();
    let mut shelf = String::new();
    for (name, content) in &files {
        shelf = galley.file(&format!("shelf/{name}"), content);
    }
    let shelf = Path::new(&shelf).parent().unwrap().to_str().unwrap();
    let started = Instant::now();
    let mut child = galley.command(&program()).args(["library", "import", shelf]).spawn().unwrap();
    let seen = watched(&mut child);
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success() && out.starts_with("2 added"), "{out}{err}");
    for name in files.keys().filter(|name| name.ends_with(".pdf") || name.ends_with(".docx")) {
        assert!(err.lines().any(|line| line.contains(name)), "{name} is not named: {err}");
    }
    assert!(err.contains("took longer than") || err.contains("stopped its reader"), "{err}");
    // One that loops takes its time; nothing takes as long as one can wait for a machine that is busy.
    assert!(started.elapsed() < Duration::from_secs(240), "{:?}", started.elapsed());
    if cfg!(target_os = "linux") {
        assert!(seen.most_memory < 400 * MEGABYTE, "{} kB", seen.most_memory);
        let is_limited = |limits: &String| {
            let wanted = [
                ("Max open files", "3"),
                ("Max file size", "0"),
                ("Max core file size", "0"),
                ("Max data size", "1073741824"),
                ("Max cpu time", "20"),
            ];
            wanted.iter().all(|(name, most)| {
                let line = limits.lines().find(|line| line.starts_with(name)).unwrap();
                line[name.len()..].split_whitespace().next() == Some(*most)
            })
        };
        // One that was just started has not limited itself yet.
        assert!(seen.limits.iter().any(is_limited), "{:?}", seen.limits.last());
        assert!(
            seen.environments.iter().all(|inside| !inside.contains("GALLEY") && !inside.contains("PATH=/"))
        );
    }
    let found = galley.run(["library", "search", "lanterns"]).ok().out;
    assert!(found.contains("Sound"), "{found}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_reader_inherits_nothing_gains_nothing_and_ends_with_the_program() {
    let galley = Galley::new();
    let file = galley.file("loop.pdf", laughs());
    let given = galley.file("given.txt", b"of nobody else");
    let mut shell = galley.command(Path::new("sh"));
    shell.args(["-c", "exec 9<\"$0\"; exec \"$@\"", &given]).arg(program());
    let mut child = shell.args(["library", "import", &file]).spawn().unwrap();
    let waited = Instant::now();
    let is_over = || assert!(waited.elapsed() < Duration::from_secs(100), "{:?}", waited.elapsed());
    // Just started, it has not limited itself yet.
    let reader = loop {
        let begun =
            readers(child.id()).into_iter().find(|id| of_process(*id, "status").contains("NoNewPrivs:\t1"));
        if let Some(reader) = begun {
            break reader;
        }
        is_over();
        std::thread::sleep(Duration::from_millis(5));
    };
    assert!(std::fs::exists(format!("/proc/{}/fd/9", child.id())).unwrap());
    let open = std::fs::read_dir(format!("/proc/{reader}/fd")).unwrap();
    let open: BTreeSet<String> =
        open.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(open, ["0", "1", "2"].map(str::to_owned).into());
    // One that is held cannot come to its end by itself.
    assert!(Command::new("kill").args(["-STOP", &reader.to_string()]).status().unwrap().success());
    child.kill().unwrap();
    child.wait().unwrap();
    while of_process(reader, "cmdline").contains("__read-document") {
        is_over();
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn feeds_and_records_are_read_in_a_process_of_their_own() {
    let galley = Galley::new();
    let items: String = (0..20_000)
        .map(|n| format!("<item><title>Lantern {n}</title><description>Of wood.</description></item>"))
        .collect();
    let feed = format!("<rss version=\"2.0\"><channel><title>Lanterns</title>{items}</channel></rss>");
    let lines: String =
        (0..20_000).map(|n| format!("{{\"title\":\"Record {n}\",\"summary\":\"Of lamps.\"}}\n")).collect();
    galley.file("shelf/a.rss", feed);
    let shelf = galley.file("shelf/b.jsonl", lines);
    let shelf = Path::new(&shelf).parent().unwrap().to_str().unwrap();
    let mut child = galley.command(&program()).args(["library", "import", shelf]).spawn().unwrap();
    let seen = watched(&mut child);
    let output = child.wait_with_output().unwrap();
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert!(output.status.success() && out.starts_with("25000 added"), "{out}{err}");
    assert!(err.contains("15000 of 20000 entries are empty or too many"), "{err}");
    if cfg!(target_os = "linux") {
        assert_eq!(seen.kinds, ["feed", "jsonl"].map(str::to_owned).into());
    }
}

#[test]
fn a_document_that_cannot_be_read_alone_says_why_and_a_reader_without_a_document_ends() {
    let galley = Galley::new();
    let file = galley.file("width.pdf", table("/W[9223372036854775807 1 1]"));
    galley.run(["library", "import", &file]).exits(2).says(&["width.pdf", "no sound PDF"]);
    // The hidden argument is no command: it reads what it is given and writes nothing but what it found.
    let galley = Galley::new();
    for words in [&["__read-document"][..], &["__read-document", "exe"]] {
        let told = galley.run(words);
        assert_eq!((told.code, told.out.as_str(), told.err.as_str()), (Some(1), "", ""), "{words:?}");
    }
    let told = galley.run(["__read-document", "pdf"]).ok();
    assert!(told.out.contains("refused") && told.err.is_empty(), "{told:?}");
    assert!(!galley.data().exists());
}
