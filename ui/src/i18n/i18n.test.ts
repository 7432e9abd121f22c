// @vitest-environment node
import { expect, test } from "vitest";
import { t, usable, type Words } from ".";
import { en } from "./en/index";
import { ja } from "./ja/index";
import { speech } from "./language.svelte";
import { learn, pipelineText } from "./pipeline-text.svelte";
import { zh } from "./zh/index";

test("a locale that no library takes becomes one that all take", () => {
  expect(["C", "POSIX", "", undefined, "not a locale", "C.UTF-8"].map(usable)).toEqual([
    "en",
    "en",
    "en",
    "en",
    "en",
    "en",
  ]);
  expect(usable("de-DE")).toBe("de-DE");
});

test("words follow their number", () => {
  expect([t("run.calls", { n: 1 }), t("run.calls", { n: 5 })]).toEqual(["call", "calls"]);
  expect(t("draft.by", { author: "you" })).toBe("by you");
});

const places = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
const english = (key: Words): string => {
  const entry: string | { one: string; other: string } = en[key];
  return typeof entry === "string" ? entry : entry.other;
};

test.each([
  ["zh", zh],
  ["ja", ja],
] as const)(
  "%s has every key of the English catalogue and no other, none empty, with the same places to fill",
  (_name, catalogue) => {
    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(en).sort());
    for (const key of Object.keys(en) as Words[]) {
      expect(catalogue[key].trim(), key).not.toBe("");
      expect(places(catalogue[key]), key).toEqual(places(english(key)));
    }
  },
);

test("the language is changed without a restart, and figures with it", () => {
  speech.chosen = "ja";
  expect(t("run.stop")).toBe("停止");
  expect(t("draft.saved", { n: 1234 })).toBe("イベント 1,234 として保存済み");
  speech.chosen = "zh";
  expect(t("library.total", { n: 1 })).toBe("1 条");
  speech.chosen = "system";
  expect(t("run.stop")).toBe("Stop");
});

test("a filling that looks like a place is left as it is", () => {
  expect(t("told.failed", { who: "{why}", why: "$t(run.stop) {who}" })).toBe("{why} failed: $t(run.stop) {who}");
});

test("what a pipeline says of itself is read in the reader's language where it brought the words, else as it is", () => {
  learn([{}, { ja: { "Evening proof": "夕刊" } }]);
  expect(pipelineText("Evening proof")).toBe("Evening proof");
  speech.chosen = "ja";
  expect([pipelineText("Evening proof"), pipelineText("Morning proof"), pipelineText("toString")]).toEqual([
    "夕刊",
    "Morning proof",
    "toString",
  ]);
  speech.chosen = "zh";
  expect(pipelineText("Evening proof")).toBe("Evening proof");
  speech.chosen = "system";
});
