import { cleanup, configure, render, screen } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";
import { fileDrops } from "../app/file-drops.svelte";
import { useHost } from "../ipc/client";
import { fakeHost } from "../fake-host/fake";
import { offer } from "../fake-host/fake-records";
import DropSheet from "./DropSheet.svelte";

configure({ asyncUtilTimeout: 15_000 });
vi.setConfig({ testTimeout: 60_000 });
afterEach(() => {
  fileDrops.close();
  cleanup();
  vi.unstubAllGlobals();
});

test("two pipelines of one title are both offered for a document", async () => {
  // What jsdom does not have.
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  const card = offer().pipelines[0]!;
  const inputs = [{ ...card.inputs[0]!, kind: "document" }];
  const pipelines = ["one", "other"].map((id) => ({ ...card, id, inputs }));
  const host = fakeHost();
  useHost({
    ...host,
    call: (command, payload) =>
      command === "list_pipelines" ? Promise.resolve({ pipelines, faulty: [] }) : host.call(command, payload),
  });
  render(DropSheet);
  fileDrops.drop(["/notes.md"]);
  const ways = await screen.findAllByRole("button", { name: /Evening proof/ });
  expect(ways).toHaveLength(2);
});
