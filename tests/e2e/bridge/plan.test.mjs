// A plan in the window: changed while its run waits, and carried out as changed; a step done again, or given another
// result, in a fork; a plan of many steps.
// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, expect, openPage, startBridge } from "../lib/bridge.mjs";
import { moveTo, openRun, openTab, untilStatus } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { eventually } from "../lib/processes.mjs";

/** @param {string} id @param {string} expression */
const calculation = (id, expression) => ({
  stepId: id,
  assigned_agent_role: "UtilityAgent",
  tool_name: "CalculatorTool",
  sub_task_input: { expression },
  narrative_step: `Calculate ${id}`,
});

/**
 * A run that carries out a plan; where it is to be steered it waits after each stage.
 * @param {string} url
 * @param {unknown} plan
 * @param {boolean} isSteered
 */
const begin = (url, plan, isSteered) =>
  ask(url, "start_run", {
    pipeline: "task",
    inputs: {
      task: "Count",
      mode: "execute",
      given_plan: JSON.stringify(plan),
    },
    profile: "built-in",
    gates: isSteered ? { plan_stage: { before: false, after: true } } : {},
  });

/** @param {import("playwright/test").Page} page @param {string} id */
const step = (page, id) => page.locator(`[data-step="${id}"]`).first();

test("a plan that is changed while its run waits is carried out as changed", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const plan = [
    [calculation("sum", "40 + 2")],
    [calculation("double", "(@{outputs.sum.result_data}) * 2")],
    [calculation("gone", "1 + 1")],
  ];
  const { run } = await begin(bridge.url, plan, true);
  const { page } = await openPage(at, bridge.url);
  await page.locator(`[data-run="${run}"]`).click();
  await untilStatus(page, "needs you");
  await expect(step(page, "sum")).toHaveAttribute("data-state", "done");
  await step(page, "double").getByRole("button", { name: "Edit step double" }).click();
  await step(page, "double")
    .getByRole("textbox", { name: "Input" })
    .fill(`{"expression": "(@{outputs.sum.result_data}) * 10"}`);
  await step(page, "double").getByRole("button", { name: "Save the step" }).click();
  await step(page, "gone").getByRole("button", { name: "Remove step gone" }).click();
  await expect(step(page, "gone")).toHaveCount(0);
  while ((await ask(bridge.url, "open_run", { run })).card.status !== "finished") {
    const [question] = (await ask(bridge.url, "list_questions", {})).questions;
    if (question)
      await ask(bridge.url, "answer_run", {
        run,
        question: question.id,
        value: "go_on",
      });
  }
  const { state } = await ask(bridge.url, "state_at", { run, seq: null });
  assert.match(state.final_answer, /double: 420/);
  assert.ok(!state.final_answer.includes("gone"));
});

test("a step is done again with another input, and a result is replaced in the plan and in the journal, each in a fork", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const plan = [
    [calculation("sum", "40 + 2"), calculation("beside", "7 * 7")],
    [calculation("double", "(@{outputs.sum.result_data}) * 2")],
  ];
  const { run } = await begin(bridge.url, plan, false);
  const { page } = await openPage(at, bridge.url);
  /** @param {RegExp} answer */
  const forked = async (answer) => {
    await eventually("the fork", async () => (await openRun(page)) !== run);
    await untilStatus(page, "finished");
    const { state } = await ask(bridge.url, "state_at", {
      run: await openRun(page),
      seq: null,
    });
    assert.match(state.final_answer, answer);
    await page.locator(`[data-run="${run}"]`).click();
    await eventually("the run", async () => (await openRun(page)) === run);
  };
  await page.locator(`[data-run="${run}"]`).click();
  await untilStatus(page, "finished");
  await openTab(page, "Plan");
  await step(page, "sum").getByRole("button", { name: "Run again… Step sum with another input" }).click();
  await step(page, "sum").getByRole("textbox", { name: "Input" }).fill(`{"expression": "10 + 1"}`);
  await step(page, "sum").getByRole("button", { name: "Start the fork" }).click();
  await forked(/double: 22/);
  await openTab(page, "Plan");
  await step(page, "sum").getByRole("button", { name: "Replace the result… of step sum" }).click();
  await step(page, "sum").getByRole("textbox", { name: "Result" }).fill("50");
  await step(page, "sum").getByRole("button", { name: "Start the fork" }).click();
  await forked(/double: 100/);

  const { entries } = await ask(bridge.url, "read_events", {
    run,
    from_seq: 1,
    limit: 200,
  });
  const isAnswer = (/** @type {any} */ { event }) =>
    event.fact.kind === "effect_answered" && JSON.stringify(event.fact.answer).includes('"42"');
  const { seq } = entries.find(isAnswer).event;
  await openTab(page, "Journal");
  await moveTo(page, seq);
  await page.locator(`.row[data-seq="${seq}"]`).click();
  await page.getByRole("button", { name: "Replace the result…" }).click();
  const result = page.getByRole("region", { name: `Event ${seq} as stored` }).getByRole("textbox");
  await result.fill((await result.inputValue()).replace("42", "60"));
  await page.getByRole("button", { name: "Start the fork" }).click();
  await forked(/double: 120/);
});

test("of a plan of many steps those in sight are drawn, and what is being filled in stays", async (t) => {
  const at = await place(t);
  const bridge = await startBridge(at);
  const stages = Array.from({ length: 30 }, (_, stage) =>
    Array.from({ length: 10 }, (_, nth) => calculation(`s_${stage}_${nth}`, "1 + 1")),
  );
  const { run } = await begin(bridge.url, stages, true);
  const { page } = await openPage(at, bridge.url);
  await page.locator(`[data-run="${run}"]`).click();
  await untilStatus(page, "needs you");
  const drawn = page.locator("[data-step]");
  await drawn.first().waitFor();
  assert.ok((await drawn.count()) < 100, `${await drawn.count()} of 300 steps are drawn`);
  await page.locator("code").getByText("s_29_9", { exact: true }).scrollIntoViewIfNeeded();
  await step(page, "s_29_9").getByRole("button", { name: "Edit step s_29_9" }).click();
  await step(page, "s_29_9").getByRole("textbox", { name: "What to do" }).fill("The last one");
  await page.locator("code").getByText("s_1_1", { exact: true }).scrollIntoViewIfNeeded();
  await step(page, "s_1_1").waitFor();
  await expect(step(page, "s_29_9").getByRole("textbox", { name: "What to do" })).toHaveValue("The last one");
});
