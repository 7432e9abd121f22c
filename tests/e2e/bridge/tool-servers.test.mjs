// Tool servers in the settings: one that plays and misbehaves is added, tested, changed behind the page's back, and
// removed.
// @ts-check
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { openSettings, strays, untilFinished } from "../lib/desk.mjs";
import { binary, place } from "../lib/place.mjs";
import { callingModel } from "../lib/provider.mjs";
import { addProfile, galley } from "../lib/terminal.mjs";

/** A pipeline whose agent may call the tool that asks. */
const SCOUT = `
id = "scout"
title = "Scout"

[input.subject]
title = "Subject"
kind = "long_text"

[key.text]
title = "Text"
role = "final"

[agent.seeker]
reads = ["subject"]
writes = "text"
instruction = "Use the tools, then write."
tools = ["played/ask"]

[flow]
steps = ["seeker"]
`;

/**
 * A bridge with this pipeline, a model that plays, and the server that plays. @param
 * {import("../lib/place.mjs").Place} at
 */
async function scout(at) {
  await mkdir(join(at.folder, "pipelines"), { recursive: true });
  await writeFile(join(at.folder, "pipelines", "scout.toml"), SCOUT);
  await addProfile(at, "script", await callingModel(at, () => ({ text: "" })));
  await galley(at, ["tool-server", "add", "played", "--", binary("tool-server"), "--new"]);
  return startBridge(at);
}

test("a tool server is added, tested and removed; what it refuses, says and changes is shown as text", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url, { viewport: { width: 900, height: 600 } });
  const isWhole = async () => assert.deepEqual(await strays(page), []);
  await openSettings(page, "Tool servers");
  await page.getByText("There are no tool servers yet.").waitFor();
  await isWhole();

  await page.getByRole("button", { name: "Add a tool server" }).click();
  const form = page.getByRole("group", { name: "New tool server" });
  await expect(form.getByLabel("Name", { exact: true })).toBeFocused();
  await form.getByLabel("Name", { exact: true }).fill("Played");
  await form.getByLabel("Program").fill(binary("tool-server"));
  const changed = join(at.home, "changed");
  await form.getByLabel("Arguments").fill(`--said\nHello <b>you</b>\n--changed\n${changed}`);
  await form.getByRole("button", { name: "Add a variable" }).click();
  await form.getByLabel("Name of the variable or header").fill("TOKEN");
  await form.getByLabel("Value from").selectOption({ label: "secret, in the keyring" });
  const secret = form.getByLabel("Value of TOKEN");
  await expect(secret).toHaveAttribute("type", "password");
  await secret.fill("s3cret-of-a-test");
  await isWhole();
  await form.getByRole("button", { name: "Save and test" }).click();
  await form.getByRole("alert").getByText("cannot be the name of a tool server").waitFor();
  await form.getByLabel("Name", { exact: true }).fill("played");
  await form.getByRole("button", { name: "Save and test" }).click();

  const row = page.locator('[data-server="played"]');
  await row.getByText("It works, without 1 tool that cannot be offered: played 1").waitFor();
  await expect(row.getByRole("button", { name: "Change the tool server played" })).toBeFocused();
  await row.getByText("8 tools").waitFor();
  await row.getByRole("region", { name: "1 tool cannot be offered" }).getByText("no_schema").waitFor();
  await row.getByText("What it wrote to standard error").click();
  await expect(row.getByRole("region", { name: "What it wrote to standard error" })).toHaveText("Hello <b>you</b>");
  assert.ok(!(await page.content()).includes("s3cret-of-a-test"), "the secret is on the page");
  await isWhole();
  await picture("tool-server-tested");

  // What describes itself otherwise is seen, with the difference.
  await writeFile(changed, "");
  await row.getByRole("button", { name: "Test the tool server played" }).click();
  await row.getByText("1 tool is described otherwise than before.").waitFor();
  await expect(row.locator("ins")).toContainText("sends it to its author");
  await picture("tool-server-changed");

  // The secret is kept for this program only, and can be left as it is.
  await row.getByRole("button", { name: "Change the tool server played" }).click();
  await row.getByText("Leave empty to keep the stored value.").waitFor();
  await row.getByRole("button", { name: "only those chosen" }).click();
  await row.getByRole("checkbox", { name: /^echo/ }).check();
  await row.getByRole("button", { name: "Save and test" }).click();
  await row.getByText("1 of 8 tools offered").waitFor();

  // The built-in pipeline that plans takes tools; a pipeline without such an agent is not there.
  const added = page.getByRole("region", { name: "Tools for pipelines" });
  await added.getByRole("button", { name: "Tools of servers for Task" }).click();
  await added.getByRole("checkbox", { name: /^echo/ }).check();
  await added.getByText("1 of played").waitFor();
  await added.getByRole("checkbox", { name: /^All of its tools/ }).check();
  await added.getByText("all tools of played").waitFor();
  await isWhole();
  await added.scrollIntoViewIfNeeded();
  await picture("tool-server-pipelines");

  await row.getByRole("switch", { name: "Use the tool server played" }).uncheck();
  await row.getByText("switched off").waitFor();
  await row.getByRole("button", { name: "Remove the tool server played" }).click();
  await row.getByRole("button", { name: "Remove played" }).click();
  await page.getByText("played is removed.").waitFor();
  await expect(row).toHaveCount(0);

  await page.getByRole("button", { name: "Import from another program" }).click();
  const servers = { "Broken (one)": { command: "no-such-program-here" }, none: {} };
  const file = {
    name: "mcp.json",
    mimeType: "application/json",
    buffer: Buffer.from(JSON.stringify({ mcpServers: servers })),
  };
  await page.getByLabel("Choose a file…").setInputFiles(file);
  await page.getByText("Added: broken-one").waitFor();
  await page.getByText("has neither a command nor a URL").waitFor();
  await page.getByRole("button", { name: "Test the tool server broken-one" }).click();
  await page.getByRole("alert", { name: "broken-one cannot be used" }).waitFor();
  await isWhole();
  await picture("tool-server-broken");
  // What is refused is answered as a bad request, what fails as an error of the program.
  assert.deepEqual(
    complaints.filter((complaint) => !/status of (4|5)\d\d/.test(complaint)),
    [],
  );
});

