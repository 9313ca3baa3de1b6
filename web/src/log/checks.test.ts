import { beforeAll, expect, test } from "vitest";

import { readDocument, registeredKey } from "../proof/document";
import { encodeHex, encodeUtf8 } from "../proof/encoding";
import { hashLeaf } from "../proof/merkle";
import { fixture, fixtureText } from "../proof/vectors";
import { changedLines, checkMaterial, isSameKey, type Keys, type Line, type Material } from "./checks";
import { summary } from "./lines";
import { byteWords, sabotage, type Part } from "./sabotage";

const RECEIPT: { entry: string; proof: string } = JSON.parse(fixtureText("receipt.json"));
const CUT = RECEIPT.proof.indexOf("\n\n") + 2;
const MATERIAL: Material = {
  document: fixture("statement.json"),
  withheld: "",
  entry: encodeUtf8(RECEIPT.entry),
  proof: encodeUtf8(RECEIPT.proof.slice(0, CUT)),
  checkpoint: encodeUtf8(RECEIPT.proof.slice(CUT)),
};
const WITNESSES = fixtureText("witnesses.txt").split("\n").filter((line) => line.startsWith("witness"));

let keys: Keys;

beforeAll(async () => {
  const registered = registeredKey(await readDocument(fixture("key-registration.json")));
  const { signature } = await readDocument(fixture("statement.json"));
  keys = {
    logKey: fixtureText("log-key.txt").trim(),
    successions: [],
    witnesses: WITNESSES.map((line) => line.split(/\s+/)[2] ?? ""),
    agentKeys: [{ id: signature?.reference ?? "", alias: null, publicKey: registered.didKey }],
    leaf: encodeHex(await hashLeaf(MATERIAL.entry)),
  };
});

const linesOf = async (material: Material, changes: Partial<Keys> = {}): Promise<readonly Line[]> =>
  (await checkMaterial(material, { ...keys, ...changes })).lines;

const failing = (lines: readonly Line[]): string[] =>
  lines.filter((line) => line.result === "fails").map((line) => line.check);

test("every check of an entry holds, with a line for each cosignature", async () => {
  const lines = await linesOf(MATERIAL);
  expect(lines.map((line) => line.result)).toEqual(lines.map(() => "holds"));
  expect(lines.map((line) => line.check).slice(0, 6)).toEqual([
    "document hash",
    "document signature",
    "document and entry",
    "leaf",
    "inclusion",
    "checkpoint signature",
  ]);
  expect(lines.filter((line) => line.check.startsWith("cosignature of"))).toHaveLength(2);
  expect(summary(lines)).toBe("8 checks hold, computed in this browser.");
});

test.each<[Part, number, string[]]>([
  ["document", 120, ["document hash"]],
  ["entry", 30, ["leaf", "inclusion"]],
  ["proof", 60, ["inclusion"]],
  ["checkpoint", 5, ["checkpoint signature"]],
])("a flipped byte of the %s is found by the checks that cover it", async (part, place, expected) => {
  const copy = sabotage(MATERIAL, part, place);
  expect(failing(await linesOf(copy!.material))).toEqual(expect.arrayContaining(expected));
});

test("every flipped byte of every part is found", async () => {
  const original = await checkMaterial(MATERIAL, keys);
  for (const part of ["document", "entry", "proof", "checkpoint"] as const) {
    for (let place = 0; place < MATERIAL[part]!.length; place += 23) {
      const copy = await checkMaterial(sabotage(MATERIAL, part, place)!.material, keys);
      expect(changedLines(original, copy), `byte ${place} of the ${part}`).not.toEqual([]);
    }
  }
});

test("a flip changes one bit of a copy and leaves the original whole", () => {
  const before = MATERIAL.entry.slice();
  const copy = sabotage(MATERIAL, "entry", MATERIAL.entry.length - 1)!;
  expect(copy.after).toBe(copy.before ^ 1);
  expect(MATERIAL.entry).toEqual(before);
  expect(sabotage({ ...MATERIAL, document: null }, "document", 0)).toBeNull();
  expect([byteWords(97), byteWords(10)]).toEqual(["61 (“a”)", "0a"]);
});

test.each([-1, 0.5, 1e9, Number.NaN, MATERIAL.entry.length])("there is no byte %s to flip", (place) => {
  expect(sabotage(MATERIAL, "entry", place)).toBeNull();
});

test("a check that cannot be made is open and says why", async () => {
  const lines = await linesOf({ ...MATERIAL, document: null, withheld: "it was redacted" }, { witnesses: [], agentKeys: [] });
  const open = lines.filter((line) => line.result === "open");
  expect(open.map((line) => line.check)).toEqual([
    "document hash",
    "document signature",
    "document and entry",
    "witness cosignatures",
  ]);
  expect(open[0]?.sentence).toContain("it was redacted");
  const [, signature] = await linesOf(MATERIAL, { agentKeys: [] });
  expect(signature?.result).toBe("open");
});

test("a checkpoint fails under another key of the log, and a text that is no key fails too", async () => {
  const other = fixtureText("old-log-key.txt").trim();
  expect(failing(await linesOf(MATERIAL, { logKey: other }))).toEqual(["checkpoint signature"]);
  expect(failing(await linesOf(MATERIAL, { logKey: "nonsense" }))).toEqual(["checkpoint signature"]);
  expect(failing(await linesOf(MATERIAL, { witnesses: ["nonsense"] }))).toEqual(["witness cosignatures"]);
  expect(await isSameKey(keys.logKey, keys.logKey)).toBe(true);
  expect(await isSameKey(other, keys.logKey)).toBe(false);
});
