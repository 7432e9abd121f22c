import { expect, test, vi } from "vitest";
import { GrowingMarkdown, settled } from "./growing-markdown";
import { toHtml } from "./markdown";

vi.setConfig({ testTimeout: 60_000 });

const TEXT = `# A heading *with* stress

The first paragraph has **strong words**, \`code * here\`, a [link](https://example.org/a "title") and a source [1].
It goes on ~~here~~ and costs 2 * 3.

## Results

- one **item**
- another one
  - below it

1. first
2. second [2, 3]

| name | value |
| --- | ---: |
| **a** | 1 |
| b | 2 |

> said by
> somebody

\`\`\`py
# no heading
x = a[0] ** 2
\`\`\`

---

最後の**「強調」**です。
`;
const wordsOf = (html: string) => new DOMParser().parseFromString(html, "text/html").body;

test("a text that grows shows no mark of Markdown, and no word that is seen changes its form", () => {
  const growing = new GrowingMarkdown();
  const end = wordsOf(toHtml(TEXT));
  const flat = (text: string | null) => (text ?? "").replace(/\s+/g, "");
  const all = ["h1", "h2", "strong", "em", "s", "a", "li", "th", "td", "pre"].map(
    (tag) => [tag, [...end.querySelectorAll(tag)]] as const,
  );
  for (let length = 1; length <= TEXT.length; length += 3) {
    const body = wordsOf(growing.take(TEXT.slice(0, length)).join(""));
    expect(flat(end.textContent).startsWith(flat(body.textContent)), body.textContent ?? "").toBe(true);
    // The newest element of each kind holds the beginning of what it will hold.
    for (const [tag, will] of all) {
      const found = [...body.querySelectorAll(tag)];
      const [newest, whole] = [flat(found.at(-1)?.textContent ?? ""), flat(will[found.length - 1]?.textContent ?? "")];
      expect(whole.startsWith(newest), `${tag} of ${TEXT.slice(0, length).slice(-30)}`).toBe(true);
    }
  }
  expect(flat(wordsOf(growing.take(TEXT).join("")).innerHTML)).toBe(flat(end.innerHTML));
});

test("finished blocks are set once, and another text begins anew", () => {
  const growing = new GrowingMarkdown();
  const first = growing.take("# One\n\nTwo is **here**\n\nThr");
  expect(growing.take("# One\n\nTwo is **here**\n\nThree is [1] he")[0]).toBe(first[0]);
  expect(first).toHaveLength(2);
  expect(growing.take("Another").join("")).toBe("<p>Another</p>\n");
});

test("what cannot be told yet is held back, what is open is closed", () => {
  expect(
    [
      "a **b",
      "a **b*",
      "a **b ",
      "a [b](htt",
      "see [1",
      "text\n#",
      "text\n\n- ",
      "- **",
      "| a | b |\n| -",
      "`a",
      "2 * 3",
      "# *T",
    ].map((text) => settled(text)),
  ).toEqual(["a **b**", "a **b**", "a **b**", "a", "see", "text", "text", "", "", "`a`", "2 * 3", "# *T*"]);
});

test("what is being written knows the links that were defined before it", () => {
  const growing = new GrowingMarkdown();
  growing.take("[a]: https://example.org/a\n\nOne.\n\nTwo.\n\n");
  const text = "[a]: https://example.org/a\n\nOne.\n\nTwo.\n\nSee [a] now";
  expect(wordsOf(growing.take(text).join("")).querySelector("a")?.href).toBe("https://example.org/a");
  // What the end defines is not settled: it may go on.
  growing.take(`${text}\n\n[b]: https://exa`);
  const whole = growing.take(`${text}\n\n[b]: https://example.org/b\n\nThen [b] too`).join("");
  expect(wordsOf(whole).querySelectorAll("a")[1]?.href).toBe("https://example.org/b");
});

test("lines may end with a carriage return", () => {
  const text = "# One\r\rTwo\rgoes on\r\r- three\r\nfour\r\n\r\nFive";
  const growing = new GrowingMarkdown();
  for (let length = 1; length < text.length; length++) growing.take(text.slice(0, length));
  expect(growing.take(text).join("")).toBe(toHtml(text));
});
