// Ed25519 public keys, the two texts in which they travel, and the check of a signature by WebCrypto.

import {
  concatBytes,
  decodeBase58,
  decodeBase64,
  encodeBase58,
  encodeBase64,
  encodeHex,
  sameBytes,
  type Bytes,
} from "./encoding";
import { isPrimeOrderPoint } from "./ed25519_point";
import { FormatError, shown, VerificationError } from "./errors";

export const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;
export const BROWSER_SUPPORT = "browser support";

const DID_PREFIX = "did:key:z";
const MULTICODEC = Uint8Array.of(0xed, 0x01);
// The order of the group, in the little-endian form of S.
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

/** The 32 bytes of a public key, a point of the prime-order group. */
export class PublicKey {
  private static readonly known = new Map<string, PublicKey>();
  private imported: Promise<CryptoKey> | undefined;

  private constructor(
    readonly data: Bytes,
    readonly base64: string,
  ) {}

  /** Read 32 bytes; a point of small order, which has signatures for any message, is refused. */
  static fromBytes(data: Uint8Array): PublicKey {
    const text = encodeBase64(data);
    const known = PublicKey.known.get(text);
    if (known !== undefined) return known;
    if (data.length !== KEY_BYTES) throw new FormatError(`an Ed25519 key has ${KEY_BYTES} bytes, not ${data.length}`);
    if (!isPrimeOrderPoint(data)) throw new FormatError(`${text} is not a point of Ed25519's prime-order group`);
    const key = new PublicKey(new Uint8Array(data), text);
    PublicKey.known.set(text, key);
    return key;
  }

  /** Read `did:key:z…` or padded standard base64. */
  static parse(text: string): PublicKey {
    return text.startsWith("did:") ? PublicKey.fromDidKey(text) : PublicKey.fromBytes(decodeBase64(text));
  }

  static fromDidKey(text: string): PublicKey {
    if (!text.startsWith(DID_PREFIX)) throw new FormatError(`${shown(text)} is not did:key:z… of an Ed25519 key`);
    const data = decodeBase58(text.slice(DID_PREFIX.length));
    if (data.length !== 2 + KEY_BYTES || !sameBytes(data.subarray(0, 2), MULTICODEC)) {
      throw new FormatError(`${shown(text)} is not a did:key of an Ed25519 key`);
    }
    const key = PublicKey.fromBytes(data.subarray(2));
    if (key.didKey !== text) throw new FormatError(`${shown(text)} is not the usual spelling of ${key.didKey}`);
    return key;
  }

  get didKey(): string {
    return DID_PREFIX + encodeBase58(concatBytes(MULTICODEC, this.data));
  }

  equals(other: PublicKey): boolean {
    return this.base64 === other.base64;
  }

  /** Say whether this key made a signature; `verify` is for callers that go on only if it did. */
  async hasSigned(message: Uint8Array, signature: Uint8Array): Promise<boolean> {
    if (signature.length !== SIGNATURE_BYTES || !isUsual(signature)) return false;
    this.imported ??= importKey(this.data);
    return crypto.subtle.verify("Ed25519", await this.imported, signature as BufferSource, message as BufferSource);
  }

  /** Throw a VerificationError of this check unless this key made the signature. */
  async verify(check: string, message: Uint8Array, signature: Uint8Array, sentence?: string): Promise<void> {
    if (!(await this.hasSigned(message, signature))) {
      throw new VerificationError(check, sentence ?? `the signature is not by ${this.didKey}`);
    }
  }
}

/** Read the 64 bytes of a signature in padded standard base64. */
export function readSignatureText(text: unknown, place: string): Bytes {
  const data = typeof text === "string" ? tryBase64(text) : null;
  if (data?.length !== SIGNATURE_BYTES) {
    throw new FormatError(`${place} is not ${SIGNATURE_BYTES} bytes in padded standard base64`);
  }
  return data;
}

function tryBase64(text: string): Bytes | null {
  try {
    return decodeBase64(text);
  } catch {
    return null;
  }
}

async function importKey(data: Bytes): Promise<CryptoKey> {
  try {
    return await crypto.subtle.importKey("raw", data, { name: "Ed25519" }, false, ["verify"]);
  } catch (error) {
    // The key was checked before, so that the algorithm is the reason.
    const sentence = "This browser cannot check Ed25519 signatures. Chrome 137, Firefox 129 and Safari 17 can.";
    throw new VerificationError(BROWSER_SUPPORT, sentence, { cause: error });
  }
}

/** Say whether S is below the order and R is not the identity, as libsodium requires and not every browser does. */
function isUsual(signature: Uint8Array): boolean {
  const s = BigInt(`0x${encodeHex(signature.slice(32).reverse())}`);
  const isIdentity = signature[0] === 1 && signature.subarray(1, 32).every((byte) => byte === 0);
  return s < ORDER && !isIdentity;
}
