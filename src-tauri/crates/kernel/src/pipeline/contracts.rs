//! The keys that an agent uses beside its declared ones: those that the program writes along with its answer.

use super::{AgentDeclaration, KeyEntry, PipelineDefinition};
use crate::{Contract, Role};

/// The titles of the keys of the review desk, by language.
const TITLES: [(&str, [(&str, &str); 4]); 2] = [
    (
        "zh",
        [
            ("Issues", "问题"),
            ("Your sentences", "您的句子"),
            (DECISIONS, "您的决定"),
            (DISMISSED, "已忽略的问题"),
        ],
    ),
    (
        "ja",
        [
            ("Issues", "指摘"),
            ("Your sentences", "あなたの文"),
            (DECISIONS, "あなたの判断"),
            (DISMISSED, "取り下げた指摘"),
        ],
    ),
];

/// The title of the stage where the person decides about the issues of a review.
pub const DECISIONS: &str = "Your decisions";
/// The title of the next stage, which keeps the draft where every issue was dismissed.
pub const DISMISSED: &str = "Dismissed issues";

impl PipelineDefinition {
    /// Adds the missing keys of the review desk to a pipeline with a draft and a review.
    #[must_use]
    pub fn with_review_desk(mut self) -> PipelineDefinition {
        let (Some(draft), Some(review)) = (self.draft_key(), self.review_key()) else { return self };
        let added = [
            (format!("{review}_issues"), "Issues", Role::Issues),
            (format!("{draft}_own_text"), "Your sentences", Role::OwnText),
        ];
        for (name, title, role) in added {
            if self.key_of_role(|known| *known == role).is_none() && !self.inputs.contains_key(&name) {
                let entry = KeyEntry { title: title.to_owned(), role, schema: None, is_computed: true };
                self.keys.entry(name).or_insert(entry);
            }
        }
        for (language, titles) in TITLES {
            let Some(words) = self.translations.get_mut(language) else { continue };
            for (english, theirs) in titles {
                words.entry(english.to_owned()).or_insert_with(|| theirs.to_owned());
            }
        }
        self
    }

    /// The key of the draft, if there is one.
    pub fn draft_key(&self) -> Option<&str> {
        self.key_of_role(|role| matches!(role, Role::Draft { .. })).map(|(name, _)| name)
    }

    /// The key of the review, if there is one.
    pub fn review_key(&self) -> Option<&str> {
        self.key_of_role(|role| matches!(role, Role::Review { .. })).map(|(name, _)| name)
    }

    /// The key of the issues of all reviews, if there is a draft with a review.
    pub fn issues_key(&self) -> Option<&str> {
        self.key_of_role(|role| *role == Role::Issues).map(|(name, _)| name)
    }

    /// The key of the person's own sentences, if there is a draft with a review.
    pub fn own_text_key(&self) -> Option<&str> {
        self.key_of_role(|role| *role == Role::OwnText).map(|(name, _)| name)
    }

    /// Whether the agent writes the draft and reads its review.
    pub fn rewrites(&self, agent: &AgentDeclaration) -> bool {
        let (Some(draft), Some(review)) = (self.draft_key(), self.review_key()) else { return false };
        agent.writes.iter().any(|key| key == draft) && reads(agent, review)
    }

    /// The keys that an agent uses.
    pub fn contract(&self, agent: &AgentDeclaration) -> Contract {
        let agent = &agent.with_own_keys();
        let mut contract = Contract {
            reads: agent.reads.clone(),
            may_read: agent.may_read.clone(),
            writes: agent.writes.clone(),
        };
        let checks = self.key_of_role(|role| *role == Role::Checks).map(|(name, _)| name);
        let writes = |key: Option<&str>| key.is_some_and(|key| agent.writes.iter().any(|own| own == key));
        let of_call = agent.call.as_ref().and_then(|call| call.writes.as_deref());
        add(&mut contract.writes, of_call);
        add(&mut contract.writes, checks.filter(|_| !agent.checks.is_empty()));
        let (issues, own_text) = (self.issues_key(), self.own_text_key());
        if writes(self.draft_key()) {
            for key in [issues, own_text] {
                add(&mut contract.may_read, key);
                add(&mut contract.writes, key);
            }
            add(&mut contract.writes, own_text.and(checks));
        }
        if writes(self.review_key()) {
            add(&mut contract.may_read, issues);
            add(&mut contract.writes, issues);
        }
        if self.review_key().is_some_and(|review| reads(agent, review)) {
            add(&mut contract.may_read, issues);
        }
        contract
    }
}

fn reads(agent: &AgentDeclaration, key: &str) -> bool {
    agent.reads.iter().chain(&agent.may_read).any(|read| read == key)
}

fn add(keys: &mut Vec<String>, key: Option<&str>) {
    if let Some(key) = key.filter(|key| !keys.iter().any(|known| known == key)) {
        keys.push(key.to_owned());
    }
}
