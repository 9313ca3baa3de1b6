// A signed A2AP message as it was received: its bytes, the signed part of them, its signature and its proofs.
//
// The signature covers the RFC 8785 bytes of the whole document without `signature`, `proof`, `verificationStatus` and
// `disclosures`. Which key speaks for an agent is for the log to say; the functions here take the key.

import { canonicalize } from "./canonical";
import { readProofs, verifyProof, type DataIntegrityProof } from "./data_integrity";
import { readDisclosures } from "./disclosure";
import { PublicKey, readSignatureText } from "./ed25519";
import { type Bytes } from "./encoding";
import { FormatError, MissingError, shown, VerificationError, within } from "./errors";
import { readEvidence, verifyContentHash } from "./evidence";
import { sha256Name } from "./hash";
import { readJson, type JsonObject } from "./json";
import { readObject, readText, without } from "./members";
import { Reporter } from "./report";

export const DOCUMENT_FORM = "document form";
export const DOCUMENT_SIGNATURE = "document signature";
export const POSSESSION = "possession of the new key";

const UNSIGNED = ["signature", "proof", "verificationStatus", "disclosures"];
const TYPE_PREFIX = "a2ap:";
const UUID = /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** The types of messages, and the member that names their agent. */
const AGENT_MEMBERS: Readonly<Record<string, string>> = {
  ProvenanceStatement: "agent",
  AgentRegistration: "agent",
  AdmissionPolicy: "issuingAgent",
  AgentDeactivation: "deactivatingAgent",
  AgentVersion: "announcingAgent",
  ChallengeAnswer: "answeringAgent",
  Endorsement: "endorsingAgent",
  Epoch: "issuingAgent",
  Equivocation: "reportingAgent",
  GoldDispute: "disputingAgent",
  GoldLabel: "labellingAgent",
  KeyRegistration: "registeringAgent",
  KeyRevocation: "revokingAgent",
  LogKeyRotation: "issuingAgent",
  PeerAgreement: "issuingAgent",
  PeerCheckpoint: "issuingAgent",
  Policy: "issuingAgent",
  Probe: "committingAgent",
  RecordRegistration: "registeringAgent",
  Redaction: "redactingAgent",
  Retraction: "retractingAgent",
  SourceRegistration: "registeringAgent",
  VerificationDecline: "decliningAgent",
  VerificationRequest: "requestingAgent",
  VerificationResponse: "respondingAgent",
};

/** `reference` names the key and is not the key. */
export interface Signature {
  readonly reference: string;
  readonly value: Bytes;
}

/** A message; `signature` is null only for an unsigned verification request. */
export interface Document {
  readonly data: Bytes;
  readonly members: JsonObject;
  readonly type: string;
  readonly id: string;
  readonly agent: string;
  readonly signature: Signature | null;
  readonly proofs: readonly DataIntegrityProof[];
  readonly signedBytes: Bytes;
  readonly signedHash: string;
  readonly documentHash: string;
}

/** Say whether a JSON object calls itself a message of a type that is known here. */
export function isMessage(members: JsonObject): boolean {
  const type = members.get("@type");
  return typeof type === "string" && Object.hasOwn(AGENT_MEMBERS, type.slice(TYPE_PREFIX.length));
}

/** Read a message out of its bytes as received; nothing in it is verified. */
export async function readDocument(data: Bytes): Promise<Document> {
  const members = readJson(data);
  const type = readText(members, "@type");
  const agentMember = AGENT_MEMBERS[type.slice(TYPE_PREFIX.length)];
  if (!type.startsWith(TYPE_PREFIX) || agentMember === undefined || !isMessage(members)) {
    throw new FormatError(`@type is ${shown(type)}, not the type of a message`);
  }
  const id = readText(members, "@id");
  if (!UUID.test(id)) throw new FormatError(`@id is ${shown(id)}, not urn:uuid: and a UUID in lower case`);
  const signed = signedBytes(members);
  const isSigned = members.has("signature");
  if (!isSigned && (type !== "a2ap:VerificationRequest" || members.has("proof"))) {
    throw new FormatError("signature is missing");
  }
  const described = agentMember === "agent";
  return {
    data,
    members,
    type: type.slice(TYPE_PREFIX.length),
    id,
    agent: described ? readText(readObject(members, "agent"), "@id", "agent") : readText(members, agentMember),
    signature: isSigned ? readSignature(readObject(members, "signature"), "signature") : null,
    proofs: members.has("proof") ? readProofs(members) : [],
    signedBytes: signed,
    signedHash: await sha256Name(signed),
    documentHash: await sha256Name(data),
  };
}

export function signedBytes(members: JsonObject): Bytes {
  return canonicalize(without(members, ...UNSIGNED));
}

/** Return the key that a registration of an agent or of a key registers. */
export function registeredKey(document: Document): PublicKey {
  return PublicKey.parse(readText(readObject(document.members, "key"), "publicKey", "key"));
}

