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

/** What an effect or its answer changes, of whatever it counts for. */
export type Step = {
  calls: number;
  tool: string | null;
  tool_calls: number;
  input_tokens: number;
  output_tokens: number;
  /** Money; nothing where none was told. */
  cost: number | null;
  unpriced_calls: number;
  isPartial: boolean;
};

/** A call counts from when it is asked; or it is taken back. */
export function stepAsked({ agent, tool }: Asked, step: 1 | -1 = 1): Step {
  const calls = agent === null ? 0 : step;
  return {
    calls,
    tool,
    tool_calls: tool === null ? 0 : step,
    input_tokens: 0,
    output_tokens: 0,
    cost: null,
    unpriced_calls: 0,
    isPartial: false,
  };
}

/** What an answer changes; what a limit refused was never asked, and what could not be sent was no call. */
export function stepOf(by: Asked, answer: Answer, summary: AnswerSummary): Step {
  const back = stepAsked(by, -1);
  if (answer.status === "failed" && answer.error.code === "limit_reached") return back;
  const step = {
    ...back,
    calls: summary.sent === 0 ? back.calls : 0,
    tool_calls: summary.sent === 0 ? back.tool_calls : 0,
  };
  // What broke off tells what it used in its summary, if it told before.
  if (by.agent === null || !(summary.tokens || (answer.status === "done" && by.tool === null))) return step;
  const result = answer.status === "done" ? answer.result : null;
  const usage =
    summary.tokens ?? (result as { usage?: { input_tokens?: unknown; output_tokens?: unknown } } | null)?.usage;
  return {
    ...step,
    input_tokens: number(usage?.input_tokens),
    output_tokens: number(usage?.output_tokens),
    cost: summary.tokens ? (summary.cost ?? null) : null,
    unpriced_calls: summary.tokens && summary.cost === undefined ? 1 : 0,
    isPartial: !usage && isStored(result),
  };
}

/** What the run used up after a step. */
export function taken(used: Used, by: Asked, step: Step): Used {
  return {
    ...used,
    calls: used.calls + step.calls,
    agent_calls: by.agent === null ? used.agent_calls : stepped(used.agent_calls, by.agent, step.calls),
    tool_calls: step.tool === null ? used.tool_calls : stepped(used.tool_calls, step.tool, step.tool_calls),
    input_tokens: used.input_tokens + step.input_tokens,
    output_tokens: used.output_tokens + step.output_tokens,
    cost: step.cost === null ? used.cost : (used.cost ?? 0) + step.cost,
    unpriced_calls: used.unpriced_calls + step.unpriced_calls,
    isPartial: used.isPartial || step.isPartial,
  };
}

/** Calls that cost nobody knows what. */
export function unpriced(used: Used, calls = 1): Used {
  return { ...used, unpriced_calls: used.unpriced_calls + calls };
}

/** What was never called has no entry. */
export function stepped(counts: Used["tool_calls"], name: string, step: number): Used["tool_calls"] {
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
