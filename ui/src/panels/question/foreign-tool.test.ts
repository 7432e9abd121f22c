// What a question about a foreign tool says of it.
import { cleanup, render, screen } from "@testing-library/svelte";
import { afterEach, expect, test } from "vitest";
import { partsOf, type AskedPermission } from "../../run/permission";
import ForeignTool from "./ForeignTool.svelte";

afterEach(cleanup);

const asked = (more: Partial<AskedPermission>): AskedPermission => ({
  call: { tool: "notes/send" } as AskedPermission["call"],
  intent: { form: "", values: {} } as unknown as AskedPermission["intent"],
  input: {},
  schema: { type: "object" },
  description: "Reads <b>a note</b>\u202e.",
  ...more,
});

test("the words of a server are shown as text, with what cannot be seen named", () => {
  const { container } = render(ForeignTool, { asked: asked({}) });
  expect(container.querySelector("b")).toBeNull();
  expect(container.textContent).toContain("Reads <b>a note</b>");
  expect(container.textContent).toContain("U+202E");
});

test("a tool that is described otherwise than when it was always allowed shows what changed, in words and in its schema", () => {
  render(ForeignTool, {
    asked: asked({
      description: "Sends a note.",
      allowedBefore: { description: "Reads a note.", schema: { type: "object", properties: { to: {} } } },
    }),
  });
  expect(screen.getByRole("status").textContent).toContain("described it differently");
  const removed = [...document.querySelectorAll("del")].map((one) => one.textContent).join(" ");
  expect(removed).toContain("Reads");
  expect(removed).toContain("properties");
});

test("a rule names its tool without the version that it holds for", () => {
  expect(partsOf("notes/send#0123abcd@example.org")).toMatchObject({ tool: "notes/send", place: "example.org" });
});
