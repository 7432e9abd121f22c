// The typed way to the program. Screens call this; nothing else knows the host.
import type { Commands, FileContent, WatchItem } from "./bindings";
import { toApiError } from "./errors";
import type { Host, ShownFile } from "./host";

let host: Host | undefined;

/** Sets the host, once, before the page is mounted. */
export function useHost(chosen: Host): void {
  host = chosen;
}

function reached(): Host {
  if (!host) throw new Error("no host is set; main.ts sets one before anything is mounted");
  return host;
}

/** Sends a command. Rejects always with a `ApiError`, whatever went wrong on the way. */
export async function call<K extends keyof Commands>(command: K, payload: Commands[K][0]): Promise<Commands[K][1]> {
  try {
    return (await reached().call(command, payload)) as Commands[K][1];
  } catch (thrown) {
    throw toApiError(thrown);
  }
}

/** Follows a run, or the list of runs when `run` is null. Returns what ends it. */
export function watch(run: string | null, fromSeq: number, onItem: (item: WatchItem) => void): () => void {
  return reached().watch(run, fromSeq, onItem);
}

/**
 * Saves a file where the person chooses; gives its path, or null where the host does not know it or the person left.
 */
export async function saveFile(content: FileContent, shown: ShownFile): Promise<string | null> {
  try {
    return await reached().save(content, shown);
  } catch (thrown) {
    throw toApiError(thrown);
  }
}

/** Opens an address in the system's browser; anything but a web or mail address is not opened. */
export function openLink(url: string): void {
  if (/^(https?:|mailto:)/i.test(url)) reached().openLink(url);
}
