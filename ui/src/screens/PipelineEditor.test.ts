// The editor of a pipeline with its form: what is typed last is saved, also where its field still has the focus.
import { cleanup, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test } from "vitest";
import { actions } from "../app/actions.svelte";
import { router } from "../app/route.svelte";
import { useHost } from "../ipc/client";
import type { Host } from "../ipc/host";
import { fakeHost } from "../fake-host/fake";
import PipelineEditor from "./PipelineEditor.svelte";

let host: Host;
beforeEach(() => {
  localStorage.clear();
  host = fakeHost();
  useHost(host);
  Element.prototype.scrollIntoView = () => {};
});
afterEach(cleanup);

async function typed(value: string): Promise<string> {
  const { id } = (await host.call("create_pipeline", { of: null })) as { id: string };
  render(PipelineEditor, { id });
  const field = await screen.findByLabelText<HTMLInputElement>("Max cost");
  await waitFor(() => expect(field.closest("fieldset")?.disabled).toBe(false));
  field.focus();
  field.value = value;
  return id;
}

test("a number that is being typed is saved", async () => {
  const id = await typed("2");
  actions.all.find((action) => action.id === "pipeline-save")?.run();
  await waitFor(async () =>
    expect(await host.call("open_pipeline", { id })).toMatchObject({
      text: expect.stringContaining("max_cost = 2") as string,
    }),
  );
});

test("a number that is being typed is not left unasked", async () => {
  await typed("2");
  router.go({ screen: "launch" });
  expect(await screen.findByText(/has unsaved changes/)).toBeTruthy();
});
