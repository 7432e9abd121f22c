// A desk with a run of every kind, for what is looked at on all screens.
// @ts-check
import { ask } from "./bridge.mjs";
import { eventually } from "./processes.mjs";
import { newsModel } from "./provider.mjs";

/**
 * Runs of every kind, by what they show.
 * @param {import("./place.mjs").Place} at
 * @param {string} url
 */
export async function fillDesk(at, url) {
  const model = { provider: "openai-compatible", models: { default: "news-1" }, key_env: "" };
  await ask(url, "add_profile", { ...model, name: "strict", base_url: await newsModel(at, ["--reject-first"]) });
  await ask(url, "add_profile", { ...model, name: "away", base_url: "http://127.0.0.1:9/v1" });
  const { pipelines } = await ask(url, "list_pipelines", {});
  const known = pipelines.find((/** @type {any} */ { slots }) => slots.length > 0);
  const start = async (
    /** @type {any} */ pipeline,
    /** @type {string} */ words,
    /** @type {string} */ profile,
    limits = {},
  ) => {
    const request = {
      pipeline: pipeline.id,
      inputs: { [pipeline.inputs[0].key]: words },
      profile,
      tools: Object.fromEntries(pipeline.slots.map((/** @type {any} */ { name }) => [name, "library"])),
      as_of: "2026-07-01",
      session: null,
      agents: {},
      limits,
      allow: [],
    };
    return (await ask(url, "start_run", request)).run;
  };
  const until = (/** @type {string} */ run, /** @type {string} */ status) =>
    eventually(`${run} ${status}`, async () => (await ask(url, "open_run", { run })).card.status === status);
  const unknown = pipelines.find((/** @type {any} */ { slots, inputs }) => slots.length === 0 && inputs.length === 1);
  const runs = {
    plain: await start(known, "retrieval-augmented generation", "built-in"),
    reviewed: await start(known, "agents that use tools", "strict"),
    failed: await start(known, "speech recognition", "away"),
    waiting: await start(unknown, "carry three lanterns to the harbour", "built-in"),
    "unknown-pipeline": await start(unknown, "carry the lamp oil after them", "built-in"),
    japanese: await start(known, "検索拡張生成の評価", "built-in"),
  };
  for (const run of [runs.plain, runs.reviewed, runs.japanese]) await until(run, "finished");
  // Nobody is there where it asks: the person gives it up.
  await until(runs.failed, "waiting");
  await ask(url, "answer_run", { run: runs.failed, value: "stop" });
  await until(runs.failed, "failed");
  await until(runs.waiting, "waiting");
  await until(runs["unknown-pipeline"], "waiting");
  await ask(url, "answer_run", { run: runs["unknown-pipeline"], value: "plain" });
  await until(runs["unknown-pipeline"], "finished");
  const { card } = await ask(url, "open_run", { run: runs.reviewed });
  await ask(url, "fork_run", {
    run: runs.reviewed,
    at: Math.floor(card.last_seq / 2),
    set: {},
    agents: { ai_news_writer: { instruction: "Write for readers in a hurry." } },
    limits: {},
    profile: null,
    allow: [],
  });
  await ask(url, "create_pipeline", { of: null });
  return runs;
}
