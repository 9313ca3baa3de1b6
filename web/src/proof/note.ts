// Signed notes: a text with signature lines under it, and the verifier keys `name+id+key` (C2SP signed-note).
//
// A key of type 1 signs the text itself. Keys of type 4 are witnesses', whose timestamped signatures cosignature.ts
// reads. Signatures of unknown keys are passed over, as the format requires.

import { KEY_BYTES, PublicKey } from "./ed25519";
import { concatBytes, decodeBase64, encodeBase64, encodeHex, encodeUtf8, sameBytes, type Bytes } from "./encoding";
import { FormatError, shown, VerificationError } from "./errors";
import { sha256 } from "./hash";

export const ED25519 = 1;
export const COSIGNATURE = 4;

const MAX_CHARACTERS = 1_000_000;
const MAX_SIGNATURES = 100;
const KEY_ID_BYTES = 4;
const PREFIX = "— ";
const KEY_TEXT = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/;
const CONTROL = /[\u0000-\u0009\u000b-\u001f]/;

/** A public key with the name and type under which it signs notes. */
export class VerifierKey {
  private constructor(
    readonly name: string,
    readonly publicKey: PublicKey,
    readonly algorithm: number,
    readonly keyId: Bytes,
  ) {}

  static async make(name: string, publicKey: PublicKey, algorithm: number): Promise<VerifierKey> {
    checkName(name);
    const typed = concatBytes(Uint8Array.of(algorithm), publicKey.data);
    const digest = await sha256(concatBytes(encodeUtf8(`${name}\n`), typed));
    return new VerifierKey(name, publicKey, algorithm, digest.subarray(0, KEY_ID_BYTES));
  }

  /** Read a verifier key of type 1 or 4; its id must be the one of its name and key. */
  static async parse(text: string): Promise<VerifierKey> {
    const [, name, , key] = KEY_TEXT.exec(text) ?? [];
    if (name === undefined || key === undefined) throw new FormatError(`${shown(text)} is not a verifier key: name+id+key`);
    const typed = decodeBase64(key);
    const algorithm = typed[0];
    if ((algorithm !== ED25519 && algorithm !== COSIGNATURE) || typed.length !== 1 + KEY_BYTES) {
      throw new FormatError(`the verifier key ${shown(text)} is of type ${algorithm}, which is not read here`);
    }
    const found = await VerifierKey.make(name, PublicKey.fromBytes(typed.subarray(1)), algorithm);
    if (found.text !== text) throw new FormatError(`${shown(text)} has not the id of the verifier key ${found.text}`);
    return found;
  }

  get text(): string {
    const typed = concatBytes(Uint8Array.of(this.algorithm), this.publicKey.data);
    return `${this.name}+${encodeHex(this.keyId)}+${encodeBase64(typed)}`;
  }
}

/** A signature line of a note: the key that it names, and the bytes of the signature. */
export interface NoteSignature {
  readonly name: string;
  readonly keyId: Bytes;
  readonly signature: Bytes;
}

/** A note taken apart: nothing in it is verified. */
export interface Note {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** Take a note apart without verifying it. */
export function readNote(note: string): Note {
  if (note.length > MAX_CHARACTERS) throw new FormatError(`the note has more than ${MAX_CHARACTERS} characters`);
  // The text may have empty lines itself: the last one ends it.
  const end = note.lastIndexOf("\n\n");
  if (end < 0 || end + 2 === note.length || !note.endsWith("\n")) {
    throw new FormatError("a note has an empty line and signature lines under its text, each with its newline");
  }
  const text = note.slice(0, end + 1);
  if (CONTROL.test(text)) throw new FormatError("the text of the note has a control character");
  const lines = note.slice(end + 2, -1).split("\n");
  if (lines.length > MAX_SIGNATURES) throw new FormatError(`the note has more than ${MAX_SIGNATURES} signatures`);
  return { text, signatures: lines.map(readLine) };
}

export function isBy(signature: NoteSignature, key: VerifierKey): boolean {
  return signature.name === key.name && sameBytes(signature.keyId, key.keyId);
}

/** Return the text of a note that this key signed; throws a VerificationError of this check. */
export async function openNote(check: string, note: string, key: VerifierKey): Promise<string> {
  const { text, signatures } = readNote(note);
  const own = signatures.filter((one) => isBy(one, key));
  if (own.length === 0) {
    throw new VerificationError(check, `the note is not signed by ${key.name} with the key ${encodeHex(key.keyId)}`);
  }
  for (const one of own) {
    const sentence = `the signature of ${key.name} with the key ${encodeHex(key.keyId)} does not hold`;
    await key.publicKey.verify(check, encodeUtf8(text), one.signature, sentence);
  }
  return text;
}

function readLine(line: string): NoteSignature {
  const [name, encoded, ...more] = line.slice(PREFIX.length).split(" ");
  if (!line.startsWith(PREFIX) || name === undefined || encoded === undefined || more.length > 0) {
    throw new FormatError(`${shown(line)} is not a signature line of a note`);
  }
  checkName(name);
  const data = decodeBase64(encoded);
  if (data.length <= KEY_ID_BYTES) throw new FormatError(`the line of ${shown(name)} has no signature`);
  return { name, keyId: data.subarray(0, KEY_ID_BYTES), signature: data.subarray(KEY_ID_BYTES) };
}

function checkName(name: string): void {
  if (name === "" || /[+\s]/.test(name) || CONTROL.test(name)) {
    throw new FormatError(`the key name ${shown(name)} is empty, or has a space or a plus sign in it`);
  }
}
