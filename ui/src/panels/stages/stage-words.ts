// What is said of a stage wherever it is drawn: how long it takes, what it waits for, what it says or left behind.
import { now } from "../../platform/clock.svelte";
import { phraseText } from "../../i18n/phrase";
import { titleOf, unquoted } from "../../i18n/titles";
import type { Outline } from "../../ipc/bindings";
import { livenessOf, type Liveness, type Present } from "../../run/liveness";
import { lineOf } from "../../run/question-text";
import { noteOf, whyOf } from "../../run/remarks";
import { endOf } from "../../run/sources";
import type { Stage } from "../../run/stages";
import type { Call, View } from "../../run/view-types";

/** Characters of streamed text that fit in a box. */
const TAIL = 32;

export type StageFacts = {
  agent: Outline;
  stage: Stage;
  view: View;
  /** The moment looked at; null is now. */
  atMs: number | null;
  /** What it is saying now. */
  text: string | undefined;
  /** What it left behind. */
  left: string;
  present: Omit<Present, "nowMs">;
};

export type StageWords = {
  elapsedMs: number | null;
  liveness: Liveness | null;
  /** Whether `says` is the end of the text that it streams. */
  isTail: boolean;
  says: string;
  /** Why another profile answered than the one it asked, in sentences. */
  switches: string[];
};

export function stageWords({ agent, stage, view, atMs, text, left, present }: StageFacts): StageWords {
  const { call, state, waiting } = stage;
  const isOn = state === "running";
  const liveness = isOn && atMs === null ? livenessOf(stage, { ...present, nowMs: now() }) : null;
  const isTail =
    isOn && text !== undefined && text !== "" && !liveness?.isSlow && (liveness === null || liveness.leftMs === null);
  const said = (what: Call["says"]) =>
    what === null ? "" : "kind" in what ? noteOf(what, agent.name, titleOf) : phraseText(what);
  const switches = view.remarks
    .filter(({ note, path }) => (note.kind === "fell_back" || note.kind === "without_model") && path === call?.path)
    .map(({ note }) => said(note));
  return { elapsedMs: elapsed(), liveness, isTail, says: says(), switches };

  function elapsed(): number | null {
    if (!call) return null;
    if (call.endedSeq !== null) return call.tookMs;
    return isOn && call.startedAtMs !== null ? (atMs ?? now()) - call.startedAtMs : null;
  }

  function says(): string {
    if (isTail && text) return endOf(text, TAIL);
    if (liveness) return liveness.words;
    if (isOn && waiting)
      return waiting.retrying ? said(waiting.retrying) : waiting.question ? lineOf(waiting.question) : waiting.model;
    if (state === "needs_you" && waiting?.question) return unquoted(lineOf(waiting.question));
    return unquoted(call?.error ? whyOf(call.error) : "") || (left === "" ? unquoted(said(call?.says ?? null)) : left);
  }
}

/** What there is to say of an agent that holds others: it asks only at a gate. */
export function groupSays({ state, waiting, call }: Stage): string {
  if (state === "needs_you" && waiting?.question) return unquoted(lineOf(waiting.question));
  return call?.error ? unquoted(whyOf(call.error)) : "";
}
