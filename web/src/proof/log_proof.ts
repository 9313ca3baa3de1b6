// Proofs that an entry is in a log: index, hashes and checkpoint (C2SP tlog-proof).

import { readDecimal, readHash } from "./checkpoint";
import { decodeBase64, type Bytes } from "./encoding";
import { FormatError } from "./errors";
import { readNote } from "./note";

export const HEADER = "c2sp.org/tlog-proof@v1";

const MAX_HASHES = 63;

/** A proof; nothing in it is verified. `hashes` lead from the leaf's sibling up. */
export interface LogProof {
  readonly logIndex: bigint;
  readonly hashes: readonly Bytes[];
  readonly note: string;
}

export function readLogProof(text: string): LogProof {
  const end = text.indexOf("\n\n");
  const [header, ...lines] = text.slice(0, Math.max(end, 0)).split("\n");
  if (header !== HEADER) {
    throw new FormatError(`a log proof begins with ${HEADER} and has an empty line before its checkpoint`);
  }
  if (lines[0]?.startsWith("extra ")) {
    // Nothing vouches for the extra data.
    if (decodeBase64(lines[0].slice("extra ".length)).length === 0) throw new FormatError("the extra data is empty");
    lines.shift();
  }
  const [index, ...hashes] = lines;
  if (!index?.startsWith("index ")) throw new FormatError("the log proof has no index");
  if (hashes.length > MAX_HASHES) throw new FormatError(`the log proof has more than ${MAX_HASHES} hashes`);
  const note = text.slice(end + 2);
  readNote(note);
  return {
    logIndex: readDecimal(index.slice("index ".length), "the index of the log proof"),
    hashes: hashes.map((line) => readHash(line, "a line of the log proof")),
    note,
  };
}

