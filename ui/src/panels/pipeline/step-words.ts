// What a step of a flow is, in words.
import { t } from "../../i18n";
import type { TomlDocument } from "../../kit/toml-document";
import { titleIn } from "./names";
import { stepKind } from "./steps";

/** A sentence in which names stand between backticks. */
export function stepWords(document: TomlDocument, value: unknown): string {
  const kind = stepKind(value);
  if (kind === "agent") {
    const [name, title] = [String(value), titleIn(document, String(value))];
    return title === name ? `\`${name}\`` : `${title} \`${name}\``;
  }
  const step = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const text = (name: string) =>
    typeof step[name] === "string" || typeof step[name] === "number" ? String(step[name]) : "";
  const names = (name: string) =>
    typeof step[name] === "object" && step[name] !== null
      ? Object.keys(step[name])
          .map((key) => `\`${key}\``)
          .join(", ")
      : "";
  const words = t(`pipeline.step.${kind}`, {
    rounds: text("rounds") || "?",
    condition: `\`${text("when")}\``,
    list: `\`${text("for_each")}\``,
    name: `\`${text("run") || text("note")}\``,
    keys: names("set") || names("surface"),
  });
  return text("title") === "" ? words : `${text("title")} · ${words}`;
}
