// Signing in at a tool server of the settings, in the page alone: the program's side is made up here.
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { createRawSnippet } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { router } from "../app/route.svelte";
import type { ApiError, JournalEntry } from "../ipc/bindings";
import { useHost } from "../ipc/client";
import { signInNeeded } from "../ipc/errors";
import { fakeHost } from "../fake-host/fake";
import { recording } from "../fake-host/fake-records";
import { apiError } from "../fake-host/fake-error";
import RawEvent from "../panels/journal/RawEvent.svelte";
import { Entries } from "../run/entries.svelte";
import { answerIn, type AnsweredQuestion } from "../run/sentence";
import { Values } from "../run/values.svelte";
import RunErrors from "./RunErrors.svelte";
import Settings from "./Settings.svelte";
import { canSignIn } from "./tool-server-draft";
import { toolServerTests } from "./tool-server-tests.svelte";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
vi.setConfig({ testTimeout: 120_000 });

const MORE =
  "The tool server `{name}` asks for more than you allowed: {scopes}. If you allow it, sign in again with `galley tool-server sign-in {name}{options}`";
const more: ApiError = {
  ...apiError("permission_needed", ""),
  phrase: { id: MORE, parameters: { name: "office", scopes: ["write"], options: "" } },
  tool_failure: { failure: "sign_in_needed", server: "office", scopes: ["write"] },
};

let answers: Record<string, () => unknown> = {};
let calls: [string, unknown][] = [];
let opened: string[] = [];

beforeEach(() => {
  Element.prototype.scrollIntoView = () => {};
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  localStorage.clear();
  toolServerTests.forgetAll();
  [answers, calls, opened] = [{}, [], []];
  router.go({ screen: "settings", section: "servers" });
  const fake = fakeHost();
  useHost({
    ...fake,
    openLink: (url) => void opened.push(url),
    call: async (command, payload) => {
      calls.push([command, structuredClone(payload)]);
      await answers[command]?.();
      return fake.call(command, payload);
    },
  });
});
afterEach(cleanup);

const sent = (command: string) => calls.filter(([name]) => name === command).map(([, payload]) => payload);
const press = async (name: string | RegExp) => fireEvent.click(await screen.findByRole("button", { name }));

test("the page to sign in at is shown before it is opened; who cancels waits no more; signed in, the server is tested", async () => {
  let finish = () => {};
  answers["finish_sign_in"] = () => new Promise<void>((go) => (finish = go));
  render(Settings);
  (await screen.findByRole("button", { name: "Sign in at office" })).focus();
  await press("Sign in at office");
  const leads = await screen.findByRole("group", { name: "Sign in at office" });
  within(leads).getByText("https://sign-in.example.org/authorize?client_id=galley");
  expect(opened).toEqual([]);
  await waitFor(() => expect(document.activeElement?.textContent).toBe("Open in the browser"));
  await fireEvent.click(within(leads).getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(sent("cancel_sign_in")).toEqual([{ name: "office" }]));
  expect(screen.queryByRole("group", { name: "Sign in at office" })).toBeNull();
  finish();

  await press("Sign in at office");
  await press("Open in the browser");
  expect(opened).toEqual(["https://sign-in.example.org/authorize?client_id=galley"]);
  finish();
  await screen.findByText("Signed in, allowed: read");
  await waitFor(() => expect(sent("test_tool_server")).toEqual([{ name: "office" }]));
  await press("Sign out of office");
  await screen.findByRole("button", { name: "Sign in at office" });
});

