// A run that stops at a gate, the marks that make it stop, and the words of the person to a running run.
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { fakeHost } from "../fake-host/fake";
import { empty } from "../run/empty-view";
import { askedAtGate, editableAtGate } from "../run/gate";
import { LiveRun } from "../run/live-run.svelte";
import { here } from "../run/recorded-views";
import type { OpenQuestion } from "../run/stages";
import Desk from "./Desk.svelte";
import { watchDesk, type WatchedDesk } from "./watched-desk";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
vi.setConfig({ testTimeout: 120_000 });

const RUN = "run-gate";
let sent: WatchedDesk["sent"];

beforeEach(() => {
  ({ sent } = watchDesk(RUN, fakeHost({ speed: 400 })));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

async function openGate() {
  render(Desk, { run: RUN });
  const card = within(await screen.findByTestId("question"));
  await screen.findByPlaceholderText("Tell this run something…");
  return card;
}

test("a run that stops after an agent shows what it wrote, and the agent is asked for changes in words", async () => {
  const card = await openGate();
  expect(card.getByText("The run stops after Scribe")).toBeTruthy();
  expect(card.getByRole("region", { name: "Letter" }).textContent).toContain(
    "The night train to the sea leaves at ten",
  );
  expect(document.querySelector('[data-stage="scribe"]')?.getAttribute("data-state")).toBe("needs_you");
  const ask = card.getByRole<HTMLButtonElement>("button", { name: "Ask for changes" });
  expect(ask.disabled).toBe(true);
  await fireEvent.input(card.getByLabelText("What should change"), { target: { value: " shorter, please " } });
  await fireEvent.click(ask);
  await waitFor(() =>
    expect(sent("answer_run")).toEqual([{ run: RUN, question: 9, value: { ask_for_changes: "shorter, please" } }]),
  );
});

test("a gate before an instance that names a key twice shows each once, with the item that it is about", async () => {
  render(Desk, { run: "run-each-5" });
  const card = await screen.findByLabelText(/^The run stops before Guide to a place, item 4: San Miguel de Allende/);
  expect(within(card).getAllByRole("region")).toEqual([within(card).getByRole("region", { name: "Item" })]);
  expect(within(card).getByRole("region").textContent).toContain('"country": "Mexico"');
});

test("an edit at a gate goes on with the whole new text", async () => {
  const card = await openGate();
  await fireEvent.click(card.getByRole("button", { name: "Edit" }));
  const field = await card.findByLabelText<HTMLTextAreaElement>("New value of Letter");
  expect(field.value).toContain("Nobody has ever complained about the delay.");
  await fireEvent.input(field, { target: { value: "The train leaves at ten." } });
  await fireEvent.click(card.getByRole("button", { name: "Go on with the edit" }));
  const edit = { set: { letter: "The train leaves at ten." }, removed: [] };
  await waitFor(() => expect(sent("answer_run")).toEqual([{ run: RUN, question: 9, value: { go_on_with: edit } }]));
});

test("the item of an instance is edited at the gate before it, what it came to at the one after it, as JSON of its agent's shape", () => {
  const declared = { name: "letter", title: "Letter", role: { kind: "data" as const }, schema: null };
  const view = empty([declared]);
  const [input, output] = [
    { type: "object", required: ["place"] },
    { type: "object", required: ["sum"] },
  ];
  const editable = (path: string, key: string) => {
    const asked = {
      path,
      seq: 1,
      question: { details: { keys: [key], takes_changes: false, input, output } },
    } as unknown as OpenQuestion;
    return editableAtGate(view, asked, key, askedAtGate(asked, here));
  };
  expect(editable("p/each#1*one#2/stop-after#1", "result")).toMatchObject({ name: "result", schema: output });
  expect(editable("p/each#1*one#2/stop-before#1", "item")).toMatchObject({ name: "item", schema: input });
  for (const [path, key] of [
    ["p/each#1*one#2/stop-after#1", "letter"],
    ["p/each#1*one#2/stop-after#1", "item"],
    ["p/each#1*one#2/stop-before#1", "result"],
    ["p/each#1*one#2/part#1/stop-before#1", "item"],
    ["p/scribe#1/stop-after#1", "result"],
  ] as const)
    expect(editable(path, key)).toBeNull();
  expect(editable("p/scribe#1/stop-after#1", "letter")).toEqual(declared);
});

test("the details of an agent set both marks of its gate while the run goes on", async () => {
  await openGate();
  await fireEvent.click(screen.getByRole("button", { name: /Details of Scribe$/ }));
  const before = await screen.findByRole<HTMLInputElement>("switch", { name: "Stop before" });
  expect([before.checked, screen.getByRole<HTMLInputElement>("switch", { name: "Stop after" }).checked]).toEqual([
    false,
    true,
  ]);
  await fireEvent.click(before);
  await waitFor(() =>
    expect(sent("set_gates")).toEqual([{ run: RUN, gates: { scribe: { before: true, after: true } } }]),
  );
});

test("a gate that the run began with is shown as set, at any moment, and a switch for the other side keeps it", async () => {
  await openGate();
  await fireEvent.click(screen.getByRole("button", { name: /Details of Proofreader$/ }));
  const marks = () =>
    ["Stop before", "Stop after"].map((name) => screen.getByRole<HTMLInputElement>("switch", { name }));
  await waitFor(() => expect(marks().map(({ checked }) => checked)).toEqual([true, false]));
  await fireEvent.click(marks()[1]!);
  await waitFor(() =>
    expect(sent("set_gates")).toEqual([{ run: RUN, gates: { proofreader: { before: true, after: true } } }]),
  );
  const past = new LiveRun(RUN);
  await past.open();
  await past.seek(2);
  expect([...past.shown.gates]).toEqual([["proofreader", { before: true, after: false }]]);
  past.close();
});

test("a word to a running run tells who has read it, and one that nobody read is text of the next run", async () => {
  await openGate();
  const words = () => within(screen.getByRole("region", { name: "What you told the run" })).getAllByRole("listitem");
  expect(words().map(({ textContent }) => textContent)).toEqual([
    "Name the hour of departure twice not read yet",
    "Keep it friendly read by Scribe",
  ]);
  const line = screen.getByPlaceholderText<HTMLInputElement>("Tell this run something…");
  await fireEvent.input(line, { target: { value: "And the fare" } });
  await fireEvent.submit(line.form!);
  await waitFor(() => expect(words()).toHaveLength(3));
  expect(sent("say_to_run")).toEqual([{ run: RUN, text: "And the fare" }]);
  expect(line.value).toBe("");
  await fireEvent.click(screen.getByTitle("Stop"));
  await waitFor(() =>
    expect(document.querySelector<HTMLInputElement>("#message-line")!.value).toBe(
      "Name the hour of departure twice And the fare",
    ),
  );
});
