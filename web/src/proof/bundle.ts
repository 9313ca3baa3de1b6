// Bundles: one file with a statement and everything that its score rests on, verified off-line in this order:
//
// (1) the log's key, or one that it handed the log to, signed the checkpoint; enough witnesses cosigned it;
// (2) every entry is in the log of that checkpoint;
// (3) every document is the one that its entry names, and agrees with the entry; redactions are in the log;
// (4) every signature is by a key of its agent that was in use at its place in the log;
// (5) the sources are those that the statement cites, and have the cited bytes at the cited place.
//
// The score is not computed again here. A bundle never proves that there is nothing else: another verdict, a later
// revocation. The report names all of that.

import { BundleKeys, type BundledMessage } from "./bundle_keys";
import { verifySources } from "./bundle_sources";
import { followSuccessions, LOG_KEY, type Checkpoint } from "./checkpoint";
import { DOCUMENT_SIGNATURE, readDocument, verifyMembers, type Document } from "./document";
import { decodeBase64, encodeUtf8, type Bytes } from "./encoding";
import { checkEntry, readEntry, type LogEntry } from "./entry";
import { FormatError, placed, shown, VerificationError, within } from "./errors";
import { readEvidence, type EvidenceSegment } from "./evidence";
import { readJson, type JsonObject } from "./json";
import { readCount, readObject, readObjects, readText, readTexts } from "./members";
import { hashLeaf, INCLUSION, verifyInclusion } from "./merkle";
import { DOCUMENT_ENTRY, DOCUMENT_HASH, statedOf, verifyCheckpoint, type Trust } from "./receipt";
import { Reporter } from "./report";
import { scopeAgent, scopeKey } from "./scoping";

export const BUNDLE_FORM = "bundle form";
export const REDACTION = "redaction";
export const MEDIA_TYPE = "application/vnd.a2ap.bundle+json;version=0.1";

const MAX_BYTES = 2 ** 28;
const MAX_ENTRIES = 100_000;

/** A bundle whose checks all hold. */
export interface VerifiedBundle {
  readonly checkpoint: Checkpoint;
  readonly statement: Document;
  readonly evidence: readonly EvidenceSegment[];
  readonly messages: readonly BundledMessage[];
  readonly sources: ReadonlyMap<string, Bytes>;
}

/** An entry of a bundle before its document is read. */
interface BundledEntry {
  readonly item: JsonObject;
  readonly logIndex: number;
  readonly entry: LogEntry;
}

/** Verify a bundle; nothing in it is believed that does not follow from the key of the log in `trust`. */
export async function verifyBundle(data: Bytes, trust: Trust, reporter = new Reporter()): Promise<VerifiedBundle> {
  const bundle = await reporter.run(BUNDLE_FORM, () => readBundle(data), "The file is a bundle.");
  const checkpoint = await verifyBundleCheckpoint(bundle, trust, reporter);
  const entries = await verifyEntries(bundle, checkpoint, reporter);
  const messages = await verifyDocuments(entries, checkpoint.origin, reporter);
  const trusted = await verifySignatures(messages, checkpoint.origin, reporter);
  const statement = await within(BUNDLE_FORM, () => findStatement(bundle, messages));
  await verifyRedactions(messages, checkpoint.origin, reporter);
  const evidence = await within(BUNDLE_FORM, () => readEvidence(statement.document.members));
  const sources = await verifySources(bundle, evidence, reporter);
  describeStanding(statement, messages, trusted, reporter);
  describeGaps(bundle, checkpoint, reporter);
  return { checkpoint, statement: statement.document, evidence, messages, sources };
}

function readBundle(data: Bytes): JsonObject {
  const bundle = readJson(data, MAX_BYTES);
  const mediaType = readText(bundle, "mediaType");
  if (mediaType !== MEDIA_TYPE) throw new FormatError(`mediaType is ${shown(mediaType)}, not ${MEDIA_TYPE}`);
  const count = readObjects(bundle, "entries").length;
  if (count === 0 || count > MAX_ENTRIES) throw new FormatError(`entries has ${count} items`);
  return bundle;
}

