// @vitest-environment node
// What the journal and the announcements tell of instances.
import { expect, test } from "vitest";
import { speech } from "../i18n/language.svelte";
import type { Fact } from "../ipc/bindings";
import { each } from "../fake-host/fake-each";
import { recording } from "../fake-host/fake-records";
import { newsOf } from "./announcements";
import { here, whole } from "./recorded-views";
import { EventFormatter } from "./sentence";

const fifty = each(50);
const view = whole(fifty);

test("the journal tells for which item an agent started, and what came of it", () => {
  const formatter = new EventFormatter(fifty.page.outline, fifty.page.keys);
  const told = (path: string, kind: Fact["kind"]) =>
    formatter.format(fifty.entries.find(({ event }) => event.path === path && event.fact.kind === kind)!);
  const [second, failed] = ["journey/visits#1*guide#2", "journey/visits#1*guide#17"];
  expect(told(second, "agent_started")).toBe("Guide to a place started for item 2: 京都 · Japan · 3");
  expect(told(second, "agent_ended")).toBe(
    "Guide to a place (item 2) finished: Three temples within a walk, one of them without a crowd; th…",
  );
  expect(told(second, "state_changed")).toBe("Guide to a place (item 2) wrote Result");
  expect(told(failed, "agent_ended")).toBe(
    "Guide to a place (item 17) failed: atlas.example was silent for too long; try again.",
  );
  speech.chosen = "zh";
  expect(told(second, "agent_started")).toBe("Guide to a place开始处理第 2 项：京都 · Japan · 3");
  speech.chosen = "ja";
  expect(told(second, "agent_started")).toBe("Guide to a placeが項目 2 を開始：京都 · Japan · 3");
  speech.chosen = "system";
});

test("that an item failed is said aloud, that each of many is done is not", () => {
  const said = (...numbers: number[]) =>
    newsOf(
      fifty.entries.filter(({ event }) => numbers.some((number) => event.path.endsWith(`guide#${number}`))),
      view,
      fifty.page.outline,
      here,
    );
  expect(said(2, 3)).toEqual({ polite: "", assertive: "" });
  expect(said(17)).toEqual({
    polite: "",
    assertive: "Guide to a place, item 17: Évora, quarter 2 · Portugal · 2 failed",
  });
});

test("of two rounds that end in one burst each agent is told of once", () => {
  const run = recording("run-two-drafts");
  const { polite } = newsOf(run.entries, whole(run), run.page.outline, here);
  const sentences = polite.split(". ");
  expect(sentences.length).toBeGreaterThan(1);
  expect(new Set(sentences).size).toBe(sentences.length);
});
