// What is in an export, in words.
import { t } from "../i18n";
import type { Exported } from "../ipc/bindings";

export function contentsText({
  lines,
  events,
  prompts,
  answers,
  tool_calls: tools,
  links,
  redactions,
}: Exported["contents"]): string {
  const counted = [
    t("export.lines", { n: lines }),
    ...(events > 0 ? [t("export.events", { n: events })] : []),
    ...(prompts > 0 ? [t("export.prompts", { n: prompts })] : []),
    ...(answers > 0 ? [t("export.answers", { n: answers })] : []),
    ...(tools > 0 ? [t("export.tool_calls", { n: tools })] : []),
    t("export.links", { n: links }),
    t(redactions > 0 ? "export.redactions" : "export.no_redactions", { n: redactions }),
  ];
  return counted.join(" · ");
}
