// Keys of the desk. A key is made in the browser and encrypted under a passphrase at once; from then on the browser has it
// as a key that can sign and cannot be read. The encrypted file is the only copy that leaves, and `a2ap` opens it.

import { PublicKey } from "../proof/ed25519";
import { concatBytes, decodeBase64, encodeBase64, encodeUtf8, decodeUtf8, type Bytes } from "../proof/encoding";
import { FormatError } from "../proof/errors";
import { canonicalize } from "../proof/canonical";
import { objectOf, readJson, type JsonObject } from "../proof/json";
import { readObject, readText } from "../proof/members";
import { type Agent, type AgentType, type Signer } from "./message";

export const ITERATIONS = 600_000;
export const LEAST_PASSPHRASE = 10;

const KDF = "PBKDF2-HMAC-SHA-256";
const CIPHER = "AES-256-GCM";
const SEED_BYTES = 32;
// RFC 8410 §7: PrivateKeyInfo of Ed25519, in front of the seed.
const PKCS8 = Uint8Array.of(0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20);

/** An agent of this browser and its key, which signs and cannot be read. `file` is the encrypted key file. */
export interface Identity {
  readonly agent: Agent;
  readonly keyId: string;
  readonly publicKey: string;
  readonly key: CryptoKey;
  readonly file: string;
  /** The log index of the registration; null before it. */
  readonly registered: number | null;
}

/** The members of a key file beside the key. */
interface KeyFile {
  readonly agent: string;
  readonly keyId: string;
  readonly publicKey: string;
}

/** Make a key and the agent that it is the id of. */
export async function makeIdentity(
  about: { readonly type: AgentType; readonly name: string; readonly publisher: string },
  passphrase: string,
  iterations = ITERATIONS,
): Promise<Identity> {
  const seed = await newSeed();
  try {
    const publicKey = await publicKeyOf(seed);
    const id = publicKey.didKey;
    const keyFile = { agent: id, keyId: `${id}#1`, publicKey: id };
    const agent = { id, type: about.type, name: about.name, version: "1", publisher: about.publisher };
    const file = await encryptedFile(keyFile, seed, passphrase, iterations);
    return { agent, keyId: keyFile.keyId, publicKey: id, key: await importSeed(seed, false), file, registered: null };
  } finally {
    seed.fill(0);
  }
}

/** Open a key file, encrypted or as `a2ap key generate` writes it, and encrypt it for this browser. */
export async function openKeyFile(data: Uint8Array, passphrase: string): Promise<Omit<Identity, "agent" | "registered">> {
  const members = readJson(data);
  const keyFile = {
    agent: readText(members, "agent"),
    keyId: readText(members, "keyId"),
    publicKey: readText(members, "publicKey"),
  };
  const isEncrypted = members.has("encryptedSeed");
  const seed = isEncrypted
    ? await decrypt(readObject(members, "encryptedSeed"), passphrase, keyFile.publicKey)
    : decodeBase64(readText(members, "seed"));
  try {
    if (seed.length !== SEED_BYTES) throw new FormatError(`the seed has ${seed.length} bytes, not ${SEED_BYTES}`);
    if ((await publicKeyOf(seed)).didKey !== keyFile.publicKey) throw new FormatError("publicKey is not the one of the seed");
    const file = isEncrypted ? decodeUtf8(data) : await encryptedFile(keyFile, seed, passphrase, ITERATIONS);
    return { keyId: keyFile.keyId, publicKey: keyFile.publicKey, key: await importSeed(seed, false), file };
  } finally {
    seed.fill(0);
  }
}

/** Return the agent that a key file names. */
export function agentOfKeyFile(file: string): string {
  return readText(readJson(encodeUtf8(file)), "agent");
}

/** Return why a passphrase is not taken; null if it is. */
export function passphraseProblem(passphrase: string, again: string): string | null {
  if ([...passphrase].length < LEAST_PASSPHRASE) return `The passphrase has fewer than ${LEAST_PASSPHRASE} characters.`;
  return passphrase === again ? null : "The two passphrases differ.";
}

