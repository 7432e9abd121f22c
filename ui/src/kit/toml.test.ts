import { foldedRanges } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { expect, test } from "vitest";
import { foldExamples, toml } from "./toml";

test.each([
  ['id = "x"\n\n[limits]\nmax_cost = 3\n\n[routing]\nexamples = [\n  "one",\n  "two",\n]\n', "examples …"],
  ['id = "x"\nexamples = [\n  "one",\n]\n\n[limits]\nmax_cost = 3\n', "…"],
  ['id = "x"\n', undefined],
])("requests are folded when a file opens, and a click opens them: %j", (doc, placeholder) => {
  const view = new EditorView({ parent: document.body, doc, extensions: toml() });
  foldExamples(view);
  const folds = () => foldedRanges(view.state).size;
  const shown = view.dom.querySelector<HTMLElement>(".cm-foldPlaceholder");
  expect([folds(), shown?.textContent]).toEqual([placeholder === undefined ? 0 : 1, placeholder]);
  if (placeholder !== undefined) expect(view.contentDOM.textContent).not.toContain("one");
  shown?.click();
  expect(folds()).toBe(0);
  view.destroy();
});
