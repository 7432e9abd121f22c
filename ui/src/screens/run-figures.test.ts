// What a run has used so far.
import { cleanup, render } from "@testing-library/svelte";
import { afterEach, expect, test } from "vitest";
import { recordings } from "../ipc/hosts/fake-records";
import { whole } from "../run/recorded-views";
import RunFigures from "./RunFigures.svelte";

afterEach(cleanup);

test("drafts are counted where the pipeline has a draft, and not where it makes its text in one go", () => {
  const run = recordings().find(({ page }) => page.card.run === "run-two-drafts")!;
  const show = (page: typeof run.page) => {
    const { container } = render(RunFigures, { page, view: whole({ ...run, page }), status: "finished", isAtEnd: true, onLedger: () => {} });
    return [...container.querySelectorAll<HTMLElement>("[data-figure]")].map(({ textContent }) => textContent?.replace(/\s+/g, " ").trim());
  };
  expect(show(run.page)[0]).toBe("2 drafts");
  const report = { ...run.page, keys: run.page.keys.filter(({ role }) => role.kind !== "draft") };
  expect(show(report)[0]).toBe("5 calls");
});
