//! The person's rules that always allow or forbid tool calls, in `permissions.toml` of the data folder.
//!
//! Not here: the order in which rules decide (`engine`), and grants for one run, which its definition holds.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use engine::{Permissions, StandingRules, ToolDescription};
use kernel::{AskedPermission, Code, Rule, ToolOffer, Value, form, phrase};
use serde::{Deserialize, Serialize};

use crate::ApiError;
use crate::accounts::AccountService;
use crate::api::{AddRule, Nothing, PermissionRules, RuleRef, StandingRule};
use crate::program::toml_file::TomlFile;

/// Most rules.
const MOST_RULES: usize = 500;

/// The content of the file. Rules are texts, so that an invalid one does not hide the others.
#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved {
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    never: Vec<SavedRule>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    always: Vec<SavedRule>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedRule {
    rule: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    since_ms: Option<i64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    last_used_ms: Option<i64>,
}

impl Saved {
    fn all(&mut self) -> impl Iterator<Item = &mut SavedRule> {
        self.never.iter_mut().chain(&mut self.always)
    }
}

/// The person's rules.
pub(crate) struct SavedRules {
    rules: TomlFile<Saved>,
    /// The descriptions of foreign tools at the time when they were allowed, by rule.
    described: TomlFile<BTreeMap<String, Described>>,
}

/// The stored description of a foreign tool.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Described {
    description: String,
    /// JSON Schema of its input, as text.
    schema: String,
}

impl SavedRules {
    pub(crate) fn of(folder: &Path) -> SavedRules {
        SavedRules {
            rules: TomlFile::new(folder, "permissions.toml", form!("Your rules for tools")),
            described: TomlFile::new(folder, "allowed_tools.toml", form!("What is kept of allowed tools")),
        }
    }

    /// Always allows a call, unless it is forbidden. Replaces the permission for a former description of the same
    /// foreign tool.
    pub(crate) fn allow(&self, asked: &AskedPermission) -> Result<(), ApiError> {
        let rule = &asked.rule;
        let text = rule.to_string();
        let saved = self.rules.read()?;
        if saved.never.iter().any(|kept| kept.rule == text) {
            return Ok(());
        }
        self.add(rule, true)?;
        let Some(description) = asked.description.clone().filter(|_| rule.version.is_some()) else {
            return Ok(());
        };
        let described = Described { description, schema: asked.schema.json_or_null().to_string() };
        self.rules.change(|saved| {
            saved.always.retain(|kept| kept.rule == text || !is_of_other_version(&kept.rule, rule));
            Ok(())
        })?;
        let kept: BTreeSet<String> = self.rules.read()?.always.into_iter().map(|kept| kept.rule).collect();
        self.described.change(|all| {
            all.insert(text, described);
            all.retain(|rule, _| kept.contains(rule));
            Ok(())
        })
    }

    /// Removes the permissions for the tools of a server that is changed or removed. Prohibitions stay.
    pub(crate) fn forget_server(&self, server: &str) -> Result<(), ApiError> {
        let is_of_server = |rule: &str| {
            rule.split_once('/').is_some_and(|(before, tool)| before == server && !tool.is_empty())
        };
        self.rules.change(|saved| {
            saved.always.retain(|kept| !is_of_server(&kept.rule));
            Ok(())
        })?;
        self.described.change(|all| {
            all.retain(|rule, _| !is_of_server(rule));
            Ok(())
        })
    }

    /// Adds a rule and removes the opposite one.
    fn add(&self, rule: &Rule, is_allowed: bool) -> Result<(), ApiError> {
        let text = rule.to_string();
        self.rules.change(|saved| {
            saved.never.retain(|kept| kept.rule != text);
            if saved.always.iter().any(|kept| kept.rule == text) && is_allowed {
                return Ok(());
            }
            saved.always.retain(|kept| kept.rule != text);
            if saved.never.len() + saved.always.len() >= MOST_RULES {
                let message = phrase!("{most} rules are kept already; remove one first", most = MOST_RULES);
                return Err(ApiError::new(Code::BadInput, message));
            }
            let list = if is_allowed { &mut saved.always } else { &mut saved.never };
            list.push(SavedRule { rule: text, since_ms: Some(engine::now_ms()), last_used_ms: None });
            Ok(())
        })
    }
}

impl Permissions for SavedRules {
    fn rules(&self) -> StandingRules {
        let saved = match self.rules.read() {
            Ok(saved) => saved,
            Err(error) => {
                return StandingRules { unreadable: Some(error.message), ..StandingRules::default() };
            }
        };
        let unreadable = saved.never.iter().find(|kept| kept.rule.parse::<Rule>().is_err());
        let read = |kept: &[SavedRule]| kept.iter().filter_map(|kept| kept.rule.parse().ok()).collect();
        StandingRules {
            unreadable: unreadable.map(|kept| kept.rule.clone()),
            never: read(&saved.never),
            always: read(&saved.always),
        }
    }

