// Passages of a source: the places where words stand in its bytes, and the segment that cites one of them.

import { decodeUtf8, encodeUtf8, type Bytes } from "../proof/encoding";
import { FormatError } from "../proof/errors";
import { sha256Name } from "../proof/hash";
import { type Segment } from "./message";

const MOST_PLACES = 20;
const AROUND = 60;

/** A place of the searched words: its first byte, the byte after its last one, and the text around it. */
export interface Place {
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

/**
 * Return the places where words stand in a source, byte by byte, up to `MOST_PLACES`; if there are none, those where
 * they stand with other white space between them, as a page may show a line break as a space.
 */
export function findPlaces(source: Bytes, words: string): Place[] {
  const exact = placesOf(source, [encodeUtf8(words)]);
  return exact.length > 0 ? exact : placesOf(source, words.trim().split(/\s+/u).map(encodeUtf8));
}

function placesOf(source: Bytes, pieces: readonly Bytes[]): Place[] {
  const [first] = pieces;
  const places: Place[] = [];
  if (first === undefined || first.length === 0) return places;
  for (let start = indexOf(source, first, 0); start >= 0 && places.length < MOST_PLACES; start = indexOf(source, first, start + 1)) {
    const end = endOf(source, pieces, start);
    if (end === null) continue;
    places.push({ start, end, before: around(source.subarray(Math.max(0, start - AROUND), start)), after: around(source.subarray(end, end + AROUND)) });
  }
  return places;
}

/** Return the byte after pieces that stand one after another from a byte on, with white space between them. */
function endOf(source: Bytes, pieces: readonly Bytes[], start: number): number | null {
  let at = start;
  for (const [number, piece] of pieces.entries()) {
    const gap = at;
    while (number > 0 && isSpace(source[at])) at += 1;
    if ((number > 0 && at === gap) || !piece.every((byte, place) => source[at + place] === byte)) return null;
    at += piece.length;
  }
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || (byte !== undefined && byte >= 0x09 && byte <= 0x0d);
}

/**
 * Return the segment that cites words at a place of a source, with its bytes as they are. Throws FormatError if the
 * bytes are other words.
 */
export async function citedSegment(source: { readonly id: string; readonly hash: string }, bytes: Bytes, words: string, { start, end }: Pick<Place, "start" | "end">): Promise<Segment> {
  const cited = bytes.slice(start, end);
  const quote = decodeUtf8(cited);
  if (quote !== words && spaced(quote) !== spaced(words)) throw new FormatError(`bytes ${start} to ${end} of the source are other words`);
  const found = await sha256Name(bytes);
  if (found !== source.hash) throw new FormatError(`the bytes of the source have the SHA-256 ${found}, not ${source.hash}`);
  return { source: source.id, documentHash: source.hash, contentHash: await sha256Name(cited), start, end, quote };
}

function indexOf(source: Bytes, quote: Bytes, from: number): number {
  const first = quote[0]!;
  for (let at = source.indexOf(first, from); at >= 0; at = source.indexOf(first, at + 1)) {
    if (at + quote.length > source.length) return -1;
    if (quote.every((byte, place) => source[at + place] === byte)) return at;
  }
  return -1;
}

/** Return words with one space for each run of white space. */
function spaced(words: string): string {
  return words.trim().replace(/\s+/gu, " ");
}

function around(bytes: Bytes): string {
  // A cut may divide a character.
  return new TextDecoder().decode(bytes).replaceAll("\ufffd", "").replace(/\s+/g, " ");
}
