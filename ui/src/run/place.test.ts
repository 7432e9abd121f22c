// @vitest-environment node
import { expect, test } from "vitest";
import { isWithin, ownInstance, placeOf, segments } from "./place";

test("places know instances: what lies within, the innermost, and their words", () => {
  const inner = "p/each#1*one#17[2]/two#1*three#4/x#2";
  expect(segments(inner).map(({ agent }) => agent)).toEqual(["p", "each", "one", "two", "three", "x"]);
  expect([ownInstance(inner), ownInstance("p/each#1*one#17[2]"), ownInstance("p|b#1")]).toEqual([
    "p/each#1*one#17[2]/two#1*three#4",
    "p/each#1*one#17",
    null,
  ]);
  expect([isWithin(inner, "p/each#1"), isWithin("p/each#1*one#17", "p/each#1*one#1")]).toEqual([true, false]);
  expect(placeOf(inner)).toBe("item 17 · item 4 · round 2 · call 2");
  expect(placeOf("p/each#1*one#17")).toBe("item 17");
});