test("what a server asks during a call is filled in by keyboard, and the run goes on with the answer", async (t) => {
  const at = await place(t);
  const bridge = await scout(at);
  const { run } = await ask(bridge.url, "start_run", {
    pipeline: "scout",
    inputs: { subject: "a letter" },
    profile: "script",
  });
  const { page, picture } = await openPage(at, bridge.url, { viewport: { width: 900, height: 600 } });
  await page
    .getByTestId("needs-you")
    .getByRole("button", { name: /played\/ask/ })
    .click();
  await page.getByTestId("question").getByRole("button", { name: "Allow once", exact: true }).click();
  const question = page.getByRole("region", { name: "“played/ask” asks something" });
  await question.getByText("The tool server says:").waitFor();
  // What would steer a terminal does not reach the page.
  await expect(question.getByRole("region", { name: "The tool server says:" })).toHaveText("Who is it for?[31m");
  await question.getByText("Still needed: Name").waitFor();
  await question.focus();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await expect(question.getByRole("textbox", { name: "Name" })).toBeFocused();
  await page.keyboard.type("A");
  await page.keyboard.press("Enter");
  await question.getByRole("alert").waitFor();
  assert.deepEqual(await strays(page), []);
  await picture("tool-server-question");
  await page.keyboard.type("da");
  await page.keyboard.press("Enter");
  await untilFinished(page);
  await expect(question).toHaveCount(0);
  const { state } = await ask(bridge.url, "state_at", { run, seq: null });
  assert.match(String(state.text), /hello Ada/);
});

test("a text of a server fills a field of the start form, and a prompt asks for its arguments first", async (t) => {
  const at = await place(t);
  const bridge = await scout(at);
  const { page, picture } = await openPage(at, bridge.url, { viewport: { width: 900, height: 600 } });
  await page.getByRole("button", { name: "New run", exact: true }).click();
  await page.getByRole("radio", { name: /^Scout/ }).check();
  const field = page.getByRole("textbox", { name: "Subject" });
  await page.getByRole("button", { name: "From a tool server…" }).click();
  const sheet = page.getByRole("dialog", { name: "Text of a tool server" });
  await sheet.getByRole("button", { name: /^greet/ }).click();
  await expect(sheet.getByRole("textbox", { name: "whom" })).toBeFocused();
  await page.keyboard.type("the bees");
  await picture("tool-server-prompt");
  await page.keyboard.press("Enter");
  await expect(field).toHaveValue(/Greet "the bees"\./);
  await page.getByRole("button", { name: "From a tool server…" }).click();
  await sheet.getByRole("button", { name: /^First note/ }).waitFor();
  await picture("tool-server-texts");
  await sheet.getByRole("button", { name: /^First note/ }).click();
  await expect(field).toHaveValue("Bees dance.");
  await expect(sheet).toHaveCount(0);
  assert.deepEqual(await strays(page), []);
});
