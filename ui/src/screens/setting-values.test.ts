// A change of a setting that fails: the second try makes it, and a closed error shows the stored value; the program
// is made up.
import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { hostWindow } from "../app/host-window.svelte";
import { useHost } from "../ipc/client";
import type { Setting } from "../ipc/bindings";
import { fakeHost } from "../fake-host/fake";
import BrowserSettings from "./BrowserSettings.svelte";
import MapSettings from "./MapSettings.svelte";
import UpdateSettings from "./UpdateSettings.svelte";

configure({ asyncUtilTimeout: 10_000, defaultHidden: true });
vi.setConfig({ testTimeout: 60_000 });

const down = { code: "network", message: "Nobody answers.", provider_words: null, retry_after_ms: null, limit: null };
let isDown = true;
/** What was asked of the program, with the value of a setting. */
let calls: string[] = [];

beforeEach(() => {
  isDown = true;
  calls = [];
  const fake = fakeHost();
  useHost({
    ...fake,
    call: (command, payload) => {
      const setting = payload as Setting;
      if (command === "get_setting") return Promise.resolve({ ...setting, value: "stored", usual: "" });
      calls.push(command === "set_setting" ? `${command} ${setting.value}` : command);
      if (command === "choose_paths") return Promise.resolve({ paths: ["/maps/tiles"] });
      if (isDown) return Promise.reject(down);
      if (command === "check_update") return Promise.resolve({ version: "1.2.3", newer: null, package: null });
      return command === "set_setting" ? Promise.resolve({ ...setting, usual: "" }) : fake.call(command, payload);
    },
  });
});
afterEach(() => {
  cleanup();
  hostWindow.isWindow = false;
});

async function tryAgain() {
  await screen.findByText("Nobody answers.");
  isDown = false;
  await fireEvent.click(screen.getByRole("button", { name: "Try again" }));
}

test("a value that was not stored is stored by the second try, and leaves its field when the error is closed", async () => {
  render(BrowserSettings);
  const field = () => screen.getByLabelText<HTMLInputElement>("Allowed local addresses");
  await waitFor(() => expect(field().value).toBe("stored"));
  await fireEvent.change(field(), { target: { value: "typed" } });
  await screen.findByText("Nobody answers.");
  await fireEvent.click(screen.getByRole("button", { name: "Close" }));
  expect(field().value).toBe("stored");
  await fireEvent.change(field(), { target: { value: "typed" } });
  await tryAgain();
  await screen.findByText("Saved.");
  expect(field().value).toBe("typed");
  expect(calls).toEqual(["set_setting typed", "set_setting typed", "set_setting typed"]);
});

test("the check for a new version and a chosen file are tried again as they were", async () => {
  render(UpdateSettings);
  const now = screen.getByRole<HTMLButtonElement>("button", { name: "Check now" });
  await waitFor(() => expect(now.disabled).toBe(false));
  await fireEvent.click(now);
  await tryAgain();
  await screen.findByText(/1\.2\.3/);
  expect(calls).toEqual(["check_update", "check_update"]);
  cleanup();
  isDown = true;
  calls = [];
  hostWindow.isWindow = true;
  render(MapSettings);
  await fireEvent.click(screen.getAllByRole("button", { name: /^Choose/ })[0]!);
  await tryAgain();
  await screen.findByText("Saved.");
  // The path is known: nobody is asked for it again.
  expect(calls).toEqual(["choose_paths", "set_setting /maps/tiles", "set_setting /maps/tiles"]);
});
