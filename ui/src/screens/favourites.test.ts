import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { toast } from "svelte-sonner";
import { actions } from "../app/actions.svelte";
import { favourites } from "../app/favourites.svelte";
import { router } from "../app/route.svelte";
import { useHost } from "../ipc/client";
import { fakeHost } from "../fake-host/fake";
import { offer } from "../fake-host/fake-records";
import NewRun from "./NewRun.svelte";
import ShortcutSheet from "./ShortcutSheet.svelte";
import Welcome from "./Welcome.svelte";

configure({ asyncUtilTimeout: 15_000 });
vi.setConfig({ testTimeout: 60_000 });
beforeEach(async () => {
  useHost(fakeHost());
  await favourites.load();
});
afterEach(() => {
  cleanup();
  router.go({ screen: "welcome" });
});

/** A host that offers every pipeline but the first. */
function withoutProof() {
  const host = fakeHost();
  const pipelines = offer().pipelines.filter(({ id }) => id !== "evening-proof");
  useHost({
    ...host,
    call: (command, payload) =>
      command === "list_pipelines" ? Promise.resolve({ pipelines, faulty: [] }) : host.call(command, payload),
  });
}

async function keep(subject: string) {
  router.go({ screen: "launch" });
  render(NewRun);
  await fireEvent.click(await screen.findByRole("radio", { name: /Evening proof/ }));
  await fireEvent.input(await screen.findByLabelText("Subject"), { target: { value: subject } });
  await fireEvent.click(screen.getByRole("button", { name: "Add to favourites" }));
  const name = screen.getByLabelText<HTMLInputElement>("Name");
  expect(name.value).toBe(`Evening proof · ${subject}`);
  await fireEvent.keyDown(name, { key: "Enter" });
  await waitFor(() => expect(favourites.list.map((one) => one.name)).toContain(`Evening proof · ${subject}`));
  cleanup();
}

test("a form that is kept as a favourite opens filled in, from the first screen and by its key", async () => {
  await keep("the harbour");
  render(Welcome);
  await fireEvent.click(await screen.findByRole("button", { name: /Evening proof · the harbour Alt 1/ }));
  await waitFor(() => expect(router.route).toMatchObject({ screen: "launch", pipeline: "evening-proof" }));
  cleanup();
  render(NewRun);
  expect((await screen.findByLabelText<HTMLInputElement>("Subject")).value).toBe("the harbour");
  expect(screen.getByText("Filled from the favourite “Evening proof · the harbour”.")).toBeTruthy();

  router.go({ screen: "welcome" });
  actions.by("alt+1")?.run();
  await waitFor(() =>
    expect(router.route).toMatchObject({ screen: "launch", filled: { request: "Evening proof · the harbour" } }),
  );
});

test("a favourite is replaced by what its form says now, or kept beside it under another name", async () => {
  await keep("the tides");
  router.go({ screen: "welcome" });
  await favourites.open(favourites.list[0]!);
  render(NewRun);
  await fireEvent.input(await screen.findByLabelText("Subject"), { target: { value: "the ebb" } });
  await fireEvent.click(screen.getByRole("button", { name: "Change favourite" }));
  await fireEvent.click(screen.getByRole("button", { name: "Replace" }));
  await waitFor(() => expect(favourites.list.map(({ request }) => request.inputs)).toEqual([{ subject: "the ebb" }]));

  await fireEvent.click(screen.getByRole("button", { name: "Change favourite" }));
  await fireEvent.input(screen.getByLabelText("Name"), { target: { value: "Another" } });
  await fireEvent.click(screen.getByRole("button", { name: "Save as new" }));
  await waitFor(() => expect(favourites.list.map((one) => one.name)).toEqual(["Evening proof · the tides", "Another"]));
  await fireEvent.click(screen.getByRole("button", { name: "Remove “Another” from favourites" }));
  await waitFor(() => expect(favourites.list).toHaveLength(1));
});

test("a favourite whose pipeline is gone opens no other form, and a notice says so", async () => {
  await keep("the reef");
  router.go({ screen: "welcome" });
  const saying = vi.spyOn(toast, "error");
  withoutProof();
  await favourites.open(favourites.list[0]!);
  expect(router.route).toEqual({ screen: "welcome" });
  expect(saying).toHaveBeenCalledWith(
    "“Evening proof · the reef” needs the pipeline evening-proof, which is not there any more.",
  );
});

test("a form whose pipeline is gone is not filled into another one, and replaces no favourite", async () => {
  await keep("the buoys");
  await favourites.open(favourites.list[0]!);
  withoutProof();
  render(NewRun);
  expect(await screen.findByRole("button", { name: "Add to favourites" })).toBeTruthy();
  expect(screen.queryByText("Filled from the favourite “Evening proof · the buoys”.")).toBeNull();
});

test("the list of keys names the favourite that has a key already", async () => {
  await keep("the sluice");
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  actions.always([{ id: "library", title: "action.library", section: "go", keys: "alt+1", run: () => {} }]);
  render(ShortcutSheet, { open: true });
  expect(screen.getAllByRole("alert").map(({ textContent }) => textContent)).toContainEqual(
    expect.stringContaining("Open “Evening proof · the sluice”"),
  );
  actions.always([]);
});
