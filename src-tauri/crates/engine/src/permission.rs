//! Whether a tool may be called, in one order: a rule that forbids, a grant of the run, a rule that allows, the tool itself.
//!
//! What none of these decides, the person does. The decision is stored with the call, so that rules of the settings are
//! read once and a replay follows what was decided then.

use kernel::{
    Code, DecidedBy, Decision, EffectClass, Error, PermissionAnswer, Rule, ToolCall, ToolFailure, ToolOffer,
    phrase,
};

use crate::named_addresses::NamedAddresses;
use crate::tool::{Access, Asks, Hosts, ToolDescription, failure};

/// The rules of the settings, as they are now.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StandingRules {
    /// What is never done.
    pub never: Vec<Rule>,
    /// What is done unasked.
    pub always: Vec<Rule>,
    /// A rule that cannot be read, as it stands: it may forbid anything, so nothing is done.
    pub unreadable: Option<String>,
}

/// Where the rules of the settings are kept.
pub trait Permissions: Send + Sync + 'static {
    /// The rules as they are now.
    fn rules(&self) -> StandingRules;
    /// That a rule decided about a call.
    fn used(&self, rule: &Rule);
    /// A foreign tool as it was described when it was always allowed, where a call of it now is no longer covered by that.
    fn allowed_before(&self, now: &Rule) -> Option<ToolOffer> {
        let _ = now;
        None
    }
}

/// Rules that stay as they are.
impl Permissions for StandingRules {
    fn rules(&self) -> StandingRules {
        self.clone()
    }

    fn used(&self, _: &Rule) {}
}

/// The rule that a grant for more than one call makes: of the tool, and where the call is about one, of its place. A foreign
/// tool is allowed as it is described now: who describes it otherwise later asks for another thing.
pub(crate) fn rule_of(call: &ToolCall) -> Rule {
    let is_foreign = ToolDescription::is_foreign(&call.tool);
    let version = call.version.as_ref().filter(|_| is_foreign).map(Rule::version);
    Rule { tool: call.tool.clone(), version, place: call.place.clone() }
}

/// The decision of a rule that forbids a call.
pub(crate) fn forbidden(call: &ToolCall, rules: &StandingRules) -> Option<Decision> {
    if rules.unreadable.is_some() {
        return Some(Decision::of(false, DecidedBy::Never));
    }
    // A call that does not tell where it acts may act at the place that is forbidden.
    let covers = |rule: &&Rule| {
        rule.covers(&call.tool, call.place.as_deref()) || (rule.tool == call.tool && call.place.is_none())
    };
    let rule = rules.never.iter().find(covers)?;
    Some(Decision::by_rule(false, DecidedBy::Never, rule.clone()))
}

/// What decides about a call; nothing where the person is to be asked.
pub(crate) fn decide(
    call: &ToolCall,
    access: &Access,
    grants: &[Rule],
    rules: &StandingRules,
    named: &NamedAddresses,
) -> Option<Decision> {
    let covers = |rule: &&Rule| {
        rule.covers(&call.tool, call.place.as_deref()) && rule.is_of_version(call.version.as_ref())
    };
    let covering = |rules: &[Rule]| rules.iter().find(covers).cloned();
    if let Some(forbidden) = forbidden(call, rules) {
        return Some(forbidden);
    }
    if let Some(rule) = covering(grants) {
        return Some(Decision::by_rule(true, DecidedBy::Run, rule));
    }
    if let Some(rule) = covering(&rules.always) {
        return Some(Decision::by_rule(true, DecidedBy::Always, rule));
    }
    let is_free = match &access.asks {
        Asks::No => true,
        Asks::Yes => false,
        Asks::UnlessNamed(address) => named.allow(address),
    };
    is_free.then(|| Decision::of(true, DecidedBy::Default))
}

/// What an answer of the person decides.
pub(crate) fn decided_by(answer: &PermissionAnswer, rule: Rule) -> Decision {
    match answer {
        PermissionAnswer::Once => Decision::of(true, DecidedBy::Person),
        PermissionAnswer::Run | PermissionAnswer::Always => Decision::by_rule(true, DecidedBy::Person, rule),
        PermissionAnswer::Refuse => Decision::of(false, DecidedBy::Person),
        PermissionAnswer::RefuseBecause(reason) => {
            Decision { reason: Some(reason.clone()), ..Decision::of(false, DecidedBy::Person) }
        }
        PermissionAnswer::Change(_) => Decision { is_changed: true, ..Decision::of(true, DecidedBy::Person) },
        PermissionAnswer::Nobody => Decision::of(false, DecidedBy::Nobody),
    }
}

/// Why a call is refused.
pub(crate) fn refused(tool: &str, decision: &Decision, unreadable: Option<&str>) -> Error {
    let message = match (&decision.by, &decision.rule, &decision.reason, unreadable) {
        (DecidedBy::Never, _, _, Some(text)) => phrase!(
            "`{tool}` may not be called as long as the rule `{rule}` of the settings cannot be read: it may forbid it",
            tool,
            rule = text
        ),
        (DecidedBy::Never, Some(rule), ..) => {
            phrase!("`{tool}` may not be called: the settings forbid `{rule}`", tool, rule = rule.to_string())
        }
        (DecidedBy::Nobody, ..) => phrase!(
            "`{tool}` may not act without permission, and nobody was there to be asked; allow it with `--allow {tool}`",
            tool
        ),
        (_, _, Some(reason), _) => {
            phrase!("`{tool}` may not be called. The person refused it: {reason}", tool, reason)
        }
        _ => phrase!("`{tool}` may not be called: the person refused it", tool),
    };
    let kind = ToolFailure::Refused { decision: decision.clone() };
    failure(Code::PermissionNeeded, kind, message)
}

/// Which hosts a call may reach that was allowed: its own, and where it is sent on, those that are allowed, too.
pub(crate) fn hosts(call: &ToolCall, access: &Access, grants: &[Rule], rules: &StandingRules) -> Hosts {
    let (tool, own) = (call.tool.clone(), call.place.clone());
    let never: Vec<Rule> = rules.never.iter().filter(|rule| rule.tool == tool).cloned().collect();
    let decided = call.decision.as_ref().and_then(|decision| decision.rule.clone());
    let allowed: Vec<Rule> = grants.iter().chain(&rules.always).cloned().chain(decided).collect();
    // What looks at an address may keep what it found in the run's own folder; it does nothing to a host.
    let acts = match access.asks {
        Asks::Yes => true,
        Asks::No => access.class != EffectClass::Pure,
        Asks::UnlessNamed(_) => false,
    };
    Hosts::only(move |host| {
        let covers = |rules: &[Rule]| rules.iter().any(|rule| rule.covers(&tool, Some(host)));
        !covers(&never) && (!acts || own.as_deref() == Some(host) || covers(&allowed))
    })
}

/// That a call was sent on to a host that it may not reach. For tools.
pub fn refused_host(tool: &str, host: &str) -> Error {
    let message = phrase!(
        "`{tool}` was sent on to {host}, where it may not go. Ask for that address itself, so that it can be allowed",
        tool,
        host
    );
    let decision = Decision::of(false, DecidedBy::Default);
    failure(Code::PermissionNeeded, ToolFailure::Refused { decision }, message)
}
