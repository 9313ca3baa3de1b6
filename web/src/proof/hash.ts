// SHA-256 by WebCrypto, and the names `sha256:…` of bytes.

import { encodeHex, type Bytes } from "./encoding";
import { FormatError, shown } from "./errors";

export const HASH_BYTES = 32;

const HASH = /^sha256:[0-9a-f]{64}$/;

export async function sha256(data: Uint8Array): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", data as BufferSource));
}

export async function sha256Hex(data: Uint8Array): Promise<string> {
  return encodeHex(await sha256(data));
}

/** Return `sha256:` and the 64 digits of the hash of bytes. */
export async function sha256Name(data: Uint8Array): Promise<string> {
  return `sha256:${await sha256Hex(data)}`;
}

export function isHashName(text: string): boolean {
  return HASH.test(text);
}

/** Return the text if it is `sha256:` and 64 hexadecimal digits. */
export function checkHashName(text: string, place: string): string {
  if (!isHashName(text)) throw new FormatError(`${place} is ${shown(text)}, not sha256: and 64 hexadecimal digits`);
  return text;
}
