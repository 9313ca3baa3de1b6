import { expect, test } from "vitest";

import { decodeBase58, decodeBase64, decodeHex, encodeBase58, encodeBase64, encodeUtf8 } from "./encoding";
import { PublicKey } from "./ed25519";
import { VerificationError } from "./errors";
import { flipped, vector } from "./vectors";

test("every signature of Wycheproof's vectors is accepted or refused as they say", async () => {
  for (const one of vector("wycheproof_ed25519")) {
    const key = PublicKey.fromBytes(decodeHex(one.pk));
    const holds = await key.hasSigned(decodeHex(one.msg), decodeHex(one.sig));
    expect(holds, `vector ${one.tcId}`).toBe(one.result === "valid");
  }
});

test("a key is written as did:key and read again", () => {
  for (const one of Object.values<{ did_key?: string }>(vector("did_key_ed25519"))) {
    const text = JSON.stringify(one);
    for (const did of text.match(/did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}/g) ?? []) {
      expect(PublicKey.fromDidKey(did).didKey).toBe(did);
      expect(PublicKey.parse(PublicKey.fromDidKey(did).base64).didKey).toBe(did);
    }
  }
});

test.each([
  ["the identity", "0100000000000000000000000000000000000000000000000000000000000000"],
  ["a point of order 8", "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05"],
  ["a y beyond the field", "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"],
  ["a y without an x", "0200000000000000000000000000000000000000000000000000000000000000"],
])("%s is no key", (_, hex) => {
  expect(() => PublicKey.fromBytes(decodeHex(hex))).toThrow("prime-order group");
});

test("a signature that does not hold throws with the name of its check", async () => {
  const one = vector("wycheproof_ed25519").find((candidate: { result: string }) => candidate.result === "valid");
  const key = PublicKey.fromBytes(decodeHex(one.pk));
  const message = encodeUtf8("another message");
  await expect(key.verify("document signature", message, decodeHex(one.sig))).rejects.toMatchObject({
    check: "document signature",
  });
  await expect(key.verify("x", decodeHex(one.msg), flipped(decodeHex(one.sig)))).rejects.toThrow(VerificationError);
});

test("base64 has one spelling", () => {
  expect(encodeBase64(decodeBase64("AAE="))).toBe("AAE=");
  for (const text of ["AAE", "AAF=", "AA==\n", "A-_=", "AAE=="]) expect(() => decodeBase64(text)).toThrow();
});

test("base58 keeps zeros at the beginning", () => {
  for (const hex of ["", "00", "0000ff", "ff", "0102"]) {
    expect(decodeBase58(encodeBase58(decodeHex(hex)))).toEqual(decodeHex(hex));
  }
});