/** Return the id of that key, `<agent>#<name>`. */
export function registeredKeyId(document: Document): string {
  const id = readText(readObject(document.members, "key"), "@id", "key");
  if (!id.startsWith(`${document.agent}#`)) throw new FormatError(`key.@id is ${shown(id)}, no key of ${document.agent}`);
  return id;
}

/**
 * Return the key that a document needs nobody to vouch for: the one that it registers for its agent, or the agent's id
 * if that is a key; null if a registration in the log has to name it.
 */
export function ownKey(document: Document): PublicKey | null {
  if (document.type === "AgentRegistration") return registeredKey(document);
  const holder = document.signature?.reference.split("#")[0];
  const isOwn = document.agent.startsWith("did:key:") && holder === document.agent;
  return isOwn ? PublicKey.fromDidKey(document.agent) : null;
}

/** Throw "document signature" unless this key signed the document. */
export function verifySignature(document: Document, key: PublicKey): Promise<void> {
  return within(DOCUMENT_SIGNATURE, async () => {
    const { signature } = document;
    if (signature === null) throw new VerificationError(DOCUMENT_SIGNATURE, `${document.id} is not signed`);
    const sentence = `the signature in the name of ${signature.reference} is not by ${key.didKey}`;
    await key.verify(DOCUMENT_SIGNATURE, document.signedBytes, signature.value, sentence);
  });
}

/** Throw "possession of the new key" unless the key that a key registration registers signed it. */
export function verifyPossession(document: Document): Promise<void> {
  return within(POSSESSION, async () => {
    const possession = readSignature(readObject(document.members, "possession"), "possession");
    if (possession.reference !== registeredKeyId(document)) {
      throw new FormatError(`possession.publicKey is ${shown(possession.reference)}, not the key that is registered`);
    }
    const covered = signedBytes(without(document.members, "possession"));
    await registeredKey(document).verify(POSSESSION, covered, possession.value);
  });
}

/** Throw unless the members of a document that state hashes of its other members are right. */
export async function verifyMembers(document: Document): Promise<void> {
  if (document.type !== "ProvenanceStatement") {
    await within(DOCUMENT_FORM, () => readDisclosures(document.members));
    return;
  }
  const evidence = await within(DOCUMENT_FORM, () => readEvidence(document.members));
  await verifyContentHash(document.members, evidence);
}

/** Verify one document; without a `key`, by the one that the document names itself, if it does. */
export async function verifyDocument(
  data: Bytes,
  key: PublicKey | null = null,
  reporter = new Reporter(),
): Promise<Document> {
  const document = await reporter.run(
    DOCUMENT_FORM,
    () => readDocument(data),
    (found) => `It is the ${found.type} ${found.id} of ${found.agent}, signed hash ${found.signedHash}.`,
  );
  const used = key ?? (await within(DOCUMENT_FORM, () => ownKey(document)));
  await reporter.run(
    DOCUMENT_SIGNATURE,
    () => {
      if (used === null) {
        const name = document.signature?.reference;
        const words =
          name === undefined
            ? "the message is not signed: a request may come without a signature"
            : `the key ${name} is missing, and no document here registers it`;
        throw new MissingError(DOCUMENT_SIGNATURE, words);
      }
      return verifySignature(document, used);
    },
    () => `The key ${used?.didKey} signed it as ${document.signature?.reference}.`,
  );
  if (document.type === "KeyRegistration") {
    await reporter.run(POSSESSION, () => verifyPossession(document), "The new key signed its registration.");
  }
  for (const proof of document.proofs) {
    const own = proof.ownKey ?? used;
    await reporter.run(
      proof.check,
      () => verifyProof(document.members, proof, own),
      () => `The key ${own?.didKey} made the proof as ${proof.keyReference}.`,
    );
  }
  if (document.type === "ProvenanceStatement") {
    await reporter.run("claim content hash", () => verifyMembers(document), "The claim's hash covers its text and evidence.");
  }
  if (key === null && document.type === "AgentRegistration") {
    reporter.skip("that the agent is the one it says: anybody can register a name with a key of their own");
  }
  reporter.skip("that the key was in use when it signed: the log says that");
  return document;
}

function readSignature(members: JsonObject, place: string): Signature {
  const unknown = [...members.keys()].find((name) => !["@type", "algorithm", "publicKey", "value"].includes(name));
  if (unknown !== undefined) throw new FormatError(`${place}.${unknown} is no member of a signature`);
  if (members.has("@type") && readText(members, "@type", place) !== "a2ap:CryptographicSignature") {
    throw new FormatError(`${place}.@type is not a2ap:CryptographicSignature`);
  }
  // The algorithm is not the sender's to choose: one is allowed, under one name.
  if (readText(members, "algorithm", place) !== "ed25519") throw new FormatError(`${place}.algorithm is not ed25519`);
  return {
    reference: readText(members, "publicKey", place),
    value: readSignatureText(members.get("value"), `${place}.value`),
  };
}
