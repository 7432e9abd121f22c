// Text of models and pages as HTML that cannot act: no HTML of its own, no scripts, no images, links that only we open.
import DOMPurify from "dompurify";
import MarkdownIt from "markdown-it";
import cjkFriendly from "markdown-it-cjk-friendly";
import { t } from "../i18n";
import { lastWhere } from "../platform/last-where";

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

// A wide table scrolls within itself, which a keyboard reaches. How a column is aligned is a class: styles are not
// let in.
parser.renderer.rules["table_open"] = () => '<div class="wide" tabindex="0"><table>\n';
parser.renderer.rules["table_close"] = () => "</table></div>\n";
for (const cell of ["th_open", "td_open"])
  parser.renderer.rules[cell] = (tokens, index, options, _env, renderer) => {
    const align = String(tokens[index]?.attrGet("style") ?? "").replace("text-align:", "");
    if (align) tokens[index]?.attrSet("class", align);
    return renderer.renderToken(tokens, index, options);
  };

// `[2]` or `[1, 3]` is a citation; where it is the text of a link, the parser has taken the brackets away already.
// The mark behind it goes along: a line may be broken after a button, and none should begin with a full stop.
const CITATION = /\[(\d{1,3}(?:,\s?\d{1,3})*)\]([.,;:!?)”’。、，；：！？）」』》】］]*)/g;

parser.renderer.rules["text"] = (tokens, index) =>
  escape(tokens[index]?.content ?? "").replace(
    CITATION,
    (_mark, numbers: string, behind: string) =>
      `<span class="citations">${numbers.split(/,\s?/).map(citation).join(", ")}${behind}</span>`,
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
  return isTooLong(markdown) ? `<pre>${escape(markdown)}</pre>` : sanitized(parser.render(markdown, { pictures }));
}

const isTooLong = (markdown: string) => markdown.length > MOST;

/** Links that were defined in the text before; a parser adds those that it finds. */
export type Definitions = Record<string, unknown>;

/** A top-level block of a text, and its first line in the Markdown, counted from 0. */
export type Block = { html: string; line: number };

/** The top-level blocks of Markdown in order, each as safe HTML. */
export function blocksOf(markdown: string, definitions: Definitions = {}): Block[] {
  if (isTooLong(markdown)) return [{ html: toHtml(markdown), line: 0 }];
  const tokens = parser.parse(markdown, definitions);
  const found: Block[] = [];
  let from = 0;
  for (const [at, { level, nesting }] of tokens.entries()) {
    if (level !== 0 || nesting === 1) continue;
    const html = parser.renderer.render(tokens.slice(from, at + 1), parser.options, definitions);
    found.push({ html: sanitized(html), line: tokens[from]?.map?.[0] ?? 0 });
    from = at + 1;
  }
  return found;
}

/**
 * The running text at the end of Markdown, and the marks of emphasis that are open there; null where it ends in code.
 */
export function endOf(markdown: string): { content: string; open: string } | null {
  const env: { open?: string } = {};
  const last = lastWhere(
    parser.parse(markdown, env),
    ({ type, content }) => (type === "inline" && content !== "") || type === "fence" || type === "code_block",
  );
  return last?.type === "inline" ? { content: last.content, open: env.open ?? "" } : null;
}

// Stores unclosed emphasis marks for `endOf`. Empty table cells are ignored.
parser.inline.ruler2.push("unclosed", ({ src, env, delimiters }) => {
  if (src !== "")
    (env as { open?: string }).open = delimiters
      .flatMap(({ open, end, marker }) => (open && end === -1 ? MARKS[marker] : []) ?? [])
      .join("");
  return false;
});
const MARKS: Readonly<Record<number, string>> = { 0x2a: "*", 0x5f: "_", 0x7e: "~~" };

function sanitized(html: string): string {
  return DOMPurify.sanitize(html, {
    ALLOWED_TAGS: [
      "a",
      "blockquote",
      "br",
      "button",
      "code",
      "del",
      "div",
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
    ALLOWED_ATTR: ["href", "title", "class", "type", "start", "aria-label", "data-citation", "src", "alt", "tabindex"],
    // These hold no addresses; every other value must look like one that may be followed.
    ADD_URI_SAFE_ATTR: ["type", "start", "data-citation", "tabindex"],
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
    .flatMap(({ children }) =>
      (children ?? []).filter(({ type }) => type === "image").map((token) => String(token.attrGet("src") ?? "")),
    );
  return [...new Set(found)].filter((url) => OF_WEB.test(url));
}
