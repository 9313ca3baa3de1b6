import { expect, test } from "vitest";

import { decodeBase64, encodeUtf8, type Bytes } from "../proof/encoding";
import { sha256Name } from "../proof/hash";
import { readPassports } from "../proof/passport_record";
import { passes } from "../proof/report";
import { fixture, fixtureText } from "../proof/vectors";
import { fetchFiles, sabotage, verifyFiles, type Kind } from "./check";

const CHAIN = readPassports(fixture("chain.passports.json")).map((one) => one.data);
const MANIFEST = fixture("manifest.json");
const CONTENTS = Object.values(JSON.parse(fixtureText("pack-content.json")) as Record<string, string>).map(decodeBase64);

/** A node that has these records and contents, and refuses the names in `refused`. */
async function nodeOf(bytes: readonly Bytes[], refused: readonly string[] = []) {
  const known = new Map(await Promise.all(bytes.map(async (one) => [await sha256Name(one), one] as const)));
  return async (address: string) => {
    const name = address.split("/").pop() ?? "";
    const found = known.get(name);
    if (found === undefined || refused.includes(name)) throw new Error("the node answered 403");
    return found;
  };
}

test.each<[Kind, readonly Bytes[]]>([
  ["passport", CHAIN],
  ["pack", [MANIFEST, ...CONTENTS]],
  ["packet", [fixture("packet.json")]],
])("a %s of the node holds, and a changed copy of it fails", async (kind, bytes) => {
  const names = await Promise.all(bytes.map(sha256Name));
  const files = await fetchFiles(kind, names[0]!, kind === "passport" ? names : [], await nodeOf(bytes));
  const chain = kind === "passport" ? names : [];
  expect((await verifyFiles(files, chain)).checks.filter((one) => !one.passed)).toEqual([]);
  const [copy, place] = sabotage(files);
  const found = await verifyFiles(copy, chain);
  expect(passes(found), `byte ${place}`).toBe(false);
  expect(passes(await verifyFiles(files, chain))).toBe(true);
});

test("a changed payload fails under its own hash, and not only under that of the bytes", async () => {
  const names = await Promise.all(CHAIN.map(sha256Name));
  const [copy] = sabotage(await fetchFiles("passport", names[0]!, names, await nodeOf(CHAIN)));
  const failed = (await verifyFiles(copy, names)).checks.filter((one) => !one.passed).map((one) => one.check);
  expect(failed).toContain("payload hash");
  expect(failed).toContain("hash of the bytes");
});

test("content that the reader may not have is named as not checked", async () => {
  const refused = await sha256Name(CONTENTS[0]!);
  const node = await nodeOf([MANIFEST, ...CONTENTS], [refused]);
  const found = await verifyFiles(await fetchFiles("pack", await sha256Name(MANIFEST), [], node));
  expect(passes(found)).toBe(true);
  expect(found.notChecked.join()).toContain(refused);
});

test("bytes that are no record of the kind fail and do not break the check", async () => {
  for (const kind of ["passport", "pack", "packet"] as const) {
    const junk = encodeUtf8("{");
    const files = await fetchFiles(kind, await sha256Name(junk), [], await nodeOf([junk]));
    expect(passes(await verifyFiles(files)), kind).toBe(false);
  }
});
