import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { actions } from "../app/actions.svelte";
import Palette from "./Palette.svelte";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

beforeEach(() => {
  // What jsdom does not have.
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  Element.prototype.scrollIntoView = () => {};
});

test("the palette hears the first letter: its field has the focus as soon as it stands there", () => {
  render(Palette, { open: true });
  expect(document.activeElement).toBe(screen.getByRole("combobox"));
});

test("what is typed is found at the beginnings of words, and not as letters that are strewn over them", async () => {
  const added = actions.all.length;
  actions.add({ id: "lanterns", title: "action.welcome", section: "go", keys: "", run: () => {} });
  expect(actions.all.length).toBeGreaterThan(added);
  render(Palette, { open: true });
  const field = screen.getByRole("combobox");
  const shown = async (words: string) => {
    await fireEvent.input(field, { target: { value: words } });
    await new Promise((go) => setTimeout(go, 0));
    return screen.queryAllByRole("option").map((option) => option.textContent.trim());
  };
  expect(await shown("wel")).toEqual(["Welcome"]);
  expect(await shown("lant")).toEqual(["Welcome"]);
  expect(await shown("wcme")).toEqual([]);
});
