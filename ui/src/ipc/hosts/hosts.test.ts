import { mockIPC } from "@tauri-apps/api/mocks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { WatchItem } from "../bindings";
import { bridgeHost, bridgeToken } from "./bridge";
import { tauriHost } from "./tauri";

const event = (seq: number) => ({ type: "event", entry: { event: { seq } } }) as unknown as WatchItem;

class FakeSource {
  static made: FakeSource[] = [];
  onmessage: ((message: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  isClosed = false;
  constructor(readonly url: string) {
    FakeSource.made.push(this);
  }
  close() {
    this.isClosed = true;
  }
  say(item: WatchItem) {
    this.onmessage?.({ data: JSON.stringify(item) });
  }
}

beforeEach(() => {
  FakeSource.made = [];
  vi.stubGlobal("EventSource", FakeSource);
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  sessionStorage.clear();
});

test("the bridge's token is taken out of the address and kept for a reload", () => {
  location.hash = "#token=secret-1";
  expect(bridgeToken()).toBe("secret-1");
  expect(location.href).not.toContain("secret-1");
  expect(bridgeToken()).toBe("secret-1");
});

test("the bridge sends the command with the token and turns its errors into faults", async () => {
  const fetched = vi.fn<typeof fetch>(
    async () => new Response(JSON.stringify({ code: "not_found", message: "no such run" }), { status: 404 }),
  );
  vi.stubGlobal("fetch", fetched);
  await expect(bridgeHost("t", "http://here").call("open_run", { run: "x" })).rejects.toMatchObject({
    code: "not_found",
    message: "no such run",
  });
  const [url, request] = fetched.mock.calls[0] ?? [];
  expect(url).toBe("http://here/rpc");
  expect(request?.headers).toMatchObject({ authorization: "Bearer t" });
  expect(JSON.parse(String(request?.body))).toEqual({ cmd: "open_run", payload: { run: "x" } });
});

test("a watch over the bridge goes on after a break from where it had come to, until it is ended", () => {
  const seen: WatchItem[] = [];
  const end = bridgeHost("t", "http://here").watch("r", 1, (item) => seen.push(item));
  expect(FakeSource.made[0]?.url).toBe("http://here/watch?from_seq=1&token=t&run=r");
  FakeSource.made[0]?.say(event(1));
  FakeSource.made[0]?.say(event(2));
  FakeSource.made[0]?.onerror?.();
  vi.advanceTimersByTime(1_000);
  expect(FakeSource.made[1]?.url).toContain("from_seq=3");
  FakeSource.made[1]?.say(event(3));
  expect(seen).toHaveLength(3);
  end();
  FakeSource.made[1]?.say(event(4));
  FakeSource.made[1]?.onerror?.();
  vi.advanceTimersByTime(5_000);
  expect(seen).toHaveLength(3);
  expect(FakeSource.made).toHaveLength(2);
});

test("the window's host calls the shell's two commands by their own argument names", async () => {
  const calls: [string, Record<string, unknown>][] = [];
  mockIPC((command, payload) => {
    calls.push([command, payload as Record<string, unknown>]);
    return command === "rpc" ? { runs: [] } : null;
  });
  await expect(tauriHost().call("list_runs", { search: null })).resolves.toEqual({ runs: [] });
  const end = tauriHost().watch("r", 4, () => {});
  end();
  await Promise.resolve();
  expect(calls.map(([command]) => command)).toEqual(["rpc", "watch", "watch"]);
  expect(calls[0]?.[1]).toEqual({ cmd: "list_runs", payload: { search: null } });
  expect(calls[1]?.[1]).toMatchObject({ run: "r", from_seq: 4, channel: expect.anything() });
  expect(calls[2]?.[1]).toMatchObject({ stop: true });
  expect(calls[2]?.[1]["channel"]).toBe(calls[1]?.[1]["channel"]);
});
