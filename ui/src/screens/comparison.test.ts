// Two runs compared, and the text of one taken into the other.
import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";
import { call, useHost } from "../ipc/client";
import { fakeHost } from "../ipc/hosts/fake";
import Comparison from "./Comparison.svelte";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
vi.setConfig({ testTimeout: 120_000 });
const offered: { label: string; onClick: () => void }[] = [];
vi.mock("svelte-sonner", () => ({ toast: (_words: string, { action }: { action: { label: string; onClick: () => void } }) => offered.push(action) }));

afterEach(cleanup);

test("the other's text becomes the person's own edit, and is taken back again", async () => {
  useHost(fakeHost());
  const [one, other] = ["run-two-drafts", "run-surfaced"];
  const textOf = async (run: string) => JSON.stringify((await call("state_at", { run, seq: null })).state);
  const before = await textOf(one);
  const events = (await call("open_run", { run: one })).card.last_seq;
  render(Comparison, { one, other });
  await fireEvent.click(await screen.findByRole("button", { name: /^Take this text into/ }));
  await waitFor(() => expect(offered).toHaveLength(1));
  const { entries } = await call("read_events", { run: one, from_seq: events + 1, limit: 10 });
  expect(entries.map(({ event }) => [event.author, event.fact.kind])).toEqual([["user", "state_changed"]]);
  expect(await textOf(one)).not.toBe(before);
  offered[0]!.onClick();
  await waitFor(async () => expect(await textOf(one)).toBe(before));
});