    fn allowed_before(&self, now: &Rule) -> Option<ToolOffer> {
        let saved = self.rules.read().ok()?;
        let former = saved.always.into_iter().find(|kept| is_of_other_version(&kept.rule, now))?;
        let Described { description, schema } = self.described.read().ok()?.remove(&former.rule)?;
        let schema: serde_json::Value = serde_json::from_str(&schema).ok()?;
        Some(ToolOffer { name: now.tool.clone(), description, schema: Value::new(schema) })
    }

    fn used(&self, rule: &Rule) {
        let text = rule.to_string();
        let noted = self.rules.change(|saved| {
            saved
                .all()
                .filter(|kept| kept.rule == text)
                .for_each(|kept| kept.last_used_ms = Some(engine::now_ms()));
            Ok(())
        });
        // The time of the last use is only displayed, so a failure to save it is logged.
        if let Err(error) = noted {
            tracing::warn!(%error, "when a rule was used is not kept");
        }
    }
}

/// Whether a stored rule covers the same calls of the tool with another description.
fn is_of_other_version(kept: &str, rule: &Rule) -> bool {
    let Ok(kept) = kept.parse::<Rule>() else { return false };
    let other = kept.version.is_some() && kept.version != rule.version;
    other && (&kept.tool, &kept.place) == (&rule.tool, &rule.place)
}

impl AccountService {
    pub(crate) async fn list_rules(&self, _: Nothing) -> Result<PermissionRules, ApiError> {
        let saved = self.rules.rules.read()?;
        let card = |is_allowed: bool| {
            move |kept: SavedRule| StandingRule {
                is_readable: kept.rule.parse::<Rule>().is_ok(),
                rule: kept.rule,
                is_allowed,
                since_ms: kept.since_ms,
                last_used_ms: kept.last_used_ms,
            }
        };
        let mut rules: Vec<StandingRule> = saved
            .never
            .into_iter()
            .map(card(false))
            .chain(saved.always.into_iter().map(card(true)))
            .collect();
        rules.sort_by(|one, other| one.rule.cmp(&other.rule));
        let tools = self.tools.tools();
        Ok(PermissionRules { rules, tools: tools.iter().map(|tool| tool.describe().name).collect() })
    }

    pub(crate) async fn add_rule(&self, request: AddRule) -> Result<PermissionRules, ApiError> {
        let rule = self.known_rule(&request.rule)?;
        let rule = if request.is_allowed { self.as_described(rule) } else { rule };
        self.rules.add(&rule, request.is_allowed)?;
        self.list_rules(Nothing {}).await
    }

    pub(crate) async fn remove_rule(&self, request: RuleRef) -> Result<PermissionRules, ApiError> {
        self.rules.rules.change(|saved| {
            let before = saved.never.len() + saved.always.len();
            saved.never.retain(|kept| kept.rule != request.rule);
            saved.always.retain(|kept| kept.rule != request.rule);
            if saved.never.len() + saved.always.len() == before {
                let message = phrase!("There is no rule `{rule}`", rule = request.rule);
                return Err(ApiError::new(Code::NotFound, message));
            }
            Ok(())
        })?;
        self.list_rules(Nothing {}).await
    }

    /// Parses rules for existing tools.
    pub(crate) fn known_rules(&self, texts: &[String]) -> Result<Vec<Rule>, ApiError> {
        texts.iter().map(|text| Ok(self.as_described(self.known_rule(text)?))).collect()
    }

    /// Adds the present description to a rule that allows a foreign tool.
    fn as_described(&self, rule: Rule) -> Rule {
        let is_open = rule.version.is_none() && ToolDescription::is_foreign(&rule.tool);
        let tool = is_open.then(|| self.tools.tool(&rule.tool)).flatten();
        let version = tool.map(|tool| Rule::version(&tool.describe().version()));
        Rule { version: rule.version.or(version), ..rule }
    }

    /// Parses a rule for an existing tool.
    pub(crate) fn known_rule(&self, text: &str) -> Result<Rule, ApiError> {
        let rule: Rule = text.parse()?;
        let tools = &self.tools;
        if tools.tool(&rule.tool).is_none() {
            let known: Vec<String> = tools.tools().iter().map(|tool| tool.describe().name).collect();
            let message = phrase!("There is no tool `{name}`; there is {known}", name = rule.tool, known);
            return Err(ApiError::new(Code::BadInput, message));
        }
        Ok(rule)
    }
}
