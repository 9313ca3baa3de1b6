import { expect, test } from "vitest";

import { canonicalize } from "./canonical";
import { decodeHex, decodeUtf8, encodeHex, encodeUtf8 } from "./encoding";
import { parseJson, readJson } from "./json";
import { sha256Hex } from "./hash";
import { vector } from "./vectors";

test.each(Object.entries<{ input_hex: string; output_hex: string }>(vector("rfc8785")))(
  "document %s has the bytes of RFC 8785",
  (_, one) => {
    const text = decodeUtf8(decodeHex(one.input_hex));
    expect(decodeUtf8(canonicalize(parseJson(text, 64)))).toBe(decodeUtf8(decodeHex(one.output_hex)));
  },
);

test("every payload of the vectors has its bytes and hash, or is refused", async () => {
  for (const one of vector("jcs_payloads")) {
    const write = () => canonicalize(parseJson(one.raw_json, 64));
    if (one.expect === "accept") {
      expect(encodeHex(write()), one.name).toBe(one.utf8_hex);
      expect(await sha256Hex(write()), one.name).toBe(one.sha256);
    } else {
      expect(write, one.name).toThrow();
    }
  }
});

test("numbers of all sizes are written as ECMAScript does, and read again as the same", () => {
  // IEEE 754 patterns from a fixed sequence (xorshift), so that a failure can be made again.
  let state = 0x9e3779b97f4a7c15n;
  const view = new DataView(new ArrayBuffer(8));
  for (let count = 0; count < 20_000; count += 1) {
    state ^= (state << 13n) & 0xffffffffffffffffn;
    state ^= state >> 7n;
    state ^= (state << 17n) & 0xffffffffffffffffn;
    view.setBigUint64(0, state);
    const number = view.getFloat64(0);
    if (!Number.isFinite(number)) continue;
    const text = number.toExponential();
    const written = decodeUtf8(canonicalize(readJson(encodeUtf8(`{"n":${text}}`))));
    expect(written).toBe(`{"n":${JSON.stringify(number)}}`);
  }
});

test.each([
  ["0", "0"],
  ["-0", "0"],
  ["-0.0", "0"],
  ["1.0", "1"],
  ["1e2", "100"],
  ["1e21", "1e+21"],
  ["1e20", "100000000000000000000"],
  ["0.000001", "0.000001"],
  ["0.0000001", "1e-7"],
  ["9007199254740991", "9007199254740991"],
  ["5e-324", "5e-324"],
])("the number %s is written %s", (read, written) => {
  expect(decodeUtf8(canonicalize(readJson(encodeUtf8(`{"n":${read}}`))))).toBe(`{"n":${written}}`);
});

test("names are in the order of UTF-16 code units, and __proto__ is a name like any other", () => {
  const text = '{"\ufb33":1,"\ud83d\ude00":2,"10":3,"9":4,"__proto__":{"a":5}}';
  expect(decodeUtf8(canonicalize(readJson(encodeUtf8(text))))).toBe(
    '{"10":3,"9":4,"__proto__":{"a":5},"\ud83d\ude00":2,"\ufb33":1}',
  );
});
