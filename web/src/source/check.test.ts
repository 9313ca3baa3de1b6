import { expect, test } from "vitest";
import { sha256Name } from "../proof/hash";
import { compare, nameOf, sabotage, type Range } from "./check";

const BYTES = new TextEncoder().encode("The council meets\non Tuesday.");

async function range(start: number, end: number, ...quotes: string[]): Promise<Range> {
  return { start, end, hash: await sha256Name(BYTES.slice(start, end)), quotes };
}

test("the hash of no bytes is the one of FIPS 180-4", async () => {
  expect(await sha256Name(new Uint8Array())).toBe("sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

test("a range holds its quote across a line break", async () => {
  const cited = await range(4, 28, "council meets on Tuesday");
  const { passages } = await compare(BYTES, [cited]);
  expect(passages.get(nameOf(cited))).toEqual({ held: true, quoted: true });
});

test("a range beyond the end, and one with another quote, do not hold", async () => {
  const beyond = { ...(await range(4, 28)), end: 90 };
  const other = await range(4, 11, "mayor");
  const { passages } = await compare(BYTES, [beyond, other]);
  expect(passages.get("4-90")?.held).toBe(false);
  expect(passages.get("4-11")).toEqual({ held: true, quoted: false });
});

test("one flipped bit breaks the hash and the passage that it is in, and leaves the original as it was", async () => {
  const [cited, other] = [await range(4, 11), await range(18, 28)];
  const [changed, place] = sabotage(BYTES, [cited, other]);
  expect(place).toBe(7);
  const before = await compare(BYTES, [cited, other]);
  const after = await compare(changed, [cited, other]);
  expect(after.hash).not.toBe(before.hash);
  expect([...after.passages.values()].map((one) => one.held)).toEqual([false, true]);
});
