// Checkpoints (C2SP tlog-checkpoint), the keys of a log and the notes by which they change.

import { decodeBase64, encodeHex, sameBytes, type Bytes } from "./encoding";
import { FormatError, shown, VerificationError, within } from "./errors";
import { HASH_BYTES, sha256 } from "./hash";
import { ED25519, isBy, openNote, readNote, VerifierKey } from "./note";

export const CHECKPOINT = "checkpoint signature";
export const LOG_KEY = "log key";

const SUCCESSION = "a2ap.log-key/v1";
const MAX_TREE_SIZE = 2n ** 63n - 1n;
const DECIMAL = /^(?:0|[1-9][0-9]{0,18})$/;

/** The state of a log at one size. */
export interface Checkpoint {
  readonly origin: string;
  readonly treeSize: bigint;
  readonly rootHash: Bytes;
}

/** Trees of more than `treeSize` leaves are signed by `key`. */
interface Succession {
  readonly key: VerifierKey;
  readonly treeSize: bigint;
}

/** The keys of a log: the first that is known, and those that it and its successors name, in order. */
export class LogKeys {
  constructor(
    readonly first: VerifierKey,
    readonly successions: readonly Succession[] = [],
  ) {}

  get newest(): VerifierKey {
    return this.successions.at(-1)?.key ?? this.first;
  }

  /** Return the key that signs a tree of this size. */
  at(treeSize: bigint): VerifierKey {
    return this.successions.findLast((one) => one.treeSize < treeSize)?.key ?? this.first;
  }
}

/** Read the text of a checkpoint, not its signatures. */
export async function readCheckpoint(text: string): Promise<Checkpoint> {
  const lines = text.split("\n");
  const rest = lines.pop();
  const [origin, size, root] = lines;
  if (rest !== "" || origin === undefined || size === undefined || root === undefined || lines.includes("")) {
    throw new FormatError("a checkpoint has three lines or more, none of them empty");
  }
  const checkpoint = { origin, treeSize: readDecimal(size, "the tree size"), rootHash: readHash(root, "the root hash") };
  if (checkpoint.treeSize === 0n && !sameBytes(checkpoint.rootHash, await sha256(new Uint8Array()))) {
    throw new FormatError("the root hash of the empty tree is another");
  }
  return checkpoint;
}

/** Return the checkpoint that the log's key for its tree size signed; throws "checkpoint signature". */
export function openCheckpoint(note: string, keys: LogKeys): Promise<Checkpoint> {
  return within(CHECKPOINT, async () => {
    const unverified = await readCheckpoint(readNote(note).text);
    const key = keys.at(unverified.treeSize);
    const checkpoint = await readCheckpoint(await openNote(CHECKPOINT, note, key));
    if (checkpoint.origin !== key.name) {
      throw new VerificationError(CHECKPOINT, `the checkpoint is of the log ${checkpoint.origin}, not of ${key.name}`);
    }
    return checkpoint;
  });
}

/**
 * Return the keys of a log from `key` on, which may be any of them; `notes` are in log order.
 *
 * Notes by keys that came before `key` are passed over. Throws "log key" if a key hands the log over twice, to an
 * earlier key or below the size of an earlier note, or if its signature does not hold.
 */
export function followSuccessions(key: VerifierKey, notes: readonly string[]): Promise<LogKeys> {
  return within(LOG_KEY, async () => {
    let keys = new LogKeys(key);
    const spent: VerifierKey[] = [];
    for (const note of notes) {
      const { signatures } = readNote(note);
      if (signatures.some((one) => spent.some((earlier) => isBy(one, earlier)))) {
        throw new VerificationError(LOG_KEY, `a key of ${key.name} hands the log over twice`);
      }
      if (!signatures.some((one) => isBy(one, keys.newest))) continue;
      const succession = await openSuccession(note, keys.newest);
      if (succession.treeSize < (keys.successions.at(-1)?.treeSize ?? 0n)) {
        throw new VerificationError(LOG_KEY, `the key of size ${succession.treeSize} is older than the one before it`);
      }
      spent.push(keys.newest);
      if (spent.some((earlier) => earlier.text === succession.key.text)) {
        throw new VerificationError(LOG_KEY, `${succession.key.text} is an earlier key of the same log`);
      }
      keys = new LogKeys(key, [...keys.successions, succession]);
    }
    return keys;
  });
}

async function openSuccession(note: string, signer: VerifierKey): Promise<Succession> {
  const [header, origin, text, size, end, ...more] = (await openNote(LOG_KEY, note, signer)).split("\n");
  if (header !== SUCCESSION || !origin || !text || size === undefined || end !== "" || more.length > 0) {
    throw new FormatError(`a succession has four lines, the first of them ${SUCCESSION}`);
  }
  const key = await VerifierKey.parse(text);
  if (key.name !== origin || key.algorithm !== ED25519 || origin !== signer.name) {
    throw new FormatError(`${shown(text)} is not a log key of ${signer.name}`);
  }
  return { key, treeSize: readDecimal(size, "the tree size") };
}

/** Read a number below 2^63 without leading zeros. */
export function readDecimal(text: string, name: string): bigint {
  if (!DECIMAL.test(text) || BigInt(text) > MAX_TREE_SIZE) {
    throw new FormatError(`${name} is ${shown(text)}, not a decimal number below 2^63`);
  }
  return BigInt(text);
}

/** Read a SHA-256 hash in padded standard base64. */
export function readHash(text: string, name: string): Bytes {
  const data = decodeBase64(text);
  if (data.length !== HASH_BYTES) throw new FormatError(`${name} has ${data.length} bytes, not ${HASH_BYTES}`);
  return data;
}

export function describeCheckpoint(checkpoint: Checkpoint): string {
  return `The log ${checkpoint.origin} signed its first ${checkpoint.treeSize} entries, root ${encodeHex(checkpoint.rootHash)}.`;
}
