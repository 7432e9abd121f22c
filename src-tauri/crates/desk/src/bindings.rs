//! Generates the page's TypeScript from the command list and its types. A test compares it with the committed file.

use std::any::TypeId;
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use ts_rs::{Config, TS, TypeVisitor};

use crate::api::*;
use crate::commands::with_commands;

struct Declarations {
    config: Config,
    seen: HashSet<TypeId>,
    by_name: BTreeMap<String, String>,
}

impl TypeVisitor for Declarations {
    fn visit<T: TS + 'static + ?Sized>(&mut self) {
        // Types without a file of their own (numbers, lists) are written inline.
        if T::output_path().is_none() || !self.seen.insert(TypeId::of::<T>()) {
            return;
        }
        self.by_name.insert(T::ident(&self.config), format!("export {}", T::decl(&self.config)));
        T::visit_dependencies(self);
    }
}

macro_rules! declared {
    ($($service:ident.$name:ident($request:ty) -> $response:ty,)*) => {
        /// The whole file of bindings.
        pub fn typescript() -> String {
            let config = Config::new();
            let mut commands = String::new();
            $(
                // Writing to a string cannot fail.
                let _ = writeln!(
                    commands,
                    "  {}: [{}, {}];",
                    stringify!($name),
                    <$request>::name(&config),
                    <$response>::name(&config)
                );
            )*
            let mut found = Declarations { config, seen: HashSet::new(), by_name: BTreeMap::new() };
            $(
                found.visit::<$request>();
                found.visit::<$response>();
            )*
            found.visit::<WatchItem>();
            // The values of keys with a role cross the API as free JSON, so their types are added here.
            found.visit::<kernel::Checks>();
            found.visit::<kernel::Review>();
            found.visit::<kernel::Issues>();
            found.visit::<kernel::OwnText>();
            found.visit::<kernel::Sources>();
            found.visit::<kernel::Plan>();
            found.visit::<kernel::StepRecords>();
            found.visit::<kernel::JudgedRounds>();
            found.visit::<kernel::Places>();
            found.visit::<itinerary::TripPlan>();
            let mut text = String::from(
                "// Made from the desk's command list by a test (docs/develop.md, Generated files). Not to be edited.\n\n",
            );
            for declaration in found.by_name.values() {
                text.push_str(declaration);
                text.push_str("\n\n");
            }
            text.push_str("/** Every command: what it takes and what it gives. */\nexport type Commands = {\n");
            text.push_str(&commands);
            text.push_str("};\n");
            text.push_str("\n/** The English texts by id. */\nexport const ENGLISH = {\n");
            for (id, words) in kernel::ENGLISH {
                let _ = writeln!(text, "  {id:?}: {words:?},");
            }
            text.push_str("} as const;\n");
            text
        }
    };
}
with_commands!(declared);
