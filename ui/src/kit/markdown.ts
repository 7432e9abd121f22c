// Text of models and pages as HTML that cannot act: no HTML of its own, no scripts, no images, links that only we open.
import DOMPurify from "dompurify";
import MarkdownIt from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";
import { t } from "../i18n";

// Marks of emphasis end also beside full-width punctuation, as in what is exported.
const parser = new MarkdownIt({ html: false, linkify: true, typographer: false }).use(cjkFriendly);
const escape = parser.utils.escapeHtml;

/** Pictures of the web as data, by their addresses: what the person agreed to see. */
export type Pictures = ReadonlyMap<string, string>;

/** An address of the web that a picture may have. */
const OF_WEB = /^https?:\/\//i;

// An image would be fetched from wherever a model says: unless it was fetched for the person, it stands as words.
parser.renderer.rules["image"] = (tokens, index, _options, env?: Record<string, unknown>) => {
  const token = tokens[index];
  const data = (env?.["pictures"] as Pictures | undefined)?.get(String(token?.attrGet("src") ?? ""));
  if (data) return `<img src="${escape(data)}" alt="${escape(token?.content ?? "")}">`;
  return `<span class="image">[${escape(t("draft.image", { alt: token?.content || token?.attrGet("src") || "" }))}]</span>`;
};

// `[2]` or `[1, 3]` is a citation; where it is the text of a link, the parser has taken the brackets away already. The mark
// behind it goes along: a line may be broken after a button, and none should begin with a full stop.
const CITATION = /\[(\d{1,3}(?:,\s?\d{1,3})*)\]([.,;:!?)”’。、，；：！？）」』》】］]*)/g;

parser.renderer.rules["text"] = (tokens, index) =>
  escape(tokens[index]?.content ?? "").replace(
    CITATION,
    (_mark, numbers: string, behind: string) => `<span class="citations">${numbers.split(/,\s?/).map(citation).join(", ")}${behind}</span>`,
  );

/** The brackets belong to what is pressed: a number alone is too small for it. */
function citation(number: string, index: number, all: readonly string[]): string {
  const name = escape(t("draft.citation", { n: number }));
  return `<button type="button" class="citation" data-citation="${number}" aria-label="${name}">${index === 0 ? "[" : ""}<span class="number">${number}</span>${index === all.length - 1 ? "]" : ""}</button>`;
}

/** Longer texts are shown as they are: a parser is no place for what nobody reads. */
const MOST = 400_000;

/** Markdown as safe HTML. */
export function toHtml(markdown: string, pictures?: Pictures): string {
  if (markdown.length > MOST) return `<pre>${escape(markdown)}</pre>`;
  return DOMPurify.sanitize(parser.render(markdown, { pictures }), {
    ALLOWED_TAGS: [
      "a",
      "blockquote",
      "br",
      "button",
      "code",
      "del",
      "em",
      "h1",
      "h2",
      "h3",
      "h4",
      "h5",
      "h6",
      "hr",
      "img",
      "li",
      "ol",
      "p",
      "pre",
      "s",
      "span",
      "strong",
      "table",
      "tbody",
      "td",
      "th",
      "thead",
      "tr",
      "ul",
    ],
    ALLOWED_ATTR: ["href", "title", "class", "type", "start", "aria-label", "data-citation", "src", "alt"],
    // These hold no addresses; every other value must look like one that may be followed.
    ADD_URI_SAFE_ATTR: ["type", "start", "data-citation"],
    ALLOW_DATA_ATTR: false,
    ALLOWED_URI_REGEXP: /^(?:https?|mailto):/i,
  });
}

/** The language a text is set for, as far as its letters tell: fonts and line breaks differ. */
export function languageOf(text: string): "ja" | "zh" | "ko" | undefined {
  const start = text.slice(0, 2_000);
  if (/[\u3040-\u30ff]/.test(start)) return "ja";
  if (/[\uac00-\ud7af]/.test(start)) return "ko";
  return /[\u4e00-\u9fff]/.test(start) ? "zh" : undefined;
}

/** The addresses of the pictures of the web that a text names, each once. */
export function picturesIn(markdown: string): string[] {
  if (markdown.length > MOST || !markdown.includes("![")) return [];
  const found = parser
    .parse(markdown, {})
    .flatMap(({ children }) => (children ?? []).filter(({ type }) => type === "image").map((token) => String(token.attrGet("src") ?? "")));
  return [...new Set(found)].filter((url) => OF_WEB.test(url));
}
