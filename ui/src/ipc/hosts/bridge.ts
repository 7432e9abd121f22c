// The browser's host: HTTP on the loopback with a token that came in the page's own address. The token is taken out of
// the address at once, so that it does not stand in history, and kept for a reload of this tab only.
import type { WatchItem } from "../bindings";
import { toApiError } from "../errors";
import type { Host, ShownFile } from "../host";

const KEPT = "galley.token";
const RETRY_MS = 1_000;

/** The token of the page's address or of this tab, if there is one. */
export function bridgeToken(): string | null {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const given = fragment.get("token");
  if (given) {
    fragment.delete("token");
    const rest = fragment.toString();
    history.replaceState(null, "", location.pathname + location.search + (rest ? `#${rest}` : ""));
    sessionStorage.setItem(KEPT, given);
    return given;
  }
  return sessionStorage.getItem(KEPT);
}

export function bridgeHost(token: string, origin: string = location.origin): Host {
  return {
    async call(command, payload) {
      const response = await fetch(`${origin}/rpc`, {
        method: "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${token}` },
        body: JSON.stringify({ cmd: command, payload }),
      });
      const text = await response.text();
      const body: unknown = text === "" ? null : parsed(text);
      if (!response.ok) throw toApiError(body ?? `the program answered ${response.status}`);
      return body;
    },
    watch(run, fromSeq, onItem) {
      let next = fromSeq;
      let isEnded = false;
      let source: EventSource | undefined;
      let retry: ReturnType<typeof setTimeout> | undefined;

      // EventSource would repeat from the first number: after a break this asks from where it had come to.
      const connect = () => {
        const query = new URLSearchParams({ from_seq: String(next), token });
        if (run !== null) query.set("run", run);
        source = new EventSource(`${origin}/watch?${query}`);
        source.onmessage = (message) => {
          const item = parsed(String(message.data)) as WatchItem | null;
          if (!item || isEnded) return;
          if (item.type === "event") next = item.entry.event.seq + 1;
          if (item.type === "error") end();
          onItem(item);
        };
        source.onerror = () => {
          source?.close();
          if (!isEnded) retry = setTimeout(connect, RETRY_MS);
        };
      };
      const end = () => {
        isEnded = true;
        clearTimeout(retry);
        source?.close();
      };
      connect();
      return end;
    },
    save: async (_content, shown) => download(shown),
    openLink: (url) => void globalThis.open(url, "_blank", "noopener,noreferrer"),
  };
}

/** The browser asks where, and tells nobody. */
export function download({ name, data, type }: ShownFile): null {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([data], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
