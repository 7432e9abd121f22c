// Counts words where the program has not measured them yet: while somebody types, and in a text it does not measure.
// The program's own figure replaces this one as soon as it is there. Ideographs and kana count one each, as there.

const HIDDEN = /<[^>\n]*>|\[(?:\d{1,3}(?:\s?[-,]\s?\d{1,3})*)\]|\]\([^)\s]*(?:\s"[^"]*")?\)|^\[[^\]]+\]:.*$/gm;
const IDEOGRAPH = /[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]|[\ud840-\ud88f][\udc00-\udfff]/g;

export function countWords(markdown: string): number {
  const visible = markdown.replace(HIDDEN, (mark) => (mark.startsWith("<br") ? " " : ""));
  const ideographs = visible.match(IDEOGRAPH)?.length ?? 0;
  const others = visible
    .replace(IDEOGRAPH, " ")
    .split(/[\s—]+/)
    // A number that only counts the entries of a list is no word.
    .filter((word) => /[\p{L}\p{N}]/u.test(word) && !/^\d{1,3}[.)]$/.test(word)).length;
  return ideographs + others;
}
