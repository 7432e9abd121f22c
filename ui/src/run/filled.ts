// What a form is filled with before the person sees it.
import { t } from "../i18n";
import type { Favourite, RoutedRequest, StartRun } from "../ipc/bindings";

/** By the keys of the inputs: from a request in free text, or as a run was started. */
export type Filled = {
  /** The request, the title of the run, or the name of the favourite. */
  request: string;
  inputs: Readonly<Record<string, string>>;
  /** How the run was started that is to be run again, or what a favourite starts. */
  again?: StartRun;
  /** Whether it is a favourite; the request is its name. */
  isFavourite?: boolean;
  /** The profile that the run is to take; the inputs are examples then. */
  profile?: string;
};

/** Where what stands in a form comes from. */
export function sourceText({ again, isFavourite, profile, request }: Filled): string {
  if (profile !== undefined) return t("launch.example_filled");
  return t(isFavourite ? "launch.favourite" : again ? "launch.again" : "launch.filled", { request });
}

/** A request in free text, with the pipelines that it may mean. */
export type Found = {
  request: string;
  routed: RoutedRequest;
  /** By the ids of pipelines. */ titles: Readonly<Record<string, string>>;
};

/** A form filled with what a request says for a pipeline; nothing where the request does not fit it. */
export function filledFrom({ request, routed }: Found, pipeline: string): Filled | null {
  const candidate = routed.candidates.find((one) => one.pipeline === pipeline);
  if (!candidate) return null;
  const inputs = Object.entries(candidate.inputs).map(
    ([key, value]) => [key, typeof value === "string" ? value : JSON.stringify(value)] as const,
  );
  return { request, inputs: Object.fromEntries(inputs) };
}

/** A form filled as a run was started. */
export function filledAgain(again: StartRun, title: string): Filled {
  const inputs = Object.entries(again.inputs).map(([key, value]) => [key, textOf(value)] as const);
  return { request: title, inputs: Object.fromEntries(inputs), again };
}

/** A form filled as a favourite has it. */
export function filledFavourite({ name, request }: Favourite): Filled {
  return { ...filledAgain(request, name), isFavourite: true };
}

/** An input as its field holds it: a list one item a line. */
function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (Array.isArray(value)) return value.map(textOf).join("\n");
  return value === null || value === undefined ? "" : JSON.stringify(value);
}
