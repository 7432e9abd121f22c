// Visits that were planned with invented data.
// @ts-check
import { ask } from "./bridge.mjs";
import { eventually } from "./processes.mjs";

const SLOTS = ["search_bangumi_subjects", "search_anitabi_bangumi_near_station", "points_of_title", "weather", "routing", "transit"];

/** Plans one, and waits for its end; gives the run. @param {string} url of the bridge @returns {Promise<string>} */
export async function finishedVisit(url) {
  const { run } = await ask(url, "start_run", {
    pipeline: "pilgrimage",
    inputs: { user_query: "From Matsumoto station, visit the places of “The Lending Library on Glass Hill”", date: "2026-12-05" },
    profile: "built-in",
    tools: Object.fromEntries(SLOTS.map((slot) => [slot, "demonstration"])),
  });
  await eventually("a planned visit", async () => (await ask(url, "open_run", { run })).outcome === "finished");
  return run;
}
