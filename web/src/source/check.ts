// Compares the bytes of a source with its hash, and each cited range with the hash and the quotes of its passage.

import { sha256Name } from "../proof/hash";

export interface Range {
  start: number;
  end: number;
  hash: string;
  quotes: readonly string[];
}

export interface Result {
  hash: string;
  passages: ReadonlyMap<string, Passage>;
}

/** Whether the bytes of a passage have the cited hash, and whether each quote stands in them word for word. */
export interface Passage {
  held: boolean;
  quoted: boolean;
}

export function nameOf(range: Range): string {
  return `${range.start}-${range.end}`;
}

export async function compare(bytes: Uint8Array<ArrayBuffer>, ranges: readonly Range[]): Promise<Result> {
  const passages = new Map<string, Passage>();
  for (const range of ranges) {
    const cited = bytes.subarray(range.start, range.end);
    const words = plain(new TextDecoder().decode(cited));
    passages.set(nameOf(range), {
      held: cited.length === range.end - range.start && (await sha256Name(cited)) === range.hash,
      quoted: range.quotes.length > 0 && range.quotes.every((quote) => words.includes(plain(quote))),
    });
  }
  return { hash: await sha256Name(bytes), passages };
}

/** Returns a copy in which one bit of one byte is another, and the byte: within the first cited range if there is one. */
export function sabotage(bytes: Uint8Array<ArrayBuffer>, ranges: readonly Range[]): [Uint8Array<ArrayBuffer>, number] {
  const first = ranges[0];
  const place = first ? Math.floor((first.start + first.end) / 2) : Math.floor(bytes.length / 2);
  const copy = bytes.slice();
  const byte = copy[place];
  if (byte !== undefined) copy[place] = byte ^ 1;
  return [copy, place];
}

/** White space of any length is one space, as in the comparison of the node. */
function plain(text: string): string {
  return text.replace(/\s+/gu, " ").trim();
}
