import { expect, test } from "vitest";

import { encodeUtf8 } from "./encoding";
import { kindOf } from "./kind";
import { fixture, fixtureText } from "./vectors";

test.each([
  ["bundle.json", "bundle"],
  ["bundle-passages.json", "bundle"],
  ["receipt.json", "receipt"],
  ["statement.tlog-proof", "proof"],
  ["checkpoint.txt", "checkpoint"],
  ["succession.txt", "succession"],
  ["log-key.txt", "log key"],
  ["witnesses.txt", "policy"],
  ["statement.json", "message"],
  ["registration.json", "message"],
  ["verdict.json", "message"],
  ["one.passport.json", "passport"],
  ["chain.passports.json", "passport chain"],
  ["packet.json", "packet"],
  ["pack.tar", "pack"],
  ["manifest.json", "manifest"],
  ["source.vtt", "other bytes"],
  ["consistency.json", "other bytes"],
])("%s is recognised as %s", (name, kind) => {
  expect(kindOf(fixture(name))).toBe(kind);
});

test("an entry is recognised by its hashes", () => {
  expect(kindOf(encodeUtf8((JSON.parse(fixtureText("receipt.json")) as { entry: string }).entry))).toBe("entry");
});

test("bytes that are no text, and nothing at all, are other bytes", () => {
  expect(kindOf(Uint8Array.of(0xff, 0xd8))).toBe("other bytes");
  expect(kindOf(new Uint8Array())).toBe("other bytes");
});

test.each([
  ["bundle.json", "bundle"],
  ["receipt.json", "receipt"],
  ["statement.json", "message"],
  ["packet.json", "packet"],
  ["one.passport.json", "passport"],
])("%s is recognised when it is damaged", (name, kind) => {
  expect(kindOf(encodeUtf8(fixtureText(name).replace(/\}\s*$/, "")))).toBe(kind);
});
