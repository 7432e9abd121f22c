// @vitest-environment node
import { verbatim } from "./verbatim";
import { expect, test } from "vitest";
import { t } from "../i18n";
import { useHost, call } from "./client";
import type { Code } from "./bindings";
import { REMEDIES, toApiError } from "./errors";

test("every code has a title and an advice that are words", () => {
  const codes = Object.keys(REMEDIES) as Code[];
  expect(codes).toHaveLength(28);
  for (const code of codes) {
    expect(t(`error.${code}`)).not.toBe("");
    expect(t(`error.${code}.advice`)).toMatch(/[.?]$/);
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
