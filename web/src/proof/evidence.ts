// The evidence of a statement: the cited bytes of sources, and the hash that binds them to the claim.

import { canonicalize } from "./canonical";
import { readDisclosures } from "./disclosure";
import { encodeUtf8 } from "./encoding";
import { FormatError, VerificationError, within } from "./errors";
import { checkHashName, sha256Hex, sha256Name } from "./hash";
import { objectOf, type JsonObject } from "./json";
import { readCount, readObject, readObjects, readOptionalText, readText } from "./members";

export const CONTENT_HASH = "claim content hash";

const MAX_OFFSET = 2 ** 31 - 1;

/** Bytes `start` to `end` of a source, half open. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** One cited stretch of a source; `quote` is null if there is none, or if it was taken away. */
export interface EvidenceSegment {
  readonly sourceDocument: string;
  readonly documentHash: string | null;
  readonly chunkId: string;
  readonly contentHash: string | null;
  readonly byteRange: ByteRange;
  readonly quote: string | null;
}

/** Read the evidence of a statement, in document order. */
export async function readEvidence(statement: JsonObject): Promise<EvidenceSegment[]> {
  const disclosures = await readDisclosures(statement);
  const segments = readObjects(statement, "evidence");
  if (segments.length === 0) throw new FormatError("evidence is empty; a claim rests on something");
  const named = new Set(segments.map((one) => digestOf(one)));
  for (const digest of disclosures.keys()) {
    if (!named.has(digest)) throw new FormatError(`disclosures.${digest} is the digest of no member of the document`);
  }
  return segments.map((one, position) => readSegment(one, `evidence[${position}]`, disclosures));
}

export function readByteRange(members: JsonObject, place: string): ByteRange {
  const start = readCount(members, "start", place, MAX_OFFSET);
  const end = readCount(members, "end", place, MAX_OFFSET);
  if (start >= end) throw new FormatError(`${place} is ${start} to ${end}; the end must come after the start`);
  return { start, end };
}

/** Throw "claim content hash" unless the claim of a statement has the hash of its text and its evidence. */
export function verifyContentHash(statement: JsonObject, evidence: readonly EvidenceSegment[]): Promise<void> {
  return within(CONTENT_HASH, async () => {
    const claim = readObject(statement, "claim");
    const [text, stated] = [readText(claim, "text", "claim"), readText(claim, "contentHash", "claim")];
    const pointers = evidence.map(pointerOf);
    const computed = await sha256Name(canonicalize(objectOf({ claim: text, evidence: pointers })));
    // A2AP §4.1 hashes the claim and the list of chunk ids as Python writes it.
    const listed = evidence.map((one) => `'${one.chunkId}'`).join(", ");
    if (stated.replace(/^sha256:/, "") === (await sha256Hex(encodeUtf8(`${text}|[${listed}]`)))) return;
    if (stated !== computed) {
      throw new VerificationError(CONTENT_HASH, `the claim states ${stated}; its text and evidence give ${computed}`);
    }
  });
}

/** The evidence pointer of A2AP §6.2: nothing of the text itself. */
function pointerOf(segment: EvidenceSegment): JsonObject {
  const { start, end } = segment.byteRange;
  const pointer = objectOf({ byteRange: objectOf({ start, end }), chunkId: segment.chunkId });
  return segment.contentHash === null ? pointer : pointer.set("contentHash", segment.contentHash);
}

function readSegment(members: JsonObject, place: string, disclosures: ReadonlyMap<string, string>): EvidenceSegment {
  return {
    sourceDocument: readText(members, "sourceDocument", place),
    documentHash: readHashOf(members, "documentHash", place),
    chunkId: readText(members, "chunkId", place),
    contentHash: readHashOf(members, "contentHash", place),
    byteRange: readByteRange(readObject(members, "byteRange", place), `${place}.byteRange`),
    quote: readQuote(members, place, disclosures),
  };
}

function readHashOf(members: JsonObject, name: string, place: string): string | null {
  const text = readOptionalText(members, name, place);
  return text === null ? null : checkHashName(text, `${place}.${name}`);
}

function readQuote(members: JsonObject, place: string, disclosures: ReadonlyMap<string, string>): string | null {
  const digest = digestOf(members);
  return digest === null ? readOptionalText(members, "quoteText", place) : (disclosures.get(digest) ?? null);
}

function digestOf(segment: JsonObject): string | null {
  const value = segment.get("quoteText");
  return value instanceof Map ? checkHashName(readText(value, "digest", "quoteText"), "quoteText.digest") : null;
}
