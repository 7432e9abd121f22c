//! Places in the tree of a run: `AiNewsPipelineManager/ai_news_writer#2`, `loop[2]/writer#1`.
//!
//! A segment has the agent's name and the ordinal of the call there (`#`, from 1); a loop's segment also has the round
//! (`[2]`, from 1). `/` precedes a call in sequence, `|` a branch that runs concurrently with its siblings, and `*` an
//! instance of an agent on demand, which runs concurrently too and whose writes are local. So the text of two paths
//! shows whether they are concurrent.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use ts_rs::TS;

/// The characters that begin a segment or a round.
const SEPARATORS: [char; 4] = ['/', '|', '*', '['];

/// A place in the tree of a run. Cheap to clone.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, TS)]
#[ts(type = "string")]
pub struct Path(Arc<str>);

impl Path {
    /// The path of the tree's root, or of an author outside the tree (`user`, `run`).
    pub fn root(name: &str) -> Path {
        Path(name.into())
    }

    /// The `ordinal`-th call of `name` from here, in sequence.
    pub fn child(&self, name: &str, ordinal: u32) -> Path {
        Path(format!("{}/{name}#{ordinal}", self.0).into())
    }

    /// The `ordinal`-th branch `label` from here, concurrent with its siblings.
    pub fn branch(&self, label: &str, ordinal: u32) -> Path {
        Path(format!("{}|{label}#{ordinal}", self.0).into())
    }

    /// The `number`-th instance of `name` from here, concurrent with its siblings.
    pub fn instance(&self, name: &str, number: u32) -> Path {
        Path(format!("{}*{name}#{number}", self.0).into())
    }

    /// This loop in its `round`-th round.
    pub fn round(&self, round: u32) -> Path {
        Path(format!("{}[{round}]", self.0).into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path above a path in text form: of a round its loop, of the root `None`.
    pub fn above(place: &str) -> Option<&str> {
        place.rfind(SEPARATORS).map(|end| &place[..end])
    }

    /// Whether `self` lies below `ancestor` (a loop's rounds lie below the loop).
    pub fn is_below(&self, ancestor: &Path) -> bool {
        self.0.strip_prefix(ancestor.as_str()).is_some_and(|rest| rest.starts_with(SEPARATORS))
    }

    /// Whether the path is in a branch or an instance.
    pub fn is_beside_others(&self) -> bool {
        self.0.contains(['|', '*'])
    }

    /// Whether the path is that of an instance.
    pub fn is_instance(&self) -> bool {
        self.0.rfind(SEPARATORS).is_some_and(|at| self.0[at..].starts_with('*'))
    }

    /// The innermost instance that this path is or is in. Writes there are local to it.
    pub fn own_instance(&self) -> Option<Path> {
        let begin = self.0.rfind('*')? + 1;
        let length = self.0[begin..].find(SEPARATORS).unwrap_or(self.0.len() - begin);
        Some(Path(self.0[..begin + length].into()))
    }

    /// Whether the two paths run concurrently: they diverge at two branches of one agent.
    pub fn is_concurrent_with(&self, other: &Path) -> bool {
        let (a, b) = (self.0.as_bytes(), other.0.as_bytes());
        let common = a.iter().zip(b).take_while(|(x, y)| x == y).count();
        if common == a.len() || common == b.len() {
            // One text is a prefix of the other: `a|b#1` and `a|b#12` are siblings, `a` and `a|b#1` are not.
            let longer = if a.len() > b.len() { a } else { b };
            if common == longer.len() || SEPARATORS.contains(&char::from(longer[common])) {
                return false;
            }
        }
        // The separator before the first different segment decides.
        let is_separator = |byte: &u8| SEPARATORS.contains(&char::from(*byte));
        let is_new_segment = [a, b].iter().all(|place| place.get(common).is_some_and(is_separator));
        !is_new_segment
            && a[..common].iter().rfind(|byte| is_separator(byte)).is_some_and(|byte| b"|*".contains(byte))
    }

    /// The agent's own name: the last segment without ordinal and round.
    pub fn name(&self) -> &str {
        Path::name_of(&self.0)
    }

    /// The agent's own name in a path in text form.
    pub fn name_of(place: &str) -> &str {
        let last = place.rsplit(['/', '|', '*']).next().unwrap_or(place);
        last.split(['#', '[']).next().unwrap_or(last)
    }

    /// The ordinal of the call of its agent, or the number of its instance; 1 for the root.
    pub fn ordinal(&self) -> u32 {
        let last = self.0.rsplit(['/', '|', '*']).next().unwrap_or(&self.0);
        let ordinal = last.split('#').nth(1).and_then(|rest| rest.split('[').next());
        ordinal.and_then(|ordinal| ordinal.parse().ok()).unwrap_or(1)
    }

    /// The innermost round that contains this path, if it is in a loop.
    pub fn innermost_round(&self) -> Option<u32> {
        let open = self.0.rfind('[')?;
        let close = self.0[open..].find(']')? + open;
        self.0[open + 1..close].parse().ok()
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paths_in_different_branches_of_one_agent_are_concurrent() {
        let root = Path::root("p");
        let (a, b) = (root.branch("a", 1), root.branch("b", 1));
        assert!(a.is_concurrent_with(&b));
        assert!(a.child("x", 1).is_concurrent_with(&b.child("x", 2)));
        assert!(root.branch("a", 1).is_concurrent_with(&root.branch("a", 12)));
        assert!(root.branch("a", 1).child("x", 1).is_concurrent_with(&root.branch("a", 12).child("x", 1)));
        assert!(!a.is_concurrent_with(&a.child("x", 1)));
        assert!(!a.child("x", 1).is_concurrent_with(&a.child("y", 1)));
        assert!(!root.is_concurrent_with(&a));
        let round = |n| Path::root("loop").round(n);
        assert!(!round(1).child("w", 1).is_concurrent_with(&round(2).child("w", 1)));
        assert!(!root.child("s", 1).is_concurrent_with(&root.branch("a", 1)));
        let (one, twelve) = (root.instance("a", 1), root.instance("a", 12));
        assert!(one.is_concurrent_with(&twelve) && one.child("x", 1).is_concurrent_with(&twelve));
        assert!(!one.is_concurrent_with(&one.child("x", 1)) && !root.is_concurrent_with(&one));
    }

    #[test]
    fn a_path_in_an_instance_finds_the_innermost_one() {
        let instance = Path::root("p").child("each", 1).instance("one", 17);
        assert_eq!(instance.as_str(), "p/each#1*one#17");
        assert_eq!(instance.name(), "one");
        assert_eq!(instance.round(2).child("x", 1).own_instance(), Some(instance.clone()));
        assert_eq!(instance.own_instance(), Some(instance.clone()));
        assert_eq!(Path::root("p").branch("a", 1).own_instance(), None);
        assert_eq!(Path::above(instance.as_str()), Some("p/each#1"));
        assert_eq!(Path::above("p"), None);
    }

    #[test]
    fn a_place_names_its_agent_and_round() {
        let path = Path::root("outer").round(1).child("inner", 1).round(2).child("writer", 1);
        assert_eq!(path.as_str(), "outer[1]/inner#1[2]/writer#1");
        assert_eq!((path.name(), path.innermost_round()), ("writer", Some(2)));
        assert!(path.is_below(&Path::root("outer")));
        assert!(!Path::root("outer2").is_below(&Path::root("outer")));
    }
}
