import { afterEach, expect, test, vi } from "vitest";
import { closeLast, layer } from "./layers";

const ends: (() => void)[] = [];

/** Opens a layer with this content. */
function open(html: string) {
  const place = document.createElement("div");
  place.innerHTML = html;
  document.body.append(place);
  const close = vi.fn();
  ends.push(layer(close)(place));
  return { place, close };
}
const fieldOf = (place: Element) => place.querySelector("input")!;

afterEach(() => {
  for (const end of ends.splice(0)) end();
  document.body.replaceChildren();
});

test("Escape in a field closes the layer of this field, also where another form was opened later", () => {
  const [find, form] = [open("<input>"), open("<form><input></form>")];
  expect(closeLast(fieldOf(find.place))).toBe(true);
  expect(find.close).toHaveBeenCalledOnce();
  expect(form.close).not.toHaveBeenCalled();
});

test("Escape in a field closes a card without fields first that was opened later, and none that was opened earlier", () => {
  const [early, form, late] = [open("<p></p>"), open("<form><input></form>"), open("<button></button>")];
  closeLast(fieldOf(form.place));
  expect([early, form, late].map(({ close }) => close.mock.calls.length)).toEqual([0, 0, 1]);
  ends.pop()?.();
  closeLast(fieldOf(form.place));
  expect([early, form, late].map(({ close }) => close.mock.calls.length)).toEqual([0, 1, 1]);
});

test("Escape elsewhere closes the layer opened last, and nothing from a field that is in no layer", () => {
  const [first, last] = [open("<input>"), open("<form><input></form>")];
  const field = document.createElement("input");
  document.body.append(field);
  expect(closeLast(field)).toBe(false);
  expect(closeLast(null)).toBe(true);
  expect([first, last].map(({ close }) => close.mock.calls.length)).toEqual([0, 1]);
});

test("what is opened has the focus in the first field of its form, or in what is marked as first", () => {
  open("<button></button><form><input></form>");
  expect(document.activeElement?.tagName).toBe("INPUT");
  open("<button></button><select data-first></select>");
  expect(document.activeElement?.tagName).toBe("SELECT");
});
