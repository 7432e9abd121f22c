// A finished run of each of the program's pipelines, for the pictures of the README.
// @ts-check
import { ask } from "./bridge.mjs";
import { eventually } from "./processes.mjs";
import { newsModel } from "./provider.mjs";

const TEMPLATE = `# Review of the water samples

- Date: {date}
- Site: {site}
- Laboratory: {laboratory}

The review looked at {number} samples. All/most/some of the samples passed.

The site was closed for {days} days.
`;

const SUMMARY = `Date: 3 March 2026
Site: Kiel harbour
Laboratory: Quill and sons

The review looked at 40 samples. 37 of the 40 samples passed. The three others were taken again on 5 March 2026.
`;

/**
 * What each pipeline is started with, and the tab that shows it best.
 * @type {Record<string, { inputs: Record<string, string>, source: string, tab: string, profile?: string }>}
 */
export const SYSTEMS = {
  "ai-news": { inputs: { user_topic: "agents that use tools" }, source: "library", tab: "review", profile: "news" },
  content: {
    inputs: { input_text: "Write a blog post about retrieval-augmented generation for beginners" },
    source: "library",
    tab: "sources",
  },
  task: {
    inputs: { task: "Calculate 15% of 2,340 and convert 12 miles to km, then write both to result.pdf" },
    source: "library",
    tab: "plan",
  },
  template: { inputs: { template: TEMPLATE, reviewed_summary: SUMMARY }, source: "library", tab: "review" },
  pilgrimage: { inputs: {}, source: "demonstration", tab: "places" },
};

/**
 * Runs each pipeline to its end.
 * @param {import("./place.mjs").Place} at
 * @param {string} url
 * @returns {Promise<Record<string, string>>} the runs by their pipelines
 */
export async function runSystems(at, url) {
  const model = { provider: "openai-compatible", models: { default: "news-1" }, key_env: "" };
  await ask(url, "add_profile", { ...model, name: "news", base_url: await newsModel(at, ["--reject-first"]) });
  const { pipelines } = await ask(url, "list_pipelines", {});
  /** @type {Record<string, string>} */
  const runs = {};
  for (const [pipeline, { inputs, source, profile }] of Object.entries(SYSTEMS)) {
    const known = pipelines.find((/** @type {any} */ { id }) => id === pipeline);
    const examples = known.inputs.filter((/** @type {any} */ { example }) => example !== "");
    const { run } = await ask(url, "start_run", {
      pipeline,
      inputs: {
        ...Object.fromEntries(examples.map((/** @type {any} */ { key, example }) => [key, example])),
        ...inputs,
      },
      profile: profile ?? "built-in",
      tools: Object.fromEntries(
        known.slots
          .filter((/** @type {any} */ { choices }) => choices.some((/** @type {any} */ { id }) => id === source))
          .map((/** @type {any} */ { name }) => [name, source]),
      ),
      as_of: "2026-07-01",
      session: null,
      agents: {},
      limits: {},
      allow: [],
    });
    runs[pipeline] = run;
    const isFinished = async () => {
      const { card } = await ask(url, "open_run", { run });
      if (card.status !== "finished") throw new Error(JSON.stringify(card));
      return true;
    };
    await eventually(`${pipeline} finished`, isFinished, 120_000);
  }
  return runs;
}
