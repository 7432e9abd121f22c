import { cleanup, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";
import { useHost } from "../../ipc/client";
import { offer } from "../../fake-host/fake-records";
import Launch from "./Launch.svelte";
import { firstChoice, isComplete, noChoice, problem, request } from "../../run/launch-form";

const [proof, almanac] = offer().pipelines as [
  ReturnType<typeof offer>["pipelines"][number],
  ReturnType<typeof offer>["pipelines"][number],
];

configure({ asyncUtilTimeout: 15_000 });
vi.setConfig({ testTimeout: 60_000 });
afterEach(cleanup);

function host() {
  const calls: [string, unknown][] = [];
  useHost({
    call: async (command, payload) => {
      calls.push([command, payload]);
      return command === "preflight"
        ? {
            calls: { least: 3, most: 7 },
            tokens: { least: 1_450, most: 61_200 },
            earlier_runs: 0,
            bound_tokens: 61_200,
            cost: { least: 0.0012, most: 0.31 },
            unpriced: [],
            profiles: ["work"],
            models: ["medium-2"],
            limits: proof.limits,
            remarks: [{ id: "{words}", parameters: { words: "A remark." } }],
            recent_as_of: (payload as { as_of: string | null }).as_of ? null : "2026-07-01",
          }
        : { run: "new" };
    },
    watch: () => () => {},
    save: () => Promise.resolve(null),
    openLink: () => {},
  });
  return calls;
}

test("the form is drawn from the inputs: each kind has its control, its label and its help", () => {
  host();
  render(Launch, { pipeline: almanac, profiles: [], onStart: () => {} });
  expect(screen.getByLabelText("Month").tagName).toBe("SELECT");
  expect(screen.getByLabelText("Leaflet").tagName).toBe("TEXTAREA");
  expect(screen.getByLabelText("Copies").getAttribute("inputmode")).toBe("decimal");
  expect(screen.getByLabelText("Leaflet").getAttribute("aria-required")).toBe("true");
  expect(screen.getByText("How many are printed.")).toBeTruthy();
  expect(screen.queryByLabelText("Search in")).toBeNull();
});

test("a form that lacks something says so at its place and does not start", async () => {
  const calls = host();
  render(Launch, { pipeline: proof, profiles: [], onStart: () => {} });
  await fireEvent.click(screen.getByRole("button", { name: "Start" }));
  expect(screen.getByLabelText("Subject").getAttribute("aria-invalid")).toBe("true");
  expect(screen.getByText("Required.")).toBeTruthy();
  expect(calls.filter(([command]) => command === "start_run")).toHaveLength(0);
});

test("a day that is taken for today shows where it stands, and the focus is at the start", async () => {
  host();
  render(Launch, { pipeline: proof, profiles: [], onStart: () => {} });
  const more = screen.getByRole("button", { name: "More" });
  expect(more.getAttribute("aria-expanded")).toBe("false");
  await fireEvent.input(screen.getByLabelText("Subject"), { target: { value: "lanterns" } });
  await fireEvent.click(await screen.findByRole("button", { name: /as today$/ }));
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("button", { name: "Start" })));
  await waitFor(() => expect(more.getAttribute("aria-expanded")).toBe("true"));
});

test("Control and Enter start, with what was chosen", async () => {
  const calls = host();
  const onStart = vi.fn();
  render(Launch, {
    pipeline: proof,
    profiles: [
      {
        name: "work",
        provider: "p",
        base_url: "",
        models: {},
        key_env: "",
        last_four: "",
        fallback: "",
        limits: {},
        tested: null,
      },
    ],
    onStart,
  });
  await fireEvent.input(screen.getByLabelText("Subject"), { target: { value: "margins" } });
  await fireEvent.change(screen.getByLabelText("Profile"), { target: { value: "work" } });
  await fireEvent.keyDown(globalThis.window, { key: "Enter", ctrlKey: true });
  await waitFor(() => expect(onStart).toHaveBeenCalledWith({ run: "new" }));
  expect(calls.find(([command]) => command === "start_run")?.[1]).toMatchObject({
    pipeline: proof.id,
    inputs: { subject: "margins" },
    profile: "work",
    tools: {},
  });
  expect(await screen.findByText("A remark.")).toBeTruthy();
  expect(screen.getByTestId("estimate").textContent).toBe(
    "3 to 7 model calls · about 1.5K to 61K tokens · $0.0012 to $0.31 · at most 90 s",
  );
});

