// Passages of a source: the places where words stand in its bytes, and the segment that cites one of them.

import { decodeUtf8, encodeUtf8, type Bytes } from "../proof/encoding";
import { FormatError } from "../proof/errors";
import { sha256Name } from "../proof/hash";
import { type Segment } from "./message";

const MOST_PLACES = 20;
const AROUND = 60;

/** A place of the searched words: its first byte, and the text around it. */
export interface Place {
  readonly start: number;
  readonly before: string;
  readonly after: string;
}

/** Return the places where words stand in a source, byte by byte, up to `MOST_PLACES`. */
export function findPlaces(source: Bytes, words: string): Place[] {
  const quote = encodeUtf8(words);
  if (quote.length === 0) return [];
  const places: Place[] = [];
  for (let start = indexOf(source, quote, 0); start >= 0 && places.length < MOST_PLACES; start = indexOf(source, quote, start + 1)) {
    const end = start + quote.length;
    places.push({ start, before: around(source.subarray(Math.max(0, start - AROUND), start)), after: around(source.subarray(end, end + AROUND)) });
  }
  return places;
}

/** Return the segment that cites words at a place of a source; throws FormatError if the bytes are others. */
export async function citedSegment(source: { readonly id: string; readonly hash: string }, bytes: Bytes, words: string, start: number): Promise<Segment> {
  const end = start + encodeUtf8(words).length;
  const cited = bytes.slice(start, end);
  if (decodeUtf8(cited) !== words) throw new FormatError(`bytes ${start} to ${end} of the source are other words`);
  const found = await sha256Name(bytes);
  if (found !== source.hash) throw new FormatError(`the bytes of the source have the SHA-256 ${found}, not ${source.hash}`);
  return { source: source.id, documentHash: source.hash, contentHash: await sha256Name(cited), start, end, quote: words };
}

function indexOf(source: Bytes, quote: Bytes, from: number): number {
  const first = quote[0]!;
  for (let at = source.indexOf(first, from); at >= 0; at = source.indexOf(first, at + 1)) {
    if (at + quote.length > source.length) return -1;
    if (quote.every((byte, place) => source[at + place] === byte)) return at;
  }
  return -1;
}

function around(bytes: Bytes): string {
  // A cut may divide a character.
  return new TextDecoder().decode(bytes).replaceAll("\ufffd", "").replace(/\s+/g, " ");
}
