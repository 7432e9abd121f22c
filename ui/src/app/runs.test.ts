import { expect, test, vi } from "vitest";
import type { Commands } from "../ipc/bindings";
import { call, useHost } from "../ipc/client";
import { fakeHost } from "../fake-host/fake";
import { runs } from "./runs.svelte";

const PATIENCE = { timeout: 30_000 };
vi.setConfig({ testTimeout: 120_000 });

test("the list comes as a whole: a run that is told of before it neither stands alone nor is lost", async () => {
  const host = fakeHost();
  let comes = () => {};
  const wait = new Promise<void>((go) => (comes = go));
  useHost({
    ...host,
    async call(command, payload) {
      const answer = await host.call(command, payload);
      if (command === "list_runs") await wait;
      return answer;
    },
  });
  const told: string[] = [];
  const leave = runs.follow((item) => item.type === "run" && told.push(item.card.run));
  const { run } = await call("start_run", {
    pipeline: "evening-proof",
    inputs: { subject: "early" },
  } as unknown as Commands["start_run"][0]);
  await vi.waitFor(() => expect(told).toContain(run), PATIENCE);
  expect([runs.isLoaded, runs.list]).toEqual([false, []]);
  expect(runs.card(run)?.run).toBe(run);
  comes();
  await vi.waitFor(() => expect(runs.isLoaded).toBe(true), PATIENCE);
  expect(runs.list.length).toBeGreaterThan(1);
  expect(runs.card(run)?.run).toBe(run);
  leave();
});
