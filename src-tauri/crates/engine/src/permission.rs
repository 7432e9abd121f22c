//! Decides whether a tool may be called, in this order: a rule that forbids, a grant of the run, a rule that allows,
//! the tool's own default.
//!
//! Where none of these decides, the person is asked. The decision is stored with the call, so that the settings are
//! read once and a replay follows the former decision.

use kernel::{
    Code, DecidedBy, Decision, EffectClass, Error, PermissionAnswer, Rule, ToolCall, ToolFailure, ToolOffer,
    phrase,
};

use crate::named_addresses::NamedAddresses;
use crate::tool::{Access, Asks, Hosts, ToolDescription, failure};

/// The rules of the settings at present.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StandingRules {
    /// Calls that are always refused.
    pub never: Vec<Rule>,
    /// Calls that are allowed without asking.
    pub always: Vec<Rule>,
    /// The text of a rule that cannot be read. It may forbid anything, so every call is refused.
    pub unreadable: Option<String>,
}

/// The store of the rules of the settings.
pub trait Permissions: Send + Sync + 'static {
    /// The rules at present.
    fn rules(&self) -> StandingRules;
    /// Records that a rule decided about a call.
    fn used(&self, rule: &Rule);
    /// The foreign tool as it was described when it was always allowed, where its description has changed since.
    fn allowed_before(&self, now: &Rule) -> Option<ToolOffer> {
        let _ = now;
        None
    }
}

/// A fixed set of rules.
impl Permissions for StandingRules {
    fn rules(&self) -> StandingRules {
        self.clone()
    }

    fn used(&self, _: &Rule) {}
}

/// The rule that a grant for more than one call creates: for the tool, and for the place of the call where it has one.
/// It covers a foreign tool only with its present description.
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
    // A call without a known place may act at the forbidden place.
    let covers = |rule: &&Rule| {
        rule.covers(&call.tool, call.place.as_deref()) || (rule.tool == call.tool && call.place.is_none())
    };
    let rule = rules.never.iter().find(covers)?;
    Some(Decision::by_rule(false, DecidedBy::Never, rule.clone()))
}

/// The decision about a call; `None` where the person has to be asked.
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

/// The decision that follows from the person's answer.
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

/// The error of a refused call.
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

/// The hosts that an allowed call may reach: its own, and on a redirect those that are allowed too.
pub(crate) fn hosts(call: &ToolCall, access: &Access, grants: &[Rule], rules: &StandingRules) -> Hosts {
    let (tool, own) = (call.tool.clone(), call.place.clone());
    let never: Vec<Rule> = rules.never.iter().filter(|rule| rule.tool == tool).cloned().collect();
    let decided = call.decision.as_ref().and_then(|decision| decision.rule.clone());
    let allowed: Vec<Rule> = grants.iter().chain(&rules.always).cloned().chain(decided).collect();
    // A call that reads an address may write to the run's own folder; it changes nothing on the host.
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

/// The error of a tool whose call was redirected to a host that it may not reach.
pub fn refused_host(tool: &str, host: &str) -> Error {
    let message = phrase!(
        "`{tool}` was sent on to {host}, where it may not go. Ask for that address itself, so that it can be allowed",
        tool,
        host
    );
    let decision = Decision::of(false, DecidedBy::Default);
    failure(Code::PermissionNeeded, ToolFailure::Refused { decision }, message)
}
