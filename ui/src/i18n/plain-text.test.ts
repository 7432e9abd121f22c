import { afterEach, expect, test } from "vitest";
import { learnTitles, plain, unquoted } from "./plain-text";

afterEach(() => learnTitles(new Map()));

test("nobody in the window is sent to a terminal, and what can be done in the window stays said", () => {
  for (const [said, shown] of [
    ["Profile `work` has no key here. Open the profile and save one, or `galley profile add work … --key-stdin`", "Profile `work` has no key here. Open the profile and save one"],
    ["This run waits for no answer; `galley show RUN` tells how it stands", "This run waits for no answer"],
    ["Key of profile `work` was refused by api.example (HTTP 401); check it with `galley profile test work`.", "Key of profile `work` was refused by api.example (HTTP 401)."],
    ["Make the folder writable, or choose another with --data-dir", "Make the folder writable"],
    ["a.example was not contacted: it is private. If it is meant, add its base URL: `galley config set net.allow URL`", "a.example was not contacted: it is private. If it is meant, add its base URL"],
    ["プロファイル `a` のキーが b に拒否されました（HTTP 401）。`galley profile test a` で確かめられます。", "プロファイル `a` のキーが b に拒否されました（HTTP 401）。"],
    ["Import files with `galley library import PATH`", ""],
    ["The well-known galley proof -- a word; nothing else.", "The well-known galley proof -- a word; nothing else."],
  ] as const) {
    expect(plain(said)).toBe(shown);
  }
});

test("names that the person never gave stand by their titles, and names that they gave stay", () => {
  learnTitles(new Map([["max_llm_calls", "model calls"], ["proof_reader", "Reader"], ["draft", "Draft"]]));
  expect(plain("The limit `max_llm_calls` is reached: `proof_reader` may ask no more")).toBe("The limit model calls is reached: Reader may ask no more");
  expect(plain("proof_reader needs `draft`, not `my_draft` nor proof_reader_2")).toBe("Reader needs Draft, not `my_draft` nor proof_reader_2");
  expect(unquoted("profile `my work` and a lone ` tick")).toBe("profile “my work” and a lone ` tick");
});
