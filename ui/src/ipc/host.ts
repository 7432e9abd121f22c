// What the page asks of whoever serves it. How that is reached is known only under hosts/.
import type { WatchItem } from "./bindings";

export interface Host {
  /** Sends one command; rejects with whatever the program sent as its error. */
  call(command: string, payload: unknown): Promise<unknown>;
  /**
   * Follows a run from an event number on, or without a run the list of runs. Items come in order and without gap, also
   * over a broken connection. Returns what ends the watch.
   */
  watch(run: string | null, fromSeq: number, onItem: (item: WatchItem) => void): () => void;
  /** Opens an address outside the page. */
  openLink(url: string): void;
}
