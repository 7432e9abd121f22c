// @vitest-environment node
import { verbatim } from "../i18n/phrase";
import { expect, test } from "vitest";
import { t } from "../i18n";
import { useHost, call } from "./client";
import { CARDS, toApiError } from "./errors";

test("every code has a title and an advice that are words", () => {
  expect(Object.keys(CARDS)).toHaveLength(27);
  for (const { title, advice } of Object.values(CARDS)) {
    expect(t(title)).not.toBe("");
    expect(t(advice)).toMatch(/[.?]$/);
  }
});

test("whatever a host throws reaches the screen as an error", async () => {
  const thrown: [unknown, string, string][] = [
    [{ code: "busy", message: "another process" }, "busy", "another process"],
    [{ code: "no such code", message: "odd" }, "internal", "odd"],
    [new TypeError("Failed to fetch"), "network", "Failed to fetch"],
    ["plain words", "internal", "plain words"],
    [undefined, "internal", "undefined"],
  ];
  for (const [error, code, message] of thrown) {
    expect(toApiError(error)).toEqual({
      code,
      message,
      phrase: verbatim(message),
      provider_words: null,
      retry_after_ms: null,
      limit: null,
    });
    useHost({
      call: () => Promise.reject(error as Error),
      watch: () => () => {},
      save: () => Promise.resolve(null),
      openLink: () => {},
    });
    await expect(call("doctor", {})).rejects.toMatchObject({ code, message });
  }
});
