//! Judges a text against the sources of its writer. Checks and reviews use it; the citation ledger and the question
//! before an export use it through [`crate::Pipeline::sources`].

use std::sync::Arc;

use kernel::{InputKind, PipelineDefinition, Role, State};
use prose::{JudgedSentence, JudgedSource, judge_text};

use crate::latest::Latest;
use crate::registry::{FunctionContext, Registry, SourceItem};

/// Prepared sources that are cached: enough for all runs that are likely to be worked on at once.
const MOST_PREPARED: usize = 80;
/// Judgements that are cached for the same runs.
const MOST_JUDGED: usize = 16;

/// The sentences of a text, judged against its sources.
#[derive(Clone)]
pub struct Judgement {
    /// The prepared sources in the order of their numbers, from 1.
    pub sources: Vec<Arc<JudgedSource>>,
    /// The verdict on each citation, and on each sentence without one that has a figure or a name from no source.
    pub sentences: Arc<[JudgedSentence]>,
}

/// Judges a Markdown text against its sources; sentences without citations may also repeat what was `asked`.
pub fn judge(sources: &Arc<[SourceItem]>, text: &str, asked: &str) -> Judgement {
    // Cached, because the agents that write, review and publish a draft all judge the same text.
    static JUDGED: Latest<(Arc<[SourceItem]>, [String; 2]), Judgement> = Latest::new(MOST_JUDGED);
    JUDGED.get_or_make(
        text.len() + sources.iter().map(SourceItem::bytes).sum::<usize>(),
        |(known, of)| *of == [text, asked] && (Arc::ptr_eq(known, sources) || *known == *sources),
        || {
            let prepared: Vec<Arc<JudgedSource>> = sources.iter().map(prepared).collect();
            let sentences = judge_text(text, &prepared, asked).into();
            let of = [text, asked].map(str::to_owned);
            ((sources.clone(), of), Judgement { sources: prepared, sentences })
        },
    )
}

/// A prepared source. Preparing one costs more than judging a text.
fn prepared(source: &SourceItem) -> Arc<JudgedSource> {
    static PREPARED: Latest<SourceItem, Arc<JudgedSource>> = Latest::new(MOST_PREPARED);
    let made = || {
        let SourceItem { title, source, published, summary, text, .. } = source;
        // A summary is often the beginning of the text, and its words would count twice.
        let summary = if text.contains(summary) { "" } else { summary.as_str() };
        Arc::new(JudgedSource::new(&[title, source, published], &[summary, text]))
    };
    PREPARED.get_or_make(source.bytes(), |known| known == source, || (source.clone(), made()))
}

/// The sources of the draft's writer, else of the first agent that reads any; `None` if no agent does.
pub(crate) fn sources_of_text(
    definition: &PipelineDefinition,
    registry: &Registry,
    state: &State,
) -> Option<Arc<[SourceItem]>> {
    let agents = definition.agents.iter();
    let mut readers: Vec<_> = agents
        .filter(|(_, agent)| {
            let reads = agent.reads.iter().chain(&agent.may_read);
            reads.filter_map(|key| definition.role(key)).any(|role| matches!(role, Role::Sources { .. }))
        })
        .collect();
    // Stable sort: of several writers, the first one declared is used.
    readers.sort_by_key(|(_, agent)| agent.writes.first().map(String::as_str) != definition.draft_key());
    let (agent, _) = readers.first()?;
    Some(FunctionContext { definition, registry, agent, state, failure: None }.sources())
}

/// What the person asked for: the texts of the inputs other than documents.
pub fn asked(definition: &PipelineDefinition, state: &State) -> String {
    let asks = |kind: InputKind| matches!(kind, InputKind::Line | InputKind::LongText);
    let inputs = definition.inputs.iter().filter(|(_, input)| asks(input.kind));
    inputs.filter_map(|(key, _)| state.get(key)?.as_str()).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use prose::Verdict;

    use super::judge;
    use crate::registry::SourceItem;

    /// The verdicts on a text with one source with this text.
    fn verdicts(source: &str, text: &str, asked: &str) -> Vec<Verdict> {
        let item = SourceItem { title: "Notes".into(), text: source.into(), ..SourceItem::default() };
        let sources: Arc<[SourceItem]> = Arc::new([item]);
        judge(&sources, text, asked).sentences.iter().map(|sentence| sentence.verdict).collect()
    }

    const RCSP: &str = "The authors of the paper describe RCSP, which is a method for the search of plans in a graph. It is \
        faster than the one that was used before, and it needs less of the memory of the machine.";

    #[test]
    fn a_name_from_no_source_is_detected_in_a_sentence_without_function_words() {
        let text = "RCSP is a method for the search of plans, and it is faster than the one before [1]. OpenAI patents \
            RCSP, sues rivals [1].";
        assert_eq!(verdicts(RCSP, text, ""), [Verdict::Supported, Verdict::NotFound]);
    }

    #[test]
    fn a_sentence_whose_words_are_all_over_its_source_is_supported() {
        let all: String =
            (0..60).map(|at| format!("Bees fly to honey, bees make wax and honey {at}. ")).collect();
        assert_eq!(
            verdicts(&format!("{all}Bees make honey."), "Bees make honey [1].", ""),
            [Verdict::Supported]
        );
    }

    #[test]
    fn a_number_from_no_source_in_a_heading_is_out_of_range() {
        assert_eq!(
            verdicts(RCSP, "## Findings [9]\n\nRCSP is a method for the search of plans [1].", ""),
            [Verdict::OutOfRange, Verdict::Supported]
        );
    }

    #[test]
    fn words_of_the_request_need_no_source_in_uncited_sentences() {
        let text = "This is about plans in 2031.";
        assert_eq!(verdicts(RCSP, text, "plans in 2031"), []);
        assert_eq!(verdicts(RCSP, text, ""), [Verdict::NotFound]);
        assert_eq!(verdicts(RCSP, "RCSP finds plans in 2031 [1].", "plans in 2031"), [Verdict::NotFound]);
    }
}
