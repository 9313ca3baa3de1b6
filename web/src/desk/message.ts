// The messages that the desk makes, as `a2ap/messages` builds them: a registration, a verdict, a decline, a statement.
//
// Ids, times and salts are arguments. `sign` gives the document that is sent, whose signed bytes are those of RFC 8785.

import { canonicalize } from "../proof/canonical";
import { signedBytes } from "../proof/document";
import { encodeBase64, encodeHex, encodeUtf8, type Bytes } from "../proof/encoding";
import { sha256Name } from "../proof/hash";
import { objectOf, type Json, type JsonObject } from "../proof/json";

export const CONTEXT = "https://williams-librarian.njit.edu/a2ap/v0.1";

export const VERDICTS = ["VALIDATED", "CHALLENGED", "INSUFFICIENT_EVIDENCE", "INVALID_SIGNATURE"] as const;
export type Verdict = (typeof VERDICTS)[number];
export const STATUSES = ["PASS", "FAIL", "INCONCLUSIVE"] as const;
export type Status = (typeof STATUSES)[number];

/** A person, or a software agent: of the two a statement's author is always the second (A2AP §2.1). */
export type AgentType = "prov:Person" | "prov:SoftwareAgent";

export interface Agent {
  readonly id: string;
  readonly type: AgentType;
  readonly name: string;
  readonly version: string;
  readonly publisher: string;
}

/** A message by its id and by its signed hash, which binds it. */
export interface Reference {
  readonly id: string;
  readonly hash: string;
}

export interface Finding {
  readonly criterion: string;
  readonly status: Status;
  readonly evidence: string;
  readonly confidence: number;
}

/** Bytes `start` to `end` of a source, half open, and their words. */
export interface Segment {
  readonly source: string;
  readonly documentHash: string;
  readonly contentHash: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}

/** A key that signs: one of the browser, or one of a test. */
export interface Signer {
  readonly keyId: string;
  sign(data: Bytes): Promise<Bytes>;
}

const NAMESPACE = Uint8Array.of(0x6b, 0xa7, 0xb8, 0x10, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8);

export function buildRegistration(given: {
  readonly id: string;
  readonly time: Date;
  readonly agent: Agent;
  readonly keyId: string;
  readonly publicKey: string;
  readonly invitation?: string;
}): JsonObject {
  return objectOf({
    ...head("AgentRegistration", given.id),
    registeredAt: instant(given.time),
    agent: described(given.agent),
    key: objectOf({ "@id": given.keyId, publicKey: given.publicKey }),
    ...(given.invitation ? { invitation: given.invitation } : {}),
  });
}

/** Return a verdict; `request` is the request that it answers, if it answers one. */
export function buildVerdict(given: {
  readonly id: string;
  readonly time: Date;
  readonly agent: string;
  readonly statement: Reference;
  readonly verdict: Verdict;
  readonly confidence: number;
  readonly findings: readonly Finding[];
  readonly reason: string;
  readonly request: Reference | null;
}): JsonObject {
  return objectOf({
    ...head("VerificationResponse", given.id),
    respondedAt: instant(given.time),
    respondingAgent: given.agent,
    targetStatement: given.statement.id,
    targetHash: given.statement.hash,
    verdict: given.verdict,
    confidence: given.confidence,
    findings: given.findings.map(({ criterion, status, evidence, confidence }) =>
      objectOf({ criterion, status, evidence, confidence }),
    ),
    ...(given.reason ? { reason: given.reason } : {}),
    ...(given.request ? { request: given.request.id, requestHash: given.request.hash } : {}),
  });
}

export function buildDecline(given: {
  readonly id: string;
  readonly time: Date;
  readonly agent: string;
  readonly statement: Reference;
  readonly request: Reference;
  readonly reason: string;
}): JsonObject {
  return objectOf({
    ...head("VerificationDecline", given.id),
    declinedAt: instant(given.time),
    decliningAgent: given.agent,
    request: given.request.id,
    requestHash: given.request.hash,
    targetStatement: given.statement.id,
    targetHash: given.statement.hash,
    reason: given.reason,
  });
}

