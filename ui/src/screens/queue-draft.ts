// The form of the queue as a request: where its key is kept, and what is sent of it. Not here: the fields
// (`QueueForm`).
import type { QueueCard, SaveQueue } from "../ipc/bindings";
import type { KeySource } from "./key-source";

export type QueueDraft = { url: string; place: KeySource; key: string; variable: string };

/** Where the key of the queue is now. */
export function queuePlace(card: QueueCard): KeySource {
  if (card.key_env !== "") return "variable";
  if (card.has_session_key) return "session";
  return card.keeps_key ? "keyring" : "none";
}

export const draftOf = (card: QueueCard): QueueDraft => ({
  url: card.url,
  place: queuePlace(card),
  key: "",
  variable: card.key_env,
});

/** Whether the key that the queue has stays good when none is typed: it belongs to one address and one place. */
export const keepsKey = (draft: QueueDraft, card: QueueCard): boolean =>
  (draft.place === "keyring" || draft.place === "session") &&
  draft.place === queuePlace(card) &&
  draft.url.trim() === card.url;

/** Whether a key or the name of its variable has to be typed first. */
export function lacksKey(draft: QueueDraft, card: QueueCard): boolean {
  if (draft.url.trim() === "" || draft.place === "none") return false;
  if (draft.place === "variable") return draft.variable.trim() === "";
  return draft.key.trim() === "" && !keepsKey(draft, card);
}

export function requestOf(draft: QueueDraft): SaveQueue {
  const isKept = draft.place === "keyring" || draft.place === "session";
  return {
    url: draft.url.trim(),
    key_env: draft.place === "variable" ? draft.variable.trim() : "",
    key: isKept ? draft.key.trim() || null : "",
    for_session: draft.place === "session",
  };
}

/** Whether a server is on this machine: nobody else sees what goes there. */
export function isOfThisMachine(url: string): boolean {
  const host = /^\w+:\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/]*)/.exec(url)?.[1] ?? "";
  return host === "localhost" || host === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(host);
}
