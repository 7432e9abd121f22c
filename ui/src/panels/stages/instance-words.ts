// What is said of an instance in its row and in its details: what it waits for, what it says, why it failed, what it
// came to.
import { phraseText } from "../../i18n/phrase";
import { titleOf, unquoted } from "../../i18n/titles";
import type { Outline } from "../../ipc/bindings";
import type { Instance } from "../../run/instances";
import { lastWhere } from "../../platform/last-where";
import { livenessOf } from "../../run/liveness";
import { isWithin } from "../../run/place";
import { lineOf } from "../../run/question-text";
import { noteOf, whyOf } from "../../run/remarks";
import { stageOf, type Stage } from "../../run/stages";
import { valueLine } from "../../run/value-line";
import type { StageContext } from "./context";

/** The stage of an instance: it waits for what anything within it waits for. */
export function stageIn({ view, isHalted }: StageContext, agent: Outline, { path, state, waiting }: Instance): Stage {
  return { ...stageOf(view, agent, isHalted, false, path), state, waiting };
}

/** What an instance, or the agent that works within it, is saying now. */
export function textIn(text: ReadonlyMap<string, string>, { path, state }: Instance): string {
  if (state !== "running") return "";
  return text.get(path) ?? lastWhere([...text], ([place]) => isWithin(place, path))?.[1] ?? "";
}

/** What there is to say of it in a line, beside the text that it streams. */
export function saysIn(context: StageContext, agent: Outline, instance: Instance, nowMs: number): string {
  const { last: call, output: held, state, waiting } = instance;
  if (state === "failed" || state === "stopped") return call?.error ? unquoted(whyOf(call.error)) : "";
  if (state === "needs_you") return waiting?.question ? unquoted(lineOf(waiting.question)) : "";
  if (state === "running" && context.isNow)
    return livenessOf(stageIn(context, agent, instance), { ...context.present, nowMs })?.words ?? "";
  const output = held && context.resolve("", held.seq, held.value);
  if (state === "done" && output != null) return valueLine(output);
  if (!call?.says) return "";
  return unquoted("kind" in call.says ? noteOf(call.says, agent.name, titleOf) : phraseText(call.says));
}
