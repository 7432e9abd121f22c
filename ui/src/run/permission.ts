// The question whether a tool may be called, and who decided about a call.
import { t } from "../i18n";
import type { Decision, Phrase, Question, ToolCall } from "../ipc/bindings";
import { exactJson } from "../kit/exact-text";
import { isStored, unwrapped, type Stored } from "./value";

/** What stands beside the question. The input is undefined while it is being fetched. */
export type AskedPermission = {
  call: ToolCall;
  intent: Phrase;
  input: unknown;
  schema: unknown;
  /** What the server of a foreign tool says of it. */
  description?: string;
  /** The same and the schema, as they were when it was always allowed, where that was otherwise. */
  allowedBefore?: { description: string; schema: unknown };
};

/** What a person answers to it. */
export type PermissionAnswer = "once" | "run" | "always" | "refuse" | { refuse_because: string } | { change: unknown };

/** What a question asks permission for; nothing of another question, or as long as it is not here. */
export function askedPermission(
  { kind, details }: Question,
  resolve: (stored: Stored) => unknown,
): AskedPermission | null {
  if (kind.kind !== "permission") return null;
  const whole = (value: unknown) => (isStored(value) ? resolve(value) : unwrapped(value));
  const asked = whole(details) as Asked | null | undefined;
  if (typeof asked !== "object" || asked === null || !asked.call) return null;
  const { call, intent, description, allowed_before: before } = asked;
  return {
    call,
    intent,
    input: whole(call.input),
    schema: whole(asked.schema),
    ...(description !== undefined && { description }),
    ...(before && { allowedBefore: { description: before.description, schema: whole(before.schema) } }),
  };
}

type Asked = {
  call: ToolCall;
  intent: Phrase;
  schema: unknown;
  description?: string;
  allowed_before?: { description: string; schema: unknown };
};

/** What a server says of its tool, with the schema of the input, as one text that can be compared. */
export function describedText({ description, schema }: { description?: string; schema: unknown }): string {
  return `${description ?? ""}\n\n${exactJson(schema)}`;
}

/** An argument as it is read: in one piece of text, or as JSON where it has parts. */
export type Argument = { name: string; text: string; isJson: boolean };

/** Every argument of a call; one without a name where the input is no object. */
export function argumentsOf(input: unknown): Argument[] {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return [argument("", input)];
  return Object.entries(input).map(([name, value]) => argument(name, value));
}

function argument(name: string, value: unknown): Argument {
  const isText = typeof value === "string";
  return { name, text: isText ? value : exactJson(value), isJson: !isText };
}

/** Whether a number in it has more digits than the page can hold. */
export function isRounded(value: unknown): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === "object" && value !== null && Object.values(value).some(isRounded);
}

/** The tool and the place that a rule names, and whether it holds for the tool only as its server described it then. */
export function partsOf(rule: string): { tool: string; place: string | null; isOfVersion: boolean } {
  const at = rule.indexOf("@");
  const [named, place] = at < 0 ? [rule, null] : [rule.slice(0, at), rule.slice(at + 1)];
  const version = named.indexOf("#");
  return { tool: version < 0 ? named : named.slice(0, version), place, isOfVersion: version >= 0 };
}

/** A rule in words. The hash of a description is nothing that anybody reads. */
export function ruleText(rule: string): string {
  const { tool, place } = partsOf(rule);
  return place === null ? t("rules.everywhere", { tool }) : t("rules.at", { tool, place });
}

/** Who allowed or refused a call, and by which rule. */
export function decisionText({ is_allowed: isAllowed, by, rule, reason, is_changed: isChanged }: Decision): string {
  const covered = rule === undefined ? "" : ruleText(rule);
  switch (by) {
    case "never":
      return covered === "" ? t("decision.unreadable") : t("decision.never", { rule: covered });
    case "run":
      return t("decision.run", { rule: covered });
    case "always":
      return t("decision.always", { rule: covered });
    case "default":
      return t(isAllowed ? "decision.default" : "decision.elsewhere");
    case "nobody":
      return t("decision.nobody");
    case "person":
      if (!isAllowed) return reason === undefined ? t("decision.refused") : t("decision.refused_because", { reason });
      if (isChanged) return t("decision.changed");
      return covered === "" ? t("decision.once") : t("decision.more", { rule: covered });
    default:
      return by satisfies never;
  }
}