/** Return a statement, whose id is derived from its agent and claim (A2AP Appendix A). */
export async function buildStatement(given: {
  readonly time: Date;
  readonly agent: Agent;
  readonly claim: string;
  readonly confidence: number;
  readonly evidence: readonly Segment[];
}): Promise<JsonObject> {
  const evidence = await Promise.all(given.evidence.map(segment));
  return objectOf({
    ...head("ProvenanceStatement", await derivedId(`${given.agent.id}|${given.claim}`)),
    generatedAtTime: instant(given.time),
    agent: described(given.agent),
    claim: objectOf({
      "@type": "a2ap:Claim",
      text: given.claim,
      confidence: given.confidence,
      generationMethod: "human-judgement",
      contentHash: await contentHash(given.claim, evidence),
    }),
    evidence,
  });
}

/** Return the signed message as the bytes that are sent. */
export async function sign(message: JsonObject, signer: Signer): Promise<Bytes> {
  const value = await signer.sign(signedBytes(message));
  const signature = objectOf({
    "@type": "a2ap:CryptographicSignature",
    algorithm: "ed25519",
    publicKey: signer.keyId,
    value: encodeBase64(value),
  });
  return canonicalize(new Map(message).set("signature", signature));
}

/** Return the verdict that follows from findings (A2AP §4.2); null if nothing was found. */
export function verdictOf(findings: readonly Finding[]): Verdict | null {
  if (findings.length === 0) return null;
  if (findings.every((one) => one.status === "PASS")) return "VALIDATED";
  const isChallenge = findings.some((one) => one.status === "FAIL" && one.criterion !== "evidence-sufficiency");
  return isChallenge ? "CHALLENGED" : "INSUFFICIENT_EVIDENCE";
}

/** Return why a node refuses a verdict with these findings and this reason; null if it does not. */
export function verdictProblem(verdict: Verdict, findings: readonly Finding[], reason: string): string | null {
  const failed = findings.filter((one) => one.status === "FAIL");
  if (verdict === "VALIDATED" && failed[0] !== undefined) return `The verdict is validated, and ${failed[0].criterion} fails.`;
  if (verdict === "VALIDATED" && !findings.some((one) => one.status === "PASS")) {
    return "The verdict is validated, and no criterion passes.";
  }
  const words = [reason, ...failed.map((one) => one.evidence)];
  if (verdict === "CHALLENGED" && !words.some((one) => one.trim() !== "")) {
    return "A challenge says why: in its reason, or in the words of a criterion that fails.";
  }
  return null;
}

/** Return a random id for a message. */
export function freshId(): string {
  return `urn:uuid:${crypto.randomUUID()}`;
}

/** Return an instant as messages write it, to the second. */
export function instant(time: Date): string {
  return `${time.toISOString().slice(0, 19)}Z`;
}

function head(type: string, id: string): Record<string, Json> {
  return { "@context": CONTEXT, "@type": `a2ap:${type}`, "@id": id };
}

function described(agent: Agent): JsonObject {
  const { id, type, name, version, publisher } = agent;
  return objectOf({ "@type": type, "@id": id, name, version, publisher, capabilities: [] });
}

async function segment(given: Segment): Promise<JsonObject> {
  return objectOf({
    "@type": "a2ap:EvidenceSegment",
    sourceDocument: given.source,
    documentHash: given.documentHash,
    chunkId: (await derivedId(`${given.source}|${given.start}`)).replace("urn:uuid:", "urn:chunk:"),
    contentHash: given.contentHash,
    byteRange: objectOf({ start: given.start, end: given.end }),
    quoteText: given.quote,
  });
}

/** Return the hash of a claim's text and of the bytes that it cites, by the rule jcs-1. */
async function contentHash(claim: string, evidence: readonly JsonObject[]): Promise<string> {
  const pointers = evidence.map((one) => {
    const names = ["byteRange", "chunkId", "contentHash"];
    return new Map(names.map((name) => [name, one.get(name) ?? null]));
  });
  return sha256Name(canonicalize(objectOf({ claim, evidence: pointers })));
}

/** Return the UUID of version 5 of a text in the namespace of Appendix A. */
async function derivedId(text: string): Promise<string> {
  const name = encodeUtf8(text);
  const data = new Uint8Array(NAMESPACE.length + name.length);
  data.set(NAMESPACE);
  data.set(name, NAMESPACE.length);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-1", data)).slice(0, 16);
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x50;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const digits = encodeHex(digest);
  return `urn:uuid:${[digits.slice(0, 8), digits.slice(8, 12), digits.slice(12, 16), digits.slice(16, 20), digits.slice(20)].join("-")}`;
}
