// The examination of files that a reader has dropped together: each is verified with those that belong to it.
//
// Files of keys, policies, notes of new keys and registrations support the others; what they vouch for is as good as
// the reader's reason to believe them, and each report says which of them it rests on.

import { verifyBundle } from "../proof/bundle";
import { followSuccessions, LogKeys } from "../proof/checkpoint";
import { readPolicyFile, type WitnessPolicy } from "../proof/cosignature";
import { readDocument, registeredKey, registeredKeyId, verifyDocument, type Document } from "../proof/document";
import { type PublicKey } from "../proof/ed25519";
import { decodeUtf8, type Bytes } from "../proof/encoding";
import { FormatError, MissingError, VerificationError, within } from "../proof/errors";
import { readEvidence, type EvidenceSegment } from "../proof/evidence";
import { sha256Name } from "../proof/hash";
import { kindOf, KINDS, type Kind } from "../proof/kind";
import { readLogProof } from "../proof/log_proof";
import { type Step } from "../proof/merkle";
import { readNote, VerifierKey } from "../proof/note";
import { packOf, verifyArchive, verifyPack } from "../proof/pack";
import { verifyPacket } from "../proof/packet";
import { verifyPassports } from "../proof/passport";
import { readReceipt, verifyCheckpoint, verifyLogProof, verifyReceipt, type Trust } from "../proof/receipt";
import { report, type Report, type Reporter } from "../proof/report";
import { verifySource } from "../proof/source";

/** A file as it was dropped. */
export interface GivenFile {
  readonly name: string;
  readonly data: Bytes;
}

/** The report on one file; `with` are the names of other files that were verified together with it. */
export interface FileReport {
  readonly name: string;
  readonly kind: Kind;
  readonly with: readonly string[];
  readonly report: Report;
  readonly path: readonly Step[];
}

interface KnownFile extends GivenFile {
  readonly kind: Kind;
}

/** A message with the file that it came in, and its cited sources if it is a statement. */
interface Message {
  readonly file: KnownFile;
  readonly document: Document;
  readonly evidence: readonly EvidenceSegment[];
}

/** The reader's keys and the messages among the files. */
interface World {
  readonly files: readonly KnownFile[];
  readonly keys: readonly VerifierKey[];
  readonly notes: readonly string[];
  readonly witnesses: WitnessPolicy | null;
  readonly messages: readonly Message[];
  /** Keys of agents by their key id, with the file of their registration. */
  readonly agents: ReadonlyMap<string, { key: PublicKey; file: string }>;
}

/** Files that support others and are no subject of a report of their own. */
const SUPPORT: readonly Kind[] = ["log key", "policy", "succession", "entry"];

/** Verify files together. `logKeys` is what the reader typed: verifier keys, one a line. */
export async function examine(given: readonly GivenFile[], logKeys = ""): Promise<FileReport[]> {
  const files = given.map((one): KnownFile => ({ ...one, kind: kindOf(one.data) }));
  const [world, faults] = await readWorld(files, logKeys);
  const reports = [...faults];
  for (const file of files) {
    const isDone = SUPPORT.includes(file.kind) || faults.some((one) => one.name === file.name);
    if (!isDone && !isContent(file, world)) reports.push(await examineFile(file, world));
  }
  return reports;
}

/** Say whether bytes are the content of a pack whose manifest is here. */
function isContent(file: KnownFile, world: World): boolean {
  return file.kind === "other bytes" && world.files.some((one) => one.kind === "manifest");
}

async function examineFile(file: KnownFile, world: World): Promise<FileReport> {
  const used = new Set<string>();
  let path: readonly Step[] = [];
  const found = await report(async (reporter) => {
    path = (await verifyFile(file, world, reporter, used)) ?? [];
  });
  used.delete(file.name);
  return { name: file.name, kind: file.kind, with: [...used], report: found, path };
}

