// What pipelines say of themselves (titles of stages and keys, helps, notes) in the reader's language. They bring their
// words along, by the English text of their definition; what they do not bring is read as it is written.
import type { Phrase } from "../ipc/bindings";
import { speech } from "./language.svelte";
import { fill } from "./phrase";

type Words = Readonly<Record<string, string>>;
type Catalogues = Readonly<Record<string, Words>>;

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

/** A text of a pipeline's definition in the reader's language. */
export function pipelineText(text: string): string {
  // Words come from the program, names of properties from nowhere else.
  return (
    [ofRun.words, ...known]
      .map((catalogues) => catalogues[speech.current])
      .find((words) => words && Object.hasOwn(words, text))?.[text] ?? text
  );
}

/** A remark of several sentences, each of which the definition brings along by itself, in the reader's language. */
export function remarkText(text: string): string {
  const whole = pipelineText(text);
  if (whole !== text) return whole;
  const sentences = text.split(/(?<=[.!?]) /).map(pipelineText);
  return sentences.reduce((before, sentence) => before + (/[。！？]$/.test(before) ? "" : " ") + sentence);
}

/** A note of the pipeline of the run that is open, with its places filled; one without a text stands by its id. */
export function noteText({ id, parameters }: Phrase): string {
  return fill(pipelineText(Object.hasOwn(ofRun.notes, id) ? (ofRun.notes[id] ?? id) : id), parameters, pipelineText);
}
