// A form's values as a pipeline's inputs, and what is wrong with them. Nothing of any pipeline is known here.
import type { InputField, LimitName, Limits, PipelineCard, ProfileCard, StartRun } from "../ipc/bindings";
import { t } from "../i18n";
import { pipelineText } from "../i18n/pipeline-text.svelte";
import type { Filled } from "./filled";
import { exampleTools } from "./slots";
import { settingForm, settingsRequest, type SettingForm } from "./run-settings";

/**
 * What is chosen beside the inputs; an empty text is no choice. `tools` are by slot. `kept` is what the form has no
 * field for
 * of the run that is run again.
 */
export type Choice = {
  profile: string;
  tools: Record<string, string>;
  asOf: string;
  preset: string;
  decidesIssues: string;
  settings: SettingForm;
  kept?: Pick<StartRun, "fallback" | "limits">;
};
export const noChoice = (): Choice => ({
  profile: "",
  tools: {},
  asOf: "",
  preset: "",
  decidesIssues: "",
  settings: {},
});
/** What was chosen for a run that is run again. */
export function choiceOf(again: StartRun): Choice {
  const lifted = Object.entries(again.limits).filter(([, most]) => most === null);
  return {
    ...noChoice(),
    profile: again.profile ?? "",
    tools: { ...again.tools },
    asOf: again.as_of ?? "",
    decidesIssues: again.decide_issues === undefined ? "" : String(again.decide_issues),
    settings: settingForm(again),
    kept: { limits: Object.fromEntries(lifted), ...(again.fallback === undefined ? {} : { fallback: again.fallback }) },
  };
}

/** The profile that is taken where none is chosen: the pipeline's own, else that of the settings. */
export const usualProfileOf = (pipeline: PipelineCard, profiles: readonly ProfileCard[]): string | undefined =>
  [`pipelines.${pipeline.id}.profile`, "default_profile"]
    .map((use) => profiles.find(({ used_by }) => used_by?.includes(use))?.name)
    .find((name) => name);

/** What is chosen when a form opens. */
export function firstChoice(pipeline: PipelineCard, filled: Filled | null): Choice {
  if (filled?.again) return choiceOf(filled.again);
  const { profile } = filled ?? {};
  return { ...noChoice(), profile: profile ?? "", tools: profile === undefined ? {} : exampleTools(pipeline) };
}

const bytes = new TextEncoder();
/** Of a favourite, in characters. */
const LONGEST_NAME = 80;

/** What is wrong with one input, or nothing. */
export function problem(input: InputField, value: string): string | null {
  if (value.trim() === "") return input.is_required ? t("launch.required") : null;
  const length = bytes.encode(value).length;
  if (length > input.max_bytes) return t("launch.too_long", { n: length, most: input.max_bytes });
  if (input.kind === "number" && !Number.isFinite(Number(value))) return t("launch.not_a_number");
  return null;
}

/** Whether the run can be started with these values. */
export function isComplete(pipeline: PipelineCard, values: Readonly<Record<string, string>>): boolean {
  return pipeline.inputs.every((input) => problem(input, values[input.key] ?? "") === null);
}

/** The request that these values are; an input left empty is left out. */
export function request(pipeline: PipelineCard, values: Readonly<Record<string, string>>, choice: Choice): StartRun {
  const inputs: Record<string, unknown> = {};
  for (const input of pipeline.inputs) {
    const value = values[input.key] ?? "";
    if (value.trim() === "") continue;
    inputs[input.key] = input.kind === "number" ? Number(value) : value;
  }
  const preset = pipeline.presets.find((candidate) => candidate.name === choice.preset);
  const settings = settingsRequest(choice.settings);
  return {
    pipeline: pipeline.id,
    inputs,
    profile: choice.profile === "" ? null : choice.profile,
    tools: Object.fromEntries(Object.entries(choice.tools).filter(([, tool]) => tool !== "")),
    as_of: choice.asOf === "" ? null : choice.asOf,
    session: null,
    ...settings,
    ...choice.kept,
    limits: { ...choice.kept?.limits, ...(preset ? changes(pipeline.limits, preset.limits) : {}), ...settings.limits },
    allow: [],
    ...(choice.decidesIssues === "" ? {} : { decide_issues: choice.decidesIssues === "true" }),
  };
}

/** A name for what stands in the form: the pipeline and the first input that is filled in. */
export function titleFrom(pipeline: PipelineCard, values: Readonly<Record<string, string>>): string {
  const first = pipeline.inputs
    .map(({ key }) => (values[key] ?? "").trim().split("\n")[0] ?? "")
    .find((line) => line !== "");
  return [pipelineText(pipeline.title), ...(first === undefined ? [] : [first])].join(" · ").slice(0, LONGEST_NAME);
}

/** The limits of a preset that differ from the pipeline's own. */
function changes(own: Limits, wanted: Limits): StartRun["limits"] {
  const found: StartRun["limits"] = {};
  for (const name of Object.keys(wanted) as LimitName[]) {
    const value = wanted[name];
    if (value !== null && value !== own[name]) found[name] = value;
  }
  return found;
}
