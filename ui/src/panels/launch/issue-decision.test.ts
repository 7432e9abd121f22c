import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, expect, test } from "vitest";
import type { PipelineCard } from "../../ipc/bindings";
import { useHost } from "../../ipc/client";
import { fakeHost } from "../../fake-host/fake";
import { offer } from "../../fake-host/fake-records";
import IssueDecision from "./IssueDecision.svelte";

afterEach(cleanup);
const keys = [{ role: { kind: "issues" } }] as unknown as PipelineCard["keys"];
const pipeline = { ...offer().pipelines[0]!, keys };

test("the default names no value before the setting is known", async () => {
  let answer = (_setting: { value: string }) => {};
  const setting = new Promise<{ value: string }>((go) => (answer = go));
  useHost({ ...fakeHost(), call: () => setting });
  render(IssueDecision, { pipeline, value: "" });
  expect(screen.getByRole("option", { name: "Default" })).toBeTruthy();
  answer({ value: "true" });
  expect(await screen.findByRole("option", { name: /^Default \(.+\)$/ })).toBeTruthy();
});
