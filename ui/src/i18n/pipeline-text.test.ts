// @vitest-environment node
import { expect, test } from "vitest";
import { speech } from "./language.svelte";
import { learnRun, remarkText } from "./pipeline-text.svelte";

test("a remark of several sentences is read sentence by sentence, and one that is known as a whole as that", () => {
  const remark = "Places are open. The text was not accepted.";
  speech.chosen = "zh";
  learnRun({
    notes: {},
    words: { zh: { "Places are open.": "有未填处。", "The text was not accepted.": "文本未获接受。" } },
  });
  expect(remarkText(remark)).toBe("有未填处。文本未获接受。");
  expect(remarkText("Places are open. Nobody came.")).toBe("有未填处。Nobody came.");
  expect(remarkText("Nobody came. Places are open.")).toBe("Nobody came. 有未填处。");
  learnRun({ notes: {}, words: { zh: { [remark]: "整句。" } } });
  expect(remarkText(remark)).toBe("整句。");
  learnRun({ notes: {}, words: {} });
  speech.chosen = "system";
});
