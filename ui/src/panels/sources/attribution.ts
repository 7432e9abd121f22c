// What services want shown beside what they found, as a search left it in a value of the sources. It is written by
// others: whatever has another shape is left out.
import DOMPurify from "dompurify";
import { listOf, textOf } from "../../run/value";

export type Attribution = {
  provider: string;
  text: string;
  html: string;
  queries: readonly string[];
  links: readonly { link: string; words: string }[];
};

/** The attributions of a value with sources, none where it has none. */
export function attributionsOf(value: unknown): Attribution[] {
  return listOf(value, "attributions").map((one) => {
    const html = textOf(one, "html");
    const given = listOf(one, "links").map((link) => ({
      link: textOf(link, "link"),
      words: textOf(link, "url") || textOf(link, "link"),
    }));
    const all = [...suggested(html), ...given].filter(({ link }) => /^https?:/i.test(link));
    return {
      provider: textOf(one, "provider"),
      text: textOf(one, "text"),
      html: framed(html),
      queries: listOf(one, "queries").filter((query) => typeof query === "string"),
      links: [...new Map(all.map((link) => [link.link, link])).values()],
    };
  });
}

/**
 * The HTML of a service without what acts or connects: a sandbox keeps neither `<link rel="preconnect">` nor a name
 * from being looked up.
 */
function framed(html: string): string {
  if (html === "") return "";
  return `<meta http-equiv="x-dns-prefetch-control" content="off">${DOMPurify.sanitize(html, { FORCE_BODY: true, USE_PROFILES: { html: true, svg: true }, ADD_TAGS: ["style"], FORBID_TAGS: ["form"] })}`;
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
