// @vitest-environment node
import { expect, test } from "vitest";
import type { Fact, Issues, KeyDeclaration, OwnText } from "../ipc/bindings";
import { recording } from "../fake-host/fake-records";
import { empty } from "./empty-view";
import { happened, here } from "./recorded-views";
import { cardsOf, openIssues, ownOf } from "./review-desk";
import { apply } from "./view";

const TEXT = "It doubles the speed. Nobody asked. I saw it.";
const run = recording("run-two-drafts");
const keys: KeyDeclaration[] = [
  { name: "marks_issues", title: "Issues", role: { kind: "issues" }, schema: {} },
  { name: "text_own", title: "Yours", role: { kind: "own_text" }, schema: {} },
];

function viewOf(set: Record<string, unknown>) {
  const fact: Fact = { kind: "state_changed", delta: { set, removed: [] } };
  return apply(empty([...run.page.keys, ...keys]), happened(run, fact, "proofreader"));
}

const of = (id: number, text: string, more: object) => ({
  id,
  text,
  standing: "open",
  first_review: 1,
  last_review: 1,
  ...more,
});

test("open issues come first and in the order of the text, and each tells what became of it", () => {
  const quote = (exact: string) => ({ anchor: { exact, prefix: "", suffix: "" } });
  const issues = {
    reviews: 2,
    issues: [
      of(1, "gone", { standing: "resolved" }),
      of(2, "who?", { ...quote("Nobody asked"), decision: "dismissed", last_review: 2 }),
      of(3, "when?", { ...quote("Nobody asked"), reply: "Soon", standing: "came_back", last_review: 2 }),
      of(4, "which?", { ...quote("doubles"), decision: "accepted", last_review: 2 }),
    ],
  } as unknown as Issues;
  const view = viewOf({ marks_issues: issues });
  const cards = cardsOf(view, here, TEXT)!;
  expect(cards.map(({ id, standing, decision }) => [id, standing, decision])).toEqual([
    [4, "open", "accepted"],
    [3, "came_back", null],
    [2, "open", "dismissed"],
    [1, "resolved", null],
  ]);
  expect(cards[1]).toMatchObject({ reply: "Soon", passages: [{ text: "Nobody asked", isThere: true }] });
  expect(cards[3]).toMatchObject({ passages: [], resolvedBy: 2 });
  // A fork that was given the issues of four reviews has one of its own: the number is that of the list.
  const given = viewOf({
    marks: { remarks: "", objections: [], passes: true },
    marks_issues: { ...issues, reviews: 4, issues: [of(1, "gone", { standing: "resolved", last_review: 3 })] },
  });
  expect(given.reviews).toHaveLength(1);
  expect(cardsOf(given, here, TEXT)?.[0]?.resolvedBy).toBe(1);
  expect(cardsOf(view, here, "Other words.")?.[0]?.passages).toEqual([{ text: "Nobody asked", isThere: false }]);
  expect(openIssues(view, here)).toBe(2);
});

test("a pipeline that keeps no issues has none, and a value of another shape is not read", () => {
  const bare = empty(run.page.keys);
  expect([cardsOf(bare, here, TEXT), ownOf(bare, here), openIssues(bare, here)]).toEqual([null, null, undefined]);
  expect(cardsOf(viewOf({ marks_issues: { issues: [{ id: "one" }] } }), here, TEXT)).toBeNull();
});

test("the person's sentences are there with what collided", () => {
  const own = {
    sentences: [{ anchor: { exact: "I saw it.", prefix: "", suffix: "" }, is_typed: true, is_locked: false }],
    collisions: [{ id: 3, base: "", yours: "I saw it.", agents: "It was seen." }],
  } as unknown as OwnText;
  expect(ownOf(viewOf({ text_own: own }), here)).toMatchObject({
    sentences: [{ is_locked: false, base: "" }],
    collisions: [{ id: 3 }],
  });
  expect(ownOf(viewOf({}), here)).toEqual({ sentences: [], collisions: [] });
});
