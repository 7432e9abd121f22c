// The queue of workers on other machines in the settings: a real server, and a worker that comes and goes.
// @ts-check
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { expect, openPage, startBridge } from "../lib/bridge.mjs";
import { openSettings, strays } from "../lib/desk.mjs";
import { place, root } from "../lib/place.mjs";
import { freePort, start } from "../lib/processes.mjs";
import { begin } from "../lib/terminal.mjs";

const SERVER = join(root, ".tools", "nats", "newest", "nats-server");
const skip = existsSync(SERVER) ? false : `${SERVER} is missing; \`scripts/prepare tests\` fetches it`;

test("the window lists a worker while it is there, and work comes back to this machine", { skip }, async (t) => {
  const at = await place(t);
  const port = await freePort();
  const store = join(at.home, "nats");
  const server = start(SERVER, [
    "-js",
    "-sd",
    store,
    "-p",
    String(port),
    "-a",
    "127.0.0.1",
    "--auth",
    "s3cret-of-a-test",
  ]);
  at.atEnd(() => server.stop());
  const url = `nats://127.0.0.1:${port}`;
  const folder = join(at.home, "worker");
  await mkdir(folder);
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url, { viewport: { width: 900, height: 600 } });
  const isWhole = async () => assert.deepEqual(await strays(page), []);
  await openSettings(page, "Workers");

  // Without the key the server refuses; with it, it answers.
  const address = page.getByLabel("Address of the queue");
  await address.fill(url);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  const refused = page.getByRole("alert", { name: "The queue cannot be used" });
  await refused.getByText("refused the credentials").waitFor();
  await isWhole();
  await picture("workers-refused");
  await page.getByLabel("Store key in").selectOption("session");
  await page.getByLabel("Key", { exact: true }).fill("s3cret-of-a-test");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved.").waitFor();
  await expect(refused).toHaveCount(0);
  const command = page.getByRole("region", { name: "Command that starts a worker" });
  await expect(command).toHaveText(`galley worker --role ResearchAgent --queue ${url} --key-env QUEUE_KEY`);
  assert.ok(!(await page.content()).includes("s3cret-of-a-test"), "the key is on the page");
  await expect(page.getByText("is not encrypted")).toHaveCount(0);
  await isWhole();
  await picture("workers-none");

  const words = (await command.innerText()).split(" ").slice(1);
  const worker = begin(at, [...words, "--name", "mill-3", "--at-once", "2"], {
    GALLEY_DATA_DIR: folder,
    QUEUE_KEY: "s3cret-of-a-test",
  });
  const row = page.getByRole("row").filter({ hasText: "mill-3" });
  await row.getByText("0 of 2").waitFor();
  await row.getByText(/^\d+ s ago$/).waitFor();
  await expect(row.getByRole("cell").first()).toHaveText("ResearchAgent");
  await isWhole();
  await picture("workers-one");

  await worker.stop();
  assert.equal(worker.exitCode(), 0, worker.output());
  await expect(row).toHaveCount(0);
  await command.waitFor();

  await page.getByRole("button", { name: "Work here again" }).click();
  await page.getByText("Everything is done here again.").waitFor();
  await expect(address).toBeFocused();
  await expect(address).toHaveValue("");
  await expect(command).toHaveCount(0);
  assert.deepEqual(complaints, []);
});
