//! The modules of a crate are held to what the crates are held to: they use each other in no circle.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::slice;

use syn::buffer::{Cursor, TokenBuffer};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// Modules that still use each other in circles, by crate. The list may only become shorter.
const CIRCLES: &[(&str, &str)] = &[("desk", "accounts program runs")];

/// For each top-level module the modules that it uses, and for each of those one file that does so.
type Graph = BTreeMap<String, BTreeMap<String, PathBuf>>;

/// A path in the code, and where it is written.
struct Mention {
    module: Vec<String>,
    path: Vec<String>,
    /// The name that a `use` gives to the path.
    name: Option<String>,
    file: PathBuf,
}

/// What the code of one crate mentions, without its tests.
#[derive(Default)]
struct Reader {
    file: PathBuf,
    /// The module that is being read.
    module: Vec<String>,
    modules: BTreeSet<Vec<String>>,
    mentions: Vec<Mention>,
    /// Exported macros with their modules: their names belong to the root of the crate.
    macros: BTreeMap<String, String>,
}

impl Reader {
    fn read(&mut self, file: PathBuf) {
        let text = std::fs::read_to_string(&file).unwrap();
        let parsed = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let before = std::mem::replace(&mut self.file, file);
        self.visit_file(&parsed);
        self.file = before;
    }

    /// The file of a module that is declared without a body.
    fn file_of_module(&self) -> PathBuf {
        let folder = self.file.parent().unwrap();
        let stem = self.file.file_stem().unwrap();
        let name = self.module.last().unwrap();
        let is_root_of_folder = ["lib", "main", "mod"].iter().any(|root| stem == *root);
        let folder = if is_root_of_folder { folder.to_owned() } else { folder.join(stem) };
        let beside = folder.join(format!("{name}.rs"));
        if beside.exists() { beside } else { folder.join(name).join("mod.rs") }
    }

    fn mention(&mut self, path: Vec<String>, name: Option<String>) {
        self.mentions.push(Mention { module: self.module.clone(), path, name, file: self.file.clone() });
    }

    fn mention_tree(&mut self, mut path: Vec<String>, tree: &UseTree) {
        match tree {
            UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.mention_tree(path, &part.tree);
            }
            UseTree::Name(last) if last.ident == "self" => {
                let name = path.last().cloned();
                self.mention(path, name);
            }
            UseTree::Name(last) => {
                path.push(last.ident.to_string());
                self.mention(path, Some(last.ident.to_string()));
            }
            UseTree::Rename(last) => {
                path.push(last.ident.to_string());
                self.mention(path, Some(last.rename.to_string()));
            }
            UseTree::Glob(_) => self.mention(path, None),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.mention_tree(path.clone(), tree));
            }
        }
    }

    /// Paths among the tokens of a macro, which the parser leaves unread.
    fn mention_tokens(&mut self, mut rest: Cursor) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        while !rest.eof() {
            if let Some((name, after)) = rest.ident() {
                if colons != 2 {
                    self.mention(std::mem::take(&mut path), None);
                }
                path.push(name.to_string());
                (colons, rest) = (0, after);
            } else if let Some((_, after)) = rest.punct().filter(|(sign, _)| sign.as_char() == ':') {
                (colons, rest) = (colons + 1, after);
            } else {
                self.mention(std::mem::take(&mut path), None);
                if let Some((inside, _, _, after)) = rest.any_group() {
                    self.mention_tokens(inside);
                    rest = after;
                } else if let Some((_, after)) = rest.token_tree() {
                    rest = after;
                }
            }
        }
        self.mention(path, None);
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item(&mut self, item: &'ast Item) {
        if !is_for_tests(attributes(item)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !is_for_tests(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        self.module.push(module.ident.to_string());
        self.modules.insert(self.module.clone());
        if module.content.is_some() {
            visit::visit_item_mod(self, module);
        } else {
            self.read(self.file_of_module());
        }
        self.module.pop();
    }

    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        self.mention_tree(Vec::new(), &item.tree);
    }

    fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
        if let (Some(name), Some(module)) = (&item.ident, self.module.first())
            && item.attrs.iter().any(|attribute| attribute.path().is_ident("macro_export"))
        {
            self.macros.insert(name.to_string(), module.clone());
        }
        visit::visit_item_macro(self, item);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.mention(path.segments.iter().map(|segment| segment.ident.to_string()).collect(), None);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.mention_tokens(TokenBuffer::new2(call.tokens.clone()).begin());
        visit::visit_macro(self, call);
    }
}

