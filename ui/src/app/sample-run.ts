// The first run without a key: an example that works, on the library that the program brings, with no model.
import type { PipelineCard, RunRef } from "../ipc/bindings";
import { call } from "../ipc/client";
import { BUILT_IN } from "../ipc/names";
import { noChoice, request } from "../run/launch-form";
import { offlineTools } from "../run/slots";

export async function startSample(): Promise<RunRef> {
  const { pipelines } = await call("list_pipelines", {});
  const isOffline = (pipeline: PipelineCard) => Object.keys(offlineTools(pipeline)).length > 0;
  const pipeline = pipelines.find(isOffline) ?? pipelines[0];
  if (!pipeline) throw new Error("the program offers nothing to run; install it anew");
  const values = Object.fromEntries(pipeline.inputs.map((input) => [input.key, input.example]));
  const tools = offlineTools(pipeline);
  const asOf = isOffline(pipeline) ? await newest(pipeline.inputs[0]?.example ?? "") : "";
  return call("start_run", request(pipeline, values, { ...noChoice(), profile: BUILT_IN, tools, asOf }));
}

/** The day of the newest entry that fits: a run that takes it for today finds what is recent among what there is. */
async function newest(words: string): Promise<string> {
  const { entries } = await call("list_library", { search: words, limit: 200 });
  return (
    entries
      .map((entry) => entry.published)
      .filter((day) => /^\d{4}-\d{2}-\d{2}$/.test(day))
      .sort()
      .at(-1) ?? ""
  );
}
