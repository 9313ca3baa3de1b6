// RFC 8785 (JCS): the one form in which documents are signed, hashed and compared.

import { encodeUtf8, hasLoneSurrogate, type Bytes } from "./encoding";
import { FormatError } from "./errors";
import { NumberText, type Json, type RawJson } from "./json";

/** Return the RFC 8785 bytes of a value; integers beyond 2^53 - 1 and lone surrogates have no canonical form. */
export function canonicalize(value: Json | RawJson): Bytes {
  return encodeUtf8(write(value));
}

/** Return the names of an object in the order of their UTF-16 code units (RFC 8785 §3.2.3). */
export function sortedNames(members: ReadonlyMap<string, unknown>): string[] {
  // sort() compares texts by their UTF-16 code units.
  return [...members.keys()].sort();
}

function write(value: Json | RawJson): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return writeText(value);
  if (typeof value === "number") return writeNumber(value);
  if (value instanceof NumberText) return writeNumberText(value);
  if (Array.isArray(value)) return `[${value.map(write).join(",")}]`;
  const members: ReadonlyMap<string, Json | RawJson> = value;
  return `{${sortedNames(members).map((name) => `${writeText(name)}:${write(members.get(name) ?? null)}`).join(",")}}`;
}

function writeText(text: string): string {
  if (hasLoneSurrogate(text)) throw new FormatError("a text with a lone surrogate has no canonical form");
  // RFC 8785 §3.2.2.2 takes the escapes of JSON.stringify.
  return JSON.stringify(text);
}

function writeNumberText(number: NumberText): string {
  if (number.isInteger && !Number.isSafeInteger(number.double)) {
    throw new FormatError(`${number.text.slice(0, 24)} is beyond 2^53 - 1 and has no canonical form`);
  }
  return writeNumber(number.double);
}

function writeNumber(number: number): string {
  if (!Number.isFinite(number)) throw new FormatError("an infinite number has no canonical form");
  // RFC 8785 §3.2.2.3: as ECMAScript writes it, minus zero as 0.
  return String(number === 0 ? 0 : number);
}
