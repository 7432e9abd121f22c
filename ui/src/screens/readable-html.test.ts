// What a page of the web says, in the preview of an export.
import { expect, test } from "vitest";
import { readableText } from "./readable-html";

test("the words of a page stand line by line, without its scripts", () => {
  const page = `<head><title>no</title></head><body><script>alert("no")</script><style>p { color: red; }</style>
    <h1>The  proof</h1><p>one<br>two <b>and</b> three</p><table><tr><th>name</th><th>value</th></tr><tr><td>a</td><td>1</td></tr></table></body>`;
  expect(readableText(page)).toBe("The proof\none\ntwo and three\nname value\na 1");
});

test("a long page is cut", () => {
  expect(readableText(`<p>${"x".repeat(20_001)}</p>`)).toBe("x".repeat(20_000));
});
