// What services want shown beside what they found, as a search left it in a value of the sources. It is written by others:
// whatever has another shape is left out.
import { listOf, textOf } from "../../run/value";

export type Attribution = { provider: string; text: string; html: string; queries: readonly string[]; links: readonly { link: string; words: string }[] };

/** The attributions of a value with sources, none where it has none. */
export function attributionsOf(value: unknown): Attribution[] {
  return listOf(value, "attributions").map((one) => {
    const html = textOf(one, "html");
    const given = listOf(one, "links").map((link) => ({ link: textOf(link, "link"), words: textOf(link, "url") || textOf(link, "link") }));
    const all = [...suggested(html), ...given].filter(({ link }) => /^https?:/i.test(link));
    return {
      provider: textOf(one, "provider"),
      text: textOf(one, "text"),
      html,
      queries: listOf(one, "queries").filter((query) => typeof query === "string"),
      links: [...new Map(all.map((link) => [link.link, link])).values()],
    };
  });
}

/** The links in a piece of HTML. Parsing it this way runs and fetches nothing. */
function suggested(html: string): { link: string; words: string }[] {
  if (html === "") return [];
  const anchors = new DOMParser().parseFromString(html, "text/html").querySelectorAll("a[href]");
  return [...anchors].map((anchor) => {
    const link = anchor.getAttribute("href") ?? "";
    return { link, words: anchor.textContent?.trim() || link };
  });
}
