// Bytes as text: UTF-8, hexadecimal, base64, base58btc. Each value has one spelling, and others are refused.

import { FormatError, shown } from "./errors";

const BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const HEX = /^(?:[0-9a-f]{2})*$/;

export type Bytes = Uint8Array<ArrayBuffer>;

export function encodeUtf8(text: string): Bytes {
  return new TextEncoder().encode(text);
}

/** Read UTF-8 without a byte order mark. */
export function decodeUtf8(data: Uint8Array): string {
  if (data[0] === 0xef && data[1] === 0xbb && data[2] === 0xbf) throw new FormatError("begins with a byte order mark");
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(data);
  } catch (error) {
    throw new FormatError("is not UTF-8", { cause: error });
  }
}

/** Say whether a text has half of a surrogate pair alone, which UTF-8 cannot write. */
export function hasLoneSurrogate(text: string): boolean {
  return /\p{Surrogate}/u.test(text);
}

export function encodeHex(data: Uint8Array): string {
  return Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Read hexadecimal digits in lower case. */
export function decodeHex(text: string): Bytes {
  if (!HEX.test(text)) throw new FormatError(`${shown(text)} is not hexadecimal`);
  const data = new Uint8Array(text.length / 2);
  for (let at = 0; at < data.length; at += 1) data[at] = Number.parseInt(text.slice(2 * at, 2 * at + 2), 16);
  return data;
}

/** Write padded standard base64. */
export function encodeBase64(data: Uint8Array): string {
  let text = "";
  // fromCharCode takes its bytes as arguments, of which engines allow so many.
  for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
  return btoa(text);
}

/** Read padded standard base64 with unused bits of zero. */
export function decodeBase64(text: string): Bytes {
  if (!BASE64.test(text)) throw new FormatError(`${shown(text)} is not padded standard base64`);
  const data = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  if (text.endsWith("=") && encodeBase64(data.subarray(data.length - (data.length % 3))) !== text.slice(-4)) {
    throw new FormatError(`${shown(text)} is not the usual base64 of its bytes`);
  }
  return data;
}

export function encodeBase58(data: Uint8Array): string {
  let number = data.length ? BigInt(`0x${encodeHex(data)}`) : 0n;
  let text = "";
  for (; number > 0n; number /= 58n) text = BASE58.charAt(Number(number % 58n)) + text;
  const zeros = data.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros < 0 ? data.length : zeros) + text;
}

/** Read base58btc of at most 128 digits. */
export function decodeBase58(text: string): Bytes {
  if (text.length > 128) throw new FormatError(`${shown(text)} has more than 128 digits`);
  let number = 0n;
  for (const digit of text) {
    const value = BASE58.indexOf(digit);
    if (value < 0) throw new FormatError(`${shown(text)} is not base58btc`);
    number = number * 58n + BigInt(value);
  }
  const hex = number === 0n ? "" : number.toString(16);
  const zeros = /^1*/.exec(text)?.[0].length ?? 0;
  return decodeHex("00".repeat(zeros) + (hex.length % 2 ? "0" : "") + hex);
}

export function concatBytes(...parts: readonly Uint8Array[]): Bytes {
  const joined = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

export function sameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
