// The resources and prompts of a tool server as one list, and what is asked to read one of them.
import type { ReadServerText, ServerPromptCard, ServerTexts } from "../../ipc/bindings";

type WithoutServer<T> = T extends unknown ? Omit<T, "server"> : never;
/** What of a server is read. */
export type ServerText = WithoutServer<ReadServerText>;
/** A text that can be chosen; a prompt that is filled in first is there as such. */
export type TextEntry = {
  key: string;
  title: string;
  about: string;
  what: ServerText;
  prompt: ServerPromptCard | null;
};

const fold = (text: string) => text.normalize("NFKC").toLowerCase();

/** What a prompt is asked with; what was left empty is not told. */
export const promptText = (
  { name, arguments: asked }: ServerPromptCard,
  values: Readonly<Record<string, string>>,
): ServerText => ({
  kind: "prompt",
  prompt: name,
  arguments: Object.fromEntries(
    asked.flatMap(({ name: key }) => ((values[key] ?? "").trim() === "" ? [] : [[key, values[key] ?? ""]])),
  ),
});

/** The needed arguments that are empty. */
export const missingArguments = (
  { arguments: asked }: ServerPromptCard,
  values: Readonly<Record<string, string>>,
): string[] =>
  asked.filter(({ name, is_required }) => is_required && (values[name] ?? "").trim() === "").map(({ name }) => name);

/** The texts in whose words the filter is found: resources, then prompts, in the order of the server. */
export function textEntries({ resources, prompts }: ServerTexts, filter: string): TextEntry[] {
  const entries = [
    ...resources.map(({ uri, title, description }, at): TextEntry => ({
      key: `resource ${at}`,
      title,
      about: description,
      what: { kind: "resource", uri },
      prompt: null,
    })),
    ...prompts.map((prompt, at): TextEntry => ({
      key: `prompt ${at}`,
      title: prompt.title,
      about: prompt.description,
      what: promptText(prompt, {}),
      prompt: prompt.arguments.length > 0 ? prompt : null,
    })),
  ];
  const wanted = fold(filter.trim());
  return entries.filter(({ title, about, what }) =>
    fold(`${title}\n${about}\n${what.kind === "resource" ? what.uri : what.prompt}`).includes(wanted),
  );
}
