// The checks of one log entry, each on its own: a check that fails keeps no other from being made.

import { followSuccessions, LogKeys, openCheckpoint, readCheckpoint, CHECKPOINT, LOG_KEY } from "../proof/checkpoint";
import { verifyWitnesses, WITNESSES } from "../proof/cosignature";
import { DOCUMENT_SIGNATURE, ownKey, readDocument, verifySignature } from "../proof/document";
import { PublicKey } from "../proof/ed25519";
import { concatBytes, decodeUtf8, encodeHex, sameBytes, type Bytes } from "../proof/encoding";
import { readEntry, checkEntry } from "../proof/entry";
import { FormatError, VerificationError, within } from "../proof/errors";
import { sha256Name } from "../proof/hash";
import { readLogProof } from "../proof/log_proof";
import { hashLeaf, INCLUSION, verifyInclusion, type Step } from "../proof/merkle";
import { COSIGNATURE, isBy, readNote, VerifierKey } from "../proof/note";
import { DOCUMENT_ENTRY, DOCUMENT_HASH, statedOf } from "../proof/receipt";

export const LEAF = "leaf";

/** The bytes that are checked; `document` is null if this node does not give them, for the reason beside it. */
export interface Material {
  readonly document: Bytes | null;
  readonly withheld: string;
  readonly entry: Bytes;
  readonly proof: Bytes;
  readonly checkpoint: Bytes;
}

/** A key of an agent, as the node lists it. */
export interface AgentKey {
  readonly id: string;
  readonly alias: string | null;
  readonly publicKey: string;
}

/** The keys that the checks rest on. `leaf` is the hash of the leaf that the page shows, in hexadecimal. */
export interface Keys {
  readonly logKey: string;
  readonly successions: readonly string[];
  readonly witnesses: readonly string[];
  readonly agentKeys: readonly AgentKey[];
  readonly leaf: string;
}

export type Result = "holds" | "fails" | "open";

/** One check with its result and a sentence; "open" says that it could not be made. */
export interface Line {
  readonly check: string;
  readonly result: Result;
  readonly sentence: string;
}

/** The lines of all checks, and the nodes of the path that were computed. */
export interface Checked {
  readonly lines: readonly Line[];
  readonly leaf: string | null;
  readonly steps: readonly Step[];
}

/** A check that cannot be made; the message is the reason. */
class Unchecked extends Error {}

/** Make every check of an entry. */
export async function checkMaterial(material: Material, keys: Keys): Promise<Checked> {
  const lines: Line[] = [];
  const attempt = async (check: string, step: () => Promise<string>): Promise<void> => {
    lines.push(await lineOf(check, step));
  };
  let leaf: Bytes | null = null;
  let steps: readonly Step[] = [];
  await attempt(DOCUMENT_HASH, async () => {
    const hash = await sha256Name(documentOf(material));
    checkEntry(DOCUMENT_HASH, readEntry(decodeUtf8(material.entry)), { documentHash: hash });
    return `The document has the hash that the entry states, ${hash}.`;
  });
  await attempt(DOCUMENT_SIGNATURE, () => checkSignature(material, keys));
  await attempt(DOCUMENT_ENTRY, async () => {
    const entry = readEntry(decodeUtf8(material.entry));
    checkEntry(DOCUMENT_ENTRY, entry, statedOf(await readDocument(documentOf(material)), entry));
    return "The entry has the document's signed hash, id and type, its agent and its key.";
  });
  await attempt(LEAF, async () => {
    leaf = await hashLeaf(material.entry);
    if (encodeHex(leaf) !== keys.leaf) {
      throw new VerificationError(LEAF, `The bytes of the entry have the leaf hash ${encodeHex(leaf)}, another than the drawn leaf.`);
    }
    return `SHA-256 of a zero byte and the bytes of the entry is ${encodeHex(leaf)}.`;
  });
  await attempt(INCLUSION, async () => {
    const proof = readLogProof(decodeUtf8(concatBytes(material.proof, material.checkpoint)));
    const checkpoint = await readCheckpoint(readNote(proof.note).text);
    leaf ??= await hashLeaf(material.entry);
    steps = await verifyInclusion(leaf, proof.logIndex, checkpoint.treeSize, proof.hashes, checkpoint.rootHash);
    return `The entry is leaf ${proof.logIndex} of ${checkpoint.treeSize}: ${steps.length} hashes lead from it to the root.`;
  });
  await attempt(CHECKPOINT, async () => {
    const checkpoint = await openCheckpoint(decodeUtf8(material.checkpoint), await keysOf(keys));
    return `The key of the log signed the root of its first ${checkpoint.treeSize} entries.`;
  });
  lines.push(...(await checkCosignatures(material, keys)));
  return { lines, leaf: leaf === null ? null : encodeHex(leaf), steps };
}

