// Tools of servers that are added to pipelines: as they are computed, and as they are chosen in the settings.
import { cleanup, configure, fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { router } from "../app/route.svelte";
import type { AddTools, ToolServerCard, ToolServerSetup } from "../ipc/bindings";
import { useHost } from "../ipc/client";
import { fakeHost } from "../fake-host/fake";
import { offer } from "../fake-host/fake-records";
import { addedServers, withServer, withTool } from "./added-tools";
import Settings from "./Settings.svelte";

configure({ asyncUtilTimeout: 30_000, defaultHidden: true });
vi.setConfig({ testTimeout: 120_000 });

const setup = (name: string, tools: string[] = []): ToolServerSetup => ({
  ...{ name, command: "c", args: [], folder: "", url: "", given: {}, timeout_s: null, is_off: false },
  tools,
});
const server = (name: string, names: string[], offered: string[] = []): ToolServerCard => ({
  setup: setup(name, offered),
  listed: names.map((tool) => ({ name: tool, description: "", tokens: 10 })),
});

/** The saves that came to the program; the first waits until it is let go. */
let saves: AddTools[] = [];
let letGo = () => {};

beforeEach(() => {
  Element.prototype.scrollIntoView = () => {};
  globalThis.ResizeObserver = class {
    observe() {}
    unobserve() {}
    disconnect() {}
  };
  localStorage.clear();
  saves = [];
  router.go({ screen: "settings", section: "servers" });
  const fake = fakeHost();
  const { pipelines } = offer();
  useHost({
    ...fake,
    async call(command, payload) {
      if (command === "list_pipelines")
        return { pipelines: pipelines.map((card, at) => ({ ...card, takes_tools: at === 0 })), faulty: [] } as never;
      if (command === "add_tools_to_pipeline" && saves.push(structuredClone(payload) as AddTools) === 1)
        await new Promise<void>((go) => (letGo = go));
      return fake.call(command, payload);
    },
  });
});
afterEach(cleanup);

test("what is added is told by server: all or some, what is not offered any more, and their size", () => {
  const servers = [
    server("files", ["read", "write"], ["read"]),
    server("files-2", ["read", "write"]),
    server("time", []),
  ];
  const added = ["files/*", "files-2/write", "files-2/gone", "lost/x"];
  const [files, second, time] = addedServers(servers, added, "not listed any more");
  expect(files).toMatchObject({ isWhole: true, chosen: [], tokens: 10 });
  expect(second).toMatchObject({ isWhole: false, chosen: ["write", "gone"], tokens: 10 });
  expect(second?.tools.map(({ name }) => name)).toEqual(["read", "write", "gone"]);
  expect(time).toMatchObject({ isWhole: false, chosen: [], tools: [], tokens: 0 });
  expect(withTool(added, "files-2", "write", false)).toEqual(["files/*", "files-2/gone", "lost/x"]);
  expect(withServer(added, "files-2", true)).toEqual(["files/*", "lost/x", "files-2/*"]);
  expect(withServer(added, "files", false)).toEqual(["files-2/write", "files-2/gone", "lost/x"]);
});

test("a choice that is made while another is being stored builds on it, and both are stored in order", async () => {
  render(Settings);
  const section = await screen.findByRole("region", { name: "Tools for pipelines" });
  const { id = "" } = offer().pipelines[0] ?? {};
  await within(section).findByText("No tools of servers");
  await fireEvent.click(within(section).getByRole("button", { name: /^Tools of servers for/ }));
  const office = within(section).getByRole("group", { name: "office" });
  await fireEvent.click(within(office).getByRole("checkbox", { name: /^tool_1 / }));
  await fireEvent.click(within(office).getByRole("checkbox", { name: /^tool_2 / }));
  within(section).getByText("2 of office");
  letGo();
  await waitFor(() =>
    expect(saves).toEqual([
      { pipeline: id, tools: ["office/tool_1"] },
      { pipeline: id, tools: ["office/tool_1", "office/tool_2"] },
    ]),
  );
  await fireEvent.click(within(office).getByRole("checkbox", { name: /^All of its tools/ }));
  await within(section).findByText("all tools of office");
  await waitFor(() => expect(saves[2]).toEqual({ pipeline: id, tools: ["office/*"] }));
  expect(within(office).getAllByRole("checkbox")).toHaveLength(1);
});
