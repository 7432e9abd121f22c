// What a run has used up, folded as the program folds it; a test holds both to the same figures.
import { BUILT_IN } from "../ipc/names";
import type { Answer, Effect, AnswerSummary } from "../ipc/bindings";
import type { Used } from "./view-types";
import { isStored } from "./value";

export type Asked = { agent: string | null; tool: string | null; isRefused?: boolean };

export const nothingUsed = (): Used => ({
  calls: 0,
  input_tokens: 0,
  output_tokens: 0,
  cost: null,
  unpriced_calls: 0,
  tool_calls: {},
  agent_calls: {},
  active_ms: 0,
  isPartial: false,
});

/** Who pays for an effect: built-in answers and questions cost nothing, a tool that asks a model does. */
export function asked(effect: Effect, author: string): Asked {
  switch (effect.effect) {
    case "model":
      return { agent: effect.request.profile === BUILT_IN ? null : effect.request.agent, tool: null };
    case "tool":
      return { agent: effect.call.credential_route?.model ? author : null, tool: effect.call.tool };
    case "clock":
    case "id":
    case "question":
      return { agent: null, tool: null };
  }
}

/** Adds an answer; what a limit refused was never asked, and what could not be sent was no call. */
export function answered(used: Used, by: Asked, answer: Answer, summary: AnswerSummary): Used {
  if (answer.status === "failed" && answer.error.code === "limit_reached") return counted(used, by, -1);
  let next = summary.sent === 0 ? counted(used, { ...by, tool: null }, -1) : used;
  // What broke off tells what it used in its summary, if it told before.
  if (by.agent !== null && (summary.tokens || (answer.status === "done" && by.tool === null))) {
    const result = answer.status === "done" ? answer.result : null;
    const usage = summary.tokens ?? (result as { usage?: { input_tokens?: unknown; output_tokens?: unknown } } | null)?.usage;
    if (!usage && isStored(result)) next = { ...next, isPartial: true };
    next = {
      ...next,
      input_tokens: next.input_tokens + number(usage?.input_tokens),
      output_tokens: next.output_tokens + number(usage?.output_tokens),
    };
    if (summary.tokens) next = summary.cost === undefined ? unpriced(next) : { ...next, cost: (next.cost ?? 0) + summary.cost };
  }
  return next;
}

/** Calls that cost nobody knows what. */
export function unpriced(used: Used, calls = 1): Used {
  return { ...used, unpriced_calls: used.unpriced_calls + calls };
}

/** Counts a call, which counts from when it is asked; or takes it back. */
export function counted(used: Used, by: Asked, step: 1 | -1 = 1): Used {
  const next = { ...used };
  if (by.agent !== null) {
    next.calls += step;
    next.agent_calls = stepped(next.agent_calls, by.agent, step);
  }
  if (by.tool !== null) next.tool_calls = stepped(next.tool_calls, by.tool, step);
  return next;
}

/** What was never called has no entry. */
function stepped(counts: Used["tool_calls"], name: string, step: 1 | -1): Used["tool_calls"] {
  const { [name]: known = 0, ...others } = counts;
  return known + step === 0 ? others : { ...counts, [name]: known + step };
}

/** Lets active time pass. */
export function passed(used: Used, ms: number, waitedMs: number): Used {
  return { ...used, active_ms: used.active_ms + Math.max(0, Math.max(0, ms) - waitedMs) };
}

function number(value: unknown): number {
  return typeof value === "number" ? value : 0;
}
