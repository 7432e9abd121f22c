//! What an export contains, counted before it leaves the program.

use kernel::{Effect, Event, Fact};

use crate::api::ExportContents;

/// What a key that was met in recorded words was replaced by.
const REDACTED: &str = "[key]";

/// Counts what is in the export `content` of these events; `has_events` is whether they themselves are in it.
pub(crate) fn contents_of(events: &[Event], content: &str, has_events: bool) -> ExportContents {
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let asked = |is_meant: fn(&Effect) -> bool| {
        let effects = events.iter().filter(
            |event| matches!(&event.fact, Fact::EffectAsked { effect, .. } if has_events && is_meant(effect)),
        );
        count(effects.count())
    };
    ExportContents {
        events: if has_events { count(events.len()) } else { 0 },
        prompts: asked(|effect| matches!(effect, Effect::Model { .. })),
        tool_calls: asked(|effect| matches!(effect, Effect::Tool { .. })),
        links: count(content.matches("http://").count() + content.matches("https://").count()),
        redactions: count(content.matches(REDACTED).count()),
    }
}
