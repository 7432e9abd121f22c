// The queue and its workers in the settings, over the host without a program.
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { router } from "../app/route.svelte";
import { useHost } from "../ipc/client";
import type { SaveQueue } from "../ipc/bindings";
import { fakeHost } from "../fake-host/fake";
import { isOfThisMachine } from "./queue-draft";
import Settings from "./Settings.svelte";

configure({ asyncUtilTimeout: 10_000 });
vi.setConfig({ testTimeout: 60_000 });

let calls: [string, unknown][] = [];

beforeEach(() => {
  // There is no layout here.
  Element.prototype.scrollIntoView = () => {};
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  localStorage.clear();
  calls = [];
  const fake = fakeHost();
  useHost({
    ...fake,
    call: (command, payload) => {
      calls.push([command, payload]);
      return fake.call(command, payload);
    },
  });
  router.go({ screen: "settings", section: "workers" });
  render(Settings);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  cleanup();
});

const saved = () => calls.filter(([name]) => name === "save_queue").map(([, payload]) => payload as SaveQueue);
const asked = () => calls.filter(([name]) => name === "describe_queue").length;
const typeIn = async (label: string | RegExp, value: string) =>
  fireEvent.input(await screen.findByLabelText(label), { target: { value } });

async function click(name: string) {
  const button = screen.getByRole<HTMLButtonElement>("button", { name });
  await waitFor(() => expect(button.disabled).toBe(false));
  await fireEvent.click(button);
}

async function save(url: string) {
  await typeIn("Address of the queue", url);
  await click("Save");
}

test("an address is saved, its workers are listed, and work comes back to this machine", async () => {
  await save("tls://queue.example");
  const rows = within(
    await screen.findByRole("table", { name: "Workers heard of in the last half minute" }),
  ).getAllByRole("row");
  expect(rows).toHaveLength(4);
  expect(within(rows[1]!).getByText("2 of 4")).toBeTruthy();
  expect(within(rows[1]!).getByText(/^\d s ago$/)).toBeTruthy();
  expect(screen.getByText("12,345")).toBeTruthy();
  expect(screen.getByText(/2 sub-tasks were given up/)).toBeTruthy();
  expect(screen.queryByText(/is not encrypted/)).toBeNull();
  await click("Work here again");
  await screen.findByText("Everything is done here again.");
  expect(screen.queryByRole("table")).toBeNull();
  expect(document.activeElement).toBe(screen.getByLabelText("Address of the queue"));
  const nothing = { key_env: "", key: "", for_session: false };
  expect(saved()).toEqual([
    { url: "tls://queue.example", ...nothing },
    { url: "", ...nothing },
  ]);
});

test("a key is sent once, kept while its address and place are left, and asked for again with another address", async () => {
  await typeIn("Address of the queue", "nats://idle.example");
  const place = await screen.findByLabelText<HTMLSelectElement>(/^Store key in/);
  await fireEvent.change(place, { target: { value: "keyring" } });
  expect(screen.getByText("Still needed: a key")).toBeTruthy();
  await typeIn("Key", "-----BEGIN NATS USER JWT-----\nabc\n");
  await click("Save");
  await screen.findByText("Saved.");
  expect(screen.getByLabelText<HTMLTextAreaElement>("Key").value).toBe("");
  expect(screen.getByText(/Leave empty to keep the stored key/)).toBeTruthy();
  // The worker needs the same key.
  expect(screen.getByRole("region", { name: "Command that starts a worker" }).textContent).toBe(
    "galley worker --role ResearchAgent --queue nats://idle.example --key-env QUEUE_KEY",
  );
  expect(screen.getByText(/is not encrypted/)).toBeTruthy();
  await click("Save");
  // What is typed while it is saved stays.
  await typeIn("Address of the queue", "nats://other.example");
  await screen.findByText("Still needed: a key");
  expect(screen.getByText(/was for another address/)).toBeTruthy();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save" }).disabled).toBe(true);
  await fireEvent.change(place, { target: { value: "variable" } });
  await typeIn(/^Variable with the key/, "NATS_TOKEN");
  await click("Save");
  await waitFor(() => expect(saved()).toHaveLength(3));
  await waitFor(() => expect(place.value).toBe("variable"));
  await fireEvent.change(place, { target: { value: "session" } });
  await typeIn("Key", "s3cret");
  await click("Save");
  await waitFor(() => expect(saved()).toHaveLength(4));
  expect(saved()).toEqual([
    { url: "nats://idle.example", key_env: "", key: "-----BEGIN NATS USER JWT-----\nabc", for_session: false },
    { url: "nats://idle.example", key_env: "", key: null, for_session: false },
    { url: "nats://other.example", key_env: "NATS_TOKEN", key: "", for_session: false },
    { url: "nats://other.example", key_env: "", key: "s3cret", for_session: true },
  ]);
});

test("a server that does not answer is an error with a way to try again, and a wrong address is not stored", async () => {
  await save("http://queue.example");
  await screen.findByText(/is no address of a queue/);
  await save("nats://no-such.example");
  const card = await screen.findByRole("alert", { name: "The queue cannot be used" });
  const before = asked();
  await fireEvent.click(within(card).getByRole("button", { name: "Try again" }));
  await waitFor(() => expect(asked()).toBe(before + 1));
});

test("the server is asked every five seconds, while the page is seen and nothing covers the section", async () => {
  await save("nats://127.0.0.1:4222");
  await screen.findByRole("table");
  await click("Save");
  cleanup();
  vi.useFakeTimers();
  render(Settings);
  await vi.advanceTimersByTimeAsync(100);
  const pass = async () => {
    const before = asked();
    await vi.advanceTimersByTimeAsync(10_000);
    return asked() - before;
  };
  expect(await pass()).toBe(2);
  await fireEvent.input(screen.getByRole("searchbox"), { target: { value: "nats" } });
  expect(await pass()).toBe(0);
  expect(screen.getByRole("list", { name: "Settings found" }).textContent).toContain("Workers");
  await fireEvent.input(screen.getByRole("searchbox"), { target: { value: "" } });
  const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
  expect(await pass()).toBe(0);
  hidden.mockReturnValue(false);
  const before = asked();
  await fireEvent(document, new Event("visibilitychange"));
  expect(asked()).toBe(before + 1);
});

test.each([
  ["nats://localhost:4222", true],
  ["nats://user@127.0.0.1", true],
  ["nats://[::1]:4222", true],
  ["nats://127.example.org", false],
  ["nats://localhost@queue.example", false],
  ["nats://[fe80::1]", false],
])("whether %s is of this machine: %s", (url, isHere) => {
  expect(isOfThisMachine(url)).toBe(isHere);
});
