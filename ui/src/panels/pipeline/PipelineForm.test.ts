// The form of a pipeline as it is drawn, with an editor that has a text alone.
import { cleanup, fireEvent, render, screen } from "@testing-library/svelte";
import { tick } from "svelte";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Editor } from "../../kit/editor";
import { withChanges } from "../../kit/text-change";
import { PipelineDraft } from "../../screens/pipeline-draft.svelte";
import { commitField, FormState } from "./form-state.svelte";
import PipelineForm from "./PipelineForm.svelte";

beforeEach(() => {
  localStorage.clear();
  Element.prototype.scrollIntoView = () => {};
});
afterEach(cleanup);

function shown(text: string) {
  const draft = new PipelineDraft("x");
  draft.change(text);
  const past: string[] = [];
  const editor: Partial<Editor> = {
    text: () => draft.text ?? "",
    change(changes) {
      past.push(draft.text ?? "");
      draft.change(withChanges(draft.text ?? "", changes));
    },
    undo: () => draft.change(past.pop() ?? draft.text ?? ""),
    show: () => {},
  };
  const form = new FormState({ text: () => draft.text ?? "", editor: () => editor as Editor, faults: () => [] });
  render(PipelineForm, { form });
  return { draft, form, past };
}

function typeInto(field: HTMLElement, value: string) {
  field.focus();
  (field as HTMLInputElement).value = value;
}

test("what is typed in a field is taken over on purpose, and an undo takes it back", async () => {
  const { draft } = shown('id = "x"\n\n[limits]\nmax_cost = 3\n');
  const field = screen.getByLabelText<HTMLInputElement>("Max cost");
  typeInto(field, "5");
  commitField();
  expect(draft.text).toContain("max_cost = 5");
  await tick();
  typeInto(field, "7");
  await fireEvent.keyDown(field, { key: "z", ctrlKey: true });
  expect([draft.text, field.value]).toEqual(['id = "x"\n\n[limits]\nmax_cost = 5\n', "5"]);
  typeInto(screen.getByLabelText("Requests"), "one\ntwo");
  commitField();
  expect(draft.text).toContain('[routing]\nexamples = ["one", "two"]');
});

test("a field in which nothing was typed leaves its text as it is written", () => {
  const text = 'id = "x"\nexamples = ["one", ""]\n\n[limits]\nmax_total_tokens = 1_000\n';
  const { draft, form, past } = shown(text);
  for (const label of ["Max tokens in all", "Requests"]) {
    screen.getByLabelText(label).focus();
    commitField();
  }
  expect(form.change(() => [{ from: 0, to: 2, insert: "id" }])).toBe(false);
  expect([draft.text, past]).toEqual([text, []]);
});

test("an entry that is no table, and an input and a key of one name, do not keep the form from being drawn", async () => {
  shown('id = "x"\n\n[input]\ntopic = "x"\nk.title = "K"\n\n[key.k]\n\n[agent.a]\nreads = "k"\n');
  for (const head of document.querySelectorAll(".entry > button")) await fireEvent.click(head);
  const [reads] = screen.getAllByLabelText("Add to Reads");
  expect([...(reads?.querySelectorAll("option") ?? [])].map(({ value }) => value)).toEqual(["", "topic"]);
});
