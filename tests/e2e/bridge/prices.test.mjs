// A price that is not known is set on the page: in the costs of a run, and at the profile.
// @ts-check
import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { launch, openRun, openSettings, strays, untilFinished } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { newsModel } from "../lib/provider.mjs";
import { addProfile } from "../lib/terminal.mjs";

const TOPIC = "retrieval-augmented generation";

test("a price is set where the cost of a run is unknown: bad numbers are refused in words, and what is shown afterwards uses it", async (t) => {
  const at = await place(t);
  await addProfile(at, "work", await newsModel(at));
  const bridge = await startBridge(at);
  const { page, complaints, picture } = await openPage(at, bridge.url, {
    viewport: { width: 900, height: 600 },
  });
  await launch(page, { topic: TOPIC, profile: "work" });
  await untilFinished(page);
  const run = await openRun(page);
  await page.getByRole("button", { name: "price not known" }).click();
  const ledger = page.getByRole("region", { name: "What it cost" });
  await ledger
    .getByRole("row", { name: /Writer/ })
    .getByText("unknown")
    .waitFor();
  await ledger.getByRole("button", { name: "Set price of news-1" }).first().click();
  const form = ledger.getByRole("form", { name: "Price of news-1" });
  const [input, output] = [
    form.getByLabel("US dollars per million tokens in"),
    form.getByLabel("US dollars per million tokens out"),
  ];
  await expect(input).toBeFocused();
  await form.getByText("The price of this model is unknown.").waitFor();
  await input.fill("1,500");
  await output.fill("8");
  await form.getByRole("button", { name: "Save the price" }).click();
  await form.getByText("“1,500” is no price; write US dollars with a point").waitFor();
  await picture("price-refused");
  assert.deepEqual(await strays(page), []);
  await input.fill("2.0");
  await form.getByRole("button", { name: "Save the price" }).click();
  await form.getByText("Saved.").waitFor();
  await expect(ledger.getByRole("row", { name: /Total/ })).toContainText("at a price set later");
  await expect(ledger.getByText("unknown", { exact: true })).toHaveCount(0);
  const { lines } = await ask(bridge.url, "total_usage", {
    run,
    profile: null,
    month: null,
  });
  for (const line of lines)
    assert.ok(
      Math.abs(line.cost - (line.input_tokens * 2 + line.output_tokens * 8) / 1e6) < 1e-9,
      JSON.stringify(line),
    );
  await picture("price-saved");
  const table = await readFile(join(at.folder, "prices.toml"), "utf8");
  assert.match(table, /provider = "openai-compatible"\nmodel = "news-1"\ninput = 2\.0\noutput = 8\.0\n/);

  // The next run is priced when it is answered.
  await launch(page, { topic: "agents", profile: "work" });
  await expect.poll(async () => (await openRun(page)) !== run).toBe(true);
  await untilFinished(page);
  const { usage } = await ask(bridge.url, "open_run", {
    run: await openRun(page),
  });
  assert.ok(usage.cost > 0 && usage.unpriced_calls === 0, JSON.stringify(usage));

  // At the profile, where a table that cannot be read is told and stays.
  await openSettings(page, "Profiles and keys");
  const profile = page.getByRole("listitem").filter({ hasText: "news-1" });
  await profile.getByRole("button", { name: "Price of work" }).click();
  const own = profile.getByRole("form", { name: "Price of news-1" });
  await expect(own.getByLabel("US dollars per million tokens out")).toHaveValue("8");
  await own.getByLabel("US dollars per million tokens out").fill("9");
  await own.getByRole("button", { name: "Save the price" }).click();
  await own.getByText("Saved.").waitFor();
  // Runs before the price and after it are added up together.
  await profile.getByRole("button", { name: /this month 6 calls, \$/ }).waitFor();
  await page.emulateMedia({ colorScheme: "dark" });
  await picture("price-profile-dark");
  assert.deepEqual(await strays(page), []);
  await writeFile(join(at.folder, "prices.toml"), "[[price");
  await own.getByRole("button", { name: "Save the price" }).click();
  await own.getByText(/The table of prices cannot be read, so nothing was changed/).waitFor();
  assert.equal(await readFile(join(at.folder, "prices.toml"), "utf8"), "[[price");
  // What is refused is answered as a bad request.
  assert.deepEqual(
    complaints.filter((complaint) => !complaint.includes("400")),
    [],
  );
});
