import { expect, test } from "vitest";

import { encodeUtf8 } from "../proof/encoding";
import { sha256Name } from "../proof/hash";
import { citedSegment, findPlaces } from "./passage";

const SOURCE = encodeUtf8("Café: the limit stays. And the limit stays.\n\u{1f3db} the limit");

test("words are found at each of their places, with the text around them", () => {
  expect(findPlaces(SOURCE, "the limit").map((one) => one.start)).toEqual([7, 28, 50]);
  expect(findPlaces(SOURCE, "the limit stays")[0]).toEqual({ start: 7, end: 22, before: "Café: ", after: ". And the limit stays. \u{1f3db} the limit" });
  expect(findPlaces(SOURCE, "the limit goes")).toEqual([]);
  expect(findPlaces(SOURCE, "")).toEqual([]);
  expect(findPlaces(encodeUtf8("aaaa"), "aa").map((one) => one.start)).toEqual([0, 1, 2]);
});

test("a citation has the bytes of its words, and none of a source with another hash", async () => {
  const source = { id: "urn:doc:one", hash: await sha256Name(SOURCE) };
  const cited = await citedSegment(source, SOURCE, "the limit", { start: 28, end: 37 });
  expect(cited).toMatchObject({ source: "urn:doc:one", start: 28, end: 37, contentHash: await sha256Name(encodeUtf8("the limit")) });
  await expect(citedSegment(source, SOURCE, "the limit", { start: 29, end: 38 })).rejects.toThrow("other words");
  await expect(citedSegment({ ...source, hash: `sha256:${"0".repeat(64)}` }, SOURCE, "the limit", { start: 28, end: 37 })).rejects.toThrow("SHA-256");
});

test("words are found with other white space between them, and cited as the bytes are", async () => {
  const bytes = encodeUtf8("Ends. The next\r\n  regular meeting is soon. Thenext regular meeting.");
  const [place, ...others] = findPlaces(bytes, " The next regular\nmeeting");
  expect([place?.start, place?.end, others.length]).toEqual([6, 33, 0]);
  const source = { id: "urn:doc:one", hash: await sha256Name(bytes) };
  const cited = await citedSegment(source, bytes, " The next regular\nmeeting", place!);
  expect([cited.quote, cited.start, cited.end]).toEqual(["The next\r\n  regular meeting", 6, 33]);
  // Bytes that are the words come first.
  expect(findPlaces(encodeUtf8("a b, a\nb"), "a b").map((one) => one.start)).toEqual([0]);
});
