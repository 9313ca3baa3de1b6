/// <reference types="node" />
// Test data: the project's vectors, and the fixtures that its own code wrote. Imported by tests alone.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { type Bytes } from "./encoding";

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
