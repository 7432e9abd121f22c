// Exports of recorded runs.
import type { Exported, ExportFormat, ExportRun, JournalEntry, RunPage } from "../ipc/bindings";
import { fold } from "./fake-state";

const format = (id: string, title: string, leaves_out = false): ExportFormat => ({
  id,
  title: { id: title, parameters: {} },
  extension: id,
  media_type: "text/plain",
  leaves_out,
  redacts: id === "json",
});
export const FORMATS = [
  format("md", "Markdown text"),
  format("docx", "Word document"),
  format("json", "JSON with all events"),
  format("csv", "Journal as CSV", true),
];

export function exported(
  { page, entries }: { page: RunPage; entries: JournalEntry[] },
  { run, format, without = [] }: ExportRun,
): Exported {
  const state = fold(entries);
  const final = page.keys.find((declaration) => declaration.role.kind === "final");
  const kept = entries.filter(({ kind }) => !without.includes(kind));
  const text = `# ${page.card.title}\n\n${String(state[final?.name ?? ""] ?? "")}\n`;
  const is_base64 = format === "docx";
  const preview =
    format === "json"
      ? JSON.stringify({ page, entries }, null, 2)
      : format === "csv"
        ? kept.map(({ event }) => event.seq).join("\n")
        : text;
  const asked = (kind: string) =>
    entries.filter(({ event: { fact } }) => fact.kind === "effect_asked" && fact.effect.effect === kind).length;
  const contents = {
    lines: preview.split("\n").length,
    events: kept.length,
    prompts: asked("model"),
    answers: 0,
    tool_calls: asked("tool"),
    links: 0,
    redactions: 0,
    is_too_large: false,
    things:
      format === "json" ? [{ word: "prompts", title: { id: "Prompts", parameters: {} }, count: asked("model") }] : [],
  };
  return {
    file_name: `${run}.${format}`,
    media_type: "text/plain",
    content: is_base64 ? btoa("PK") : preview,
    is_base64,
    preview,
    forms: null,
    picture: null,
    contents,
  };
}
