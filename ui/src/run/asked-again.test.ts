// @vitest-environment node
import { expect, test } from "vitest";
import type { Event } from "../ipc/bindings";
import { BUILT_IN } from "../ipc/names";
import { each } from "../fake-host/fake-each";
import { recording } from "../fake-host/fake-records";
import { askedAgain, askedAgainText } from "./asked-again";
import { until, whole } from "./recorded-views";

const run = recording("run-two-drafts");
const { outline } = run.page;
const told = (at: number, chosen?: (agent: string) => string | undefined) =>
  askedAgainText(askedAgain(whole(run), outline, at, until(run, at), chosen));

/** The same run with what its answers cost, or answered by the built-in function. */
function changed(change: (event: Event) => void) {
  const copy = structuredClone(run);
  for (const { event } of copy.entries) change(event);
  return whole(copy);
}

test("what a fork asks again is what the calls after its event used, and what is reused costs nothing", () => {
  // Before the second draft; in the midst of its only request, which is sent anew; after the last answer.
  expect(told(24)).toBe(
    "asks models about 2 times; the same calls of this run used 4,602 tokens, price not known · 3 stages reused – $0.00",
  );
  expect(told(30)).toMatch(/^asks models about once; the same calls of this run used 2,174 tokens/);
  expect(told(36)).toBe("asks no model · 3 stages reused – $0.00");
  // Within a call what was answered before is reused: the source stays, its summary is asked again.
  expect(told(6)).toMatch(/^asks models about 5 times/);
  expect(told(8)).toMatch(/^asks models about 4 times/);
});

test("money is told as far as prices are known", () => {
  const priced = (which: (seq: number) => boolean) =>
    changed((event) => {
      if (event.fact.kind !== "effect_answered" || event.seq < 7) return;
      event.fact.summary = {
        tokens: { input_tokens: 1000, output_tokens: 100 },
        ...(which(event.seq) ? { cost: 0.0021 } : {}),
      };
    });
  expect(
    askedAgainText(
      askedAgain(
        priced(() => true),
        outline,
        24,
      ),
    ),
  ).toContain("used 2,200 tokens and $0.0042 ·");
  expect(
    askedAgainText(
      askedAgain(
        priced((seq) => seq < 30),
        outline,
        24,
      ),
    ),
  ).toContain("$0.0021 + calls of unknown price");
  expect(
    askedAgainText(
      askedAgain(
        priced(() => false),
        outline,
        24,
      ),
    ),
  ).toContain("price not known");
});

test("a profile that is chosen decides whether a model is asked at all", () => {
  expect(told(24, () => BUILT_IN)).toBe("asks no model · 3 stages reused – $0.00");
  const builtIn = changed(({ fact }) => {
    if (fact.kind === "effect_asked" && fact.effect.effect === "model") fact.effect.request.profile = BUILT_IN;
  });
  expect(askedAgainText(askedAgain(builtIn, outline, 24))).toBe("asks no model · 3 stages reused – $0.00");
  expect(askedAgainText(askedAgain(builtIn, outline, 24, null, () => "work"))).toMatch(
    /^asks models about 2 times; this run has no figures for these calls/,
  );
});

test("agents that have not run yet are named, and calls that are no longer kept are owned up to", () => {
  const failed = recording("run-failed");
  expect(askedAgainText(askedAgain(whole(failed), failed.page.outline, 10))).toContain(
    "Proofreader has not run yet and is not counted",
  );
  const journey = each(50);
  expect(askedAgain(whole(journey), journey.page.outline, 1).requests).toBe(whole(journey).used.calls);
});
