import { expect, test } from "vitest";
import { useHost } from "../ipc/client";
import { fakeHost } from "../fake-host/fake";
import { LiveRun } from "./live-run.svelte";

test("a moment that cannot be had leaves what is shown, and the next one is asked for", async () => {
  const host = fakeHost();
  let broken: Error | null = null;
  useHost({
    ...host,
    async call(command, payload) {
      if (broken) throw broken;
      const answer = await host.call(command, payload);
      // As of a long run: events are not told with a view.
      return command === "view_at" ? { ...(answer as object), whole_from: Infinity } : answer;
    },
  });
  const live = new LiveRun("run-two-drafts");
  await live.open();
  broken = new Error("no room");
  await live.seek(16);
  expect([live.moment, live.isSeeking, live.error?.message]).toEqual([null, false, "no room"]);
  broken = null;
  await live.seek(28);
  expect([live.moment, live.shown.seq, live.isSeeking]).toEqual([28, 28, false]);
  live.close();
});
