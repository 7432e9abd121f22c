// What a run has used so far.
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";
import { recordings } from "../fake-host/fake-records";
import { whole } from "../run/recorded-views";
import RunFigures from "./RunFigures.svelte";

afterEach(cleanup);

test("drafts are counted where the pipeline has a draft, and not where it makes its text in one go", () => {
  const run = recordings().find(({ page }) => page.card.run === "run-two-drafts")!;
  const show = (page: typeof run.page) => {
    const { container } = render(RunFigures, {
      page,
      view: whole({ ...run, page }),
      status: "finished",
      isAtEnd: true,
      onLedger: () => {},
    });
    return [...container.querySelectorAll<HTMLElement>("[data-figure]")].map(({ textContent }) =>
      textContent?.replace(/\s+/g, " ").trim(),
    );
  };
  expect(show(run.page)[0]).toBe("2 drafts");
  const report = { ...run.page, keys: run.page.keys.filter(({ role }) => role.kind !== "draft") };
  expect(show(report)[0]).toBe("5 calls");
});

test("money is told as far as prices are known, and what is not known leads to where a price is set", async () => {
  const run = recordings().find(({ page }) => page.card.run === "run-two-drafts")!;
  const view = whole(run);
  const onLedger = vi.fn();
  const costOf = (cost: number | null, unpriced: number) => {
    cleanup();
    const { container } = render(RunFigures, {
      page: run.page,
      view: { ...view, used: { ...view.used, cost, unpriced_calls: unpriced } },
      status: "finished",
      isAtEnd: true,
      onLedger,
    });
    return container.querySelector('[data-figure="cost"]')?.textContent?.replace(/\s+/g, " ").trim();
  };
  expect([costOf(null, 0), costOf(0.0031, 0)]).toEqual([undefined, "$0.0031"]);
  expect(costOf(0.0031, 2)).toBe("$0.0031 + calls of unknown price");
  expect(costOf(null, 2)).toBe("price not known");
  await fireEvent.click(screen.getByRole("button", { name: "price not known" }));
  expect(onLedger).toHaveBeenCalledOnce();
});
