// @vitest-environment node
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { t, usable, type Words } from ".";
import { en } from "./en/index";
import { ja } from "./ja/index";
import { speech } from "./language.svelte";
import { learnTitles } from "./plain-text";
import { learn, translateExactly, translateProgramText } from "./program-text.svelte";
import { program } from "./program-catalogue";
import { zh } from "./zh/index";

test("a locale that no library takes becomes one that all take", () => {
  expect(["C", "POSIX", "", undefined, "not a locale", "C.UTF-8"].map(usable)).toEqual(["en", "en", "en", "en", "en", "en"]);
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

test.each([["zh", zh], ["ja", ja]] as const)("%s has every key of the English catalogue and no other, none empty, with the same places to fill", (_name, catalogue) => {
  expect(Object.keys(catalogue).sort()).toEqual(Object.keys(en).sort());
  for (const key of Object.keys(en) as Words[]) {
    expect(catalogue[key].trim(), key).not.toBe("");
    expect(places(catalogue[key]), key).toEqual(places(english(key)));
  }
});

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
  expect(translateProgramText("Evening proof")).toBe("Evening proof");
  speech.chosen = "ja";
  expect([translateProgramText("Evening proof"), translateProgramText("Morning proof"), translateProgramText("toString")]).toEqual(["夕刊", "Morning proof", "toString"]);
  speech.chosen = "zh";
  expect(translateProgramText("Evening proof")).toBe("Evening proof");
  speech.chosen = "system";
});

test("a sentence of a pipeline is told by its form, with what filled it, and what is no such sentence stays as it is", () => {
  learn([{ ja: { "over {most} words ({words})": "{most} 語を超えています（{words} 語）", "{why}: nothing is set": "{why}。何も組みません", "The tide is out": "引き潮です" } }]);
  speech.chosen = "ja";
  expect(translateProgramText("over 200 words (231)")).toBe("200 語を超えています（231 語）");
  expect(translateProgramText("The tide is out: nothing is set")).toBe("引き潮です。何も組みません");
  expect(translateProgramText("over 9 words (10); The tide is out; something else")).toBe("9 語を超えています（10 語）; 引き潮です; something else");
  learn([{ ja: { "set “{title}”": "「{title}」を組みました", "The tide is out": "引き潮です", "over {most} words ({words})": "{most} 語を超えています（{words} 語）" } }]);
  expect(translateProgramText("set “The tide is out”")).toBe("「The tide is out」を組みました");
  expect(translateProgramText("The tide is out. over 9 words (10). And more")).toBe("引き潮です。9 語を超えています（10 語）。And more");
  for (const other of ["over words", "over 200 words (231", ": nothing is set", "", "constructor", "over {most} words"]) expect(translateProgramText(other)).toBe(other);
  speech.chosen = "system";
  learn([]);
});

test("what the program says is told in every language, and is what it says", () => {
  const crates = "../src-tauri/crates";
  const files = ["desk/src", "kernel/src", "models/src", "net/src", "pipelines/src", "tools/src", "vault/src"].flatMap((folder) =>
    readdirSync(`${crates}/${folder}`, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".rs")).map((file) => `${crates}/${folder}/${file}`),
  );
  // A line of the source may be broken within a sentence.
  const said = files.map((file) => readFileSync(file, "utf8").replace(/\\\n\s*/g, "").replaceAll("{status_words}", " (HTTP {status})")).join("\n").toLowerCase();
  expect(Object.keys(program.ja)).toEqual(Object.keys(program.zh));
  for (const sentence of Object.keys(program.zh)) {
    const longest = sentence.split(/\{\w+\}/).reduce((one, other) => (other.length > one.length ? other : one));
    expect(said, sentence).toContain(longest.toLowerCase());
  }
  learn([program]);
  speech.chosen = "ja";
  expect(translateProgramText("With 100 tokens the run cannot come to its end: it needs at least 612. It will pause and ask.")).toBe("100 トークンでは最後まで実行できません。少なくとも 612 必要です。途中で止まって尋ねます。");
  expect(translateProgramText("Who stands in cannot: profile `spare` has no key here. Open the profile and save one, or `galley profile add spare … --key-stdin`")).toBe("代わりのプロファイルも使えません：プロファイル `spare` にはキーがありません。プロファイルを開いて保存してください");
  expect(translateProgramText("The system's Secret Service is locked or was not unlocked (dismissed). Unlock it and try again. Keep the key for this session only, or name an environment variable that holds it.")).toBe(
    "システムの Secret Service がロックされているか、解除されませんでした（dismissed）。解除してからやり直してください。キーをこのセッションの間だけ使うか、キーを入れた環境変数を指定してください。",
  );
  expect(translateProgramText("Key of profile `mine` was refused by models.example (HTTP 401); check it with `galley profile test mine`.")).toBe("プロファイル `mine` のキーが models.example に拒否されました（HTTP 401）。");
  expect(translateProgramText("Model `near-1` answered in 1.2 s (tokens not counted). Its server refused `json_schema` and is asked without.")).toBe(
    "モデル `near-1` が 1.2 秒で答えました（トークン数は不明）。サーバーが拒否した `json_schema` を除いて要求します。",
  );
  learnTitles(new Map([["found_by_code", "Checks"]]));
  expect(translateExactly("there is no key `hit`; there is topic, found_by_code")).toBe("キー `hit` はありません。あるのは topic, found_by_code です");
  learnTitles(new Map());
  speech.chosen = "system";
  learn([]);
});
