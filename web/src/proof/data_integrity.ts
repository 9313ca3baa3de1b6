// W3C Data Integrity proofs, cryptosuite `eddsa-jcs-2022` (vc-di-eddsa §3.3).
//
// A proof covers the document, its `signature` included, without `proof`, `verificationStatus` and `disclosures`.
// Several proofs are a proof set: each covers the document without any of them.

import { canonicalize } from "./canonical";
import { PublicKey, SIGNATURE_BYTES } from "./ed25519";
import { concatBytes, decodeBase58, decodeUtf8, encodeBase58, type Bytes } from "./encoding";
import { FormatError, MissingError, shown, within } from "./errors";
import { sha256 } from "./hash";
import { checkInstant } from "./instant";
import { type Json, type JsonObject } from "./json";
import { pathOf, readText, without } from "./members";

export const DOCUMENT_PROOF = "document proof";

const OPTIONS = { type: "DataIntegrityProof", cryptosuite: "eddsa-jcs-2022", proofPurpose: "assertionMethod" };
const MEMBERS = [...Object.keys(OPTIONS), "@context", "created", "verificationMethod", "proofValue"];
const UNPROVEN = ["proof", "verificationStatus", "disclosures"];
const MAX_PROOFS = 5;

/** One proof; `ownKey` is the key of a `did:key` method, null if a registration has to name it. */
export interface DataIntegrityProof {
  readonly check: string;
  readonly keyReference: string;
  readonly ownKey: PublicKey | null;
  readonly value: Bytes;
  readonly options: JsonObject;
}

/** Read the `proof` of a document, one or a list, in order. */
export function readProofs(document: JsonObject): DataIntegrityProof[] {
  const member = document.get("proof");
  if (!Array.isArray(member)) return [readProof(document, member ?? null, "proof", DOCUMENT_PROOF)];
  if (member.length < 1 || member.length > MAX_PROOFS) throw new FormatError(`proof has ${member.length} items`);
  const proofs = member.map((one, at) => readProof(document, one, `proof[${at}]`, `${DOCUMENT_PROOF} ${at + 1}`));
  if (new Set(proofs.map((one) => one.keyReference)).size !== proofs.length) throw new FormatError("proof has a key twice");
  return proofs;
}

/** Throw the check of the proof unless this key made it over this document. */
export function verifyProof(document: JsonObject, proof: DataIntegrityProof, key: PublicKey | null): Promise<void> {
  return within(proof.check, async () => {
    if (key === null) throw new MissingError(proof.check, `the key ${proof.keyReference} is missing`);
    const sentence = `the proof in the name of ${proof.keyReference} is not by ${key.didKey}`;
    await key.verify(proof.check, await provenBytes(document, proof.options), proof.value, sentence);
  });
}

/** Return the bytes that a proof signs: SHA-256 of the options, then of the document (§3.3.4). */
export async function provenBytes(document: JsonObject, options: JsonObject): Promise<Bytes> {
  const covered = canonicalize(without(document, ...UNPROVEN));
  return concatBytes(await sha256(canonicalize(options)), await sha256(covered));
}

function readProof(document: JsonObject, proof: Json, place: string, check: string): DataIntegrityProof {
  if (!(proof instanceof Map)) throw new FormatError(`${place} is not an object`);
  const unknown = [...proof.keys()].find((name) => !MEMBERS.includes(name));
  // A proof that nobody here checks must not look checked.
  if (unknown !== undefined) throw new FormatError(`${pathOf(place, unknown)} is no member of a proof that is read here`);
  for (const [name, only] of Object.entries(OPTIONS)) {
    if (readText(proof, name, place) !== only) throw new FormatError(`${pathOf(place, name)} is not ${only}`);
  }
  // §3.3.2 step 4: the signed document is the document under this context.
  const contexts = [document, proof].map((one) => written(one.get("@context")));
  if (contexts[0] !== contexts[1]) throw new FormatError(`${place}.@context is not the context of the document`);
  checkInstant(readText(proof, "created", place), `${place}.created`);
  const method = readText(proof, "verificationMethod", place);
  const [holder = "", name] = method.split("#");
  if (!name) throw new FormatError(`${place}.verificationMethod is ${shown(method)}, without # and the name of a key`);
  const isOwn = holder === `did:key:${name}`;
  return {
    check,
    keyReference: isOwn ? holder : method,
    ownKey: isOwn ? PublicKey.fromDidKey(holder) : null,
    value: readValue(readText(proof, "proofValue", place), `${place}.proofValue`),
    options: without(proof, "proofValue"),
  };
}

function readValue(text: string, place: string): Bytes {
  const data = text.startsWith("z") ? decodeBase58(text.slice(1)) : new Uint8Array();
  if (data.length !== SIGNATURE_BYTES || `z${encodeBase58(data)}` !== text) {
    throw new FormatError(`${place} is not z and ${SIGNATURE_BYTES} bytes in base58btc`);
  }
  return data;
}

function written(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : decodeUtf8(canonicalize(value));
}
