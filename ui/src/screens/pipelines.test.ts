// Pipelines as texts, in the page alone: the program's side is made up.
import { phraseText } from "../i18n/phrase";
import { verbatim } from "../ipc/verbatim";
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Text } from "@codemirror/state";
import { router } from "../app/route.svelte";
import type { DefinitionFault, PipelineCheck } from "../ipc/bindings";
import { useHost } from "../ipc/client";
import type { Host } from "../ipc/host";
import { fakeHost } from "../fake-host/fake";
import { diagnosticsOf, offsetOf } from "../kit/faults";
import { PipelineDraft } from "./pipeline-draft.svelte";
import PipelineFindings from "./PipelineFindings.svelte";
import PipelinePicture from "./PipelinePicture.svelte";

let host: Host;
const call = (command: string, payload: unknown) => host.call(command, payload) as Promise<Record<string, unknown>>;
const fileOf = async (id: string) => (await call("open_pipeline", { id }))["text"];

beforeEach(() => {
  localStorage.clear();
  host = fakeHost();
  useHost(host);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

async function opened(): Promise<PipelineDraft> {
  const { id } = await call("create_pipeline", { of: null });
  const draft = new PipelineDraft(String(id));
  await draft.open();
  return draft;
}

test("what is written is not saved until it is, and Save writes it once", async () => {
  const draft = await opened();
  expect([draft.isUnsaved, draft.text]).toEqual([false, 'id = "my-pipeline-2"\n']);
  draft.change(`${draft.text}# mine\n`);
  expect(draft.isUnsaved).toBe(true);
  expect(await draft.save()).toBe(draft.id);
  expect([draft.isUnsaved, await fileOf(draft.id)]).toEqual([false, draft.text]);
});

test("a file with other line ends is opened as the editor has it, and is not a change", async () => {
  const { id } = await call("create_pipeline", { of: null });
  const { revision } = await call("open_pipeline", { id });
  await call("save_pipeline", { id, text: `id = "${String(id)}"\r\ntitle = "y"\r\n`, revision });
  const draft = new PipelineDraft(String(id));
  await draft.open();
  expect([draft.text, draft.isUnsaved]).toEqual([`id = "${String(id)}"\ntitle = "y"\n`, false]);
});

test("a file that changed meanwhile is not written over, until the person says so", async () => {
  const draft = await opened();
  const theirs = async (text: string) => {
    const { revision } = await call("open_pipeline", { id: draft.id });
    await call("save_pipeline", { id: draft.id, text, revision });
  };
  await theirs("theirs\n");
  draft.change("mine\n");
  expect([await draft.save(), draft.isChanged, await fileOf(draft.id)]).toEqual([null, true, "theirs\n"]);
  await draft.open(true);
  expect([draft.text, draft.isUnsaved, draft.isChanged]).toEqual(["theirs\n", false, false]);

  await theirs("theirs again\n");
  draft.change("mine again\n");
  expect(await draft.save()).toBe(null);
  expect([await draft.overwrite(), draft.isChanged, await fileOf(draft.id)]).toEqual([draft.id, false, "mine again\n"]);

  await call("delete_pipeline", { id: draft.id });
  draft.change("mine for good\n");
  expect([await draft.save(), draft.isChanged]).toEqual([null, true]);
  expect([await draft.overwrite(), await fileOf(draft.id)]).toEqual([draft.id, "mine for good\n"]);
});

test("what was not saved is there again when the file is opened anew, and a file that changed since is told", async () => {
  const draft = await opened();
  draft.change("mine\n");
  const again = new PipelineDraft(draft.id);
  await again.open();
  expect([again.text, again.isRestored, again.isUnsaved, again.isChanged]).toEqual(["mine\n", true, true, false]);

  const { revision } = await call("open_pipeline", { id: draft.id });
  await call("save_pipeline", { id: draft.id, text: "theirs\n", revision });
  const late = new PipelineDraft(draft.id);
  await late.open();
  expect([late.text, late.isChanged]).toEqual(["mine\n", true]);
  late.discard();
  const last = new PipelineDraft(draft.id);
  await last.open();
  expect([last.text, last.isRestored, last.isUnsaved]).toEqual(["theirs\n", false, false]);
});

test("a text with another id is saved under it", async () => {
  const draft = await opened();
  draft.change('id = "evening"\n');
  expect(await draft.save()).toBe("evening");
  expect(await fileOf("evening")).toBe('id = "evening"\n');
});

test("the answer to the last text counts, whatever comes later to earlier ones", async () => {
  vi.useFakeTimers();
  const answers = new Map<string, (found: PipelineCheck) => void>();
  useHost({
    ...host,
    call: (command, payload) => {
      if (command !== "check_pipeline") return Promise.resolve({ id: "a", text: "one", revision: "1" });
      return new Promise((go) => answers.set((payload as { text: string }).text, go));
    },
  });
  const faulty = (reason: string): PipelineCheck => ({
    saved_as: "a",
    card: null,
    faults: [{ line: 1, column: 1, reason: verbatim(reason) }],
  });
  const draft = new PipelineDraft("a");
  await draft.open();
  let leave = draft.follow();
  const write = async (text: string, pause: number) => {
    draft.change(text);
    leave();
    leave = draft.follow();
    await vi.advanceTimersByTimeAsync(pause);
  };
  await vi.advanceTimersByTimeAsync(0);
  await write("two", 1_000);
  await write("three", 10);
  await write("four", 1_000);
  expect([...answers.keys()]).toEqual(["one", "two", "four"]);
  answers.get("four")?.(faulty("of the last text"));
  answers.get("two")?.(faulty("of an earlier text"));
  await vi.advanceTimersByTimeAsync(0);
  expect(draft.faults.map(({ reason }) => phraseText(reason))).toEqual(["of the last text"]);
});

test("a fault leads to its place, and the picture says that it is of an earlier text", async () => {
  const draft = await opened();
  draft.follow();
  const jumps: DefinitionFault[] = [];
  render(PipelineFindings, { draft, onJump: (fault) => jumps.push(fault) });
  render(PipelinePicture, { draft });
  await screen.findByText("No faults: this pipeline can run.");
  expect(screen.queryByRole("note")).toBe(null);
  draft.change(`${draft.text}! here\n`);
  draft.follow();
  await fireEvent.click(await screen.findByRole("button", { name: /^Line 2, column 1/ }));
  expect(jumps.map(({ line, column }) => [line, column])).toEqual([[2, 1]]);
  expect(screen.getByRole("note").textContent).toBe("This is the last text without faults.");
  expect(document.querySelectorAll("[data-agent]").length).toBeGreaterThan(0);
});

test("columns are counted in characters, and a fault at the end of a line is marked on the whole line", () => {
  const doc = Text.of(['a = "𝛼𝛽" x', "", "key"]);
  expect([
    offsetOf(doc, 1, 7),
    offsetOf(doc, 1, 9),
    offsetOf(doc, 2, 1),
    offsetOf(doc, 9, 1),
    offsetOf(doc, 0, 0),
  ]).toEqual([7, 10, 13, 17, 0]);
  const marks = diagnosticsOf(doc, [
    { line: 1, column: 9, reason: "one" },
    { line: 3, column: 4, reason: "two" },
    { line: 0, column: 0, reason: "whole" },
  ]);
  expect(marks.map(({ from, to, message }) => [from, to, message])).toEqual([
    [10, 12, "one"],
    [14, 17, "two"],
  ]);
});

test("a screen that has something to lose is asked before it is left", () => {
  router.go({ screen: "help" });
  let leave = () => {};
  const end = router.guard((go) => (leave = go));
  router.go({ screen: "library" });
  expect(router.route.screen).toBe("help");
  leave();
  expect(router.route.screen).toBe("library");
  end();
  router.go({ screen: "help" });
  expect(router.route.screen).toBe("help");
});
