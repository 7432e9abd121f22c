// The first run without a key: an example that works, on the library that the program brings, with no model.
import type { RunRef } from "../ipc/bindings";
import { call } from "../ipc/client";
import { BUILT_IN, LIBRARY } from "../ipc/names";
import { noChoice, request } from "../panels/launch/request";

export async function startSample(): Promise<RunRef> {
  const { pipelines } = await call("list_pipelines", {});
  const pipeline = pipelines.find(({ sources }) => sources.includes(LIBRARY)) ?? pipelines[0];
  if (!pipeline) throw new Error("the program offers nothing to run; install it anew");
  const values = Object.fromEntries(pipeline.inputs.map((input) => [input.key, input.example]));
  const isSearching = pipeline.sources.includes(LIBRARY);
  const asOf = isSearching ? await newest(pipeline.inputs[0]?.example ?? "") : "";
  return call("start_run", request(pipeline, values, { ...noChoice(), profile: BUILT_IN, source: isSearching ? LIBRARY : "", asOf }));
}

/** The day of the newest entry that fits: a run that takes it for today finds what is recent among what there is. */
async function newest(words: string): Promise<string> {
  const { entries } = await call("list_library", { search: words, limit: 200 });
  return entries.map((entry) => entry.published).filter((day) => /^\d{4}-\d{2}-\d{2}$/.test(day)).sort().at(-1) ?? "";
}