async function verifyFile(
  file: KnownFile,
  world: World,
  reporter: Reporter,
  used: Set<string>,
): Promise<readonly Step[] | void> {
  const { data, kind } = file;
  const agents = new Map([...world.agents].map(([keyId, { key }]) => [keyId, key]));
  switch (kind) {
    case "bundle":
      await verifyBundle(data, await trustOf(originInBundle(data), world, false), reporter);
      return;
    case "receipt":
      return examineReceipt(file, world, reporter, used);
    case "proof":
      return examineProof(file, world, reporter, used);
    case "checkpoint":
      await verifyCheckpoint(decodeUtf8(data), await trustOf(originOf(decodeUtf8(data)), world), reporter);
      return;
    case "message":
      return examineMessage(file, world, reporter, used);
    case "passport":
    case "passport chain":
      await verifyPassports(data, agents, null, reporter);
      return;
    case "packet":
      await verifyPacket(data, agents, reporter);
      return;
    case "pack":
      return verifyArchive(data, reporter);
    case "manifest": {
      const contents = world.files.filter((one) => one.kind === "other bytes");
      contents.forEach((one) => used.add(one.name));
      return verifyPack(await packOf(data, contents.map((one) => one.data)), reporter);
    }
    default:
      return examineSource(file, world, reporter, used);
  }
}

async function examineReceipt(file: KnownFile, world: World, reporter: Reporter, used: Set<string>) {
  const receipt = await within("receipt form", () => readReceipt(file.data));
  const { documentHash, signedHash, id } = receipt.stated;
  const of = (test: (document: Document) => boolean): Message | undefined =>
    world.messages.find((one) => test(one.document));
  // A document that is altered is still the one that is meant, by its id.
  const message =
    of((one) => one.documentHash === documentHash) ?? of((one) => one.signedHash === signedHash) ?? of((one) => one.id === id);
  if (message !== undefined) used.add(message.file.name);
  const trust = await trustOf(originOf(receipt.proof.note), world);
  return (await verifyReceipt(file.data, message?.file.data ?? null, trust, reporter)).path;
}

async function examineProof(file: KnownFile, world: World, reporter: Reporter, used: Set<string>) {
  const text = decodeUtf8(file.data);
  const proof = await within("proof form", () => readLogProof(text));
  const trust = await trustOf(originOf(proof.note), world);
  const entry = world.files.find((one) => one.kind === "entry");
  if (entry === undefined) {
    await verifyCheckpoint(proof.note, trust, reporter);
    throw new MissingError("inclusion", "the file with the entry is missing: the proof has only its place in the log");
  }
  used.add(entry.name);
  return (await verifyLogProof(decodeUtf8(entry.data), proof, trust, reporter)).path;
}

async function examineMessage(file: KnownFile, world: World, reporter: Reporter, used: Set<string>): Promise<void> {
  const message = world.messages.find((one) => one.file === file);
  const known = world.agents.get(message?.document.signature?.reference ?? "");
  const isOther = known !== undefined && known.file !== file.name;
  if (isOther) used.add(known.file);
  await verifyDocument(file.data, isOther ? known.key : null, reporter);
  if (isOther) reporter.remark(`The key is the one that ${known.file} registers.`);
  const cites = message !== undefined && message.evidence.length > 0;
  if (cites && !world.files.some((one) => one.kind === "other bytes")) {
    reporter.skip("that the evidence stands in its sources: their bytes are not here");
  }
}

/** Verify the bytes of a source against the statements here that cite them. */
async function examineSource(file: KnownFile, world: World, reporter: Reporter, used: Set<string>): Promise<void> {
  const name = await sha256Name(file.data);
  const cited = world.messages.flatMap((message) =>
    message.evidence.map((segment, at) => ({ segment, place: `evidence[${at}] of ${message.file.name}`, message })),
  );
  const own = cited.filter(({ segment }) => segment.documentHash === name);
  // Bytes that none cites may be an altered source: the first piece of evidence says which hash it should have.
  for (const { segment, place, message } of own.length > 0 ? own : cited.slice(0, 1)) {
    used.add(message.file.name);
    await verifySource(file.data, segment, place, reporter);
  }
  if (cited.length === 0) {
    const words = `the document that cites these ${file.data.length} bytes with the hash ${name} is missing`;
    throw new MissingError("kind of file", words);
  }
}