fn attributes(item: &Item) -> &[Attribute] {
    match item {
        Item::Const(item) => &item.attrs,
        Item::Enum(item) => &item.attrs,
        Item::Fn(item) => &item.attrs,
        Item::Impl(item) => &item.attrs,
        Item::Macro(item) => &item.attrs,
        Item::Mod(item) => &item.attrs,
        Item::Static(item) => &item.attrs,
        Item::Struct(item) => &item.attrs,
        Item::Trait(item) => &item.attrs,
        Item::Type(item) => &item.attrs,
        Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| {
        attribute.path().is_ident("cfg")
            && attribute.parse_args::<syn::Path>().is_ok_and(|condition| condition.is_ident("test"))
    })
}

/// The path from the root of the crate, if the path names its beginning.
fn from_root(module: &[String], path: &[String]) -> Option<Vec<String>> {
    let ups = path.iter().take_while(|part| *part == "super").count();
    let (start, rest) = match path.first()?.as_str() {
        "crate" => (&[][..], &path[1..]),
        "self" => (module, &path[1..]),
        "super" => (&module[..module.len().checked_sub(ups)?], &path[ups..]),
        _ if module.is_empty() => (&[][..], path),
        _ => return None,
    };
    Some([start, rest].concat())
}

/// The graph of the top-level modules of the crate in a folder.
fn graph(folder: &Path) -> Graph {
    let root =
        ["src/lib.rs", "src/main.rs"].map(|file| folder.join(file)).into_iter().find(|file| file.exists());
    let mut reader = Reader::default();
    reader.read(root.unwrap_or_else(|| panic!("{}: neither lib.rs nor main.rs", folder.display())));
    let is_module = |name: &String| reader.modules.contains(slice::from_ref(name));
    // What the root takes from a module counts as this module.
    let mut names = reader.macros.clone();
    for Mention { module, path, name, .. } in &reader.mentions {
        if let (true, Some(name), Some(path)) = (module.is_empty(), name, from_root(module, path))
            && path.first().is_some_and(is_module)
        {
            names.insert(name.clone(), path[0].clone());
        }
    }
    let mut graph = Graph::new();
    for Mention { module, path, file, .. } in &reader.mentions {
        let (Some(module), Some(path)) = (module.first(), from_root(module, path)) else { continue };
        let target = match &path[..] {
            [] => None,
            [name] => names.get(name).or(is_module(name).then_some(name)),
            [name, ..] => is_module(name).then_some(name).or(names.get(name)),
        };
        if let Some(target) = target.filter(|target| *target != module) {
            graph.entry(module.clone()).or_default().entry(target.clone()).or_insert_with(|| file.clone());
        }
    }
    graph
}

/// The shortest circle through a module: its modules, each of which uses the next, the last one the first.
fn circle(graph: &Graph, start: &str) -> Option<Vec<String>> {
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
fn describe(graph: &Graph, mut circle: Vec<String>) -> String {
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

/// For each crate its modules that are in a circle, each with the shortest one.
fn circles() -> BTreeMap<String, BTreeMap<String, String>> {
    let crates = std::fs::read_dir(root().join("src-tauri/crates")).unwrap();
    let folders = crates.map(|entry| entry.unwrap().path());
    folders
        .map(|folder| {
            let graph = graph(&folder);
            let circles = graph
                .keys()
                .filter_map(|module| Some((module.clone(), describe(&graph, circle(&graph, module)?))));
            (folder.file_name().unwrap().to_string_lossy().into_owned(), circles.collect())
        })
        .collect()
}

fn listed(name: &str) -> BTreeSet<String> {
    let found = CIRCLES.iter().filter(|(listed, _)| *listed == name);
    found.flat_map(|(_, modules)| modules.split(' ')).map(str::to_owned).collect()
}

#[test]
fn only_the_listed_modules_use_each_other_in_circles() {
    let found = circles();
    let mut new = BTreeSet::new();
    for (name, circles) in &found {
        let listed = listed(name);
        let unlisted = circles.iter().filter(|(module, _)| !listed.contains(*module));
        new.extend(unlisted.map(|(_, circle)| format!("{name}: {circle}")));
    }
    assert!(
        new.is_empty(),
        "move an item to the module where it belongs:\n{}",
        Vec::from_iter(new).join("\n")
    );
    let mut free = Vec::new();
    for (name, _) in CIRCLES {
        let is_free = |module: &String| !found.get(*name).is_some_and(|circles| circles.contains_key(module));
        free.extend(listed(name).into_iter().filter(is_free).map(|module| format!("{name}: {module}")));
    }
    assert!(free.is_empty(), "these are in no circle any more, take them off the list:\n{}", free.join("\n"));
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
    let arrows: Vec<String> = graph(folder.path())
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
    let circle = circle(&graph(folder.path()), "shown").unwrap().join(" ");
    assert_eq!(circle, "shown in_folder by_use by_path by_macro by_name");
}
