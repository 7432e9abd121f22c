// Signing in at a tool server with OAuth: from the settings, and from the run whose call failed for want of it.
// @ts-check
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { openSettings, strays, untilFinished } from "../lib/desk.mjs";
import { keyring } from "../lib/keyring.mjs";
import { oauthServer } from "../lib/oauth-server.mjs";
import { place } from "../lib/place.mjs";
import { galley } from "../lib/terminal.mjs";

/** A pipeline that calls the tool for which more must be allowed than for others. */
const CLEANER = `
id = "cleaner"
title = "Cleaner"

[input.subject]
title = "Subject"

[key.erased]
title = "Erased"
role = "final"

[agent.eraser]
title = "Cleaner"
reads = ["subject"]
writes = "erased"
call = { tool = "guarded/erase", input = {} }

[flow]
steps = ["eraser"]
`;

/** Opens the page to sign in at, as the person's browser does. @param {import("playwright/test").Page} page */
async function signIn(page) {
  await page.getByRole("button", { name: "Sign in at guarded" }).click();
  const browser = page.context().waitForEvent("page");
  await page
    .getByRole("group", { name: "Sign in at guarded" })
    .getByRole("button", { name: "Open in the browser" })
    .click();
  const opened = await browser;
  await opened.getByText("You can close this window.").waitFor();
  await opened.close();
}

test("a person signs in from the settings, allows more where a run failed for want of it, and signs out", async (t) => {
  const at = await place(t);
  const server = await oauthServer(at);
  await mkdir(join(at.folder, "pipelines"), { recursive: true });
  await writeFile(join(at.folder, "pipelines", "cleaner.toml"), CLEANER);
  await galley(at, ["tool-server", "add", "guarded", "--url", server.url]);
  const bridge = await startBridge(at, await keyring(at));
  const { page, picture } = await openPage(at, bridge.url, { viewport: { width: 900, height: 600 } });

  await openSettings(page, "Tool servers");
  const row = page.locator('[data-server="guarded"]');
  await row.getByRole("button", { name: "Test the tool server guarded" }).click();
  await row.getByText("Sign in below; then it is tested again.").waitFor();
  await picture("sign-in-needed");
  await signIn(page);
  await row.getByText(/^Signed in, allowed: .*read/).waitFor();
  await row.getByText("2 tools").waitFor();
  await row.getByText("It works: guarded 1").waitFor();
  await expect(row.getByRole("list", { name: "Tools" }).getByRole("listitem")).toHaveText([/^look/, /^erase/]);
  assert.deepEqual(await strays(page), []);
  await picture("sign-in-done");

  await ask(bridge.url, "start_run", { pipeline: "cleaner", inputs: { subject: "a letter" }, profile: "built-in" });
  await page
    .getByTestId("needs-you")
    .getByRole("button", { name: /guarded\/erase/ })
    .click();
  await page.getByTestId("question").getByRole("button", { name: "Allow once", exact: true }).click();
  const card = page.getByRole("alert", { name: "guarded asks you to sign in" });
  await card.getByText("asks for more than you allowed: write").waitFor();
  assert.deepEqual(await strays(page), []);
  await picture("sign-in-of-run");
  await signIn(page);
  await card.getByText("You are signed in at guarded.").waitFor();
  await picture("sign-in-of-run-done");
  await card.getByRole("button", { name: "Resume the run" }).click();
  // Where nothing was done, a call that was allowed once is asked about again.
  const again = page.getByTestId("question").getByRole("button", { name: "Allow once", exact: true });
  const finished = page.getByTestId("status").getByText("finished", { exact: true });
  await again.or(finished).waitFor();
  if (await again.isVisible()) await again.click();
  await untilFinished(page);
  assert.deepEqual(server.called, ["erase"]);

  await openSettings(page, "Tool servers");
  await row.getByText(/^Signed in, allowed: .*write/).waitFor();
  await row.getByRole("button", { name: "Sign out of guarded" }).click();
  await row.getByRole("button", { name: "Sign in at guarded" }).waitFor();
  assert.ok(server.revoked() >= 1);
  assert.deepEqual(server.refused, []);
});
