// @vitest-environment node
import { expect, test } from "vitest";
import { t, usable } from ".";

test("a locale that no library takes becomes one that all take", () => {
  expect(["C", "POSIX", "", undefined, "not a locale", "C.UTF-8"].map(usable)).toEqual(["en", "en", "en", "en", "en", "en"]);
  expect(usable("de-DE")).toBe("de-DE");
});

test("words follow their number", () => {
  expect([t("run.calls", { n: 1 }), t("run.calls", { n: 5 })]).toEqual(["call", "calls"]);
  expect(t("draft.by", { author: "you" })).toBe("by you");
});
