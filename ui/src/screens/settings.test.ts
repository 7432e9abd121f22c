// Profiles, keys and search sources, in the page alone: the program's side is made up here.
import { verbatim } from "../ipc/verbatim";
import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { router } from "../app/route.svelte";
import { useHost } from "../ipc/client";
import type { ProfileCard, SourceCards } from "../ipc/bindings";
import { fakeHost } from "../fake-host/fake";
import { offer } from "../fake-host/fake-records";
import AddKey from "./AddKey.svelte";
import { hound, near, open, work } from "./profiles-of-tests";
import Settings from "./Settings.svelte";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
vi.setConfig({ testTimeout: 120_000 });

let sources: SourceCards;
let profiles: ProfileCard[] = [];
let answers: Record<string, (payload: never) => unknown> = {};
let calls: [string, unknown][] = [];

beforeEach(() => {
  // There is no layout here.
  Element.prototype.scrollIntoView = () => {};
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  calls = [];
  localStorage.clear();
  profiles = [work, { ...work, name: "hits", provider: "hound", is_of_service: true }];
  router.go({ screen: "settings", section: "profiles" });
  sources = {
    sources: [
      {
        id: "hound",
        title: "Hound",
        purpose: verbatim("Looks everywhere."),
        key: "required",
        key_page: "https://hound.example/key",
        services: [
          {
            name: "hound",
            title: "Hound",
            base_url: "https://hound.example",
            settings: [{ key: "services.hound.profile", help: "Whose key.", value: "" }],
          },
        ],
      },
    ],
    contacted: [],
    feeds_file: "feeds.toml",
  };
  answers = {
    list_sources: () => sources,
    list_profiles: () => ({ profiles }),
    list_providers: () => ({ providers: [near, open, hound], keyring: "the keyring", keyring_error: null }),
    find_servers: () => ({ servers: [] }),
    total_usage: () => ({ lines: [], damaged_runs: [] }),
    list_models: () => ({
      models: [
        { name: "old-1", title: "Old", shutdown_date: "2026-12-24", input_tokens: 0, output_tokens: 0 },
        { name: "new-2", title: "", shutdown_date: "", input_tokens: 0, output_tokens: 0 },
      ],
    }),
    add_profile: () => ({}),
    save_key: () => ({ last_four: "wxyz" }),
    forget_key: () => ({}),
    set_setting: (setting) => ({ ...Object(setting), usual: "" }),
    doctor: () => ({ lines: [] }),
  };
  const fake = fakeHost();
  useHost({
    ...fake,
    call: (command, payload) => {
      calls.push([command, payload]);
      const answer = answers[command];
      return answer ? Promise.resolve(answer(payload as never)) : fake.call(command, payload);
    },
  });
});
afterEach(cleanup);

const sent = (command: string) => calls.filter(([name]) => name === command).map(([, payload]) => payload);

/** Opens the form of a new profile of a provider, by the title of the provider or of what was found. */
async function begin(title: RegExp) {
  render(AddKey);
  await fireEvent.click(await screen.findByRole("button", { name: title }));
}
const typeKey = () => fireEvent.input(document.querySelector("#key")!, { target: { value: "key-of-a-test-wxyz" } });

test("a source says what it wants, and its settings are saved under their whole key", async () => {
  router.go({ screen: "settings", section: "sources" });
  render(Settings);
  await screen.findByText("Looks everywhere.");
  expect(screen.getByText("needs a key", { exact: false })).toBeTruthy();
  const field = screen.getByText("Whose key.").parentElement?.querySelector("input");
  if (!field) throw new Error("the setting has no field");
  await fireEvent.change(field, { target: { value: " work " } });
  await waitFor(() => expect(sent("set_setting")).toEqual([{ key: "services.hound.profile", value: "work" }]));
  expect(screen.getByText(/feeds\.toml/)).toBeTruthy();
});

test("where a run searches is chosen among what searches, not among the other tools of a pipeline", async () => {
  const { pipelines } = offer();
  const [first] = pipelines;
  const trains = {
    name: "trains",
    title: "Trains",
    default: "estimate",
    choices: [{ id: "estimate", title: "Estimate", is_offline: true }],
  };
  answers.list_pipelines = () => ({ pipelines: [{ ...first!, slots: [...first!.slots, trains] }], faulty: [] });
  router.go({ screen: "settings", section: "runs" });
  render(Settings);
  const source = await screen.findByLabelText<HTMLSelectElement>("Search in");
  expect([...source.options].map(({ value }) => value)).toEqual(["auto", "library", "feeds"]);
});

