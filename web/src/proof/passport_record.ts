// One record of Context Passports as it was received: its members, its payload hash and its signature.

import { PublicKey, readSignatureText } from "./ed25519";
import { encodeUtf8, type Bytes } from "./encoding";
import { FormatError, shown, VerificationError } from "./errors";
import { sha256Hex } from "./hash";
import { decodeDocument, parseItems, type RawJson, type RawObject } from "./json";
import { payloadBytes, uncoveredPaths, type Profile } from "./passport_forms";

export const PASSPORT_FORM = "record form";
export const PAYLOAD_HASH = "payload hash";
export const PAYLOAD_COVERAGE = "payload coverage";
export const RECORD_SIGNATURE = "record signature";

const MAX_DEPTH = 66;
const DIGEST = /^(?:sha256:)?([0-9a-f]{64})$/;
const ALL: readonly Profile[] = ["v2", "v2-python", "v2-typescript", "v1-python", "v1-typescript", "v1-darkmatter", "v1-literal"];
const TRIED: Readonly<Record<number, readonly Profile[]>> = {
  1: ["v1-python", "v1-typescript", "v1-darkmatter", "v2", "v1-literal"],
  2: ALL,
};
const SIGNED: Readonly<Record<number, readonly Profile[]>> = {
  1: ["v1-python", "v1-typescript"],
  2: ["v2", "v2-python", "v2-typescript"],
};

/** A record of any shape. Hashes are their 64 digits, without `sha256:`; `doubled` are names that stand twice. */
export interface Passport {
  readonly position: number;
  readonly data: Bytes;
  readonly members: RawObject;
  readonly doubled: readonly string[];
  readonly label: string;
  readonly id: string | null;
  readonly parentId: string | null;
  readonly agent: string | null;
  readonly major: 1 | 2 | null;
  readonly payloadHash: string | null;
  readonly parentHash: string | null;
  readonly integrityHash: string | null;
  readonly mergedHashes: readonly string[];
}

/** The profile under which a payload has its hash, and the paths in it that even this profile does not cover. */
export interface PayloadMatch {
  readonly profile: Profile;
  readonly uncovered: readonly string[];
}

/** Read a file with one record, or with an array of them. */
export function readPassports(data: Bytes): Passport[] {
  const doubled: [number, string][] = [];
  const items = parseItems(decodeDocument(data), MAX_DEPTH, (item, name) => doubled.push([item, name]));
  return items.map(({ value, text }, position) => {
    if (!(value instanceof Map)) throw new FormatError(`record ${position + 1} is not a JSON object`);
    const own = doubled.filter(([item]) => item === position).map(([, name]) => name);
    return readPassport(value, encodeUtf8(text), position, own);
  });
}

function readPassport(members: RawObject, data: Bytes, position: number, doubled: readonly string[]): Passport {
  const integrity = partOf(members, "integrity");
  const id = textOf(members.get("id"));
  const version = /^([12])\.(?:0|[1-9][0-9]{0,3})$/.exec(textOf(members.get("schema_version")) ?? "");
  const merged = partOf(members, "payload").get("a2ap.merged_parents");
  return {
    position,
    data,
    members,
    doubled,
    id,
    label: id?.slice(0, 80) ?? `record ${position + 1}`,
    parentId: textOf(members.get("parent_id")),
    agent: textOf(partOf(members, "created_by").get("agent_id")),
    major: version === null ? null : version[1] === "1" ? 1 : 2,
    payloadHash: digestOf(integrity.get("payload_hash")),
    parentHash: digestOf(integrity.get("parent_hash")),
    integrityHash: digestOf(integrity.get("integrity_hash")),
    mergedHashes: Array.isArray(merged) ? [...new Set(merged.map(digestOf).filter((one) => one !== null))] : [],
  };
}

/** Throw "record form" for members without which nothing can be checked, or which have two readings. */
export function checkForm(passport: Passport): void {
  const { doubled, label, major, members } = passport;
  const fail = (problem: string): never => {
    throw new VerificationError(PASSPORT_FORM, `${label}: ${problem}`);
  };
  if (doubled.length > 0) fail(`${shown(doubled[0] ?? "")} stands twice in one object; readers take the last`);
  if (major === null) fail("schema_version is neither 1.x nor 2.x");
  if (passport.id === null) fail("id is missing");
  if (passport.payloadHash === null) fail("integrity.payload_hash is not a SHA-256");
  if (passport.integrityHash === null) fail("integrity.integrity_hash is not a SHA-256");
  for (const name of ["created_by", "event"]) if (!(members.get(name) instanceof Map)) fail(`${name} is not an object`);
}

