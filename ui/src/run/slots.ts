// The slots of a pipeline: how they are called, and which tool a run can take for each.
import type { PipelineCard, SlotCard, SlotChoice } from "../ipc/bindings";
import { sourceTitle } from "../ipc/finding-text";
import { t } from "../i18n";
import { pipelineText } from "../i18n/pipeline-text.svelte";

export const slotTitle = ({ title }: SlotCard): string => (title === "" ? t("launch.source") : pipelineText(title));

/** What a tool of a slot is called; its id where the slot has it no more. */
export function toolTitle({ choices }: SlotCard, id: string): string {
  const choice = choices.find((one) => one.id === id);
  return choice ? sourceTitle(choice) : id;
}

/** The tools that fit every slot, where there are several slots: one choice takes one of them for all. */
export function commonTools({ slots: [first, ...others] }: PipelineCard): SlotChoice[] {
  if (!first || others.length === 0) return [];
  return first.choices.filter(({ id }) => others.every(({ choices }) => choices.some((choice) => choice.id === id)));
}

/** A tool for every slot that has one which needs no network, by slot. */
export function offlineTools({ slots }: PipelineCard): Record<string, string> {
  const found = slots.flatMap(({ name, choices }) =>
    choices
      .filter(({ is_offline }) => is_offline)
      .slice(0, 1)
      .map(({ id }) => [name, id] as const),
  );
  return Object.fromEntries(found);
}
