// The form of a profile: which key it demands, which name it takes, and a save that ends late; the program's side is
// made up.
import { verbatim } from "../ipc/verbatim";
import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { router } from "../app/route.svelte";
import { useHost } from "../ipc/client";
import type { ProfileCard } from "../ipc/bindings";
import { fakeHost } from "../fake-host/fake";
import AddKey from "./AddKey.svelte";
import FirstRun from "./FirstRun.svelte";
import { hound, near, open, work } from "./profiles-of-tests";
import Settings from "./Settings.svelte";

configure({ asyncUtilTimeout: 10_000, defaultHidden: true });
vi.setConfig({ testTimeout: 60_000 });

const down = { code: "network", message: "Nobody answers.", provider_words: null, retry_after_ms: null, limit: null };
let profiles: ProfileCard[] = [];
let answers: Record<string, () => unknown> = {};
let calls: string[] = [];

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
  profiles = [work];
  answers = {
    list_profiles: () => ({ profiles }),
    list_providers: () => ({ providers: [near, open, hound], keyring: "the keyring", keyring_error: null }),
    find_servers: () => ({ servers: [] }),
    total_usage: () => ({ lines: [], damaged_runs: [] }),
    add_profile: () => ({}),
    test_profile: () => ({ at_ms: 1, phrase: verbatim("It answered.") }),
  };
  const fake = fakeHost();
  useHost({
    ...fake,
    call: (command, payload) => {
      calls.push(command);
      const answer = answers[command];
      return answer ? Promise.resolve(answer()) : fake.call(command, payload);
    },
  });
});
afterEach(cleanup);

const count = (command: string) => calls.filter((name) => name === command).length;
const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>("button", { name });
const keyField = () => document.querySelector<HTMLInputElement>("#key")!;
const typeKey = (value = "key-of-a-test-wxyz") => fireEvent.input(keyField(), { target: { value } });
/** A save that ends when the test says so. */
function lateSave(): () => void {
  let end = () => {};
  const ended = new Promise((resolve) => (end = () => resolve({})));
  answers["add_profile"] = () => ended;
  return () => end();
}

async function edit(card: Partial<ProfileCard>) {
  cleanup();
  profiles = [{ ...work, ...card }];
  router.go({ screen: "settings", profile: "work" });
  render(Settings);
  await screen.findByLabelText("Key of work");
}

test("a profile without a key demands one, and one with a key demands it only for another place", async () => {
  await edit({});
  expect(screen.queryByText(/keep the key/)).toBeNull();
  screen.getByText("Still needed: Key");
  expect(button("Save and test").disabled).toBe(true);
  for (const [card, keeps, other] of [
    [{ session_last_four: "wxyz" }, "Leave empty to keep the key for this session.", "keyring"],
    [{ last_four: "abcd" }, "Leave empty to keep the key that ends in abcd.", "session"],
    // Its provider can do without one, and its key still does not move by itself.
    [{ provider: "open", last_four: "abcd" }, "Leave empty to keep the key that ends in abcd.", "session"],
  ] as const) {
    await edit(card);
    screen.getByText(keeps);
    expect(button("Save and test").disabled).toBe(false);
    await fireEvent.change(screen.getByLabelText(/^Store key in/), { target: { value: other } });
    expect(screen.queryByText(/keep the key/)).toBeNull();
    expect(button("Save and test").disabled).toBe(true);
    screen.getByLabelText("Key of work");
    await typeKey();
    expect(button("Save and test").disabled).toBe(false);
  }
});

test("the name of another profile is refused, and the name of one that is changed stays", async () => {
  render(AddKey);
  await fireEvent.click(await screen.findByRole("button", { name: /^Near/ }));
  await typeKey();
  const name = () => screen.getByLabelText<HTMLInputElement>(/^Name/);
  await fireEvent.input(name(), { target: { value: " work " } });
  screen.getByText(/Another profile has this name/);
  expect(button("Save and test").disabled && button("Save without a test").disabled).toBe(true);
  await fireEvent.submit(name().form!);
  expect(count("add_profile")).toBe(0);
  await fireEvent.input(name(), { target: { value: "work-2" } });
  expect(screen.queryByText(/Another profile has this name/)).toBeNull();
  expect(button("Save and test").disabled).toBe(false);
  await edit({ last_four: "abcd" });
  expect(name().readOnly).toBe(true);
  expect(screen.queryByText(/Another profile has this name/)).toBeNull();
});

