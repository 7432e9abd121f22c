// The slots of a pipeline: how they are called, and which tool a run can take for each.
import type { PipelineCard, SlotCard } from "../ipc/bindings";
import { t } from "../i18n";
import { pipelineText } from "../i18n/pipeline-text.svelte";

export const slotTitle = ({ title }: SlotCard): string => (title === "" ? t("launch.source") : pipelineText(title));

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
