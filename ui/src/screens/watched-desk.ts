// For tests of the desk: a host that keeps what it was asked, and a document that lays nothing out.
import { vi } from "vitest";
import { router } from "../app/route.svelte";
import { useHost } from "../ipc/client";
import type { Host } from "../ipc/host";

export type WatchedDesk = {
  host: Host;
  /** The commands that were sent, with what they asked for. */
  calls: [string, Record<string, unknown>][];
  /** What one command asked for, each time. */
  sent: (command: string) => Record<string, unknown>[];
};

/**
 * Makes ready what a desk needs that shows a run. `answer` answers a command in place of the host, where it gives
 * anything.
 */
export function watchDesk(
  run: string,
  fake: Host,
  answer: (command: string) => unknown = () => undefined,
): WatchedDesk {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  Element.prototype.scrollIntoView = () => {};
  Element.prototype.scrollTo = () => {};
  localStorage.clear();
  router.go({ screen: "run", run });
  const calls: WatchedDesk["calls"] = [];
  const host: Host = {
    ...fake,
    call: (command, payload) => {
      calls.push([command, payload as Record<string, unknown>]);
      const own = answer(command);
      return own === undefined ? fake.call(command, payload) : Promise.resolve(own);
    },
  };
  useHost(host);
  return {
    host,
    calls,
    sent: (wanted) => calls.filter(([command]) => command === wanted).map(([, payload]) => payload),
  };
}