test("a server that asks for more is signed in at again for that; what fails is told, and a client ID can be given", async () => {
  answers["test_tool_server"] = () => Promise.reject(more);
  answers["finish_sign_in"] = () =>
    Promise.reject(apiError("bad_input", "The server lets no program register itself."));
  render(Settings);
  await press("Test the tool server office");
  await screen.findByText("Sign in below; then it is tested again.");
  await press("Sign in at office");
  await screen.findByText("The server lets no program register itself.");
  await fireEvent.input(screen.getByLabelText(/^Client ID/), { target: { value: " galley-1 " } });
  await press("Sign in at office");
  await waitFor(() =>
    expect(sent("sign_in_tool_server")).toEqual([
      { name: "office", scopes: ["write"], client: null },
      { name: "office", scopes: ["write"], client: "galley-1" },
    ]),
  );
  await screen.findByText("The server lets no program register itself.");
  expect(signInNeeded(apiError("permission_needed", ""))).toBeNull();
  const setup = {
    name: "a",
    command: "",
    args: [],
    folder: "",
    url: "https://example.org",
    given: {},
    tools: [],
    timeout_s: null,
    is_off: false,
  };
  expect(canSignIn(setup)).toBe(true);
  expect(canSignIn({ ...setup, given: { authorization: { from: "keyring" } } })).toBe(false);
  expect(canSignIn({ ...setup, url: "", command: "c" })).toBe(false);
});

test("a run that failed for want of a sign-in offers it there, and goes on afterwards", async () => {
  const onResume = vi.fn();
  const nothing = () => {};
  const able = {
    onRaise: nothing,
    onFork: nothing,
    onCorrect: nothing,
    onRetry: nothing,
    onAnswer: nothing,
    onSeen: nothing,
  };
  const shown = {
    asked: null,
    watched: null,
    run: more,
    profile: "work",
    status: "failed" as const,
    canCorrect: false,
    raiseTo: undefined,
  };
  const { rerender } = render(RunErrors, { ...shown, onResume, ...able });
  const card = within(screen.getByRole("alert", { name: "office asks you to sign in" }));
  card.getByText(/asks for more than you allowed: write/);
  await press("Sign in at office");
  await screen.findByText("You are signed in at office. The next call uses it.");
  expect(sent("sign_in_tool_server")).toEqual([{ name: "office", scopes: ["write"], client: null }]);
  await press("Resume the run");
  // Not with the event of the click: a resumption takes limits.
  expect(onResume.mock.calls).toEqual([[]]);
  // Where it fails once more, the sign-in is offered once more.
  await rerender({ run: { ...more } });
  await screen.findByRole("button", { name: "Sign in at office" });
});

test("the details of a call, of the question and of the answer, offer the sign-in for want of which it failed", async () => {
  const { run } = recording("run-permission").page.card;
  const entries = new Entries(run);
  const isRefused = ({ event }: JournalEntry) => answerIn(event)?.status === "failed";
  const failing = ({ event, ...rest }: JournalEntry): JournalEntry => {
    const { fact } = event;
    return fact.kind === "effect_answered"
      ? { ...rest, event: { ...event, fact: { ...fact, answer: { status: "failed", error: more } } } }
      : { event, ...rest };
  };
  entries.add(recording(run).entries.map((entry) => (isRefused(entry) ? failing(entry) : entry)));
  // The program's own events would take their place.
  entries.load = () => Promise.resolve();
  const seq = recording(run).entries.find(isRefused)!.event.seq;
  const again = createRawSnippet<[number, AnsweredQuestion]>(() => ({ render: () => "<p></p>" }));
  const given = {
    run,
    entries,
    values: new Values(run),
    costsAfter: () => "",
    onOpen: () => {},
    onClose: () => {},
    onRun: () => {},
    again,
  };
  const { rerender } = render(RawEvent, { ...given, seq });
  await screen.findByRole("button", { name: "Sign in at office" });
  await rerender({ seq: seq - 1 });
  await press("Sign in at office");
  await screen.findByText("You are signed in at office. The next call uses it.");
  await rerender({ seq: seq - 2 });
  await waitFor(() => expect(screen.queryByText(/You are signed in/)).toBeNull());
  expect(screen.queryByRole("button", { name: "Sign in at office" })).toBeNull();
});
