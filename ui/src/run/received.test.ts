// @vitest-environment node
import { expect, test } from "vitest";
import { begunText } from "./received";

test("of JSON that breaks off the begun text is read, with its escapes, and no more", () => {
  expect(begunText('{"body": "One\\nline \\u00e9 and \\"more\\"", "x": 1}', "body")).toBe('One\nline é and "more"');
  expect(begunText('{"other": 1, "body" : "cut \\u00', "body")).toBe("cut ");
  expect(begunText('{"body": "ends\\', "body")).toBe("ends");
  expect(begunText('{"body": "raw\nline', "body")).toBe("raw\nline");
  expect(begunText('{"body', "body")).toBe("");
  expect(begunText("plain", "")).toBe("plain");
});