test("the run is told to stop before or after any agent of the tree, also one that is made of others", async () => {
  const calls = host();
  const again = {
    ...request(proof, { subject: "margins" }, noChoice()),
    gates: { scribe: { before: true, after: false } },
  };
  render(Launch, {
    pipeline: proof,
    profiles: [],
    filled: { request: "margins", inputs: { subject: "margins" }, again },
    onStart: () => {},
  });
  const part = screen.getByTestId<HTMLDetailsElement>("gates");
  expect([part.open, part.querySelector("summary")?.textContent]).toEqual([false, "Stop and ask me: before Scribe"]);
  const gate = (agent: string) => within(within(part).getByRole("group", { name: agent, hidden: true }));
  expect([...part.querySelectorAll<HTMLElement>("[data-agent]")].map(({ dataset }) => dataset["agent"])).toEqual([
    "desk_editor",
    "collector",
    "scribe",
    "proofreader",
  ]);
  await fireEvent.click(gate("Evening proof").getByRole("switch", { name: "Stop after", hidden: true }));
  await fireEvent.click(gate("Scribe").getByRole("switch", { name: "Stop after", hidden: true }));
  expect(part.querySelector("summary")?.textContent).toBe(
    "Stop and ask me: after Evening proof, before and after Scribe",
  );
  await fireEvent.click(screen.getByRole("button", { name: "Start" }));
  await waitFor(() => expect(calls.some(([command]) => command === "start_run")).toBe(true));
  expect(calls.find(([command]) => command === "start_run")?.[1]).toMatchObject({
    agents: {},
    gates: { desk_editor: { before: false, after: true }, scribe: { before: true, after: true } },
  });
});

test("inputs are checked by what they declare and sent as their kind", () => {
  const values = { subject: "July", leaflet: "é".repeat(33), copies: "many" };
  const [, leaflet, copies] = almanac.inputs;
  expect(leaflet && problem(leaflet, values.leaflet)).toContain("66");
  expect(copies && problem(copies, values.copies)).not.toBeNull();
  expect(isComplete(almanac, values)).toBe(false);
  expect(request(almanac, { ...values, leaflet: "short", copies: "2.5" }, noChoice()).inputs).toEqual({
    subject: "July",
    leaflet: "short",
    copies: 2.5,
  });
  expect(request(proof, { subject: "x" }, { ...noChoice(), preset: "strict" }).limits).toEqual({ max_llm_calls: 4 });
});

test("a tool that fits every slot is taken for all of them by one choice, and each can still have another", async () => {
  const calls = host();
  const slot = (name: string, ...ids: string[]) => ({
    name,
    title: name,
    default: null,
    choices: ids.map((id) => ({ id, title: `Tool ${id}`, is_offline: false })),
  });
  const two = { ...almanac, slots: [slot("maps", "own", "all"), slot("times", "all", "other")] };
  render(Launch, { pipeline: two, profiles: [], onStart: () => {} });
  const field = (name: string) => screen.getByLabelText<HTMLSelectElement>(name);
  expect(within(field("All sources")).queryByRole("option", { name: "Tool own", hidden: true })).toBeNull();
  await fireEvent.change(field("All sources"), { target: { value: "all" } });
  await waitFor(() => expect([field("maps").value, field("times").value]).toEqual(["all", "all"]));
  await fireEvent.change(field("times"), { target: { value: "other" } });
  await waitFor(() => expect(field("All sources").value).toBe(""));
  await waitFor(() => expect(calls.at(-1)?.[1]).toMatchObject({ tools: { maps: "all", times: "other" } }));
  // An example is made for the tool that needs no network, where one fits most slots.
  const offline = two.slots.map((one) => ({
    ...one,
    choices: one.choices.map((each) => ({ ...each, is_offline: each.id === "all" })),
  }));
  const filled = { request: "", inputs: {}, profile: "work" };
  expect(firstChoice({ ...two, slots: offline }, filled).tools).toEqual({ maps: "all", times: "all" });
  expect(firstChoice(two, filled).tools).toEqual({});
  cleanup();
  render(Launch, { pipeline: { ...two, slots: [slot("maps", "own", "all")] }, profiles: [], onStart: () => {} });
  expect(screen.queryByLabelText("All sources")).toBeNull();
});
