/// <reference types="node" />
// Test data: the project's vectors, and the fixtures that its own code wrote. Imported by tests alone.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { type Bytes } from "./encoding";
import { VerificationError } from "./errors";
import { NumberText, parseJson, type RawJson } from "./json";

const VECTORS = new URL("../../../tests/vectors/", import.meta.url);
const FIXTURES = new URL("./fixtures/", import.meta.url);

export function vector(name: string): any {
  return JSON.parse(readFileSync(fileURLToPath(new URL(`${name}.json`, VECTORS)), "utf8"));
}

export function fixture(name: string): Bytes {
  return new Uint8Array(readFileSync(fileURLToPath(new URL(name, FIXTURES))));
}

/** Return a copy with the byte at a place, from the end if negative, changed by one bit. */
export function flipped(data: Uint8Array, place = -1, bit = 1): Bytes {
  const copy = new Uint8Array(data);
  const at = place < 0 ? copy.length + place : place;
  copy[at] = (copy[at] ?? 0) ^ bit;
  return copy;
}

export function fixtureText(name: string): string {
  return new TextDecoder().decode(fixture(name));
}

/** Return a fixture's JSON with a change made to it, as bytes. */

export function changed(name: string, change: (members: any) => unknown): Bytes {
  const members = JSON.parse(fixtureText(name));
  change(members);
  return new TextEncoder().encode(JSON.stringify(members));
}

/** Return a text with its last letter or digit before a place changed into another one. */
export function otherText(text: string, at = Math.floor(text.length / 2)): string {
  const character = text[at] === "A" ? "B" : "A";
  return text.slice(0, at) + character + text.slice(at + 1);
}

/** Return the name of the check that fails, and null if none does. */
export async function failing(verification: unknown): Promise<string | null> {
  try {
    await verification;
    return null;
  } catch (error) {
    if (error instanceof VerificationError) return error.check;
    throw error;
  }
}

/** Return a vector file with its numbers as they are written. */
export function rawVector(name: string): RawJson {
  return parseJson(readFileSync(fileURLToPath(new URL(`${name}.json`, VECTORS)), "utf8"), 200);
}

/** Write a raw value as JSON with its numbers as they were written. */
export function rawText(value: RawJson): string {
  if (value instanceof NumberText) return value.text;
  if (Array.isArray(value)) return `[${value.map(rawText).join(",")}]`;
  if (!(value instanceof Map)) return JSON.stringify(value);
  return `{${[...value].map(([name, member]) => `${JSON.stringify(name)}:${rawText(member)}`).join(",")}}`;
}
