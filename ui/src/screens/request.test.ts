import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";
import { router } from "../app/route.svelte";
import { speech } from "../i18n/language.svelte";
import type { RoutedRequest } from "../ipc/bindings";
import { useHost } from "../ipc/client";
import type { Host } from "../ipc/host";
import { fakeHost } from "../fake-host/fake";
import NewRun from "./NewRun.svelte";
import Welcome from "./Welcome.svelte";

configure({ asyncUtilTimeout: 15_000 });
vi.setConfig({ testTimeout: 60_000 });
afterEach(() => {
  cleanup();
  speech.chosen = "system";
  router.go({ screen: "welcome" });
});

/** A host that keeps what was asked of it. */
function host(answers: Partial<Record<string, unknown>> = {}): string[] {
  const calls: string[] = [];
  const inner = fakeHost();
  const call: Host["call"] = (command, payload) => {
    calls.push(command);
    return command in answers ? Promise.resolve(answers[command]) : inner.call(command, payload);
  };
  useHost({ ...inner, call });
  return calls;
}

async function ask(text: string) {
  const box = await screen.findByRole("textbox", { name: "What do you need?" });
  await fireEvent.input(box, { target: { value: text } });
  await fireEvent.keyDown(box, { key: "Enter" });
}

test("a request leads from the first screen to the form that fits, filled in, and starts nothing", async () => {
  const calls = host();
  render(Welcome);
  await ask("an evening proof of the harbour report");
  await waitFor(() =>
    expect(router.route).toMatchObject({
      screen: "launch",
      found: { request: "an evening proof of the harbour report" },
    }),
  );
  cleanup();

  render(NewRun);
  expect(await screen.findByText("Evening proof fits:")).toBeTruthy();
  expect(screen.getByRole("radio", { name: /Evening proof/ })).toHaveProperty("checked", true);
  expect(await screen.findByText(/Filled in from your request “an evening proof of the harbour report”/)).toBeTruthy();
  const subject = screen.getByLabelText<HTMLInputElement>("Subject");
  expect(subject.value).toBe("an evening proof of the harbour report");
  expect(screen.getByText("from your request")).toBeTruthy();
  await fireEvent.input(subject, { target: { value: "the harbour report" } });
  expect(screen.queryByText("from your request")).toBeNull();
  expect(calls).not.toContain("start_run");
});

test("where it is not clear the likeliest are offered, and any pipeline can be chosen in their place", async () => {
  host();
  render(NewRun);
  await ask("something about tides");
  expect(await screen.findByText("Most likely first.")).toBeTruthy();
  expect(screen.getByRole("radio", { name: /Evening proof/ })).toHaveProperty("checked", true);
  expect(screen.getByLabelText<HTMLInputElement>("Subject").value).toBe("something about tides");
  // Nothing stands twice: the cards themselves are what is chosen from.
  expect(screen.queryAllByRole("button", { name: /Almanac/ })).toEqual([]);
});

test("what a model chose names the run of its call, and what kept it from choosing is told", async () => {
  const reason = { id: "More than one pipeline could be meant", parameters: {} };
  const remark = { id: "The model did not choose, so the words of the pipelines decided", parameters: {} };
  const routed: RoutedRequest = {
    pipeline: null,
    confidence: 0.5,
    reason,
    candidates: [{ pipeline: "almanac", confidence: 0.5, inputs: {} }],
    run: "r1",
    remark,
  };
  host({ route_request: routed });
  render(NewRun);
  await ask("tides");
  expect(screen.getAllByRole("radio")[0]?.closest("label")?.textContent).toMatch(/Evening proof/);
  expect(await screen.findByText(/More than one pipeline could be meant/)).toBeTruthy();
  expect(screen.getByText(/The model did not choose/)).toBeTruthy();
  expect(screen.getAllByRole("radio")[0]?.closest("label")?.textContent).toMatch(/Almanac/);
  await fireEvent.click(screen.getByRole("button", { name: "Show the model call" }));
  expect(router.route).toEqual({ screen: "run", run: "r1" });
});

test("the box speaks the language of the page, and Enter that ends a composed word asks nothing", async () => {
  speech.chosen = "ja";
  const calls = host();
  render(NewRun);
  const box = await screen.findByRole("textbox", { name: "何が必要ですか？" });
  await fireEvent.input(box, { target: { value: "夕刊" } });
  await fireEvent.keyDown(box, { key: "Enter", isComposing: true });
  await fireEvent.keyDown(box, { key: "Enter", shiftKey: true });
  expect(calls).not.toContain("route_request");
  await fireEvent.click(screen.getByRole("button", { name: "探す" }));
  expect(await screen.findByText("可能性の高い順です。")).toBeTruthy();
});