test("a key that was refused leads to the field of its profile; the saved key leaves the field, and is forgotten on demand", async () => {
  profiles = [{ ...work, last_four: "abcd" }];
  router.go({ screen: "settings", profile: "work" });
  render(Settings);
  const field = await screen.findByLabelText<HTMLInputElement>("Key of work");
  await waitFor(() => expect(document.activeElement).toBe(field));
  await typeKey();
  await fireEvent.click(screen.getByRole("button", { name: "Save without a test" }));
  await waitFor(() => expect(screen.queryByLabelText("Key of work")).toBeNull());
  expect(sent("add_profile")).toMatchObject([{ name: "work", key: "key-of-a-test-wxyz", for_session: false }]);
  await fireEvent.click(screen.getByRole("button", { name: "Change the profile work" }));
  expect((await screen.findByLabelText<HTMLInputElement>("Key of work")).value).toBe("");
  await fireEvent.click(screen.getByRole("button", { name: "Delete the key" }));
  await waitFor(() => expect(sent("forget_key")).toEqual([{ name: "work" }]));
});

test("a key found in the environment fills in the form and stores nothing; the models of a profile are listed with their end", async () => {
  await begin(/^Use NEAR_KEY/);
  expect(screen.getByLabelText<HTMLInputElement>(/^Variable with the key/).value).toBe("NEAR_KEY");
  expect(sent("add_profile")).toEqual([]);
  await fireEvent.click(screen.getByRole("button", { name: "List models" }));
  await screen.findByText("1 model to choose from.");
  // Where there is one model there is nothing to choose.
  expect(screen.getByLabelText<HTMLInputElement>(/^Model/).value).toBe("medium-2");
  expect(sent("offer_models")).toMatchObject([{ name: "near", provider: "near", key_env: "NEAR_KEY", key: "" }]);
  expect(sent("add_profile")).toEqual([]);
  cleanup();
  profiles = [{ ...work, last_four: "abcd" }];
  render(Settings);
  await fireEvent.click(await screen.findByRole("button", { name: "Change the profile work" }));
  await fireEvent.click(screen.getByRole("button", { name: "List models" }));
  await screen.findByText("2 models to choose from.");
  expect([...document.querySelectorAll<HTMLOptionElement>("#models option")].map(({ value }) => value)).toEqual([
    "old-1",
    "new-2",
  ]);
  expect(screen.getAllByText(/old-1: will be shut down on .*2026/).length).toBeGreaterThan(0);
});

test("a profile that is to go on without a key forgets the one it had, and no other change does", async () => {
  profiles = [{ ...work, provider: "open", last_four: "wxyz" }];
  for (const [label, value, forgotten] of [
    [/^Model/, "new-2", []],
    [/^Store key in/, "none", [{ name: "work" }]],
  ] as const) {
    render(Settings);
    await fireEvent.click(await screen.findByRole("button", { name: "Change the profile work" }));
    const field = screen.getByLabelText(label);
    await fireEvent[field instanceof HTMLSelectElement ? "change" : "input"](field, { target: { value } });
    // Asked once more when all that belongs to it is done.
    const asked = sent("list_profiles").length;
    await fireEvent.click(screen.getByRole("button", { name: "Save without a test" }));
    await waitFor(() => expect(sent("list_profiles").length).toBeGreaterThan(asked));
    expect(sent("forget_key")).toEqual(forgotten);
    cleanup();
  }
});

test("a search service gets a profile with a key and no model; models and services stand in for their own kind only", async () => {
  const choices = (label: RegExp) =>
    [...screen.getByLabelText<HTMLSelectElement>(label).querySelectorAll("option")].map(({ value }) => value);
  await begin(/^Near/);
  expect(choices(/^Fallback profile/)).toEqual(["", "work"]);
  await fireEvent.click(screen.getByRole("button", { name: "1 Provider" }));
  await fireEvent.click(await screen.findByRole("button", { name: /^Hound/ }));
  expect(choices(/^Fallback profile/)).toEqual(["", "hits"]);
  expect(screen.queryByLabelText(/^Model/)).toBeNull();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Save and test" }).disabled).toBe(true);
  screen.getByText("Still needed: Key");
  await typeKey();
  await fireEvent.click(screen.getByRole("button", { name: "Save and test" }));
  // The profile and its key go together: there is never one without the other.
  await waitFor(() =>
    expect(sent("add_profile")).toMatchObject([
      { name: "hound", provider: "hound", models: {}, key: "key-of-a-test-wxyz", for_session: false },
    ]),
  );
  expect(sent("save_key")).toEqual([]);
});

