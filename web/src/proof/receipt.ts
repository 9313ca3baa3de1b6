// Receipts: a log's answer to a document, from the document's bytes to the signed checkpoint.
//
//   document bytes → hashes → entry → leaf → inclusion → root → checkpoint → signature of the log, of witnesses

import { CHECKPOINT, describeCheckpoint, openCheckpoint, readCheckpoint, type Checkpoint, type LogKeys } from "./checkpoint";
import { verifyWitnesses, WITNESSES, type WitnessPolicy } from "./cosignature";
import { readDocument, type Document } from "./document";
import { encodeUtf8, type Bytes } from "./encoding";
import { checkEntry, readEntry, type LogEntry } from "./entry";
import { FormatError, MissingError, shown, within } from "./errors";
import { readJson } from "./json";
import { readLogProof, type LogProof } from "./log_proof";
import { readCount, readText } from "./members";
import { hashLeaf, INCLUSION, verifyInclusion, type Step } from "./merkle";
import { readNote } from "./note";
import { Reporter } from "./report";

export const RECEIPT_FORM = "receipt form";
export const ENTRY_FORM = "entry form";
export const RECEIPT_MEMBERS = "receipt members";
export const DOCUMENT_HASH = "document hash";
export const DOCUMENT_ENTRY = "document and entry";

/** The keys and witnesses that a reader believes, known from elsewhere than the file at hand. */
export interface Trust {
  readonly keys: LogKeys | null;
  readonly witnesses?: WitnessPolicy | null;
}

/** A receipt as the platform writes it; its other members repeat the entry. */
export interface Receipt {
  readonly entry: string;
  readonly proof: LogProof;
  readonly stated: Record<"id" | "type" | "signedHash" | "documentHash" | "receivedAt", string>;
  readonly logIndex: bigint;
}

/** A proven entry, with all that a page needs to draw the way from the leaf to the checkpoint. */
export interface ProvenEntry {
  readonly entry: LogEntry;
  readonly logIndex: bigint;
  readonly leafHash: Bytes;
  readonly path: readonly Step[];
  readonly checkpoint: Checkpoint;
}

export function readReceipt(data: Bytes): Receipt {
  const members = readJson(data);
  const stated = {
    id: readText(members, "id"),
    type: readText(members, "type"),
    signedHash: readText(members, "signedHash"),
    documentHash: readText(members, "documentHash"),
    receivedAt: readText(members, "receivedAt"),
  };
  const proof = readLogProof(readText(members, "proof"));
  return { entry: readText(members, "entry"), proof, stated, logIndex: BigInt(readCount(members, "logIndex")) };
}

/** Verify a receipt, and the document that it is for if that is given. */
export async function verifyReceipt(
  data: Bytes,
  document: Bytes | null,
  trust: Trust,
  reporter = new Reporter(),
): Promise<ProvenEntry> {
  const receipt = await within(RECEIPT_FORM, () => readReceipt(data));
  const proven = await verifyLogProof(receipt.entry, receipt.proof, trust, reporter);
  await reporter.run(
    RECEIPT_MEMBERS,
    () => {
      if (receipt.logIndex !== proven.logIndex) {
        throw new FormatError(`logIndex is ${receipt.logIndex}, and the proof is of entry ${proven.logIndex}`);
      }
      checkEntry(RECEIPT_MEMBERS, proven.entry, receipt.stated);
    },
    "The receipt says the same as the entry.",
  );
  if (document === null) reporter.skip("that the entry is about a document that you have: none is given");
  else await verifyEntryOf(document, proven.entry, reporter);
  return proven;
}

/** Verify that an entry is in the log: its leaf, its path to the root, and the checkpoint of that root. */
export async function verifyLogProof(
  entry: string,
  proof: LogProof,
  trust: Trust,
  reporter = new Reporter(),
): Promise<ProvenEntry> {
  const checkpoint = await verifyCheckpoint(proof.note, trust, reporter);
  const leafHash = await hashLeaf(encodeUtf8(entry));
  const path = await reporter.run(
    INCLUSION,
    () => verifyInclusion(leafHash, proof.logIndex, checkpoint.treeSize, proof.hashes, checkpoint.rootHash),
    (steps) => `The entry is leaf ${proof.logIndex}: ${steps.length} hashes lead from it to the root.`,
  );
  const found = await reporter.run(
    ENTRY_FORM,
    () => readEntry(entry),
    (one) => `The log took in the ${one.type} ${one.id} of ${one.agent} at ${one.receivedAt}.`,
  );
  return { entry: found, logIndex: proof.logIndex, leafHash, path, checkpoint };
}

/** Verify a checkpoint under the keys and witnesses of the reader. */
export async function verifyCheckpoint(note: string, trust: Trust, reporter = new Reporter()): Promise<Checkpoint> {
  const checkpoint = await reporter.run(
    CHECKPOINT,
    async () => {
      if (trust.keys === null) {
        const { origin } = await readCheckpoint(readNote(note).text);
        throw new MissingError(CHECKPOINT, `the key of the log ${shown(origin)} is missing, so that no key vouches for the checkpoint`);
      }
      return openCheckpoint(note, trust.keys);
    },
    describeCheckpoint,
  );
  const policy = trust.witnesses;
  if (policy && policy.quorum > 0) {
    await reporter.run(
      WITNESSES,
      () => verifyWitnesses(note, policy),
      (found) => `Others have seen the same log: ${found.map((one) => one.witness.name).join(", ")}.`,
    );
  } else {
    reporter.skip("that others see the same log: no witnesses are asked for");
  }
  return checkpoint;
}

/** Verify that an entry is about a document: its bytes, its signed part, its id, type, agent and key. */
export async function verifyEntryOf(data: Bytes, entry: LogEntry, reporter = new Reporter()): Promise<Document> {
  const document = await within(DOCUMENT_ENTRY, () => readDocument(data));
  await reporter.run(
    DOCUMENT_HASH,
    () => checkEntry(DOCUMENT_HASH, entry, { documentHash: document.documentHash }),
    `The document has the hash that the entry states, ${document.documentHash}.`,
  );
  await reporter.run(
    DOCUMENT_ENTRY,
    () => checkEntry(DOCUMENT_ENTRY, entry, statedOf(document, entry)),
    "The entry has the document's signed hash, id and type, its agent and its key.",
  );
  return document;
}

/** Return the values that an entry of a document has; names of a peer's agents are others in its own log. */
export function statedOf(document: Document, entry: LogEntry): Partial<Record<keyof LogEntry, string>> {
  const { signedHash, type, id, agent } = document;
  if (entry.originIndex !== null) return { signedHash, type, id };
  return { signedHash, type, id, agent, key: document.signature?.reference ?? "" };
}
