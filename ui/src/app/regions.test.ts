import { expect, test } from "vitest";
import { stepRegion } from "./regions";

test("the keys step out of a part that lies in another part", () => {
  // jsdom lays nothing out.
  Element.prototype.getClientRects = () => [new DOMRect(0, 0, 1, 1)] as unknown as DOMRectList;
  document.body.innerHTML = `<nav><button id="runs"></button></nav><main><h1 tabindex="0" id="heading"></h1><nav><button id="sections"></button></nav></main>`;
  const steps = (by: 1 | -1) =>
    [1, 2, 3].map(() => {
      stepRegion(by);
      return document.activeElement?.id;
    });
  document.getElementById("runs")?.focus();
  expect(steps(1)).toEqual(["heading", "sections", "runs"]);
  expect(steps(-1)).toEqual(["sections", "heading", "runs"]);
});
