//! Reads which modules of a crate use which others, from its code.

#![allow(clippy::unwrap_used, clippy::panic, reason = "a test fails here on code that cannot be read")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::slice;

use syn::buffer::{Cursor, TokenBuffer};
use syn::visit::{self, Visit};
use syn::{Attribute, Item, UseTree};

/// For each top-level module the modules that it uses, and for each of those one file that does so.
pub type ModuleGraph = BTreeMap<String, BTreeMap<String, PathBuf>>;

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
pub fn module_graph(folder: &Path) -> ModuleGraph {
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
    let mut graph = ModuleGraph::new();
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
