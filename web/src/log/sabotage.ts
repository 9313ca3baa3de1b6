// A copy of an entry's bytes with one byte flipped in one part of it.

import { type Bytes } from "../proof/encoding";
import { type Material } from "./checks";

/** The parts in which a byte can be flipped, with their words. */
export const PARTS = {
  document: "document",
  entry: "receipt: the entry",
  checkpoint: "receipt: the checkpoint",
  proof: "receipt: the proof",
} as const;

export type Part = keyof typeof PARTS;

/** A sabotaged copy: the place of the byte, and its value before and after. */
export interface Sabotage {
  readonly material: Material;
  readonly part: Part;
  readonly place: number;
  readonly before: number;
  readonly after: number;
}

/** Return a copy with the lowest bit of one byte flipped; null if there is no byte at this place. */
export function sabotage(material: Material, part: Part, place: number): Sabotage | null {
  const data = material[part];
  const before = data?.[place];
  if (data === null || before === undefined) return null;
  const after = before ^ 1;
  const copy: Bytes = new Uint8Array(data);
  copy[place] = after;
  return { material: { ...material, [part]: copy }, part, place, before, after };
}

/** Return a byte in words: its value, and its character if it has one. */
export function byteWords(value: number): string {
  const hex = value.toString(16).padStart(2, "0");
  return value > 32 && value < 127 ? `${hex} (“${String.fromCharCode(value)}”)` : hex;
}