async function verifyBundleCheckpoint(bundle: JsonObject, trust: Trust, reporter: Reporter): Promise<Checkpoint> {
  const [note, notes] = await within(BUNDLE_FORM, () => [
    readText(bundle, "checkpoint"),
    readTexts(bundle, "logKeySuccessions"),
  ] as const);
  const first = trust.keys;
  if (first === null) return verifyCheckpoint(note, trust, reporter);
  const keys = await reporter.run(
    LOG_KEY,
    () => followSuccessions(first.first, notes),
    (found) => `The given key ${found.first.text} leads to the log's keys: ${found.successions.length} notes hand the log over.`,
  );
  return verifyCheckpoint(note, { ...trust, keys }, reporter);
}

function verifyEntries(bundle: JsonObject, checkpoint: Checkpoint, reporter: Reporter): Promise<BundledEntry[]> {
  return reporter.run(
    INCLUSION,
    async () => {
      const found: BundledEntry[] = [];
      for (const [position, item] of readObjects(bundle, "entries").entries()) {
        const logIndex = readCount(item, "logIndex", `entries[${position}]`);
        found.push(await placed(`log entry ${logIndex}`, () => verifyEntry(item, logIndex, checkpoint)));
      }
      if (found.some((one, position) => position > 0 && one.logIndex <= (found[position - 1]?.logIndex ?? -1))) {
        throw new FormatError("the entries are not in log order, each once");
      }
      return found;
    },
    (found) => `${found.length} messages are in the log, each with its path to the root.`,
  );
}

async function verifyEntry(item: JsonObject, logIndex: number, checkpoint: Checkpoint): Promise<BundledEntry> {
  const text = readText(item, "entry");
  const hashes = readTexts(item, "hashes").map(decodeBase64);
  const leaf = await hashLeaf(encodeUtf8(text));
  await verifyInclusion(leaf, BigInt(logIndex), checkpoint.treeSize, hashes, checkpoint.rootHash);
  return { item, logIndex, entry: readEntry(text) };
}

async function verifyDocuments(
  entries: readonly BundledEntry[],
  home: string,
  reporter: Reporter,
): Promise<BundledMessage[]> {
  const messages = await reporter.run(
    DOCUMENT_HASH,
    async () => {
      const found: BundledMessage[] = [];
      for (const one of entries) found.push(await placed(`log entry ${one.logIndex}`, () => readMessage(one, home)));
      return found;
    },
    (found) => {
      const count = found.filter((one) => one.document !== null).length;
      return `${count} documents are those that their entries name: hashes, ids, types, agents and keys agree.`;
    },
  );
  for (const { withheld, logIndex, entry } of messages) {
    if (withheld !== null) reporter.skip(`the content of log entry ${logIndex}, a ${entry.type}: ${withheld}`);
  }
  return messages;
}

async function readMessage({ item, logIndex, entry }: BundledEntry, home: string): Promise<BundledMessage> {
  if ((item.get("document") ?? null) === null) {
    return { logIndex, entry, document: null, withheld: readText(item, "withheld"), redactedHash: null };
  }
  const document = await readDocument(decodeBase64(readText(item, "document")));
  const isRedacted = (item.get("redacted") ?? null) !== null;
  if (!isRedacted) checkEntry(DOCUMENT_HASH, entry, { documentHash: document.documentHash });
  checkEntry(DOCUMENT_ENTRY, entry, { ...statedOf(document, entry), ...scopedNames(document, entry, home) });
  await verifyMembers(document);
  return { logIndex, entry, document, withheld: null, redactedHash: isRedacted ? document.documentHash : null };
}

/** Return the names that a peer's message has in this log. */
function scopedNames(document: Document, entry: LogEntry, home: string): { agent?: string; key?: string } {
  if (entry.originIndex === null) return {};
  const reference = document.signature?.reference;
  return {
    agent: scopeAgent(document.agent, entry.origin, home),
    key: reference === undefined ? "" : scopeKey(reference, document.agent, entry.origin, home),
  };
}