/** Return the profile that covers most of a payload that has its hash; throws "payload hash" if there is none. */
export async function verifyPayload(passport: Passport): Promise<PayloadMatch> {
  const { members, label } = passport;
  const payload = members.get("payload");
  if (payload === undefined) throw new VerificationError(PAYLOAD_HASH, `${label}: the payload is not here`);
  let best: PayloadMatch | null = null;
  for (const profile of TRIED[passport.major ?? 0] ?? ALL) {
    if ((await hashOrNull(profile, payload)) !== passport.payloadHash) continue;
    const uncovered = uncoveredPaths(profile, payload);
    if (best === null || uncovered.length < best.uncovered.length) best = { profile, uncovered };
  }
  if (best === null) {
    const words = `${label}: integrity.payload_hash is not the hash of the payload under any profile`;
    throw new VerificationError(PAYLOAD_HASH, words);
  }
  if (passport.major === 2 && best.profile.startsWith("v1")) {
    throw new VerificationError(PAYLOAD_HASH, `${label}: its hash is that of ${best.profile}, and the record says 2.x`);
  }
  return best;
}

/** The keys by which a reader knows agents: by the key id that signatures name. */
export type KnownKeys = ReadonlyMap<string, PublicKey>;

/** The value of a signature that holds: its key, and whether the reader knows that key. */
export interface Signed {
  readonly key: PublicKey;
  readonly isKnown: boolean;
  readonly profile: Profile;
}

/** Return the key that signed a record, null if it has no signature; throws "record signature". */
export async function verifyRecordSignature(passport: Passport, known: KnownKeys): Promise<Signed | null> {
  const { label, members } = passport;
  if (!members.has("signature")) return null;
  const block = partOf(members, "signature");
  const fail = (problem: string): never => {
    throw new VerificationError(RECORD_SIGNATURE, `${label}: ${problem}`);
  };
  if (block.get("algorithm") !== "ed25519") fail("signature.algorithm is not ed25519, the one that is checked here");
  const value = readSignatureText(block.get("signature"), `${label}: signature.signature`);
  const keyId = textOf(block.get("key_id"));
  const carried = keyOf(block.get("public_key"));
  const trusted = known.get(keyId ?? "") ?? null;
  const ofAgent = passport.agent?.startsWith("did:key:") ? keyOf(passport.agent) : null;
  const vouched = trusted ?? ofAgent;
  const key = vouched ?? carried ?? fail("signature.public_key is no Ed25519 key, and none is known under its name");
  if (vouched !== null && carried !== null && !carried.equals(vouched)) fail(`it carries another key than that known as ${keyId}`);
  const holder = trusted !== null && keyId?.includes("#") ? keyId.slice(0, keyId.indexOf("#")) : null;
  if (holder !== null && holder !== passport.agent) fail(`signature.key_id is a key of ${holder}, and another agent made it`);
  for (const profile of SIGNED[passport.major ?? 0] ?? []) {
    // A form that leaves a member out is never taken for a signature.
    if (uncoveredPaths(profile, members).length > 0) continue;
    if (await holdsUnder(profile, members, key, value)) return { key, isKnown: vouched !== null, profile };
  }
  return fail(`the signature does not hold under ${key.didKey}`);
}

async function holdsUnder(profile: Profile, members: RawObject, key: PublicKey, value: Bytes): Promise<boolean> {
  const emptied = new Map(members).set("signature", new Map(partOf(members, "signature")).set("signature", ""));
  try {
    return await key.hasSigned(payloadBytes(profile, emptied), value);
  } catch (error) {
    if (error instanceof FormatError) return false;
    throw error;
  }
}

async function hashOrNull(profile: Profile, payload: RawJson): Promise<string | null> {
  try {
    return await sha256Hex(payloadBytes(profile, payload));
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}

/** Return the 64 digits of a hash, written with or without `sha256:`. */
export function digestOf(value: RawJson | undefined): string | null {
  return typeof value === "string" ? (DIGEST.exec(value)?.[1] ?? null) : null;
}

function partOf(members: RawObject, name: string): RawObject {
  const value = members.get(name);
  return value instanceof Map ? value : new Map();
}

function textOf(value: RawJson | undefined): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function keyOf(value: RawJson | undefined): PublicKey | null {
  try {
    return typeof value === "string" ? PublicKey.parse(value) : null;
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}
