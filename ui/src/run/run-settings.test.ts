import { expect, test } from "vitest";
import {
  areRight,
  mark,
  noSettings,
  settingForm,
  settingsRequest,
  WHOLE_RUN,
  wrongLimit,
  wrongTemperature,
} from "./run-settings";

test("what is left empty is not sent, and what is written goes to the run or to its agent", () => {
  expect(settingsRequest({ [WHOLE_RUN]: noSettings(), writer: noSettings() })).toEqual({ agents: {}, limits: {} });
  const form = {
    [WHOLE_RUN]: { ...noSettings(), temperature: "0.7", limits: { max_cost: "0.5", max_llm_calls: " " } },
    writer: { ...noSettings(), model: " large ", temperature: "0", limits: { max_output_tokens: "300" } },
  };
  expect(areRight(form)).toBe(true);
  expect(settingsRequest(form)).toEqual({
    temperature: 0.7,
    limits: { max_cost: 0.5 },
    agents: { writer: { model: "large", temperature: 0, limits: { max_output_tokens: 300 } } },
  });
});

test("numbers that no agent can have are named", () => {
  expect(["2.1", "-1", "warm"].map(wrongTemperature)).not.toContain("");
  expect(wrongTemperature("2")).toBe("");
  expect(wrongLimit("max_output_tokens", "0")).not.toBe("");
  expect(wrongLimit("max_llm_calls", "1.5")).not.toBe("");
  expect(wrongLimit("max_cost", "0.01")).toBe("");
  const hot = { ...noSettings(), temperature: "3" };
  expect(areRight({ writer: hot })).toBe(false);
  expect([undefined, noSettings(), { ...noSettings(), model: "m" }, hot].map(mark)).toEqual(["", "", " *", " !"]);
});

test("a mark to stop around an agent goes into the start, and comes back from the start that is run again", () => {
  const form = {
    [WHOLE_RUN]: noSettings(),
    writer: { ...noSettings(), gate: { before: false, after: true } },
    critic: noSettings(),
  };
  const request = settingsRequest(form);
  expect(request).toEqual({ agents: {}, limits: {}, gates: { writer: { before: false, after: true } } });
  expect(settingForm(request)["writer"]?.gate).toEqual({ before: false, after: true });
  expect(mark(form.writer)).toBe("");
});
