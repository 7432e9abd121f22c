// What a stage that works waits for, said as it is: the first word, a delay that the provider asked for, or longer than
// is usual. Pure, over the present; nothing is guessed where nothing is known.
import { seconds, t } from "../i18n";
import { phraseText } from "../i18n/phrase";
import type { Waiting } from "./view-types";

export type Present = {
  /** Milliseconds since 1970. */
  nowMs: number;
  /** When an event arrived here, by its number; absent for what was there before. */
  heardAt: (seq: number) => number | undefined;
  /** When the answer at a place last grew. */
  spokeAt: (path: string) => number | undefined;
  usualMs: (model: string) => number | null;
  /** How often a call is attempted at the most. */
  mostAttempts: () => number;
  /** Whether the person chose to wait on for what an event asked, however long it takes. */
  isWaitedFor: (seq: number) => boolean;
};

/** What takes less than this is never called slow, in milliseconds. */
const SLOW_MS = 2_000;

export type Liveness = { words: string; isSlow: boolean; leftMs: number | null };

/** What a running stage waits for; null when it waits for nobody. */
export function livenessOf({ waiting }: { waiting: Waiting | null }, present: Present): Liveness | null {
  if (!waiting) return null;
  const { nowMs } = present;
  const forMs = Math.max(0, nowMs - (present.heardAt(waiting.seq) ?? waiting.atMs));
  if (waiting.retrySeq !== null && waiting.retryAfterMs !== null) {
    const leftMs = (present.heardAt(waiting.retrySeq) ?? waiting.atMs) + waiting.retryAfterMs - nowMs;
    if (leftMs > 0)
      return { words: `${t("stage.countdown", { s: Math.ceil(leftMs / 1000) })}${attempt()}`, isSlow: false, leftMs };
  }
  const again = attempt();
  switch (waiting.for) {
    case "model": {
      const usual = present.usualMs(waiting.model);
      const spoke = present.spokeAt(waiting.path);
      const isSlow = usual !== null && forMs > usual && forMs > SLOW_MS && !present.isWaitedFor(waiting.seq);
      const latestOnly =
        spoke === undefined
          ? t("stage.first_words", { model: waiting.model })
          : t("stage.last_word", { model: waiting.model, s: seconds(nowMs - spoke) });
      return {
        words: isSlow ? t("stage.longer", { s: seconds(usual) }) + again : latestOnly + again,
        isSlow,
        leftMs: null,
      };
    }
    case "tool":
      return { words: (waiting.title ? phraseText(waiting.title) : "") + again, isSlow: false, leftMs: null };
    case "person":
      return { words: waiting.title ? phraseText(waiting.title) : "", isSlow: false, leftMs: null };
    case "program":
      return null;
  }

  /** A call of a tool, or one that its agent makes anew, may go beyond what the program itself attempts. */
  function attempt(): string {
    const n = waiting === null ? 0 : waiting.retries + 1;
    return n > 1 ? ` · ${t("stage.attempt", { n, most: Math.max(n, present.mostAttempts()) })}` : "";
  }
}
