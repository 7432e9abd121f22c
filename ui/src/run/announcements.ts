// What is said aloud of events that just happened: ends of stages and runs, questions. One sentence for a burst.
import { lineOf } from "./question-text";
import type { JournalEntry, Outline } from "../ipc/bindings";
import { t } from "../i18n";
import { pipelineText } from "../i18n/pipeline-text.svelte";
import { itemOf } from "./instances";
import type { Resolve, View } from "./view-types";
import { agents, isEndedEarly } from "./stages";
import { summaryOf } from "./summary";

export function newsOf(
  entries: readonly JournalEntry[],
  view: View,
  outline: Outline | undefined,
  resolve: Resolve,
): { polite: string; assertive: string } {
  const known = outline ? agents(outline) : new Map<string, Outline>();
  const arrived = new Set(entries.map(({ event }) => event.seq));
  const polite: string[] = [];
  const assertive: string[] = [];
  for (const call of view.calls.values()) {
    if (call.endedSeq === null || !arrived.has(call.endedSeq)) continue;
    const agent = known.get(call.agent);
    const [name, item] = [pipelineText(agent?.title ?? call.agent), itemOf(view, call.path, resolve)];
    const title = item === "" ? name : t("each.of", { who: name, item });
    if (call.error)
      (isEndedEarly(call.error) ? polite : assertive).push(
        t(isEndedEarly(call.error) ? "say.stopped" : "say.failed", { title }),
      );
    // Of many instances that go well each would be one sentence too many.
    else if (agent?.children.length === 0 && item === "") {
      const left = summaryOf(view, agent, resolve);
      const sentence = left === "" ? t("say.done", { title }) : `${t("say.done", { title })}, ${left}`;
      // Two rounds may end in one burst: what is left is that of the last one.
      if (!polite.includes(sentence)) polite.push(sentence);
    }
  }
  for (const waiting of view.waiting.values()) {
    if (waiting.question && arrived.has(waiting.seq)) assertive.push(lineOf(waiting.question));
  }
  if (view.outcome !== null && arrived.has(view.seq)) {
    (view.outcome === "failed" ? assertive : polite).push(t(`run.ended.${view.outcome}`));
  }
  return { polite: polite.join(". "), assertive: assertive.join(". ") };
}
