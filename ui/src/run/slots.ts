// The slots of a pipeline: how they are called, and which tool a run can take for each.
import type { PipelineCard, SlotCard, SlotChoice } from "../ipc/bindings";
import { sourceTitle } from "../i18n/finding-text";
import { t } from "../i18n";
import { pipelineText } from "../i18n/pipeline-text.svelte";

export const slotTitle = ({ title }: SlotCard): string => (title === "" ? t("launch.source") : pipelineText(title));

/** What a tool of a slot is called; its id where the slot has it no more. */
export function toolTitle({ choices }: SlotCard, id: string): string {
  const choice = choices.find((one) => one.id === id);
  return choice ? sourceTitle(choice) : id;
}

/** Whether a slot can take a tool. */
export const fits = ({ choices }: SlotCard, id: string): boolean => choices.some((choice) => choice.id === id);

/** The tools that fit most slots, where there are several slots: one choice takes one of them wherever it fits. */
export function commonTools({ slots }: PipelineCard): SlotChoice[] {
  const first = slots[0];
  if (!first || slots.length === 1) return [];
  return first.choices.filter(({ id }) => 2 * slots.filter((slot) => fits(slot, id)).length > slots.length);
}

/**
 * The tools of an example: where one that needs no network fits most slots, the example is made for it, and the
 * services that
 * are asked otherwise need not know it.
 */
export function exampleTools(pipeline: PipelineCard): Record<string, string> {
  const [tool] = commonTools(pipeline).filter(({ is_offline }) => is_offline);
  return tool
    ? Object.fromEntries(pipeline.slots.filter((slot) => fits(slot, tool.id)).map(({ name }) => [name, tool.id]))
    : {};
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
