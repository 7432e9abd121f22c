// @vitest-environment node
import { beforeEach, expect, test, vi } from "vitest";
import { useHost } from "../ipc/client";
import { fakeHost } from "../fake-host/fake";
import { importing } from "./library-import.svelte";

/** The paths of each import, in the order in which they began. */
let begun: readonly string[][] = [];
let end = () => {};

beforeEach(() => {
  begun = [];
  const host = fakeHost();
  useHost({
    ...host,
    async call(command, payload) {
      if (command === "import_library") {
        begun = [...begun, (payload as { paths: string[] }).paths];
        await new Promise<void>((go) => (end = go));
      }
      return host.call(command, payload);
    },
  });
});

test("files that come during an import are imported after it", async () => {
  const first = importing.bring(["/a"]);
  void importing.bring(["/b"]);
  void importing.bring(["/c", "/d"]);
  expect(begun).toEqual([["/a"]]);
  end();
  await first;
  await vi.waitFor(() => expect(begun).toEqual([["/a"], ["/b", "/c", "/d"]]));
  end();
  await vi.waitFor(() => expect(importing.isRunning).toBe(false));
});

test("after a stop, the files that waited are not imported", async () => {
  const first = importing.bring(["/a"]);
  void importing.bring(["/b"]);
  await importing.stop();
  end();
  await first;
  expect([begun, importing.isRunning]).toEqual([[["/a"]], false]);
});
