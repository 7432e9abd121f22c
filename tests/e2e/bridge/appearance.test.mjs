// How a finished run looks, in pictures for a person, and what of it a program can tell: that nothing is cut off or
// pushed out of the window, in both themes, at the smallest size too, with long and with East Asian words.
// @ts-check
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { openPage, startBridge } from "../lib/bridge.mjs";
import { openTab, strays, untilStatus } from "../lib/desk.mjs";
import { place } from "../lib/place.mjs";
import { galley, runOf } from "../lib/terminal.mjs";

const SIZES = [
  { width: 1280, height: 800 },
  { width: 900, height: 600 },
];
const TOPICS = {
  long: "What is new in retrieval-augmented generation for long documents with large language models this month?",
  chinese: "检索增强生成",
  japanese: "検索拡張生成の評価",
};
const ARTICLES = [
  {
    id: "zh",
    title: "面向长文档的检索增强生成评测",
    text: "检索增强生成把检索到的证据交给语言模型。我们在三百篇长文档上评测了七种检索增强生成系统。最好的系统在引用准确率上达到百分之八十一。仅靠模型记忆回答时，百分之十四的引用是虚构的。",
  },
  {
    id: "ja",
    title: "検索拡張生成の評価に関する調査",
    text: "検索拡張生成の評価では、検索と生成を分けて測ることが重要である。本研究は検索拡張生成の評価指標を十二種類比較した。人手による判定との一致が最も高い指標は引用の裏付けであった。長い文書では検索の誤りが生成の誤りの六割を占めた。",
  },
];

test("a finished run looks right in light and dark, large and small, in three scripts", async (t) => {
  const at = await place(t);
  const articles = join(at.home, "articles.jsonl");
  await writeFile(
    articles,
    ARTICLES.map(({ id, title, text }) =>
      JSON.stringify({
        id,
        title,
        url: `https://example.org/${id}`,
        source: "Example",
        published: "2026-06-20",
        summary: text,
      }),
    ).join("\n"),
  );
  await galley(at, ["library", "import", articles]);
  for (const topic of Object.values(TOPICS)) await galley(at, runOf(topic, "built-in"));
  const bridge = await startBridge(at);

  for (const colorScheme of /** @type {const} */ (["light", "dark"])) {
    const { page, picture } = await openPage(at, bridge.url, { colorScheme });
    for (const [name, topic] of Object.entries(TOPICS)) {
      await page.locator("[data-run]").getByText(topic.slice(0, 40)).click();
      await untilStatus(page, "finished");
      for (const size of SIZES) {
        await page.setViewportSize(size);
        // Which theme it is changes no measure.
        for (const tab of colorScheme === "light" ? ["Review", "Checks", "State", "Journal", "Sources"] : []) {
          await openTab(page, tab);
          assert.deepEqual(await strays(page), [], `${name}, ${colorScheme}, ${size.width}, ${tab}`);
        }
        await picture(`finished-${name}-${colorScheme}-${size.width}`);
      }
    }
  }
});