test("a server that was found becomes a profile by one click, and one without a model says what to do", async () => {
  const found = {
    provider: "open",
    title: "Server",
    address: "http://127.0.0.1:8080",
    base_url: "http://127.0.0.1:8080/v1",
    models: ["loaded-1", "other-2"],
    next_step: null as unknown,
    profile: null as string | null,
    free_name: "server",
  };
  answers["find_servers"] = () => ({
    servers: [
      found,
      { ...found, address: "http://127.0.0.1:2", models: [], next_step: verbatim("Load a model."), title: "Empty" },
      { ...found, address: "http://127.0.0.1:3", profile: "work", title: "Known" },
    ],
  });
  render(AddKey);
  await screen.findByText("Load a model.");
  expect(screen.queryByRole("button", { name: /Known/ })).toBeNull();
  await fireEvent.click(await screen.findByRole("button", { name: /^Use Server/ }));
  await waitFor(() => expect(count("test_profile")).toBe(1));
  expect(count("add_profile")).toBe(1);
});

test("a new profile that is stored late leaves the form of another provider alone", async () => {
  const end = lateSave();
  render(AddKey);
  await fireEvent.click(await screen.findByRole("button", { name: /^Near/ }));
  await typeKey();
  await fireEvent.click(button("Save and test"));
  expect(button("Cancel").disabled).toBe(true);
  await fireEvent.click(button("1 Provider"));
  await fireEvent.click(await screen.findByRole("button", { name: /^Hound/ }));
  await typeKey("key-of-hound");
  const listed = count("list_profiles");
  end();
  await waitFor(() => expect(count("list_profiles")).toBeGreaterThan(listed));
  await new Promise((resolve) => setTimeout(resolve));
  expect(screen.queryByText(/is saved$/)).toBeNull();
  expect(keyField().value).toBe("key-of-hound");
});

test("a profile that is stored late does not close the form of another one", async () => {
  const end = lateSave();
  await edit({ last_four: "abcd" });
  cleanup();
  profiles = [...profiles, { ...work, name: "other", last_four: "efgh" }];
  render(Settings);
  await screen.findByLabelText("Key of work");
  await fireEvent.click(button("Save without a test"));
  await fireEvent.click(button("Change the profile other"));
  await screen.findByLabelText("Key of other");
  await typeKey("key-of-other");
  // The form is closed after the ledger is read again.
  const read = count("total_usage");
  end();
  await waitFor(() => expect(count("total_usage")).toBeGreaterThan(read));
  await new Promise((resolve) => setTimeout(resolve));
  expect(keyField().value).toBe("key-of-other");
});

test("what is typed into a form stays while the settings are searched, and when its section is chosen again", async () => {
  await edit({ last_four: "abcd" });
  await typeKey();
  const search = screen.getByRole("searchbox", { name: "Search the settings" });
  await fireEvent.input(search, { target: { value: "dark" } });
  screen.getByRole("list", { name: "Settings found" });
  expect(keyField().closest("[hidden]")).toBeTruthy();
  await fireEvent.input(search, { target: { value: "work" } });
  await fireEvent.click(
    screen
      .getAllByRole("button", { name: (text) => text.includes("work") })
      .find((hit) => hit.classList.contains("hit"))!,
  );
  await waitFor(() => expect(keyField().closest("[hidden]")).toBeNull());
  expect(keyField().value).toBe("key-of-a-test-wxyz");
});

test("a second try does what failed, and no test that costs money for anything else; a failed test stays one", async () => {
  answers["list_pipelines"] = () => Promise.reject(down);
  render(FirstRun, { name: "work", isOfService: false, isTested: false, onChange: () => {} });
  await fireEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await waitFor(() => expect(count("list_pipelines")).toBe(2));
  expect(count("test_profile")).toBe(0);
  screen.getByText("Not tested yet.");
  delete answers["list_pipelines"];
  await fireEvent.click(await screen.findByRole("button", { name: "Try again" }));
  await waitFor(() => expect(screen.queryByText("Nobody answers.")).toBeNull());
  answers["test_profile"] = () => Promise.reject(down);
  await fireEvent.click(button("Test"));
  await screen.findByText("Nobody answers.");
  await fireEvent.click(button("Close"));
  expect(screen.queryByText("Nobody answers.")).toBeNull();
  expect(screen.queryByText("Not tested yet.")).toBeNull();
});
