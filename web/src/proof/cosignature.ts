// Witnesses' cosignatures under a checkpoint (C2SP tlog-cosignature, cosignature/v1), and policies of witnesses.
//
// A cosignature says that its witness has seen, at that time, no larger tree of the log and none that this one does
// not continue. Whether a time lies in the future is for a caller with a clock to judge.

import { SIGNATURE_BYTES } from "./ed25519";
import { encodeUtf8 } from "./encoding";
import { FormatError, shown, VerificationError, within } from "./errors";
import { COSIGNATURE, ED25519, isBy, readNote, VerifierKey, type NoteSignature } from "./note";

export const WITNESSES = "witness cosignatures";

const MAX_LINES = 1000;
const MAX_TIME = 2n ** 63n - 1n;

/** A cosignature that holds: its witness, and the POSIX time in seconds that it gives. */
export interface Cosignature {
  readonly witness: VerifierKey;
  readonly time: bigint;
}

/** `quorum` of these witnesses must have cosigned; 0 requires none. */
export interface WitnessPolicy {
  readonly quorum: number;
  readonly witnesses: readonly VerifierKey[];
}

/** A policy file: the logs that it names, and the policy. */
export interface PolicyFile {
  readonly logs: readonly VerifierKey[];
  readonly policy: WitnessPolicy;
}

/** Return the cosignatures by witnesses of the policy; throws "witness cosignatures" if one is false or some lack. */
export function verifyWitnesses(note: string, policy: WitnessPolicy): Promise<Cosignature[]> {
  return within(WITNESSES, async () => {
    const { text, signatures } = readNote(note);
    const found: Cosignature[] = [];
    for (const signature of signatures) {
      for (const witness of policy.witnesses) {
        if (isBy(signature, witness)) found.push({ witness, time: await verifyOne(text, signature, witness) });
      }
    }
    const count = new Set(found.map((one) => one.witness.publicKey.base64)).size;
    if (count < policy.quorum) {
      const words = `${count} of ${policy.witnesses.length} witnesses cosigned the checkpoint`;
      throw new VerificationError(WITNESSES, `${words}, fewer than ${policy.quorum}`);
    }
    return found;
  });
}

async function verifyOne(text: string, line: NoteSignature, witness: VerifierKey): Promise<bigint> {
  const { signature } = line;
  if (signature.length !== 8 + SIGNATURE_BYTES) {
    throw new FormatError(`the cosignature of ${witness.name} has ${signature.length} bytes, not a time and 64`);
  }
  const time = new DataView(signature.buffer, signature.byteOffset, 8).getBigUint64(0);
  if (time > MAX_TIME) throw new FormatError(`the cosignature of ${witness.name} has a time beyond 2^63 - 1`);
  // The first line keeps a cosignature from ever being a signature of another kind of text.
  const signed = encodeUtf8(`cosignature/v1\ntime ${time}\n${text}`);
  const sentence = `the cosignature of ${witness.name} does not hold`;
  await witness.publicKey.verify(WITNESSES, signed, signature.subarray(8), sentence);
  return time;
}

/** Read a policy file (C2SP tlog-policy); groups in groups are refused. */
export async function readPolicyFile(text: string): Promise<PolicyFile> {
  const lines = text.split("\n");
  if (lines.length > MAX_LINES) throw new FormatError(`the policy file has more than ${MAX_LINES} lines`);
  const logs: VerifierKey[] = [];
  const witnesses = new Map<string, VerifierKey>();
  const groups = new Map<string, { quorum: number; names: string[] }>([["none", { quorum: 0, names: [] }]]);
  const members = new Set<string>();
  let quorum: string | null = null;
  const known = (name: string): VerifierKey => {
    const witness = witnesses.get(name);
    if (witness === undefined) throw new FormatError(`${shown(name)} is no witness of a line before`);
    return witness;
  };
  const checkNew = (name: string): void => {
    if (witnesses.has(name) || groups.has(name)) throw new FormatError(`the name ${shown(name)} is taken`);
  };
  for (const line of lines) {
    const [word, name, third, ...more] = line.split(/[ \t]+/).filter((one) => one !== "");
    if (word === undefined || word.startsWith("#")) continue;
    if (word === "log" && name !== undefined && more.length === 0) {
      logs.push(await readKey(name, ED25519, logs));
    } else if (word === "witness" && name !== undefined && third !== undefined && more.length <= 1) {
      checkNew(name);
      witnesses.set(name, await readKey(third, COSIGNATURE, [...witnesses.values()]));
    } else if (word === "group" && name !== undefined && third !== undefined && more.length > 0) {
      checkNew(name);
      for (const member of more) {
        known(member);
        if (members.has(member)) throw new FormatError(`the witness ${shown(member)} is a member twice`);
        members.add(member);
      }
      groups.set(name, { quorum: readThreshold(third, more.length), names: more });
    } else if (word === "quorum" && name !== undefined && third === undefined && quorum === null) {
      quorum = name;
    } else {
      throw new FormatError(`${shown(line)} is no line of a policy`);
    }
  }
  if (quorum === null) throw new FormatError("the policy file has no quorum");
  const group = groups.get(quorum) ?? { quorum: 1, names: [quorum] };
  return { logs, policy: { quorum: group.quorum, witnesses: group.names.map(known) } };
}

async function readKey(text: string, algorithm: number, others: readonly VerifierKey[]): Promise<VerifierKey> {
  const key = await VerifierKey.parse(text);
  if (key.algorithm !== algorithm) throw new FormatError(`the key ${key.name} is of type ${key.algorithm}`);
  // A cosignature does not name its witness, so one key under two names would count twice.
  if (others.some((other) => other.publicKey.equals(key.publicKey))) {
    throw new FormatError(`the key of ${key.name} is there twice`);
  }
  return key;
}

function readThreshold(text: string, members: number): number {
  const count = text === "any" ? 1 : text === "all" ? members : /^[1-9][0-9]{0,3}$/.test(text) ? Number(text) : 0;
  if (count < 1 || count > members) throw new FormatError(`${shown(text)} of ${members} witnesses`);
  return count;
}
