import { expect, test } from "vitest";
import { languageOf, picturesIn, toHtml } from "./markdown";

test("nothing that a model writes can act or fetch", () => {
  const html = toHtml(
    '<script>alert(1)</script><img src=x onerror=alert(1)>\n\n![a picture](https://example.org/p.png) [go](javascript:alert(1)) [data](data:text/html,x) <iframe src="https://example.org">',
  );
  const page = new DOMParser().parseFromString(html, "text/html");
  expect(page.querySelectorAll("script, img, iframe, [onerror], [href^='javascript'], [href^='data']")).toHaveLength(0);
  expect(page.body.textContent).toContain("[image: a picture]");
});

test("a picture is shown only as the data that was fetched for the person, whatever else the text says", () => {
  const text =
    "![one](https://a.example/1.png) ![two](https://b.example/2.png) ![svg](data:image/svg+xml,<svg/>) ![one again](https://a.example/1.png) ![here](/local.png)";
  expect(picturesIn(text)).toEqual(["https://a.example/1.png", "https://b.example/2.png"]);
  const page = new DOMParser().parseFromString(
    toHtml(text, new Map([["https://a.example/1.png", "data:image/png;base64,AAAA"]])),
    "text/html",
  );
  expect([...page.querySelectorAll("img")].map((image) => [image.getAttribute("src"), image.alt])).toEqual([
    ["data:image/png;base64,AAAA", "one"],
    ["data:image/png;base64,AAAA", "one again"],
  ]);
  expect(page.body.textContent).toContain("[image: two]");
});

test("citations are buttons, also several in one mark; links and code are left as they are", () => {
  const page = new DOMParser().parseFromString(
    toHtml("A figure [1], two [2, 3], a [4](https://example.org) and `[5]`."),
    "text/html",
  );
  expect(
    [...page.querySelectorAll<HTMLElement>("[data-citation]")].map((button) => button.dataset["citation"]),
  ).toEqual(["1", "2", "3"]);
  expect(page.querySelector("a")?.getAttribute("href")).toBe("https://example.org");
  expect(page.querySelector("code")?.textContent).toBe("[5]");
  expect(page.querySelector("[data-citation]")?.getAttribute("aria-label")).toBe("Source 1");
  // No line begins with the mark that ends a sentence.
  expect([...page.querySelectorAll(".citations")].map((kept) => kept.textContent)).toEqual(["[1],", "[2, 3],"]);
});

test("emphasis ends beside full-width punctuation in every language", () => {
  const text =
    "含**「重点」**内容。**提示（Important）：**请看。日本語の**強調。**次の*『文』*です。한국어**(강조)**는 ~~（消）~~後。In 2 ** 3 and a** b nothing is strong.";
  const page = new DOMParser().parseFromString(toHtml(text), "text/html");
  const words = (tag: string) => [...page.querySelectorAll(tag)].map((element) => element.textContent);
  expect(words("strong")).toEqual(["「重点」", "提示（Important）：", "強調。", "(강조)"]);
  expect([words("em"), words("s")]).toEqual([["『文』"], ["（消）"]]);
});

test("a text tells the language it is set for", () => {
  expect(["校正の余白", "校样的页边", "교정", "A margin"].map(languageOf)).toEqual(["ja", "zh", "ko", undefined]);
});
