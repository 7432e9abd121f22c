// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { afterEach, expect, test } from "vitest";
import type { Phrase } from "../ipc/bindings";
import { exactPhraseText, phraseText } from "./phrase";
import { verbatim } from "../ipc/verbatim";
import { PHRASES } from "./phrases";
import { speech } from "./language.svelte";
import { learnTitles, unquoted } from "./titles";

/** The forms of `phrase!` and `form!` in the sources of the program, without tests and examples in comments. */
function forms(): string[] {
  const crates = "../src-tauri/crates";
  const files = readdirSync(crates, { recursive: true, encoding: "utf8" }).filter(
    (file) => /^[\w-]+\/src\/.*\.rs$/.test(file) && !/\/tests[./]/.test(file),
  );
  const found = files.flatMap((file) => {
    const [code = ""] = readFileSync(`${crates}/${file}`, "utf8")
      .replace(/^\s*\/\/.*$/gm, "")
      .split(/#\[cfg\(test\)\]\nmod \w+ \{/);
    return [...code.matchAll(/\b(?:phrase|form)!\(\s*"((?:[^"\\]|\\[^])*)"/g)].map(([, literal = ""]) =>
      literal.replace(/\\\n\s*/g, "").replace(/\\"/g, '"'),
    );
  });
  // A form of one place has no words of its own.
  return [...new Set(found)].filter((form) => !/^\{\w+\}$/.test(form)).sort();
}

const places = (text: string) => [...new Set(text.match(/\{\w+\}/g) ?? [])].sort();
const isOfTerminal = (text: string) => /`galley |(^|[\s`])--[a-z]|GALLEY_DATA_DIR/.test(text);

afterEach(() => {
  speech.chosen = "system";
  learnTitles(new Map());
});

test.each(["zh", "ja"] as const)(
  "%s words every phrase of the program and nothing else, with the same places to fill",
  (language) => {
    const catalogue = PHRASES[language];
    const said = forms();
    expect(said.length).toBeGreaterThan(400);
    expect(Object.keys(catalogue).sort()).toEqual(said);
    for (const form of said) {
      expect(places(catalogue[form] ?? ""), form).toEqual(places(PHRASES.en[form] ?? form));
      expect(
        /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(catalogue[form] ?? "") ||
          !/[a-z]{3}/.test(form.replace(/`[^`]*`|\{\w+\}|HTTP/g, "")),
        form,
      ).toBe(true);
    }
  },
);

test("the window names no command and no option of the terminal, and has words of its own only where those would", () => {
  const said = forms();
  for (const catalogue of Object.values(PHRASES))
    for (const words of Object.values(catalogue)) expect(isOfTerminal(words), words).toBe(false);
  expect(said.filter(isOfTerminal).filter((form) => !Object.hasOwn(PHRASES.en, form))).toEqual([]);
  expect(Object.keys(PHRASES.en).filter((form) => !said.includes(form))).toEqual([]);
});

test("a phrase is told in the reader's language with the phrases and lists that fill it", () => {
  const why: Phrase = {
    id: "Profile `{name}` has no key here. Open the profile and save one, or `galley profile add {name} … --key-stdin`",
    parameters: { name: "spare" },
  };
  const phrase: Phrase = { id: "Who stands in cannot: {why}", parameters: { why } };
  const known: Phrase = {
    id: "There is no key `{key}`; there is {known}",
    parameters: { key: "{known}", known: ["topic", "draft"] },
  };
  expect(phraseText(phrase)).toBe(
    "Who stands in cannot: Profile `spare` has no key here. Open the profile and save one",
  );
  expect(phraseText(known)).toBe("There is no key `{known}`; there is topic, draft");
  speech.chosen = "ja";
  expect(phraseText(phrase)).toBe(
    "予備のプロファイルを使えません：プロファイル `spare` にはキーがありません。プロファイルを開いて保存してください",
  );
  expect(phraseText(known)).toBe("キー `{known}` はありません。あるのは topic、draft です");
  expect(phraseText({ id: "flaw.unknown_tool", parameters: { tool: "look" } })).toBe("ツール `look` はありません");
  for (const words of ["{words} of nobody", "There is no tool `{tool}`", "toString"])
    expect(phraseText(verbatim(words))).toBe(words);
  expect(phraseText({ id: "constructor", parameters: {} })).toBe("constructor");
});

test("names that the person never gave stand by their titles, and names that they gave stay", () => {
  learnTitles(
    new Map([
      ["max_llm_calls", "model calls"],
      ["proof_reader", "Reader"],
      ["draft", "Draft"],
    ]),
  );
  const phrase: Phrase = {
    id: "`{agent}` needs `{key}`, which is not set",
    parameters: { agent: "proof_reader", key: "draft" },
  };
  expect([phraseText(phrase), exactPhraseText(phrase)]).toEqual([
    "Reader needs Draft, which is not set",
    "`proof_reader` needs `draft`, which is not set",
  ]);
  expect(phraseText({ id: "{name}: {why}", parameters: { name: "proof_reader", why: "a draft" } })).toBe(
    "Reader: a draft",
  );
  expect(phraseText({ id: "There is no tool `{tool}`", parameters: { tool: "my_draft" } })).toBe(
    "There is no tool `my_draft`",
  );
  expect(unquoted("profile `my work` and a lone ` tick")).toBe("profile “my work” and a lone ` tick");
});
