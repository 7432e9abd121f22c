// The words of the person to a running run, and which agents have read them: what they read after a word is known as
// for any key.
import type { Delta, Event, RunView } from "../ipc/bindings";
import { USER, USER_WORDS } from "../ipc/names";
import type { Fold } from "./fold";
import type { View, Word } from "./view-types";
import { unwrapped } from "./value";

function texts(value: unknown): string[] {
  const found = unwrapped(value);
  return Array.isArray(found) ? found.filter((text): text is string => typeof text === "string") : [];
}

/** The word that a change adds; null where it adds none. */
export function lastWord({ set }: Delta): string | null {
  return texts(set[USER_WORDS]).at(-1) ?? null;
}

/** Takes the words of a change that are new. */
export function say(fold: Fold, event: Event, delta: Delta): void {
  if (event.author !== USER || delta.set[USER_WORDS] === undefined) return;
  const added = texts(delta.set[USER_WORDS]).slice(fold.words.length);
  fold.words = [...fold.words, ...added.map((text): Word => ({ seq: event.seq, text, readers: [] }))];
}

/** An agent read keys: of the words those that were said before its call began. */
export function hear(fold: Fold, { author, path }: Event, reads: readonly string[]): void {
  const startedSeq = fold.calls.get(path)?.startedSeq;
  if (!reads.includes(USER_WORDS) || startedSeq === undefined) return;
  fold.words = fold.words.map((word) =>
    word.seq < startedSeq && !word.readers.includes(author) ? { ...word, readers: [...word.readers, author] } : word,
  );
}

/** The words at a moment: those whose events are not here come from the state, with every agent that read any. */
export function heard(drawn: readonly Word[], at: RunView): readonly Word[] {
  const held = at.state[USER_WORDS];
  const all = texts(held?.value);
  if (all.length <= drawn.length) return drawn;
  const readers = Object.entries(at.touched).flatMap(([agent, { reads }]) =>
    reads.includes(USER_WORDS) ? [agent] : [],
  );
  const known = new Map(drawn.map((word) => [word.text, word]));
  return all.map((text) => known.get(text) ?? { seq: held?.seq ?? 0, text, readers });
}

/** What nobody has read of a run that has ended, as text of the next run. */
export function unreadAtEnd({ outcome, words }: Pick<View, "outcome" | "words">): string {
  if (outcome === null || outcome === "waiting") return "";
  return words
    .filter(({ readers }) => readers.length === 0)
    .map(({ text }) => text)
    .join(" ");
}
