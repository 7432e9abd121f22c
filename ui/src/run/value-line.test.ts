// @vitest-environment node
// Values as one line.
import { expect, test } from "vitest";
import { addressIn, jsonLine, valueLine } from "./value-line";

test("of an address that a line begins with the end is told apart, and other lines stand as they are", () => {
  expect(addressIn("https://example.org/news/page-12 · 12 + 1")).toEqual({
    start: "example.or",
    end: "g/news/page-12",
    rest: " · 12 + 1",
  });
  expect(addressIn("/srv/港口/opening-hours.md")).toMatchObject({ end: "ening-hours.md", rest: "" });
  for (const line of ["Bergen · Norway · 2", "either/or", "see https://example.org/a-long-page"])
    expect(addressIn(line)).toBeNull();
});

test("a value in a line is what it holds, on one line, and cut where it is long", () => {
  expect(valueLine({ place: "Bergen", nights: 2, tags: ["sea", "rain"] })).toBe("Bergen · 2 · sea, rain");
  expect(valueLine("two\nlines")).toBe("two lines");
  expect(valueLine("𝄞".repeat(50), 10)).toBe(`${"𝄞".repeat(10)}…`);
  expect([jsonLine('{"place":"Bergen","nights":2}'), jsonLine('{"place":"Ber…'), jsonLine("1e3")]).toEqual([
    "Bergen · 2",
    '{"place":"Ber…',
    "1e3",
  ]);
  expect(valueLine({ $stored: "ab".repeat(32), bytes: 9 })).toBe("");
});