test("without a keyring a key is for the session unless somebody says otherwise, and a key that was not taken stays typed", async () => {
  answers["list_providers"] = () => ({
    providers: [near, hound],
    keyring: "the keyring",
    keyring_error: verbatim("There is no keyring: `dbus` is silent."),
  });
  answers["add_profile"] = () =>
    Promise.reject({
      code: "key_unavailable",
      message: "The profile was not added.",
      provider_words: null,
      retry_after_ms: null,
      limit: null,
    });
  await begin(/^Near/);
  const from = screen.getByLabelText<HTMLSelectElement>(/^Store key in/);
  expect(from.value).toBe("session");
  expect(from.querySelector<HTMLOptionElement>("option[value=keyring]")?.disabled).toBe(true);
  expect(screen.getAllByText("dbus").every(({ tagName }) => tagName === "CODE")).toBe(true);
  await typeKey();
  await fireEvent.click(screen.getByRole("button", { name: "Save and test" }));
  await screen.findByText("The key is not available");
  expect(sent("add_profile")).toMatchObject([{ for_session: true }]);
  expect(document.querySelector<HTMLInputElement>("#key")!.value).toBe("key-of-a-test-wxyz");
});

test("from a key to a run: the test is told in words and can be repeated, and a pipeline opens filled in with the profile", async () => {
  answers["add_profile"] = (card: ProfileCard) => ((profiles = [...profiles, { ...work, name: card.name }]), {});
  const down = { code: "network", message: "Nobody answers.", provider_words: null, retry_after_ms: null, limit: null };
  answers["test_profile"] = () => Promise.reject(down);
  await begin(/^Near/);
  await typeKey();
  await fireEvent.click(screen.getByRole("button", { name: "Save and test" }));
  await screen.findByText("Nobody answers.");
  screen.getByText("Profile near is saved");
  answers["test_profile"] = () => ({ at_ms: 1, phrase: verbatim("It answered.") });
  await fireEvent.click(screen.getByRole("button", { name: "Try again" }));
  await screen.findByText("It answered.");
  expect(sent("test_profile")).toEqual([{ name: "near" }, { name: "near" }]);
  expect(screen.queryByText("Nobody answers.")).toBeNull();
  const list = screen.getByRole("heading", { name: "Start a run with this profile" }).nextElementSibling!;
  await waitFor(() => expect(list.querySelector("button")).toBeTruthy());
  await fireEvent.click(list.querySelector("button")!);
  const { route } = router;
  if (route.screen !== "launch") throw new Error(`${route.screen} is open`);
  expect(route.filled?.profile).toBe("near");
  expect(Object.values(route.filled?.inputs ?? {}).every((value) => value !== "")).toBe(true);
});

test("what names a profile is told before it goes, and can be let go there; what goes with it is said", async () => {
  let usedBy = ["default_profile", "services.hound.profile"];
  answers["list_profiles"] = () => ({
    profiles: [{ ...work, name: "hits", provider: "hound", is_of_service: true, used_by: usedBy }],
  });
  answers["set_setting"] = (setting) => ((usedBy = ["services.hound.profile"]), { ...Object(setting), usual: "" });
  answers["remove_profile"] = () => ({ unset: usedBy });
  render(Settings);
  await fireEvent.click(await screen.findByRole("button", { name: "Remove the profile hits" }));
  await screen.findByText("hits cannot be removed while it is in use:");
  expect(screen.queryByRole("button", { name: "Remove hits" })).toBeNull();
  await fireEvent.click(screen.getByRole("button", { name: "Stop using it there: Profile of new runs" }));
  await screen.findByText(/Remove hits\?\s+Searches with Hound then no longer use it\./);
  expect(sent("set_setting")).toEqual([{ key: "default_profile", value: "" }]);
  await fireEvent.click(screen.getByRole("button", { name: "Remove hits" }));
  await waitFor(() => expect(sent("remove_profile")).toEqual([{ name: "hits" }]));
});
