import { expect, test } from "vitest";

import { readCheckpoint } from "../proof/checkpoint";
import { encodeBase64 } from "../proof/encoding";
import { readNote } from "../proof/note";
import { fixtureText, otherText } from "../proof/vectors";
import { checkComparison, checkKept, type Comparison } from "./compare";

const NEWEST = fixtureText("checkpoint.txt");
const KEPT = fixtureText("checkpoint-5.txt");
const PROOF: string[] = JSON.parse(fixtureText("consistency.json"));

async function comparison(): Promise<Comparison> {
  const [from, to] = await Promise.all([KEPT, NEWEST].map((note) => readCheckpoint(readNote(note).text)));
  return {
    from: Number(from!.treeSize),
    to: Number(to!.treeSize),
    fromRoot: encodeBase64(from!.rootHash),
    toRoot: encodeBase64(to!.rootHash),
    between: PROOF,
    onward: [],
    checkpoint: NEWEST,
    logKey: fixtureText("log-key.txt").trim(),
    successions: [],
  };
}

const OLD_KEY = { logKey: fixtureText("old-log-key.txt").trim(), successions: [fixtureText("succession.txt")] };
const results = async (block: Comparison): Promise<string[]> => (await checkComparison(block)).map((line) => line.result);
const given = async (): Promise<string[]> => PROOF;

test("a larger log continues a smaller one, up to the signed checkpoint", async () => {
  expect(await results(await comparison())).toEqual(["holds", "holds", "holds"]);
  expect(await results({ ...(await comparison()), ...OLD_KEY })).toEqual(["holds", "holds", "holds"]);
});

test("an altered root or hash of the proof fails", async () => {
  const block = await comparison();
  expect(await results({ ...block, fromRoot: otherText(block.fromRoot) })).toEqual(["fails", "holds", "holds"]);
  expect(await results({ ...block, toRoot: otherText(block.toRoot) })).toEqual(["fails", "fails", "holds"]);
  expect(await results({ ...block, between: PROOF.slice(1) })).toEqual(["fails", "holds", "holds"]);
  const checkpoint = NEWEST.replace("a2ap-node", "a2ap-nodf");
  expect(await results({ ...block, checkpoint })).toEqual(["holds", "fails", "fails"]);
});

test("a kept checkpoint is continued, and one of another history is a proof against the log", async () => {
  const block = await comparison();
  expect((await checkKept(KEPT, block, given)).result).toBe("holds");
  expect((await checkKept(NEWEST, block, async () => [])).result).toBe("holds");
  expect((await checkKept(KEPT, block, async () => PROOF.slice(1))).result).toBe("fails");
  expect((await checkKept("no note", block, given)).result).toBe("fails");
  const stale = { ...block, checkpoint: KEPT };
  expect((await checkKept(NEWEST, stale, given)).sentence).toContain("load the page again");
});
