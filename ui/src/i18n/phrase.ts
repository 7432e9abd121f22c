// What the program says, in the reader's language. The id of a phrase is its English form; catalogues have the forms of
// other languages by it, and for English those that in the window are other than in the terminal.
import { ENGLISH, type Phrase } from "../ipc/bindings";
import { isWords, t } from ".";
import { speech } from "./language.svelte";
import { PHRASES } from "./phrases";
import { titleOf } from "./titles";

type Parameters = Phrase["parameters"];

const PLACE = /`\{(\w+)\}`|\{(\w+)\}/g;
/** Without backticks a name is one only where it is no ordinary word. */
const UNMISTAKABLE = /^\w*(_|[a-z][A-Z])\w*$/;

/** A phrase as the window says it, with titles in place of names. */
export function phraseText(phrase: Phrase): string {
  return worded(phrase, titleOf);
}

/** The same with every name as it is written: for what leads a person to a name in a text. */
export function exactPhraseText(phrase: Phrase): string {
  return worded(phrase, (name) => name);
}

/** A form with its places filled; a place without a parameter stays. `name` is what stands for a name. */
export function fill(form: string, parameters: Parameters, name: (of: string) => string): string {
  return form.replace(PLACE, (place: string, quoted: string | undefined, bare: string | undefined) => {
    const value = parameters[quoted ?? bare ?? ""];
    if (value === undefined || !Object.hasOwn(parameters, quoted ?? bare ?? "")) return place;
    if (quoted === undefined) return written(value, name);
    const title = typeof value === "string" ? name(value) : value;
    return title === value ? `\`${written(value, name)}\`` : String(title);
  });
}

function worded({ id, parameters }: Phrase, name: (of: string) => string): string {
  if (isTag(id))
    return t(
      id,
      Object.fromEntries(
        Object.entries(parameters).map(([place, value]) => [
          place,
          typeof value === "number" ? value : written(value, name),
        ]),
      ),
    );
  return fill(formOf(id), parameters, name);
}

/** The form of an id in the reader's language. */
function formOf(id: string): string {
  const forms: Readonly<Record<string, string>> = PHRASES[speech.current];
  return Object.hasOwn(forms, id) ? (forms[id] ?? id) : id;
}

function written(value: unknown, name: (of: string) => string): string {
  if (Array.isArray(value)) return value.map((one) => written(one, name)).join(t("remark.and"));
  if (isPhrase(value)) return worded(value, name);
  const text = String(value);
  return UNMISTAKABLE.test(text) ? name(text) : text;
}

const isTag = (id: string): id is keyof typeof ENGLISH => Object.hasOwn(ENGLISH, id) && isWords(id);
const isPhrase = (value: unknown): value is Phrase =>
  typeof value === "object" && value !== null && "id" in value && "parameters" in value;
