// A call of a model as people read it: what it was told, what it was asked, with which settings, and what it answered.
// JSON in it becomes lines with names; every text stays plain text.
import type { ApiError, Event, Message, ModelRequest, TokenUsage, ToolRequest } from "../ipc/bindings";
import { answerIn } from "./sentence";
import { isStored, unwrapped } from "./value";

/** What a model answered, as the event holds it. */
type ModelReply = { text: string; thinking?: string; tool_requests?: ToolRequest[]; usage?: TokenUsage; stop?: string };

/** A line of a text: how far it stands in, the name of its field or empty, and its words. */
export type TextLine = { depth: number; name: string; text: string };

export type ToolUse = { tool: string; lines: TextLine[] };
/** `null` stands for a text that is being fetched. */
export type CallMessage = { speaker: Message["speaker"]; tool: string; lines: TextLine[] | null; toolUses: ToolUse[] };

export type CallAnswer =
  | { status: "open" }
  | { status: "failed"; error: ApiError }
  | { status: "interrupted"; lines: TextLine[] }
  | {
      status: "done";
      lines: TextLine[] | null;
      thinking: TextLine[];
      toolUses: ToolUse[];
      stop: string;
      tokens: [number, number] | null;
    };

export type ReadableCall = {
  profile: string;
  model: string;
  temperature: number;
  maxOutputTokens: number;
  /** The name of the shape of its answer; empty where it may answer any text. */
  shape: string;
  tools: string[];
  instruction: TextLine[] | null;
  messages: CallMessage[];
  answer: CallAnswer;
};

/** A call with its answer; without `answered` it is still open. */
export function readableCall(request: ModelRequest, answered: Event | null): ReadableCall {
  const requested = new Map<string, string>();
  const messages = request.messages.map((message): CallMessage => {
    for (const { id, tool } of message.tool_requests) requested.set(id, tool);
    return {
      speaker: message.speaker,
      tool: message.answers === null ? "" : (requested.get(message.answers) ?? message.answers),
      lines: linesOfValue(message.content),
      toolUses: message.tool_requests.map(toolUseOf),
    };
  });
  return {
    profile: request.profile,
    model: request.model,
    temperature: request.temperature,
    maxOutputTokens: request.max_output_tokens,
    shape: request.shape?.name ?? "",
    tools: request.tools.map(({ name }) => name),
    instruction: linesOfValue(request.instruction),
    messages,
    answer: answerOf(answered),
  };
}

function answerOf(event: Event | null): CallAnswer {
  const answer = answerIn(event);
  if (!answer) return { status: "open" };
  if (answer.status === "failed") return { status: "failed", error: answer.error };
  if (answer.status === "interrupted") return { status: "interrupted", lines: linesOfText(answer.partial) };
  const reply = unwrapped(answer.result) as Partial<ModelReply> | null;
  const isReply = typeof reply === "object" && reply !== null && typeof reply.text === "string";
  if (!isReply)
    return { status: "done", lines: linesOfValue(answer.result), thinking: [], toolUses: [], stop: "", tokens: null };
  return {
    status: "done",
    lines: linesOfText(reply.text ?? ""),
    thinking: linesOfText(reply.thinking ?? ""),
    toolUses: (reply.tool_requests ?? []).map(toolUseOf),
    stop: reply.stop ?? "",
    tokens: reply.usage ? [reply.usage.input_tokens, reply.usage.output_tokens] : null,
  };
}

const toolUseOf = ({ tool, input }: ToolRequest): ToolUse => ({ tool, lines: linesOf(input) });

function linesOfValue(value: unknown): TextLine[] | null {
  if (isStored(value)) return null;
  const plain = unwrapped(value);
  return typeof plain === "string" ? linesOfText(plain) : linesOf(plain);
}

/** A text as it is, with the JSON in it, of one line or of several, by its fields. */
export function linesOfText(text: string): TextLine[] {
  const rows = text.split("\n");
  const lines: TextLine[] = [];
  let from = 0;
  const put = (until: number) => {
    const part = rows.slice(from, until).join("\n");
    if (part !== "") lines.push({ depth: 0, name: "", text: part });
  };
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] ?? "";
    if (!/^\s*[[{]/.test(row)) continue;
    const end = endOfJson(rows, at);
    const value = jsonIn(rows.slice(at, end + 1).join("\n"));
    if (value === null) continue;
    put(at);
    lines.push(...linesOf(value));
    [from, at] = [end + 1, end];
  }
  put(rows.length);
  return lines;
}

/** The row in which a value ends that begins in a row: the same, or the first that is its closing bracket alone. */
function endOfJson(rows: readonly string[], at: number): number {
  const opening = /^(\s*)([[{])$/.exec(rows[at] ?? "");
  if (!opening) return at;
  const closing = `${opening[1]}${opening[2] === "[" ? "]" : "}"}`;
  const end = rows.indexOf(closing, at + 1);
  return end < 0 ? at : end;
}

/** An object or a list of things; a citation such as `[2]` is neither. */
function jsonIn(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" &&
      value !== null &&
      !(Array.isArray(value) && value.every((one) => typeof one === "number"))
      ? value
      : null;
  } catch {
    return null;
  }
}

/** A value of JSON as lines: fields by their names, items of lists by their numbers. */
export function linesOf(value: unknown, name = "", depth = 0): TextLine[] {
  if (typeof value !== "object" || value === null)
    return [{ depth, name, text: typeof value === "string" ? value : String(value) }];
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return [{ depth, name, text: isList ? "[]" : "{}" }];
  const head = name === "" ? [] : [{ depth, name, text: "" }];
  const inner = entries.flatMap(([key, one]) =>
    linesOf(one, isList ? String(Number(key) + 1) : key, depth + head.length),
  );
  return [...head, ...inner];
}

/** The first lines with about so many characters and line breaks; the same lines where they are not more. */
export function beginningOf(lines: TextLine[], characters: number, breaks: number): TextLine[] {
  const shown: TextLine[] = [];
  let [left, rows] = [characters, breaks];
  for (const line of lines) {
    if (left <= 0 || rows <= 0) return shown;
    const parts = line.text.split("\n", rows + 1);
    const text = parts.slice(0, rows).join("\n").slice(0, left);
    left -= text.length + line.name.length;
    rows -= Math.min(rows, parts.length);
    if (text.length < line.text.length) return [...shown, { ...line, text }];
    shown.push(line);
  }
  return lines;
}
