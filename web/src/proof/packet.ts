// A Context Packet: its hash, and the signature in `ext["a2ap.signature"]` if it has one.
//
// `cpk-canon/1` is RFC 8785 over the packet without `reproducibility.packet_hash` and without `receipts`. A hash that is
// right in one of three other readings is recognised, and said to be of that reading. The signature covers the same
// bytes without its own `value`.

import { blake2b256 } from "./blake2b";
import { canonicalize } from "./canonical";
import { PublicKey, readSignatureText } from "./ed25519";
import { concatBytes, encodeHex, encodeUtf8, type Bytes } from "./encoding";
import { FormatError, shown, VerificationError } from "./errors";
import { sha256 } from "./hash";
import { readJson, type Json, type JsonObject } from "./json";
import { readText, without } from "./members";
import { Reporter } from "./report";

export const PACKET_FORM = "packet form";
export const PACKET_SIGNATURE = "packet signature";
export const PACKET_HASH = "packet hash";
export const SPEC = "context-packet/0.3";

const MAX_BYTES = 16 * 1_048_576;
const SIGNATURE = "a2ap.signature";
// In front of the signed bytes, so that no signature of another kind of document is one of these.
const TAG = "a2ap.signature/1\n";
const HASH = /^(?:(b2|blake2b|blake2b-256|sha256|sha-256):)?([0-9a-fA-F]{64})$/;

export const DOMAINS = [
  "minus_packet_hash_and_receipts",
  "minus_packet_hash",
  "packet_hash_empty_string",
  "minus_reproducibility",
] as const;
export type Domain = (typeof DOMAINS)[number];

const ALGORITHMS = {
  "blake2b-256": async (data: Bytes) => blake2b256(data),
  "sha-256": sha256,
} as const;
type Algorithm = keyof typeof ALGORITHMS;

/** Return the bytes of a packet that are hashed. */
export function packetBytes(members: JsonObject, domain: Domain = DOMAINS[0]): Bytes {
  let left = members;
  if (domain === "minus_reproducibility") {
    left = without(members, "reproducibility");
  } else if (members.get("reproducibility") instanceof Map) {
    const block = without(partOf(members, "reproducibility"), "packet_hash");
    if (domain === "packet_hash_empty_string") block.set("packet_hash", "");
    left = new Map(members).set("reproducibility", block);
  }
  return canonicalize(domain === "minus_packet_hash_and_receipts" ? without(left, "receipts") : left);
}

/** Verify a packet; `known` are keys of agents that the reader believes, by the key id that signatures name. */
export async function verifyPacket(
  data: Bytes,
  known: ReadonlyMap<string, PublicKey> = new Map(),
  reporter = new Reporter(),
): Promise<JsonObject> {
  const members = await reporter.run(
    PACKET_FORM,
    () => readPacket(data),
    (found) => `It is the packet ${readText(found, "packet_id")}.`,
  );
  await verifyOwnSignature(members, known, reporter);
  await verifyOwnHash(members, reporter);
  reporter.skip("the rules of the text and the level that it reaches: `a2ap packet validate` does");
  return members;
}

function readPacket(data: Bytes): JsonObject {
  const members = readJson(data, MAX_BYTES);
  const spec = readText(members, "spec");
  if (spec !== SPEC) throw new FormatError(`spec is ${shown(spec)}, not ${SPEC}`);
  readText(members, "packet_id");
  return members;
}

async function verifyOwnSignature(
  members: JsonObject,
  known: ReadonlyMap<string, PublicKey>,
  reporter: Reporter,
): Promise<void> {
  const ext = partOf(members, "ext");
  if (!ext.has(SIGNATURE)) {
    reporter.skip("the producer: the packet is not signed");
    return;
  }
  const { key, keyId } = await reporter.run(
    PACKET_SIGNATURE,
    () => verifySignature(members, ext, known),
    (found) => `The key ${found.key.didKey} signed it as ${found.keyId}.`,
  );
  const producer = partOf(members, "producer").get("id");
  const isOwn = typeof producer === "string" && producer.replace(/^[a-z_]+:(?=did:key:)/, "") === key.didKey;
  if (!isOwn && !known.has(keyId)) reporter.remark(`The key ${keyId} is not known here: anybody can sign with a key of their own.`);
}

async function verifySignature(
  members: JsonObject,
  ext: JsonObject,
  known: ReadonlyMap<string, PublicKey>,
): Promise<{ key: PublicKey; keyId: string }> {
  const block = partOf(ext, SIGNATURE);
  const names = [...block.keys()].sort().join();
  if (names !== "algorithm,key_id,public_key,value" || block.get("algorithm") !== "ed25519") {
    throw new FormatError(`${SIGNATURE} is not algorithm ed25519, key_id, public_key and value`);
  }
  const keyId = readText(block, "key_id", SIGNATURE);
  if (keyId === "") throw new FormatError(`${SIGNATURE}.key_id is empty`);
  const key = PublicKey.parse(readText(block, "public_key", SIGNATURE));
  const other = known.get(keyId);
  if (other !== undefined && !other.equals(key)) {
    throw new VerificationError(PACKET_SIGNATURE, `it names the key ${key.didKey}, and ${keyId} is ${other.didKey}`);
  }
  const unsigned = new Map(members).set("ext", new Map(ext).set(SIGNATURE, without(block, "value")));
  const signed = concatBytes(encodeUtf8(TAG), packetBytes(unsigned));
  await key.verify(PACKET_SIGNATURE, signed, readSignatureText(block.get("value"), `${SIGNATURE}.value`));
  return { key, keyId };
}

async function verifyOwnHash(members: JsonObject, reporter: Reporter): Promise<void> {
  const stated = partOf(members, "reproducibility").get("packet_hash");
  if (typeof stated !== "string" || !HASH.test(stated)) {
    reporter.skip("its hash: the packet states none of 64 digits");
    return;
  }
  await reporter.run(
    PACKET_HASH,
    () => verifyHash(members, stated),
    (found) => `It has the hash ${stated}, ${found.algorithm}, in the reading ${found.domain}.`,
  );
}

/** Return the reading and algorithm under which a packet has a hash; throws "packet hash". */
export async function verifyHash(members: JsonObject, stated: string): Promise<{ domain: Domain; algorithm: Algorithm }> {
  const [, prefix, digits] = HASH.exec(stated) ?? [];
  const named = prefix === undefined ? null : prefix.startsWith("b") ? "blake2b-256" : "sha-256";
  const declared = partOf(members, "reproducibility").get("hash_algorithm");
  for (const domain of DOMAINS) {
    const data = packetBytes(members, domain);
    for (const algorithm of Object.keys(ALGORITHMS) as Algorithm[]) {
      if (named !== null && named !== algorithm) continue;
      if (encodeHex(await ALGORITHMS[algorithm](data)) !== digits?.toLowerCase()) continue;
      const isOther = typeof declared === "string" && Object.hasOwn(ALGORITHMS, declared) && declared !== algorithm;
      if (isOther) throw new VerificationError(PACKET_HASH, `packet_hash is ${algorithm}, and hash_algorithm says ${declared}`);
      return { domain, algorithm };
    }
  }
  throw new VerificationError(PACKET_HASH, "packet_hash is not that of the packet in any reading that is known");
}

function partOf(members: JsonObject, name: string): JsonObject {
  const value: Json | undefined = members.get(name);
  return value instanceof Map ? value : new Map();
}
