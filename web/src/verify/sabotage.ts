// The sabotaged copy: one bit of a byte is changed in a copy of a file, and everything is verified again.

import { passes } from "../proof/report";
import { examine, type FileReport, type GivenFile } from "./examine";

/** One change of one byte, and the reports on the files with it; `ignored` counts earlier places that no check covers. */
export interface Sabotage {
  readonly file: string;
  readonly place: number;
  readonly before: number;
  readonly after: number;
  readonly report: FileReport;
  readonly ignored: number;
}

const MOST_PLACES = 60;
// The golden ratio spreads the places of successive tries over a file.
const SPREAD = 0.6180339887498949;

/**
 * Change one byte of a file, and return the first change that makes its report fail; null if no place does.
 *
 * `subject` is the file whose report is looked at, and `round` gives another place each time. Space between members of
 * a document that only its signature covers may change without a check that fails, as it should.
 */
export async function sabotage(
  files: readonly GivenFile[],
  subject: string,
  altered: string,
  logKeys: string,
  round: number,
): Promise<Sabotage | null> {
  const file = files.find((one) => one.name === altered);
  if (file === undefined || file.data.length === 0) return null;
  for (let ignored = 0; ignored < MOST_PLACES; ignored += 1) {
    const place = Math.floor((((round * MOST_PLACES + ignored + 1) * SPREAD) % 1) * file.data.length);
    const data = new Uint8Array(file.data);
    const before = data[place] ?? 0;
    data[place] = before ^ 1;
    const copies = files.map((one) => (one === file ? { name: one.name, data } : one));
    const found = (await examine(copies, logKeys)).find((one) => one.name === subject);
    if (found !== undefined && !passes(found.report)) {
      return { file: altered, place, before, after: before ^ 1, report: found, ignored };
    }
  }
  return null;
}

/** Return a byte for people: its character if it has one, and its number. */
export function shownByte(byte: number): string {
  const number = `0x${byte.toString(16).padStart(2, "0")}`;
  return byte > 0x20 && byte < 0x7f ? `“${String.fromCharCode(byte)}” (${number})` : number;
}

