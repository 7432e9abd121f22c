// What a run or one of its agents is to run with, as a form holds it: texts, of which an empty one is no choice.
import type { AgentSettings, Gate, LimitName, StartRun } from "../ipc/bindings";
import { t } from "../i18n";
import { LIMIT_NAMES } from "../i18n/titles";
import { isSet, NO_GATE } from "./gate";

export type SettingFields = {
  instruction: string;
  profile: string;
  model: string;
  temperature: string;
  limits: Partial<Record<LimitName, string>>;
  /** Where the run stops around the agent. */
  gate: Gate;
};
/** By agent; those of the whole run stand under the empty name. */
export type SettingForm = Record<string, SettingFields>;
/** The name under which the settings of the whole run stand. */
export const WHOLE_RUN = "";
/** No provider takes a higher temperature. */
export const MOST_TEMPERATURE = 2;

export const noSettings = (): SettingFields => ({
  instruction: "",
  profile: "",
  model: "",
  temperature: "",
  limits: {},
  gate: NO_GATE,
});

const written = (text: string | undefined): string | undefined => (text?.trim() ? text.trim() : undefined);
const number = (text: string | undefined): number | undefined =>
  written(text) === undefined ? undefined : Number(text);

/** What is wrong with a temperature; empty when nothing is. */
export function wrongTemperature(text: string): string {
  const value = number(text);
  return value === undefined || (value >= 0 && value <= MOST_TEMPERATURE)
    ? ""
    : t("settings_of.temperature.wrong", { most: MOST_TEMPERATURE });
}

/** What is wrong with a limit; empty when nothing is. */
export function wrongLimit(name: LimitName, text: string | undefined): string {
  const value = number(text);
  if (value === undefined) return "";
  const hasParts = name === "max_execution_time_s" || name === "max_cost";
  const isRight = value >= (name === "max_output_tokens" ? 1 : 0) && (hasParts || Number.isInteger(value));
  return isRight ? "" : t(hasParts ? "settings_of.limit.wrong" : "settings_of.limit.wrong_whole");
}

const isRight = (own: SettingFields): boolean =>
  wrongTemperature(own.temperature) === "" && LIMIT_NAMES.every((name) => wrongLimit(name, own.limits[name]) === "");

/** Whether every number of the form can be sent. */
export function areRight(form: SettingForm): boolean {
  return Object.values(form).every(isRight);
}

const isChosen = (own: SettingFields): boolean => Object.keys(settings(own)).length > 0;

/**
 * What stands behind a name whose settings are not looked at: a star for what is set, an exclamation mark for what
 * cannot be
 * sent. Its gate is shown elsewhere.
 */
export function mark(own: SettingFields | undefined): string {
  if (own === undefined || !isChosen(own)) return "";
  return isRight(own) ? " *" : " !";
}

/** The form as a start or a fork sends it. */
export function settingsRequest(form: SettingForm): Pick<StartRun, "temperature" | "limits" | "agents" | "gates"> {
  const agents: StartRun["agents"] = {};
  for (const [name, own] of Object.entries(form)) if (name !== WHOLE_RUN && isChosen(own)) agents[name] = settings(own);
  const gates = Object.fromEntries(
    Object.entries(form).flatMap(([name, { gate }]) => (isSet(gate) ? [[name, gate]] : [])),
  );
  const { temperature, limits } = settings(form[WHOLE_RUN] ?? noSettings());
  return {
    agents,
    limits: limits ?? {},
    ...(temperature === undefined ? {} : { temperature }),
    ...(Object.keys(gates).length > 0 ? { gates } : {}),
  };
}

/** The form that a start would send so. A limit that is lifted has no field. */
export function settingForm({
  agents,
  limits,
  temperature,
  gates = {},
}: Pick<StartRun, "temperature" | "limits" | "agents" | "gates">): SettingForm {
  const fields = (own: AgentSettings): SettingFields => ({
    gate: NO_GATE,
    instruction: own.instruction ?? "",
    profile: own.profile ?? "",
    model: own.model ?? "",
    temperature: own.temperature === undefined ? "" : String(own.temperature),
    limits: Object.fromEntries(
      Object.entries(own.limits ?? {}).flatMap(([name, most]) => (most === null ? [] : [[name, String(most)]])),
    ),
  });
  const form = Object.fromEntries(Object.entries(agents).map(([name, own]) => [name, fields(own)]));
  for (const [name, gate] of Object.entries(gates)) form[name] = { ...(form[name] ?? noSettings()), gate };
  form[WHOLE_RUN] = fields({ limits, ...(temperature === undefined ? {} : { temperature }) });
  return form;
}

function settings(own: SettingFields): AgentSettings {
  const found: AgentSettings = {};
  for (const name of ["instruction", "profile", "model"] as const) {
    const text = written(own[name]);
    if (text !== undefined) found[name] = text;
  }
  const temperature = number(own.temperature);
  if (temperature !== undefined) found.temperature = temperature;
  const limits: NonNullable<AgentSettings["limits"]> = {};
  for (const name of LIMIT_NAMES) {
    const most = number(own.limits[name]);
    if (most !== undefined) limits[name] = most;
  }
  if (Object.keys(limits).length > 0) found.limits = limits;
  return found;
}
