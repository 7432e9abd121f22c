import { cleanup, configure, render, screen } from "@testing-library/svelte";
import { afterEach, expect, test } from "vitest";
import { useHost } from "../ipc/client";
import { fakeHost } from "../fake-host/fake";
import Help from "./Help.svelte";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
afterEach(cleanup);

test("hosts that were contacted stand in the help, the newest first, and an empty list says so", async () => {
  let contacted = [
    { host: "early.example", requests: 1, last_at_ms: 1_000 },
    { host: "late.example", requests: 4, last_at_ms: 2_000 },
  ];
  const fake = fakeHost();
  useHost({
    ...fake,
    call: (command, payload) =>
      command === "list_sources"
        ? Promise.resolve({ sources: [], contacted, feeds_file: "feeds.toml" })
        : fake.call(command, payload),
  });
  render(Help);
  await screen.findByText("late.example");
  const hosts = screen.getByRole("list", { name: "Hosts contacted in this session" });
  expect([...hosts.querySelectorAll("code")].map((host) => host.textContent)).toEqual([
    "late.example",
    "early.example",
  ]);
  expect(hosts.textContent).toContain("asked 4 times");
  cleanup();
  contacted = [];
  render(Help);
  await screen.findByText("None yet.");
});
