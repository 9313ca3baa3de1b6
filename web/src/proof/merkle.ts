// Proofs in the Merkle tree of RFC 6962, verified as RFC 9162 §2.1.3.2 and §2.1.4.2 say.
//
// Both verifications return the nodes that they compute, from the leaf up, so that a page can draw the path.

import { concatBytes, encodeHex, sameBytes, type Bytes } from "./encoding";
import { FormatError, VerificationError } from "./errors";
import { HASH_BYTES, sha256 } from "./hash";

export const INCLUSION = "inclusion";
export const CONSISTENCY = "consistency";

const MAX_TREE_SIZE = 2n ** 63n - 1n;

/** One step up: `sibling` stands at `side` of the node below, and `node` is the hash above both. */
export interface Step {
  readonly side: "left" | "right";
  readonly sibling: Bytes;
  readonly node: Bytes;
}

/** A step of a consistency proof: `old` is the same node in the old tree, or as it was if the old tree has none. */
export interface ConsistencyStep extends Step {
  readonly old: Bytes;
}

export function hashLeaf(entry: Uint8Array): Promise<Bytes> {
  return sha256(concatBytes(Uint8Array.of(0), entry));
}

export function hashChildren(left: Uint8Array, right: Uint8Array): Promise<Bytes> {
  return sha256(concatBytes(Uint8Array.of(1), left, right));
}

/** Return the steps from a leaf to the root; throws the VerificationError "inclusion" unless they lead there. */
export async function verifyInclusion(
  leafHash: Bytes,
  logIndex: bigint,
  treeSize: bigint,
  proof: readonly Bytes[],
  root: Bytes,
): Promise<Step[]> {
  if (logIndex < 0n || logIndex >= treeSize || treeSize > MAX_TREE_SIZE) {
    throw new VerificationError(INCLUSION, `there is no leaf ${logIndex} in a tree of ${treeSize} leaves`);
  }
  checkHashes(leafHash, root, ...proof);
  const steps: Step[] = [];
  let [place, last, found] = [logIndex, treeSize - 1n, leafHash];
  for (const sibling of proof) {
    if (last === 0n) {
      throw new VerificationError(INCLUSION, `the inclusion proof of leaf ${logIndex} goes on above the root`);
    }
    const side = place & 1n || place === last ? "left" : "right";
    found = side === "left" ? await hashChildren(sibling, found) : await hashChildren(found, sibling);
    steps.push({ side, sibling, node: found });
    if (side === "left") [place, last] = skipLevels(place, last);
    [place, last] = [place >> 1n, last >> 1n];
  }
  if (last !== 0n) throw new VerificationError(INCLUSION, `the inclusion proof of leaf ${logIndex} ends below the root`);
  if (!sameBytes(found, root)) {
    const words = `leaf ${logIndex} is not in the tree of ${treeSize} leaves: its path leads to ${encodeHex(found)}`;
    throw new VerificationError(INCLUSION, `${words}, and the root is ${encodeHex(root)}`);
  }
  return steps;
}

/** Return the steps of a proof that the new tree begins with the leaves of the old one; throws "consistency". */
export async function verifyConsistency(
  oldSize: bigint,
  newSize: bigint,
  oldRoot: Bytes,
  newRoot: Bytes,
  proof: readonly Bytes[],
): Promise<ConsistencyStep[]> {
  const fail = (sentence: string): never => {
    throw new VerificationError(CONSISTENCY, sentence);
  };
  // Every tree continues the empty one, so there is nothing that a proof could say.
  if (oldSize <= 0n || oldSize > newSize || newSize > MAX_TREE_SIZE) {
    fail(`there is no proof from ${oldSize} to ${newSize} leaves`);
  }
  if (oldSize === newSize) {
    if (proof.length > 0) fail(`a proof from ${oldSize} leaves to as many is empty`);
    if (!sameBytes(oldRoot, newRoot)) fail(`there are two roots of ${oldSize} leaves`);
    return [];
  }
  checkHashes(oldRoot, newRoot, ...proof);
  // The old root is left out of the proof if it is a node of the new tree.
  const [first, ...rest] = (oldSize & (oldSize - 1n)) === 0n ? [oldRoot, ...proof] : proof;
  if (first === undefined) return fail(`the proof from ${oldSize} to ${newSize} leaves is empty`);
  let [place, last] = [oldSize - 1n, newSize - 1n];
  while (place & 1n) [place, last] = [place >> 1n, last >> 1n];
  let [oldFound, newFound] = [first, first];
  const steps: ConsistencyStep[] = [];
  for (const sibling of rest) {
    if (last === 0n) fail(`the proof from ${oldSize} to ${newSize} leaves goes on above the root`);
    const side = place & 1n || place === last ? "left" : "right";
    if (side === "left") {
      [oldFound, newFound] = [await hashChildren(sibling, oldFound), await hashChildren(sibling, newFound)];
      [place, last] = skipLevels(place, last);
    } else {
      newFound = await hashChildren(newFound, sibling);
    }
    steps.push({ side, sibling, node: newFound, old: oldFound });
    [place, last] = [place >> 1n, last >> 1n];
  }
  if (last !== 0n) fail(`the proof from ${oldSize} to ${newSize} leaves ends below the root`);
  if (!sameBytes(oldFound, oldRoot)) fail(`the proof does not lead to the old root, of ${oldSize} leaves`);
  if (!sameBytes(newFound, newRoot)) fail(`the proof does not lead to the new root, of ${newSize} leaves`);
  return steps;
}

/** Climb from a node on the right edge past the levels on which it has no sibling. */
function skipLevels(place: bigint, last: bigint): [bigint, bigint] {
  while (place && !(place & 1n)) [place, last] = [place >> 1n, last >> 1n];
  return [place, last];
}

function checkHashes(...hashes: readonly Bytes[]): void {
  for (const hash of hashes) {
    if (hash.length !== HASH_BYTES) throw new FormatError(`a hash has ${hash.length} bytes, not ${HASH_BYTES}`);
  }
}
