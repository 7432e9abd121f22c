import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, expect, test, vi } from "vitest";
import Palette from "./Palette.svelte";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("the palette hears the first letter: its field has the focus as soon as it stands there", () => {
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
  render(Palette, { open: true });
  expect(document.activeElement).toBe(screen.getByRole("combobox"));
});