export function signerOf(identity: Pick<Identity, "key" | "keyId">): Signer {
  return {
    keyId: identity.keyId,
    sign: async (data) => new Uint8Array(await crypto.subtle.sign("Ed25519", identity.key, data)),
  };
}

async function newSeed(): Promise<Bytes> {
  const pair = await supported(() => crypto.subtle.generateKey({ name: "Ed25519" }, true, ["sign", "verify"]));
  const encoded = new Uint8Array(await crypto.subtle.exportKey("pkcs8", (pair as CryptoKeyPair).privateKey));
  const seed = encoded.slice(PKCS8.length, PKCS8.length + SEED_BYTES);
  encoded.fill(0);
  return seed;
}

async function importSeed(seed: Bytes, isExtractable: boolean): Promise<CryptoKey> {
  const encoded = concatBytes(PKCS8, seed);
  try {
    return await supported(() => crypto.subtle.importKey("pkcs8", encoded, { name: "Ed25519" }, isExtractable, ["sign"]));
  } finally {
    encoded.fill(0);
  }
}

async function publicKeyOf(seed: Bytes): Promise<PublicKey> {
  const { x } = await crypto.subtle.exportKey("jwk", await importSeed(seed, true));
  const text = (x ?? "").replaceAll("-", "+").replaceAll("_", "/");
  return PublicKey.parse(text.padEnd(Math.ceil(text.length / 4) * 4, "="));
}

async function supported<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    const words = "This browser cannot make Ed25519 signatures. Chrome 137, Firefox 129 and Safari 17 can, on https or localhost.";
    throw new FormatError(words, { cause: error });
  }
}

async function encryptedFile(keyFile: KeyFile, seed: Bytes, passphrase: string, iterations: number): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const nonce = crypto.getRandomValues(new Uint8Array(12));
  const key = await derivedKey(passphrase, salt, iterations, "encrypt");
  const cipher = { name: "AES-GCM", iv: nonce, additionalData: encodeUtf8(keyFile.publicKey) };
  const data = new Uint8Array(await crypto.subtle.encrypt(cipher, key, seed));
  const encryptedSeed = objectOf({
    kdf: KDF,
    iterations,
    salt: encodeBase64(salt),
    cipher: CIPHER,
    nonce: encodeBase64(nonce),
    data: encodeBase64(data),
  });
  return `${decodeUtf8(canonicalize(objectOf({ ...keyFile, encryptedSeed })))}\n`;
}

async function decrypt(members: JsonObject, passphrase: string, publicKey: string): Promise<Bytes> {
  const iterations = members.get("iterations");
  if (members.get("kdf") !== KDF || members.get("cipher") !== CIPHER || typeof iterations !== "number") {
    throw new FormatError(`encryptedSeed is not the kdf ${KDF} and the cipher ${CIPHER} with their members`);
  }
  const [salt, nonce, data] = ["salt", "nonce", "data"].map((name) => decodeBase64(readText(members, name)));
  const key = await derivedKey(passphrase, salt!, iterations, "decrypt");
  const cipher = { name: "AES-GCM", iv: nonce!, additionalData: encodeUtf8(publicKey) };
  try {
    return new Uint8Array(await crypto.subtle.decrypt(cipher, key, data!));
  } catch (error) {
    throw new FormatError("The key file does not open with this passphrase.", { cause: error });
  }
}

async function derivedKey(passphrase: string, salt: Bytes, iterations: number, use: KeyUsage): Promise<CryptoKey> {
  const secret = await crypto.subtle.importKey("raw", encodeUtf8(passphrase), "PBKDF2", false, ["deriveKey"]);
  const derivation = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  return crypto.subtle.deriveKey(derivation, secret, { name: "AES-GCM", length: 256 }, false, [use]);
}
