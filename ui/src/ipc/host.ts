// What the page asks of whoever serves it. How that is reached is known only under hosts/.
import type { FileContent, WatchItem } from "./bindings";

/** A file that the page has: its name, its content and its media type. */
export type ShownFile = { name: string; data: BlobPart; type: string };

export interface Host {
  /** Sends one command; rejects with whatever the program sent as its error. */
  call(command: string, payload: unknown): Promise<unknown>;
  /**
   * Follows a run from an event number on, or without a run the list of runs. Items come in order and without gap, also
   * over a broken connection. Returns what ends the watch.
   */
  watch(run: string | null, fromSeq: number, onItem: (item: WatchItem) => void): () => void;
  /**
   * Saves a file where the person chooses. `shown` is the same file as the page has it: a host that can only hand it on
   * takes it from there. Returns the path, or null where it is not known or the person left.
   */
  save(content: FileContent, shown: ShownFile): Promise<string | null>;
  /** Opens an address outside the page. */
  openLink(url: string): void;
}
