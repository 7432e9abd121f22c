// The settings as a whole: what the search finds, and what a section is without changes.
import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { router } from "../app/route.svelte";
import { useHost } from "../ipc/client";
import type { Setting } from "../ipc/bindings";
import { fakeHost } from "../fake-host/fake";
import Settings from "./Settings.svelte";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
vi.setConfig({ testTimeout: 120_000 });

/** What was set, in order. */
let set: Setting[] = [];

beforeEach(() => {
  // There is no layout here.
  Element.prototype.scrollIntoView = () => {};
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  localStorage.clear();
  set = [];
  const fake = fakeHost();
  useHost({
    ...fake,
    call: (command, payload) => {
      const setting = payload as Setting;
      if (command === "get_setting") return Promise.resolve({ ...setting, value: "work", usual: "built-in" });
      if (command !== "set_setting") return fake.call(command, payload);
      set.push(setting);
      return Promise.resolve({ ...setting, value: "built-in", usual: "built-in" });
    },
  });
});
afterEach(cleanup);

test("the search finds settings by words that a person would type, shows their sections, and opens one in its place", async () => {
  router.go({ screen: "settings" });
  render(Settings);
  const search = screen.getByRole<HTMLInputElement>("searchbox", { name: "Search the settings" });
  const hits = () =>
    [...screen.getByRole("list", { name: "Settings found" }).querySelectorAll(".title")].map((hit) => hit.textContent);
  for (const [word, hit] of [
    ["keyring", "Profiles and keys" + "Profiles and keys"],
    ["dark", "Theme" + "Appearance"],
    ["log", "Write a log" + "Data"],
    ["limit", "Limits of a run" + "For new runs"],
    ["proxy", "Proxy" + "Tools and web"],
    ["backup", "Back up now" + "Data"],
    ["desktop notification", ""],
  ] as const) {
    await fireEvent.input(search, { target: { value: word } });
    if (hit === "") expect(screen.getByText("No matching settings.")).toBeTruthy();
    else expect(hits(), word).toContain(hit);
  }
  await fireEvent.input(search, { target: { value: "night" } });
  expect(document.querySelector("mark")?.textContent).toBe("night");
  await fireEvent.submit(search.form!);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText("Theme")));
  expect(search.value).toBe("");
  expect(router.route).toEqual({ screen: "settings", section: "appearance", setting: "theme" });
});

test("every setting of new runs says its default, and a reset puts all of them back", async () => {
  router.go({ screen: "settings", section: "runs" });
  render(Settings);
  expect(await screen.findAllByText(/Default: /)).toHaveLength(5);
  await fireEvent.click(screen.getByRole("button", { name: "Reset: For new runs" }));
  await screen.findByText("Saved.");
  expect(set).toEqual(
    ["default_profile", "default_source", "default_fallback", "decide_issues", "keep_awake"].map((key) => ({
      key,
      value: "",
    })),
  );
});

test("a setting that was looked for takes the focus once, and not again when it is changed", async () => {
  router.go({ screen: "settings" });
  render(Settings);
  const search = screen.getByRole<HTMLInputElement>("searchbox", { name: "Search the settings" });
  const find = async () => {
    await fireEvent.input(search, { target: { value: "intranet" } });
    await fireEvent.submit(search.form!);
    await waitFor(() => expect(document.activeElement).toBe(document.querySelector("[data-found] input")));
    return document.activeElement as HTMLInputElement;
  };
  const field = await find();
  await fireEvent.change(field, { target: { value: "example.org" } });
  search.focus();
  await screen.findByText("Saved.");
  expect(document.activeElement).toBe(search);
  expect(field.isConnected && field.closest("[data-found]")).toBeTruthy();
  // Looked for again it takes the focus again.
  expect(await find()).toBe(field);
});