/** Return whether the key is trusted at the place where it signed, by the place of the message in the log. */
async function verifySignatures(
  messages: readonly BundledMessage[],
  home: string,
  reporter: Reporter,
): Promise<ReadonlyMap<number, boolean>> {
  const keys = new BundleKeys(home, messages);
  const signers = await reporter.run(
    DOCUMENT_SIGNATURE,
    async () => {
      const found = new Map<number, string>();
      for (const one of messages) {
        const { document } = one;
        if (document === null) continue;
        found.set(one.logIndex, await placed(`log entry ${one.logIndex}`, () => keys.verify(document, one)));
      }
      return found;
    },
    (found) => `${found.size} signatures are by keys of their agents that were in use where they stand in the log.`,
  );
  return new Map([...signers].map(([logIndex, keyId]) => [logIndex, keys.isTrusted(keyId, logIndex)]));
}

function findStatement(bundle: JsonObject, messages: readonly BundledMessage[]): BundledMessage & { document: Document } {
  const name = readText(bundle, "statement");
  const found = messages.find((one) => one.entry.signedHash === name);
  if (found === undefined) throw new FormatError(`statement is ${shown(name)}, and no entry has that hash`);
  const { document } = found;
  if (document?.type !== "ProvenanceStatement") throw new FormatError("the statement is not in the bundle");
  return { ...found, document };
}

/** Throw "redaction" if a document is marked as redacted and no redaction in the bundle produced it. */
async function verifyRedactions(messages: readonly BundledMessage[], home: string, reporter: Reporter): Promise<void> {
  const authors = new Map(messages.map((one) => [one.entry.signedHash, one.entry.agent]));
  const produced = messages.flatMap(({ document, entry }) => {
    if (document?.type !== "Redaction" || !document.members.has("targetHash")) return [];
    const target = readText(document.members, "targetHash");
    // Authors may redact disclosures of their own.
    const isAllowed = entry.agent === home || entry.agent === authors.get(target);
    return isAllowed ? [`${target} ${readText(document.members, "redactedDocumentHash")}`] : [];
  });
  for (const { entry, logIndex, redactedHash } of messages) {
    if (redactedHash === null) continue;
    await reporter.run(
      REDACTION,
      () => {
        if (!produced.includes(`${entry.signedHash} ${redactedHash}`)) {
          const words = `log entry ${logIndex}: its document is said to be redacted, and no redaction in the bundle says so`;
          throw new VerificationError(REDACTION, words);
        }
      },
      `Log entry ${logIndex} was redacted, by a message in the log.`,
    );
  }
}

/** Remark on everything that takes weight from the statement. */
function describeStanding(
  statement: BundledMessage,
  messages: readonly BundledMessage[],
  trusted: ReadonlyMap<number, boolean>,
  reporter: Reporter,
): void {
  const { signedHash, agent, key } = statement.entry;
  if (!trusted.get(statement.logIndex)) reporter.remark(`The key that signed it, ${key}, is not trusted where it stands.`);
  for (const { document, entry, logIndex } of messages) {
    if (document === null || entry.agent !== agent || !trusted.get(logIndex)) continue;
    const { type, members } = document;
    if (type === "Retraction" && members.get("targetHash") === signedHash) {
      reporter.remark(`Its author retracted it, log entry ${logIndex}.`);
    }
    const isRevision = type === "ProvenanceStatement" && members.has("prov:wasRevisionOf");
    if (isRevision && readObject(members, "prov:wasRevisionOf").get("targetHash") === signedHash) {
      reporter.remark(`Its author revised it, log entry ${logIndex}: ${entry.id} takes its place.`);
    }
  }
}

function describeGaps(bundle: JsonObject, checkpoint: Checkpoint, reporter: Reporter): void {
  const score = bundle.get("score");
  if (score instanceof Map) {
    const [value, method] = [readText(score, "consensusScore", "score"), readText(score, "method", "score")];
    reporter.skip(`the score ${value} by ${method}: it is not computed here; \`a2ap verify\` does`);
  } else {
    reporter.skip("any score: nobody has judged the statement");
  }
  reporter.skip(
    `that no other of the log's ${checkpoint.treeSize} entries is a verdict, endorsement, retraction or revocation, ` +
      "or replaces the policy, epoch, keys or versions in the bundle",
  );
  reporter.skip("the state of the statement after the checkpoint");
  reporter.skip("that members of messages other than those named above have the form that the type requires");
}

