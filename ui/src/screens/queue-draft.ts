// The form of the queue as a request: where its key is kept, and what is sent of it. Not here: the fields (`QueueForm`).
import type { QueueCard, SaveQueue } from "../ipc/bindings";
import type { KeySource } from "./key-source";

export type QueueDraft = { url: string; place: KeySource; key: string; variable: string };

/** The address whose key this page gave for the session: the program does not report such a key. */
let sessionAddress = "";

/** Where the key of the queue is now. */
export function queuePlace(card: QueueCard): KeySource {
  if (card.key_env !== "") return "variable";
  if (card.keeps_key) return "keyring";
  return card.url !== "" && card.url === sessionAddress ? "session" : "none";
}

export const draftOf = (card: QueueCard): QueueDraft => ({ url: card.url, place: queuePlace(card), key: "", variable: card.key_env });

/** Whether the key that the queue has stays good when none is typed: it belongs to one address and one place. */
export const keepsKey = (draft: QueueDraft, card: QueueCard): boolean =>
  (draft.place === "keyring" || draft.place === "session") && draft.place === queuePlace(card) && draft.url.trim() === card.url;

/** Whether a key or the name of its variable has to be typed first. */
export function lacksKey(draft: QueueDraft, card: QueueCard): boolean {
  if (draft.url.trim() === "" || draft.place === "none") return false;
  if (draft.place === "variable") return draft.variable.trim() === "";
  return draft.key.trim() === "" && !keepsKey(draft, card);
}

export function requestOf(draft: QueueDraft, card: QueueCard): SaveQueue {
  const isKept = draft.place === "keyring" || draft.place === "session";
  const isUntouched = draft.place === "none" && queuePlace(card) === "none";
  return {
    url: draft.url.trim(),
    key_env: draft.place === "variable" ? draft.variable.trim() : "",
    // A key that was given for the session before this page was loaded stays while its place is left as it is.
    key: isKept ? draft.key.trim() || null : isUntouched ? null : "",
    for_session: draft.place === "session",
  };
}

/** Remembers what a request that was stored did with the key of the session. */
export function rememberSession(request: SaveQueue, stored: QueueCard): void {
  if (request.for_session && request.key) sessionAddress = stored.url;
  else if (request.key !== null || request.url === "") sessionAddress = "";
}

/** Whether a server is on this machine: nobody else sees what goes there. */
export function isOfThisMachine(url: string): boolean {
  const host = /^\w+:\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/]*)/.exec(url)?.[1] ?? "";
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
