import { cleanup, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { announcer } from "../app/announcer.svelte";
import { useHost } from "../ipc/client";
import { fakeHost } from "../fake-host/fake";
import type { Host } from "../ipc/host";
import { listenForKeys } from "../app/key-events";
import Desk from "./Desk.svelte";

// A busy machine draws late; nothing here is about how fast.
configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
vi.setConfig({ testTimeout: 120_000 });

// jsdom lays nothing out: a list that draws only what is in sight is told that there is room.
class Sizes {
  constructor(readonly tell: ResizeObserverCallback) {}
  observe(target: Element) {
    const isList = (target as HTMLElement).style.overflowY !== "";
    const contentRect = { width: 400, height: isList ? 600 : 28 } as DOMRectReadOnly;
    const entry = { target, contentRect, borderBoxSize: [], contentBoxSize: [], devicePixelContentBoxSize: [] };
    queueMicrotask(() => this.tell([entry], this as unknown as ResizeObserver));
  }
  unobserve() {}
  disconnect() {}
}

let host: Host;
const calls: [string, Record<string, unknown>][] = [];

beforeEach(() => {
  vi.stubGlobal("ResizeObserver", Sizes);
  vi.spyOn(HTMLElement.prototype, "offsetParent", "get").mockReturnValue(document.body);
  Element.prototype.scrollIntoView = () => {};
  Element.prototype.scrollTo = () => {};
  localStorage.clear();
  calls.length = 0;
  const fake = fakeHost({ speed: 400 });
  host = {
    ...fake,
    call: (command, payload) => {
      calls.push([command, payload as Record<string, unknown>]);
      return fake.call(command, payload);
    },
  };
  useHost(host);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const open = (run: string) => render(Desk, { run });
const untilSent = (command: string, payload: object) =>
  waitFor(() => expect(calls).toContainEqual([command, expect.objectContaining(payload)]));
const stage = (name: string) => document.querySelector(`[data-stage="${name}"]`)?.getAttribute("data-state");

test("a finished run shows its text, its stages, its figures and its last review", async () => {
  open("run-two-drafts");
  expect(await screen.findByRole("heading", { name: "Margins are making a comeback" })).toBeTruthy();
  expect(screen.getByTestId("status").textContent).toContain("finished");
  expect(screen.getByTestId("words").textContent).toBe("128/200 words");
  expect([stage("collector"), stage("scribe"), stage("proofreader")]).toEqual(["done", "done", "done"]);
  expect(screen.getByText("Every figure stands in its source. Nothing to add.")).toBeTruthy();
  expect(screen.getAllByText("resolved in draft 2")).toHaveLength(2);
});

test("the slider shows the run as it was, and everything follows it", async () => {
  open("run-two-drafts");
  const slider = await screen.findByRole("slider");
  await waitFor(() => expect(slider.getAttribute("max")).toBe("39"));
  await fireEvent.input(slider, { target: { value: "20" } });
  expect(await screen.findByText(/by the end of the year/)).toBeTruthy();
  await waitFor(() => expect(stage("proofreader")).toBe("running"));
  expect(screen.getByText("event 20 of 39")).toBeTruthy();
  expect(screen.queryByRole("button", { name: "Edit" })).toBeNull();
  await fireEvent.click(screen.getByRole("tab", { name: "State" }));
  await waitFor(() => expect(screen.getByTestId("state").textContent).toContain("5. marks:\n   (empty)"));
  await fireEvent.click(screen.getByRole("button", { name: "end" }));
  await waitFor(() => expect(stage("proofreader")).toBe("done"));
});

test("the journal tells every event as a sentence, and its raw entry is one click away", async () => {
  localStorage.setItem("galley.tab", "journal");
  open("run-two-drafts");
  const row = await screen.findByRole("button", { name: /Collector: 5 articles found/ });
  await fireEvent.click(row);
  expect(
    within(await screen.findByRole("region", { name: /Event 6 as stored/ })).getByText(/"effect_answered"/),
  ).toBeTruthy();
  expect(await screen.findByText("event 6 of 39")).toBeTruthy();
});

test("a citation leads to its source", async () => {
  open("run-two-drafts");
  await fireEvent.click((await screen.findAllByRole("button", { name: "Source 3" }))[0]!);
  const card = (await screen.findByText("A second reader: when reviewing agents agree too soon")).closest("li");
  await waitFor(() => expect(card?.querySelector("mark")?.textContent).toMatch(/\.$/));
  expect([card?.getAttribute("aria-current"), card?.textContent?.includes("supported")]).toEqual(["true", true]);
  await waitFor(() =>
    expect(announcer.polite.map(({ sentence }) => sentence).join()).toContain("Source 3, A second reader"),
  );
});

test("a question is answered with one of its choices", async () => {
  open("run-waiting");
  await fireEvent.click(await screen.findByRole("button", { name: /Finish with the best so far/ }));
  await waitFor(() =>
    expect(calls).toContainEqual(["answer_run", { run: "run-waiting", question: 11, value: "finish" }]),
  );
  await waitFor(() => expect(screen.queryByTestId("question")).toBeNull());
});

test("a running run streams, and Stop is acknowledged at once", async () => {
  const { run } = (await host.call("start_run", { pipeline: "evening-proof", inputs: { subject: "x" } })) as {
    run: string;
  };
  open(run);
  const button = await screen.findByRole("button", { name: "Stop" });
  await fireEvent.click(button);
  expect(button.textContent).toContain("Stopping");
  await waitFor(() => expect(screen.getByTestId("status").textContent).toContain("stopped"));
  // Half a second later the second click of an impatient person still meets nothing that pays again.
  await new Promise((go) => setTimeout(go, 500));
  expect(screen.queryByRole("button", { name: "Resume" })).toBeNull();
  expect(screen.getByRole<HTMLButtonElement>("button", { name: "Stop" }).disabled).toBe(true);
  await fireEvent.click(await screen.findByRole("button", { name: "Resume" }));
  expect(
    calls.filter(([command]) => command === "stop_run" || command === "resume_run").map(([command]) => command),
  ).toEqual(["stop_run", "resume_run"]);
});

test("a fork of a run that has ended begins before the last agent's work, since after it nothing would run", async () => {
  open("run-two-drafts");
  await screen.findByRole("heading", { name: "Margins are making a comeback" });
  await fireEvent.click(screen.getByRole("button", { name: /^Fork/ }));
  const started = (await host.call("read_events", { run: "run-two-drafts", from_seq: 1, limit: 100 })) as {
    entries: { event: { seq: number; fact: { kind: string } } }[];
  };
  const last = started.entries.filter(({ event }) => event.fact.kind === "agent_started").at(-1)!.event.seq;
  const form = await screen.findByRole("region", { name: `Fork after event ${last - 1}` });
  // Who leaves the form is where they were.
  await fireEvent.click(within(form).getByRole("button", { name: "Close" }));
  await screen.findByText("event 39 of 39");
  await fireEvent.click(screen.getByRole("button", { name: /^Fork/ }));
  await screen.findByRole("region", { name: `Fork after event ${last - 1}` });
  await fireEvent.click(await screen.findByRole("button", { name: "Start the fork" }));
  await untilSent("fork_run", { at: last - 1 });
});

test("a rejected text shows its last draft with the reviewer's notes, and the person decides what becomes of it", async () => {
  open("run-surfaced");
  const box = await screen.findByTestId("rejected");
  expect(within(box).getByRole("heading").textContent).toMatch(/^Draft 2 was not approved/);
  const { state } = (await host.call("state_at", { run: "run-surfaced", seq: null })) as {
    state: { manuscript: { body: string }; printed: string; marks: { remarks: string } };
  };
  expect(box.textContent).toContain(state.marks.remarks.slice(0, 30));
  const sheet = () => document.querySelector(".page-sheet")?.textContent ?? "";
  expect(sheet()).toContain(state.manuscript.body.split("\n").at(-1)!.slice(0, 20));
  expect(sheet()).not.toContain(state.printed);
  expect(screen.queryByText(/^Uncited/)).toBeNull();

  // What keeps no issues cannot be rewritten by them.
  expect(within(box).queryByRole("button", { name: "Rewrite" })).toBeNull();
  await fireEvent.click(within(box).getByRole("button", { name: "Use anyway" }));
  await untilSent("edit_state", { key: "printed", value: state.manuscript.body });
  await waitFor(() => expect(screen.queryByTestId("rejected")).toBeNull());
});

test("a search that brought nothing says so once, with another place, another day and other words at hand", async () => {
  open("run-nothing-found");
  const box = await screen.findByTestId("nothing-found");
  expect(within(box).getByRole("heading").textContent).toBe("Nothing recent was found on this subject.");
  expect(document.querySelectorAll(".banner")).toHaveLength(0);
  const topic = await within(box).findByLabelText<HTMLInputElement>("Subject");
  expect(topic.value).toBe("knitting of submarines");
  await fireEvent.input(topic, { target: { value: "knitting" } });
  await fireEvent.input(within(box).getByLabelText("As of"), { target: { value: "2026-05-01" } });
  await fireEvent.click(within(box).getByRole("button", { name: "Search again" }));
  await untilSent("start_run", { inputs: expect.objectContaining({ subject: "knitting" }), as_of: "2026-05-01" });
});

test("a limit that ended a run is no failure: it says which, and goes on with a higher one", async () => {
  open("run-limited");
  const note = await screen.findByText(/The text written so far is the result/);
  expect(screen.queryByRole("alert")).toBeNull();
  expect(document.querySelector('[data-state="failed"]')).toBeNull();
  expect(note.textContent).not.toContain("max_");
  await fireEvent.click(screen.getByRole("button", { name: "Raise the limit to 14 and resume" }));
  await untilSent("resume_run", { limits: { max_llm_calls: 14 } });
});

test("an error of a command stands in its card with what can be done, and goes when it is closed", async () => {
  open("run-failed");
  await fireEvent.click(await screen.findByRole("button", { name: "Resume" }));
  const card = await screen.findByRole("alert", { name: "Another process works on this run" });
  await fireEvent.click(within(card).getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("alert", { name: "Another process works on this run" })).toBeNull();
  await fireEvent.click(await screen.findByRole("button", { name: "Correct the answer" }));
  expect(
    (await screen.findByLabelText<HTMLTextAreaElement>("Correct the answer by hand", { selector: "textarea" })).value,
  ).toContain("I am sorry.");
});

test("a fork that would change an agent which has done its work says so and leads to before it; Escape closes the form", async () => {
  open("run-two-drafts");
  await screen.findByRole("heading", { name: "Margins are making a comeback" });
  await fireEvent.click(screen.getByRole("button", { name: /^Fork/ }));
  const form = () => screen.findByRole("region", { name: /^Fork after event/ });
  const place = async () => Number(/\d+/.exec((await form()).getAttribute("aria-label") ?? "")?.[0]);
  const last = await place();
  const before = { name: "Fork before Scribe" };
  expect(screen.queryByRole("button", before)).toBeNull();
  await fireEvent.change(within(await form()).getByRole("combobox", { name: "Another instruction for" }), {
    target: { value: "scribe" },
  });
  // It wrote twice: before the second time, before the first, and then nothing of it is done yet.
  await fireEvent.click(await screen.findByRole("button", before));
  await waitFor(async () => expect(await place()).toBeLessThan(last));
  const between = await place();
  await fireEvent.click(await screen.findByRole("button", before));
  await waitFor(async () => expect(await place()).toBeLessThan(between));
  await waitFor(() => expect(screen.queryByRole("button", before)).toBeNull());
  // From wherever the focus is.
  const end = listenForKeys({ openPalette: () => {}, openSheet: () => {}, closeDrawer: () => false });
  await fireEvent.keyDown(document.body, { key: "Escape" });
  await waitFor(() => expect(screen.queryByRole("region", { name: /^Fork after event/ })).toBeNull());
  end();
});

test("what is said to a finished run is told in words before it is sent: a new run, or an instruction for who wrote the text", async () => {
  open("run-two-drafts");
  const line = await screen.findByLabelText<HTMLInputElement>("Message", { selector: "input" });
  const meaning = within(await screen.findByRole("group", { name: "What the message does" }));
  await fireEvent.input(line, { target: { value: "make it shorter" } });
  expect(await screen.findByText(/^Press Enter to open a fork before Scribe/)).toBeTruthy();
  await fireEvent.click(meaning.getByRole("button", { name: "Next run" }));
  await screen.findByText(
    "Press Enter to start a new run of Evening proof in this session, with this as its “Subject”.",
  );
  await fireEvent.input(line, { target: { value: "show saved state" } });
  await screen.findByText(/^Press Enter to show all states/);
  await fireEvent.input(line, { target: { value: "make it shorter" } });
  await fireEvent.click(meaning.getByRole("button", { name: "Instruct Scribe" }));
  await fireEvent.submit(line.form!);

  // Nothing runs yet: the fork stands before the call that wrote the text, with its instruction and what was said.
  const form = within(await screen.findByRole("region", { name: "Fork after event 24" }));
  expect(form.getByRole<HTMLSelectElement>("combobox", { name: "Another instruction for" }).value).toBe("scribe");
  const written = await form.findByRole<HTMLTextAreaElement>("textbox", { name: "Instruction" });
  await waitFor(() => expect(written.value).toBe("Work from the sources alone.\n\nmake it shorter"));
  expect(form.queryByRole("button", { name: "Fork before Scribe" })).toBeNull();
  expect(calls.map(([command]) => command)).not.toContain("start_run");
  await fireEvent.click(form.getByRole("button", { name: "Start the fork" }));
  await untilSent("fork_run", { at: 24, set: {}, agents: { scribe: { instruction: written.value } } });
});

test("a call in the details of a stage leads to what it was answered, and from there to what it asked", async () => {
  open("run-two-drafts");
  await fireEvent.click(await screen.findByRole("button", { name: /Details of Scribe$/ }));
  await fireEvent.click((await screen.findAllByTitle("Show request and answer")).at(-1)!);
  const raw = await screen.findByRole("region", { name: /^Event \d+ as stored/ });
  await fireEvent.click(await within(raw).findByRole("button", { name: "JSON" }));
  await fireEvent.click(await within(raw).findByRole("button", { name: "Request: event 13" }));
  await waitFor(() =>
    expect(screen.getByRole("region", { name: "Event 13 as stored" }).textContent).toContain('"instruction"'),
  );
});
