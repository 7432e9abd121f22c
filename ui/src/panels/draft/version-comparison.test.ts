// Which two versions of a text are compared before a person chooses others.
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { SvelteMap } from "svelte/reactivity";
import { tick } from "svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { empty } from "../../run/empty-view";
import type { Resolve, Version, View } from "../../run/view-types";
import VersionComparison from "./VersionComparison.svelte";

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(300);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const texts = (...values: unknown[]): View => ({
  ...empty([]),
  versions: values.map((value, at): Version => ({
    seq: at + 1,
    key: "draft",
    title: "Draft",
    isFinal: false,
    isRaised: false,
    number: at + 1,
    author: "writer",
    path: "writer",
    value,
    holds: true,
  })),
});
const here: Resolve = (_key, _seq, value) => value;

function compared(view: View, at: number, resolve = here) {
  render(VersionComparison, {
    view,
    version: view.versions[at]!,
    resolve,
    label: ({ number }: Version) => `Draft ${number}`,
    onClose: () => {},
  });
}
const pair = () =>
  screen.getAllByRole("combobox").map((field) => (field as HTMLSelectElement).selectedOptions[0]?.textContent);

test.each([
  ["the one before", ["a", "b", "c"], 2, ["Draft 2", "Draft 3"]],
  ["the nearest other one", ["a", "b", "b"], 2, ["Draft 1", "Draft 3"]],
  ["the first with the next", ["a", "b"], 0, ["Draft 1", "Draft 2"]],
  ["the newest that equals all before with the first", ["a", "a", "a"], 2, ["Draft 1", "Draft 3"]],
])("by itself, %s is compared", (_which, values, at, expected) => {
  compared(texts(...values), at);
  expect(pair()).toEqual(expected);
});

test("once the texts are there, the pair is one that differs, unless the person chose another", async () => {
  const found = new SvelteMap<number, string>();
  const asked: number[] = [];
  const resolve: Resolve = (_key, seq) => {
    asked.push(seq);
    return found.get(seq);
  };
  compared(texts("a", "b", "c", "c"), 3, resolve);
  await tick();
  expect(new Set(asked)).toEqual(new Set([3, 4]));
  found.set(4, "same");
  found.set(3, "same");
  found.set(2, "other");
  await tick();
  expect(pair()).toEqual(["Draft 2", "Draft 4"]);
  expect(document.querySelectorAll("article del").length).toBeGreaterThan(0);

  await fireEvent.change(screen.getByLabelText("Earlier version"), { target: { value: "1" } });
  found.set(1, "first");
  await tick();
  expect(pair()).toEqual(["Draft 1", "Draft 4"]);
});

test("nothing is compared before it is known how wide the page is", () => {
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(0);
  compared(texts("a", "b"), 1);
  expect(document.querySelector("article")).toBeNull();
});
