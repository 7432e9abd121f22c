// The bridge around the page: whom it answers. What the page does is tested elsewhere.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { expect, openPage, startBridge } from "../lib/bridge.mjs";
import { place } from "../lib/place.mjs";

/** @param {URL} address @param {Record<string, string>} headers */
function askUnknown(address, headers) {
  return fetch(new URL("/rpc", address), {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ cmd: "no_such_command", payload: null }),
  });
}

test("the bridge serves the page on the loopback and the page finds nothing to complain of", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  assert.equal(new URL(bridge.url).hostname, "127.0.0.1");
  const { page, complaints } = await openPage(at, bridge.url);
  await page.waitForSelector("#app > *");
  await expect(page).toHaveTitle("Galley");
  assert.deepEqual(complaints, []);
});

test("only who has the token is answered", async (t) => {
  const bridge = await startBridge(await place(t));
  const address = new URL(bridge.url);
  const token = new URLSearchParams(address.hash.slice(1)).get("token");
  assert.ok(token);

  const answered = await askUnknown(address, {
    authorization: `Bearer ${token}`,
  });
  const error = await answered.json();
  assert.equal(typeof error.code, "string");
  assert.match(error.message, /no_such_command/);

  /** @type {Record<string, string>[]} */
  const without = [{}, { authorization: "Bearer wrong" }];
  for (const headers of without) {
    assert.equal((await askUnknown(address, headers)).status, 401);
  }
});
