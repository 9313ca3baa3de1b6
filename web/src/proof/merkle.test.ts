import { expect, test } from "vitest";

import { readCheckpoint } from "./checkpoint";
import { decodeBase64, type Bytes } from "./encoding";
import { VerificationError } from "./errors";
import { hashChildren, verifyConsistency, verifyInclusion } from "./merkle";
import { readNote } from "./note";
import { failing, fixtureText, flipped, vector } from "./vectors";

interface Inclusion {
  name: string;
  leafIdx: number;
  treeSize: number;
  root: string;
  leafHash: string;
  proof: string[] | null;
  wantErr: boolean;
}

interface Consistency {
  name: string;
  size1: number;
  size2: number;
  root1: string;
  root2: string;
  proof: string[] | null;
  wantErr: boolean;
}

const bytes = (text: string | null): Bytes => decodeBase64(text ?? "");
const all = (texts: string[] | null): Bytes[] => (texts ?? []).map(bytes);

async function refuses(verification: Promise<unknown>): Promise<boolean> {
  return verification.then(
    () => false,
    () => true,
  );
}

test("every inclusion proof of the vectors holds or fails as they say", async () => {
  for (const one of vector("merkle").inclusion as Inclusion[]) {
    const args = [bytes(one.leafHash), BigInt(one.leafIdx), BigInt(one.treeSize), all(one.proof), bytes(one.root)] as const;
    expect(await refuses(verifyInclusion(...args)), one.name).toBe(one.wantErr);
  }
});

test("every consistency proof of the vectors holds or fails as they say", async () => {
  for (const one of vector("merkle").consistency as Consistency[]) {
    // Every tree continues the empty one; there is nothing that a proof could say, and we refuse it.
    if (one.size1 === 0) continue;
    const args = [BigInt(one.size1), BigInt(one.size2), bytes(one.root1), bytes(one.root2), all(one.proof)] as const;
    expect(await refuses(verifyConsistency(...args)), one.name).toBe(one.wantErr);
  }
});

test("the steps of an inclusion proof are the nodes from the leaf to the root", async () => {
  const one = (vector("merkle").inclusion as Inclusion[]).find((each) => !each.wantErr && (each.proof?.length ?? 0) > 2)!;
  const root = bytes(one.root);
  let below = bytes(one.leafHash);
  const steps = await verifyInclusion(below, BigInt(one.leafIdx), BigInt(one.treeSize), all(one.proof), root);
  for (const step of steps) {
    const [left, right] = step.side === "left" ? [step.sibling, below] : [below, step.sibling];
    expect(step.node).toEqual(await hashChildren(left, right));
    below = step.node;
  }
  expect(below).toEqual(root);
});

test("a consistency proof with any hash altered fails", async () => {
  const old = await readCheckpoint(readNote(fixtureText("checkpoint-5.txt")).text);
  const now = await readCheckpoint(readNote(fixtureText("checkpoint.txt")).text);
  const proof = (JSON.parse(fixtureText("consistency.json")) as string[]).map(bytes);
  const check = (from: Bytes, to: Bytes, hashes: Bytes[]): Promise<string | null> =>
    failing(verifyConsistency(old.treeSize, now.treeSize, from, to, hashes));
  expect(await check(old.rootHash, now.rootHash, proof)).toBeNull();
  expect(await check(flipped(old.rootHash), now.rootHash, proof)).toBe("consistency");
  expect(await check(old.rootHash, flipped(now.rootHash), proof)).toBe("consistency");
  for (let at = 0; at < proof.length; at += 1) {
    const altered = proof.map((one, place) => (place === at ? flipped(one) : one));
    expect(await check(old.rootHash, now.rootHash, altered)).toBe("consistency");
  }
  expect(await check(old.rootHash, now.rootHash, proof.slice(1))).toBe("consistency");
});

test("an error of a proof says what is wrong", async () => {
  const hash = new Uint8Array(32);
  const error = await verifyInclusion(hash, 1n, 1n, [], hash).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(VerificationError);
  expect((error as Error).message).toBe("there is no leaf 1 in a tree of 1 leaves");
});
