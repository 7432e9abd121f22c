// What the line of stages brings into sight, and how it names what has not begun.
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { each } from "../../fake-host/fake-each";
import { recording } from "../../fake-host/fake-records";
import type { Recorded } from "../../fake-host/fake-view";
import { here, stages, until } from "../../run/recorded-views";
import type { View } from "../../run/view-types";
import StageLine from "./StageLine.svelte";

const contextOf = (view: View) => ({
  view,
  isHalted: false,
  isNow: true,
  text: new Map<string, string>(),
  present: {
    heardAt: () => undefined,
    spokeAt: () => undefined,
    usualMs: () => null,
    mostAttempts: () => 5,
    isWaitedFor: () => false,
  },
  resolve: here,
  onGo: () => {},
  onRead: () => {},
  onRerun: () => {},
});
const show = (run: Recorded, seq: number) =>
  render(StageLine, { props: { outline: run.page.outline, context: contextOf(until(run, seq)) } });

/** Places the stages by their names: in pixels from the left of a line that is 300 pixels wide. */
function lay(lefts: Record<string, number>) {
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    const name = (this as HTMLElement).dataset["stage"];
    return name === undefined ? new DOMRect(0, 0, 300, 30) : new DOMRect(lefts[name] ?? 0, 0, 100, 30);
  });
}

beforeEach(() => {
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      unobserve() {}
      disconnect() {}
    },
  );
  vi.stubGlobal(
    "DOMRect",
    class {
      constructor(
        readonly left: number,
        readonly top: number,
        readonly width: number,
        readonly height: number,
      ) {}
      get right() {
        return this.left + this.width;
      }
    },
  );
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test("the line scrolls to a stage when it begins, not to the mark of its loop, and not again with every event", async () => {
  const run = recording("run-two-drafts");
  const running = (seq: number) => {
    const of = stages(run, until(run, seq));
    return Object.keys(of)
      .filter((name) => of[name] === "running")
      .at(-1);
  };
  // Two moments at which the same agent of the loop works, and one at which another does.
  const first = run.entries.findIndex((_, index) => running(index + 1) === "scribe") + 1;
  expect([running(first), running(first + 1)]).toEqual(["scribe", "scribe"]);
  const then = run.entries.findIndex((_, index) => running(index + 1) === "proofreader") + 1;
  lay({ scribe: 500, proofreader: 700 });
  const shown = show(run, first);
  const line = shown.container.querySelector<HTMLElement>(".line")!;
  expect(line.querySelector('.mark[data-state="running"]')).not.toBeNull();
  expect(line.scrollLeft).toBe(300);
  // By hand, to what the person wants to see.
  line.scrollLeft = 20;
  await shown.rerender({ context: contextOf(until(run, first + 1)) });
  expect(line.scrollLeft).toBe(20);
  await shown.rerender({ context: contextOf(until(run, then)) });
  expect(line.scrollLeft).toBe(520);
});

test("an agent on demand that has not started is named with its state, not with none of none", () => {
  show(each(5), 2);
  const trigger = screen.getByText("Guide to a place").closest("button")!;
  expect(trigger.getAttribute("aria-label")).toBe("Guide to a place, waiting");
});
