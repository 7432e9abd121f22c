// A text of a tool server that fills a field of a start form.
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";
import { useHost } from "../../ipc/client";
import { fakeHost } from "../../fake-host/fake";
import { offer } from "../../fake-host/fake-records";
import Launch from "./Launch.svelte";
import { textEntries } from "./server-texts";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
vi.setConfig({ testTimeout: 120_000 });
afterEach(cleanup);

test("texts are one list in the order of the server, found by any of their words", () => {
  const prompt = { name: "sum", title: "Summary", description: "", arguments: [] };
  const texts = { resources: [{ uri: "notes://1", title: "First", description: "Of today" }], prompts: [prompt] };
  expect(textEntries(texts, "").map(({ title }) => title)).toEqual(["First", "Summary"]);
  expect(textEntries(texts, " NOTES:").map(({ title }) => title)).toEqual(["First"]);
  expect(textEntries(texts, "sum")[0]).toMatchObject({
    what: { kind: "prompt", prompt: "sum", arguments: {} },
    prompt: null,
  });
});

test("a prompt is filled in and read into the field; its button is at texts alone", async () => {
  const fake = fakeHost();
  const asked: unknown[] = [];
  useHost({
    ...fake,
    call: (command, payload) => {
      if (command === "read_server_text") asked.push(structuredClone(payload));
      return fake.call(command, payload);
    },
  });
  const almanac = offer().pipelines[1]!;
  render(Launch, { pipeline: almanac, profiles: [], onStart: () => {} });
  const field = screen.getByLabelText<HTMLTextAreaElement>("Leaflet");
  const buttons = await screen.findAllByRole("button", { name: "From a tool server…" });
  expect(buttons).toHaveLength(almanac.inputs.filter(({ kind }) => kind === "long_text" || kind === "document").length);
  const ofField = buttons.find((button) => field.parentElement?.contains(button))!;
  await fireEvent.click(ofField);
  const sheet = await screen.findByRole("dialog", { name: "Text of a tool server" });
  await fireEvent.change(within(sheet).getByLabelText("Tool server"), { target: { value: "office" } });
  await fireEvent.click(await within(sheet).findByRole("button", { name: /^Summary/ }));
  await waitFor(() => expect(document.activeElement).toBe(within(sheet).getByLabelText("topic")));
  within(sheet).getByText("Still needed: topic");
  await fireEvent.input(within(sheet).getByLabelText("topic"), { target: { value: "bees" } });
  await fireEvent.click(within(sheet).getByRole("button", { name: "Take this text" }));
  await waitFor(() => expect(field.value).toBe("Summarise what is known of bees."));
  expect(asked).toEqual([{ server: "office", kind: "prompt", prompt: "summary", arguments: { topic: "bees" } }]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});