async function readWorld(files: readonly KnownFile[], logKeys: string): Promise<[World, FileReport[]]> {
  const faults: FileReport[] = [];
  const keys: VerifierKey[] = [];
  const notes: string[] = [];
  const messages: Message[] = [];
  let witnesses: WitnessPolicy | null = null;
  const read = async (file: KnownFile, check: string, step: () => unknown): Promise<void> => {
    const found = await report(() => within(check, step as () => Promise<unknown>));
    if (found.checks.length > 0) faults.push({ name: file.name, kind: file.kind, with: [], report: found, path: [] });
  };
  for (const line of logKeys.split(/\s+/).filter((one) => one !== "")) {
    const typed: KnownFile = { name: "the typed key", data: new Uint8Array(), kind: "log key" };
    await read(typed, "log key", async () => keys.push(await VerifierKey.parse(line)));
  }
  for (const file of files) {
    const text = (): string => decodeUtf8(file.data);
    if (file.kind === "log key") {
      await read(file, "log key", async () => keys.push(await VerifierKey.parse(text().trim())));
    } else if (file.kind === "succession") {
      notes.push(text());
    } else if (file.kind === "policy") {
      await read(file, "policy form", async () => {
        const policy = await readPolicyFile(text());
        keys.push(...policy.logs);
        witnesses = policy.policy;
      });
    } else if (file.kind === "message") {
      const message = await readMessage(file);
      if (message !== null) messages.push(message);
    }
  }
  return [{ files, keys, notes, witnesses, messages, agents: agentsIn(messages) }, faults];
}

/** Read a message; null for one that cannot be read, which its own report says. */
async function readMessage(file: KnownFile): Promise<Message | null> {
  try {
    const document = await readDocument(file.data);
    return { file, document, evidence: await evidenceOf(document) };
  } catch (error) {
    if (error instanceof FormatError || error instanceof VerificationError) return null;
    throw error;
  }
}

/** Return the evidence of a statement; of one whose disclosures do not hold there is none to rest on. */
async function evidenceOf(document: Document): Promise<EvidenceSegment[]> {
  if (document.type !== "ProvenanceStatement") return [];
  try {
    return await readEvidence(document.members);
  } catch (error) {
    if (error instanceof FormatError || error instanceof VerificationError) return [];
    throw error;
  }
}

function agentsIn(messages: readonly Message[]): Map<string, { key: PublicKey; file: string }> {
  const found = new Map<string, { key: PublicKey; file: string }>();
  for (const { document, file } of messages) {
    if (document.type !== "AgentRegistration" && document.type !== "KeyRegistration") continue;
    try {
      found.set(registeredKeyId(document), { key: registeredKey(document), file: file.name });
    } catch (error) {
      if (!(error instanceof FormatError)) throw error;
    }
  }
  return found;
}

/** Return the reader's trust in a log: the key under its name, and the notes that lead from there. */
async function trustOf(origin: string | null, world: World, follows = true): Promise<Trust> {
  const key = world.keys.find((one) => one.name === origin) ?? (world.keys.length === 1 ? world.keys[0] : undefined);
  if (key === undefined) return { keys: null, witnesses: world.witnesses };
  const keys = follows ? await followSuccessions(key, world.notes) : new LogKeys(key);
  return { keys, witnesses: world.witnesses };
}

/** Return the log that a checkpoint says it is of; null if it is none, which its verification says. */
function originOf(note: string): string | null {
  try {
    return readNote(note).text.split("\n")[0] ?? null;
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

function originInBundle(data: Bytes): string | null {
  // The first line of the checkpoint's text, which JSON writes with an escaped line feed.
  return /"checkpoint"\s*:\s*"([^"\\]+)\\n/.exec(new TextDecoder().decode(data))?.[1] ?? null;
}

export function describeKind(kind: Kind): string {
  return KINDS[kind];
}

