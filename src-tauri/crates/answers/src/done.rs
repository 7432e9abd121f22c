//! The changes that shaping made to a value, by kind.

use std::collections::BTreeSet;

use crate::Rung;

/// The changes by kind, each field once.
#[derive(Debug, Default, Clone)]
pub(crate) struct Done {
    pub(crate) unwrapped: Vec<String>,
    pub(crate) bare_list: Option<String>,
    pub(crate) is_json_in_text: bool,
    pub(crate) is_closed: bool,
    pub(crate) plain_text: Option<String>,
    pub(crate) renamed: BTreeSet<String>,
    pub(crate) dropped: BTreeSet<String>,
    pub(crate) filled: BTreeSet<String>,
    pub(crate) retyped: BTreeSet<String>,
    pub(crate) listed: BTreeSet<String>,
    pub(crate) joined: BTreeSet<String>,
}

/// Most fields that are named per kind.
const MOST_NAMED: usize = 8;

impl Done {
    pub(crate) fn rungs(self) -> Vec<Rung> {
        let named = |fields: BTreeSet<String>| -> Option<Vec<String>> {
            (!fields.is_empty()).then(|| fields.into_iter().take(MOST_NAMED).collect())
        };
        let mut rungs = Vec::new();
        rungs.extend(self.is_closed.then_some(Rung::Closed));
        rungs.extend(self.is_json_in_text.then_some(Rung::JsonInText));
        if !self.unwrapped.is_empty() {
            rungs.push(Rung::Unwrapped { fields: self.unwrapped });
        }
        rungs.extend(self.plain_text.map(|field| Rung::PlainText { field }));
        rungs.extend(self.bare_list.map(|field| Rung::BareList { field }));
        rungs.extend(named(self.renamed).map(|fields| Rung::Renamed { fields }));
        rungs.extend(named(self.retyped).map(|fields| Rung::Retyped { fields }));
        rungs.extend(named(self.listed).map(|fields| Rung::Listed { fields }));
        rungs.extend(named(self.joined).map(|fields| Rung::Joined { fields }));
        rungs.extend(named(self.filled).map(|fields| Rung::Filled { fields }));
        rungs.extend(named(self.dropped).map(|fields| Rung::Dropped { fields }));
        rungs
    }
}
