// What pipelines say (titles of stages and keys, helps, what they check and decide) in the reader's language. They bring
// their words along; what they do not bring is read in English. An entry with `{names}` stands for every sentence of its
// form: what filled the English one fills the other, itself in the reader's language where it is known.
import { speech } from "./language.svelte";
import { plain } from "./plain-text";

type Words = Readonly<Record<string, string>>;
type Catalogues = Readonly<Record<string, Words>>;

/** Longer texts are no sentences of a program. */
const LONGEST = 2000;
const NAME = /\{(\w+)\}/;

let known = $state.raw<readonly Catalogues[]>([]);
/** What the pipeline of the run that is open says, as it was when the run began. */
let ofRun = $state.raw<{ words: Catalogues; notes: Words }>({ words: {}, notes: {} });

/** Takes the catalogues of pipelines. */
export function learn(catalogues: readonly Catalogues[]): void {
  known = catalogues;
}

/** Takes the words and the notes of the pipeline of the run that is open. */
export function learnRun({ words, notes }: { words: Catalogues; notes: Words }): void {
  ofRun = { words, notes };
}

/** A note of the pipeline of the run that is open, with its places filled; one without a text stands by its id. */
export function noteText(id: string, fillings: Readonly<Record<string, string | number>>): string {
  const text = Object.hasOwn(ofRun.notes, id) ? (ofRun.notes[id] ?? id) : id;
  const theirs = [ofRun.words, ...known].map((catalogues) => catalogues[speech.current]).find((words) => words && Object.hasOwn(words, text))?.[text];
  return plain(theirs ?? text).replace(new RegExp(NAME, "g"), (place, name: string) => (Object.hasOwn(fillings, name) ? String(fillings[name]) : place));
}

/** The words of the program or a pipeline in the reader's language, as the window says them. */
export function translateProgramText(english: string): string {
  return plain(told(english, translateProgramText) ?? english);
}

/** The same with every name as it is written: for what leads a person to a name in a text. */
export function translateExactly(english: string): string {
  return told(english, translateExactly) ?? english;
}

type Translate = (english: string) => string;

function told(english: string, translate: Translate): string | undefined {
  if (english === "" || english.length > LONGEST) return undefined;
  for (const catalogues of [ofRun.words, ...known]) {
    const words = catalogues[speech.current];
    if (!words) continue;
    // Words come from the program, names of properties from nowhere else.
    if (Object.hasOwn(words, english)) return words[english];
    for (const [form, theirs] of Object.entries(words)) {
      const filled = NAME.test(form) ? fill(english, form, theirs, translate) : undefined;
      if (filled !== undefined) return filled;
    }
  }
  return list(english, translate);
}

/** A sentence of a form, told in its other words; undefined where it is none. */
function fill(english: string, form: string, theirs: string, translate: Translate): string | undefined {
  // Text and names by turns, with text at both ends.
  const parts = form.split(NAME);
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  if (!english.startsWith(first) || !english.endsWith(last) || english.length < first.length + last.length) return undefined;
  const end = english.length - last.length;
  const fillings = new Map<string, string>();
  let at = first.length;
  for (let index = 1; index < parts.length; index += 2) {
    const after = parts[index + 1] ?? "";
    const until = index + 2 === parts.length ? end : english.indexOf(after, at + 1);
    if (until <= at || until > end) return undefined;
    const filling = english.slice(at, until);
    // What stands in quotation marks or as code is somebody's name or words, also where it reads like the program's.
    const isQuoted = /[“`]$/.test(parts[index - 1] ?? "");
    fillings.set(parts[index] ?? "", isQuoted ? filling : translate(filling));
    at = until + after.length;
  }
  return theirs.replace(new RegExp(NAME, "g"), (whole, name: string) => fillings.get(name) ?? whole);
}

/** Several sentences in a row, each of which may be known. */
function list(english: string, translate: Translate): string | undefined {
  // Sentences and what parts them by turns.
  const parts = english.split(/(; |\. |\.$)/);
  if (parts.length === 1) return undefined;
  const each = parts.map((part, index) => (index % 2 === 0 ? told(part, translate) : undefined));
  if (each.every((part) => part === undefined)) return undefined;
  return parts.map((part, index) => each[index] ?? (part.startsWith(".") && each[index - 1] !== undefined ? "。" : part)).join("");
}
