import { expect, test } from "vitest";

import { encodeUtf8 } from "./encoding";
import { FormatError } from "./errors";
import { parseItems, parseJson, readJson } from "./json";

test.each([
  ["a doubled name", '{"a":1,"a":1}', "twice"],
  ["a doubled name that is escaped", '{"a":1,"\\u0061":1}', "twice"],
  ["half of a surrogate pair", '{"a":"\\ud800"}', "lone surrogate"],
  ["half of a surrogate pair in a name", '{"\\udc00":1}', "lone surrogate"],
  ["an integer beyond 2^53 - 1", '{"a":9007199254740992}', "integer beyond"],
  ["a number beyond a double", '{"a":1e400}', "beyond a double"],
  ["too many levels", `{"a":${"[".repeat(64)}${"]".repeat(64)}}`, "64 levels"],
  ["NaN", '{"a":NaN}', "not JSON"],
  ["a number with a zero before it", '{"a":01}', "not JSON"],
  ["a comma at the end", '{"a":1,}', "not JSON"],
  ["a raw control character", '{"a":"\n"}', "not JSON"],
  ["a text without its end", '{"a":"', "not JSON"],
  ["an unknown escape", '{"a":"\\x"}', "not JSON"],
  ["more after the value", '{"a":1} x', "more after"],
  ["a list", "[1]", "not a JSON object"],
  ["nothing", "", "not JSON"],
  ["a byte order mark", "\ufeff{}", "byte order mark"],
  ["a space of another kind", '{\u00a0"a":1}', "not JSON"],
])("%s is refused", (_, text, problem) => {
  expect(() => readJson(encodeUtf8(text))).toThrow(FormatError);
  expect(() => readJson(encodeUtf8(text))).toThrow(problem);
});

test("bytes that are not UTF-8 are refused", () => {
  expect(() => readJson(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d))).toThrow("not UTF-8");
});

test("64 levels are read", () => {
  expect(readJson(encodeUtf8(`{"a":${"[".repeat(63)}${"]".repeat(63)}}`)).size).toBe(1);
});

test("escapes and surrogate pairs become characters", () => {
  expect(readJson(encodeUtf8('{"a":"\\u00e9\\n\\ud83d\\ude00\\/"}')).get("a")).toBe("é\n😀/");
});

test("a number of another program keeps its text", () => {
  expect(parseJson("[1.0]", 4)).toMatchObject([{ text: "1.0" }]);
});

test("the items of an array keep their text, and doubled names are told", () => {
  const doubled: [number, string][] = [];
  const items = parseItems(' [ {"a":1,"a":2}, {"b" : 1} ]', 4, (item, name) => doubled.push([item, name]));
  expect(items.map((one) => one.text)).toEqual(['{"a":1,"a":2}', '{"b" : 1}']);
  expect(doubled).toEqual([[0, "a"]]);
});
