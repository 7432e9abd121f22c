// What a screen reader is told: the ends of stages politely, failures at once. Streaming text never comes here.
import { untrack } from "svelte";

interface Announcement {
  id: number;
  sentence: string;
}

/** A sentence stays for a while: what follows at once must not take it away before it is read. */
const KEPT = 3;

class Announcer {
  polite = $state.raw<readonly Announcement[]>([]);
  assertive = $state.raw<readonly Announcement[]>([]);
  #last = 0;

  say(sentence: string): void {
    this.polite = this.#with(
      untrack(() => this.polite),
      sentence,
    );
  }

  warn(sentence: string): void {
    this.assertive = this.#with(
      untrack(() => this.assertive),
      sentence,
    );
  }

  #with(before: readonly Announcement[], sentence: string): readonly Announcement[] {
    return [...before.slice(1 - KEPT), { id: ++this.#last, sentence }];
  }
}

export const announcer = new Announcer();
