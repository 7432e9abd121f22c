// A price that is set where a cost is unknown, in the page alone.
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Commands, LedgerLine } from "../ipc/bindings";
import { useHost } from "../ipc/client";
import { fakeHost } from "../fake-host/fake";
import Spending from "./Spending.svelte";
import { spendingOf } from "./spending";

vi.setConfig({ testTimeout: 60_000 });

const line: LedgerLine = {
  month: "2026-11",
  profile: "work",
  model: "medium-2",
  agent: "scribe",
  calls: 3,
  failed_calls: 0,
  open_calls: 0,
  input_tokens: 1_000_000,
  output_tokens: 500_000,
  cost: null,
  unpriced_calls: 3,
  is_priced_later: false,
  cached_tokens: 0,
};
let lines: LedgerLine[] = [];

beforeEach(() => {
  const host = fakeHost();
  let price: Commands["set_price"][0] | undefined;
  useHost({
    ...host,
    call: async (command, payload) => {
      if (command === "set_price") price = payload as Commands["set_price"][0];
      const answer = await host.call(command, payload);
      if (command !== "total_usage") return answer;
      const cost = price && Number(price.input) + Number(price.output) / 2;
      return {
        lines: cost === undefined ? lines : [{ ...line, cost, unpriced_calls: 0, is_priced_later: true }],
        damaged_runs: [],
      };
    },
  });
});
afterEach(cleanup);

test("a price is offered where calls have none, a bad one is refused beside its fields, and the costs are added up again", async () => {
  lines = [line];
  render(Spending, { asked: { run: "run", profile: null, month: null }, by: "agent" });
  await fireEvent.click(await screen.findByRole("button", { name: "Set price of medium-2" }));
  const input = screen.getByLabelText("US dollars per million tokens in");
  const output = screen.getByLabelText("US dollars per million tokens out");
  await screen.findByText(/The price of this model is unknown/);
  const save = screen.getByRole<HTMLButtonElement>("button", { name: "Save the price" });
  expect(save.disabled).toBe(true);
  await fireEvent.input(input, { target: { value: "two" } });
  await fireEvent.input(output, { target: { value: "8" } });
  await fireEvent.click(save);
  expect((await screen.findByRole("alert")).textContent).toContain("“two” is no price");
  await fireEvent.input(input, { target: { value: "2" } });
  await fireEvent.click(save);
  await screen.findByText("Saved. Totals use it from now on.");
  await waitFor(() =>
    expect(screen.getByRole("row", { name: /medium-2/ }).textContent).toMatch(/\$6\.00.*at a price set later/),
  );
  expect(screen.queryByRole("button", { name: "Set price of medium-2" })).toBeNull();
});

test("where a price would not help none is offered: the answer never came, or no model was asked", async () => {
  lines = [
    { ...line, calls: 1, open_calls: 1, unpriced_calls: 1 },
    { ...line, profile: "built-in", model: "built-in" },
  ];
  render(Spending, { asked: { run: "run", profile: null, month: null }, by: "agent" });
  await screen.findAllByText("unknown");
  expect(screen.queryByRole("button", { name: /^Set price/ })).toBeNull();
});

test("what a profile used is told with its price, the least of it, or that it is not known", () => {
  expect(spendingOf([line], "work")).toBe("this month 3 calls, price unknown");
  expect(spendingOf([{ ...line, cost: 6, unpriced_calls: 1 }], "work")).toContain("at least $6.00");
  expect(spendingOf([line], "other")).toBe("");
});
