import { expect, test } from "vitest";
import type { RunCard, RunStatus } from "../ipc/bindings";
import { recordings } from "../fake-host/fake-records";
import { trayOf } from "./tray";

const like = recordings()[0]!.page.card;
const card = (run: string, status: RunStatus, at: number): RunCard => ({
  ...like,
  run,
  title: run,
  status,
  started_at_ms: at,
});

test("the tray lists the runs that wait before those that work, the newest first, and no ended run", () => {
  const tray = trayOf([
    card("old", "running", 1),
    card("done", "finished", 9),
    card("new", "running", 2),
    card("disk", "waiting_for_disk", 3),
    card("asks", "waiting", 0),
  ]);
  expect(tray.runs.map(({ run }) => run)).toEqual(["asks", "disk", "new", "old"]);
  expect(tray.runs[0]?.title).toMatch(/^asks · ./);
});

test("the tray lists at most twelve runs and counts all of them", () => {
  const waiting = Array.from({ length: 9 }, (_, n) => card(`waiting-${n}`, "waiting", n));
  const running = Array.from({ length: 5 }, (_, n) => card(`running-${n}`, "running", n));
  const tray = trayOf([...running, ...waiting]);
  expect(tray.runs).toHaveLength(12);
  expect(tray.runs.at(-1)?.run).toBe("running-2");
  expect([tray.title.includes("9"), tray.title.includes("5")]).toEqual([true, true]);
});
