// An entry of a log: the accepted message by its hashes, its agent and its time; its bytes are the leaf.

import { canonicalize } from "./canonical";
import { encodeUtf8, sameBytes, type Bytes } from "./encoding";
import { FormatError, VerificationError } from "./errors";
import { checkInstant, utcForm } from "./instant";
import { readJson } from "./json";
import { readCount, readText } from "./members";

const MAX_BYTES = 65_535;
const MEMBERS = ["v", "origin", "type", "id", "documentHash", "signedHash", "agent", "key", "receivedAt"];
const OF_PEERS = ["originIndex", "originReceivedAt"];

/** One accepted message. `originIndex` is its place in the log `origin` if that is another log than this one. */
export interface LogEntry {
  readonly v: number;
  readonly origin: string;
  readonly originIndex: number | null;
  readonly type: string;
  readonly id: string;
  readonly documentHash: string;
  readonly signedHash: string;
  readonly agent: string;
  readonly key: string;
  readonly receivedAt: string;
  readonly originReceivedAt: string | null;
  /** The leaf. */
  readonly data: Bytes;
}

/** Read the leaf of an entry, given as text; bytes in another than the one form are refused. */
export function readEntry(text: string): LogEntry {
  const data = encodeUtf8(text);
  const members = readJson(data, MAX_BYTES);
  const unknown = [...members.keys()].find((name) => !MEMBERS.includes(name) && !OF_PEERS.includes(name));
  if (unknown !== undefined) throw new FormatError(`the entry has the unknown member ${unknown}`);
  const isPeers = members.has("originIndex");
  if (members.has("originReceivedAt") && !isPeers) throw new FormatError("the entry has originReceivedAt alone");
  const v = readCount(members, "v", "", 2);
  if (v < 1 || (v === 2 && isPeers)) throw new FormatError(`the entry is of version ${v}, which it cannot be`);
  for (const name of ["receivedAt", "originReceivedAt"]) if (members.has(name)) checkTime(readText(members, name), name);
  if (!sameBytes(canonicalize(members), data)) throw new FormatError("the entry is not in its canonical form");
  return {
    v,
    origin: readText(members, "origin"),
    originIndex: isPeers ? readCount(members, "originIndex") : null,
    type: readText(members, "type"),
    id: readText(members, "id"),
    documentHash: readText(members, "documentHash"),
    signedHash: readText(members, "signedHash"),
    agent: readText(members, "agent"),
    key: readText(members, "key"),
    receivedAt: readText(members, "receivedAt"),
    originReceivedAt: members.has("originReceivedAt") ? readText(members, "originReceivedAt") : null,
    data,
  };
}

/** Throw a VerificationError of this check for the first name under which an entry and `found` differ. */
export function checkEntry(check: string, entry: LogEntry, found: Partial<Record<keyof LogEntry, string>>): void {
  for (const [name, value] of Object.entries(found)) {
    const stated = entry[name as keyof LogEntry];
    if (stated !== value) {
      throw new VerificationError(check, `the entry has the ${name} ${String(stated)}, and found was ${value}`);
    }
  }
}

function checkTime(text: string, name: string): void {
  checkInstant(text, name);
  if (utcForm(text) !== text) throw new FormatError(`${name} is not written in its one form`);
}
