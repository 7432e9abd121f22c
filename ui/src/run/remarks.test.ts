// @vitest-environment node
import { verbatim } from "../ipc/verbatim";
import { expect, test } from "vitest";
import type { ApiError } from "../ipc/bindings";
import { recording } from "../fake-host/fake-records";
import { limitedBy } from "./remarks";
import { raised } from "./stages";
import { empty } from "./empty-view";
import { applyAll } from "./view";

test("a run that stopped before a call of unknown price says whose, and can go on without the limit", () => {
  const { page, entries } = recording("run-limited");
  const view = applyAll(
    empty(page.keys),
    entries.map(({ event }) => event),
  );
  const error: ApiError = {
    code: "limit_reached",
    message: "in English",
    phrase: verbatim("in English"),
    provider_words: null,
    retry_after_ms: null,
    limit: { name: "max_cost", most: 0, agent: null, unpriced: "house-large" },
  };
  expect(raised({ ...view, error }, page)).toEqual({ to: null, limits: { max_cost: null } });
  expect(limitedBy(error)).toContain("The price of house-large is unknown");
  expect(limitedBy(error)).toContain("prices.toml");
});
