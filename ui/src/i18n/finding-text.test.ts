// @vitest-environment node
import { afterEach, expect, test } from "vitest";
import { verbatim } from "../ipc/verbatim";
import { speech } from "./language.svelte";
import type { DoctorLine } from "../ipc/bindings";
import { foundOf, remedyOf, settingHelp, sourceTitle } from "./finding-text";

afterEach(() => {
  speech.chosen = "system";
});

const line = (about: Partial<DoctorLine>): DoctorLine => ({
  topic: "profile",
  name: "Profile work",
  subject: "work",
  is_well: false,
  found: "",
  finding: { kind: "text", phrase: verbatim("") },
  fix: "",
  remedy: { kind: "nothing" },
  ...about,
});

test("what the doctor found is told by its kind, in every language without the commands of the terminal", () => {
  const unset = line({
    found: "the variable is not set",
    finding: { kind: "variable_not_set", provider: "gemini", variable: "WORK_KEY" },
    fix: "Set it",
    remedy: { kind: "set_variable", name: "work" },
  });
  speech.chosen = "en";
  expect([foundOf(unset), remedyOf(unset)]).toEqual([
    "gemini: the environment variable WORK_KEY is not set",
    "Set the variable, or add the profile work again",
  ]);
  speech.chosen = "ja";
  expect(foundOf(unset)).toBe("gemini: 環境変数 WORK_KEY が設定されていません");
  expect(remedyOf(unset)).toContain("work");
  expect(foundOf(line({ found: "0.1.0", finding: { kind: "text", phrase: verbatim("0.1.0") } }))).toBe("0.1.0");
});

test("a source and its settings are named where the page has words for them", () => {
  speech.chosen = "zh";
  const title = (id: string) => sourceTitle({ id, title: "As it says" });
  expect(["library", "demonstration", "tavily", "constructor"].map(title)).toEqual([
    "资料库",
    "演示",
    "As it says",
    "As it says",
  ]);
  speech.chosen = "en";
  expect(title("library")).toBe("As it says");
  speech.chosen = "zh";
  expect(settingHelp("engine", "The id")).toContain("ID");
  expect(settingHelp("another", "The other")).toBe("The other");
});
