// What a web page says, for a preview: its words line by line, without what makes it look and move.
const UNREAD = "script, style, template, noscript, svg, head";
const LINES =
  "address, article, blockquote, dd, div, dt, figcaption, h1, h2, h3, h4, h5, h6, header, li, p, pre, section, summary, tr";

/** The most characters that a preview shows. */
const MOST = 20_000;

export function readableText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const part of body.querySelectorAll(UNREAD)) part.remove();
  for (const lineBreak of body.querySelectorAll("br")) lineBreak.replaceWith("\n");
  for (const cell of body.querySelectorAll("td, th, button, option")) cell.append(" ");
  for (const line of body.querySelectorAll(LINES)) line.append("\n");
  const lines = (body.textContent ?? "").split("\n").map((line) => line.replace(/\s+/g, " ").trim());
  return lines
    .filter((line) => line !== "")
    .join("\n")
    .slice(0, MOST);
}