/** Return the keys of the log from the given one on; throws "log key". */
export async function keysOf(keys: Pick<Keys, "logKey" | "successions">): Promise<LogKeys> {
  const first = await within(LOG_KEY, () => VerifierKey.parse(keys.logKey));
  return followSuccessions(first, keys.successions);
}

/** Run one check and return its line. */
export async function lineOf(check: string, step: () => Promise<string>): Promise<Line> {
  try {
    return { check, result: "holds", sentence: await within(check, step) };
  } catch (error) {
    if (error instanceof Unchecked) return { check, result: "open", sentence: error.message };
    if (!(error instanceof VerificationError)) throw error;
    return { check, result: "fails", sentence: sentenceOf(error.message) };
  }
}

async function checkSignature(material: Material, keys: Keys): Promise<string> {
  const document = await readDocument(documentOf(material));
  if (document.signature === null) throw new Unchecked("The message is not signed: a request may come without a signature.");
  const { reference } = document.signature;
  const listed = keys.agentKeys.find((one) => one.id === reference || one.alias === reference);
  const key = listed === undefined ? ownKey(document) : PublicKey.fromDidKey(listed.publicKey);
  if (key === null) throw new Unchecked(`This node lists no key of the name ${reference}.`);
  await verifySignature(document, key);
  const origin = listed === undefined ? "the document itself names it" : "this node lists it as a key of the agent";
  return `The key ${key.didKey} signed the document as ${reference}; ${origin}.`;
}

async function checkCosignatures(material: Material, keys: Keys): Promise<Line[]> {
  let note: string;
  let count: number;
  const witnesses: VerifierKey[] = [];
  try {
    for (const text of keys.witnesses) witnesses.push(await VerifierKey.parse(text));
    if (witnesses.some((key) => key.algorithm !== COSIGNATURE)) throw new FormatError("a key is not the key of a witness");
    note = decodeUtf8(material.checkpoint);
    const known = (await readCheckpoint(readNote(note).text)).origin;
    count = readNote(note).signatures.filter((one) => one.name !== known).length;
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return [{ check: WITNESSES, result: "fails", sentence: sentenceOf(error.message) }];
  }
  const lines: Line[] = [];
  for (const key of witnesses) {
    const step = async (): Promise<string> => {
      const { signatures } = readNote(note);
      if (!signatures.some((one) => isBy(one, key))) throw new Unchecked("The witness has not cosigned this checkpoint.");
      const [found] = await verifyWitnesses(note, { quorum: 1, witnesses: [key] });
      return `The witness saw this checkpoint at ${new Date(Number(found?.time ?? 0n) * 1000).toISOString()}.`;
    };
    lines.push(await lineOf(`cosignature of ${key.name}`, step));
  }
  if (lines.length > 0) return lines;
  const sentence =
    count === 0 ? "No witness has cosigned this checkpoint." : `${count} lines are by witnesses whose keys are not given.`;
  return [{ check: WITNESSES, result: "open", sentence }];
}

function documentOf(material: Material): Bytes {
  if (material.document === null) throw new Unchecked(`The document is not here: ${material.withheld}`);
  return material.document;
}

function sentenceOf(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Return the lines of a copy whose results are others than those of the original. */
export function changedLines(original: Checked, copy: Checked): Line[] {
  const results = new Map(original.lines.map((line) => [line.check, line.result]));
  return copy.lines.filter((line) => line.result !== "holds" && results.get(line.check) !== line.result);
}

/** Say whether two verifier keys are the same; throws a FormatError if the text is none. */
export async function isSameKey(text: string, known: string): Promise<boolean> {
  const [one, other] = [await VerifierKey.parse(text), await VerifierKey.parse(known)];
  return one.name === other.name && sameBytes(one.publicKey.data, other.publicKey.data);
}
