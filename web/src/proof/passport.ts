// A chain of Context Passports as the graph that `parent_id` makes of it.
//
//   payload_hash   = sha256(payload under a profile)
//   integrity_hash = sha256(payload_hash + (the parent's integrity_hash or "root"))
//
// Each record is checked by itself, then with its parents. None of this shows an end that was cut off, or a chain that
// was made anew as a whole: both need a head that is known from elsewhere, or signatures under keys that are.

import { encodeHex, encodeUtf8, type Bytes } from "./encoding";
import { VerificationError, within } from "./errors";
import { sha256 } from "./hash";
import {
  checkForm,
  digestOf,
  PASSPORT_FORM,
  PAYLOAD_COVERAGE,
  PAYLOAD_HASH,
  readPassports,
  RECORD_SIGNATURE,
  verifyPayload,
  verifyRecordSignature,
  type KnownKeys,
  type Passport,
} from "./passport_record";
import { Reporter } from "./report";

export const INTEGRITY_HASH = "integrity hash";
export const PARENT_HASH = "parent hash";
export const PARENT = "parent";
export const CHAIN = "chain";
export const HEAD = "head";

/**
 * The parents of the records by their positions, the parent first and then the further ones of a merge, as far as they
 * are here; `renamed` were found by their hash, under another id.
 */
interface Ancestry {
  readonly hasParent: readonly boolean[];
  readonly parents: readonly (readonly number[])[];
  readonly renamed: ReadonlySet<number>;
}

/**
 * Verify a file with one record or a chain of them.
 *
 * `known` are keys by the key id that signatures name, `head` the integrity hash of the last record if it is known.
 */
export async function verifyPassports(
  data: Bytes,
  known: KnownKeys = new Map(),
  head: string | null = null,
  reporter = new Reporter(),
): Promise<Passport[]> {
  const passports = await within(CHAIN, () => readPassports(data));
  if (passports.length === 0) throw new VerificationError(CHAIN, "there is no record, and so nothing that could hold");
  const ancestry = traceAncestry(passports);
  for (const one of passports) {
    await verifyRecord(one, known, reporter);
    await verifyRelations(one, passports, ancestry, reporter);
  }
  verifyChain(passports, ancestry, reporter);
  verifyHead(passports, ancestry, head, reporter);
  reporter.skip("that other members have the form of §03, and that events, lineage and times agree; `a2ap passport verify` does");
  reporter.finish();
  return passports;
}

async function verifyRecord(passport: Passport, known: KnownKeys, reporter: Reporter): Promise<void> {
  const { label } = passport;
  await reporter.attempt(PASSPORT_FORM, () => checkForm(passport), `${label} has the members that are checked.`);
  let match = null;
  try {
    match = await verifyPayload(passport);
    reporter.pass(PAYLOAD_HASH, `${label}: the payload has its hash, under the profile ${match.profile}.`);
    if (passport.major === 1 && match.profile.startsWith("v2")) {
      reporter.remark(`${label}: its hash is that of ${match.profile}, and the record says 1.x.`);
    }
  } catch (error) {
    if (!(reporter.record(PAYLOAD_HASH, error) instanceof VerificationError)) throw error;
  }
  let signed = null;
  try {
    signed = await within(RECORD_SIGNATURE, () => verifyRecordSignature(passport, known));
    if (signed !== null) reporter.pass(RECORD_SIGNATURE, `${label}: the key ${signed.key.didKey} signed every member.`);
  } catch (error) {
    if (!(reporter.record(RECORD_SIGNATURE, error) instanceof VerificationError)) throw error;
  }
  if (signed !== null && !signed.isKnown) {
    reporter.remark(`${label}: its key is not known here; a changed record can be signed again with another key.`);
  }
  if (!signed?.isKnown) {
    reporter.skip(`${label}: agent, time, type and all other members but payload and parent, which no hash binds`);
  }
  if (match !== null && match.uncovered.length > 0 && !signed?.isKnown) {
    const [first] = match.uncovered;
    reporter.fail(PAYLOAD_COVERAGE, `${label}: the profile ${match.profile} leaves ${first} out, so that it may be anything`);
  }
}

async function verifyRelations(
  passport: Passport,
  passports: readonly Passport[],
  ancestry: Ancestry,
  reporter: Reporter,
): Promise<void> {
  const { label, parentId, parentHash, position } = passport;
  const at = parentId === null ? undefined : ancestry.parents[position]?.[0];
  const parent = at === undefined || !ancestry.hasParent[position] ? null : (passports[at] ?? null);
  if (parentId !== null) {
    await reporter.attempt(
      PARENT,
      () => {
        if (parent === null) throw new VerificationError(PARENT, `${label} names ${parentId}, which is not here`);
        if (ancestry.renamed.has(position)) {
          const words = `${label} names ${parentId}, and the record with its hash is ${parent.label}: one id was changed`;
          throw new VerificationError(PARENT, words);
        }
      },
      `${label} comes after ${parent?.label}.`,
    );
  }
  await reporter.attempt(
    PARENT_HASH,
    () => {
      if (parentId === null && parentHash !== null) {
        throw new VerificationError(PARENT_HASH, `${label}: parent_hash is given, and the record names no parent`);
      }
      const isOther = parentId !== null && (parentHash === null || (parent !== null && parentHash !== parent.integrityHash));
      if (isOther) {
        const of = parent?.label ?? "its parent";
        throw new VerificationError(PARENT_HASH, `${label}: parent_hash is not the integrity hash of ${of}`);
      }
    },
    parentId === null ? `${label} is a root.` : `${label}: parent_hash is the integrity hash of its parent.`,
  );
  // One wrong hash is one fault: the integrity hash may be of either parent hash if the two differ.
  const actual = parent?.integrityHash ?? parentHash;
  await reporter.attempt(
    INTEGRITY_HASH,
    () => verifyIntegrity(passport, parentId === null ? [null] : [actual, parentHash]),
    `${label}: the integrity hash joins its payload and its parent.`,
  );
  for (const digits of passport.mergedHashes) {
    if (!passports.some((one) => one.position !== position && one.integrityHash === digits)) {
      reporter.fail(PARENT, `${label} merges sha256:${digits}, which is not here`);
    }
  }
}

/** Throw "integrity hash" unless it is made of the payload hash and one of these parents' hashes. */
async function verifyIntegrity(passport: Passport, parents: readonly (string | null)[]): Promise<void> {
  for (const parent of parents) {
    // The published libraries join the hashes with `sha256:` before each; DarkMatter's server joined bare digits.
    for (const prefix of ["sha256:", ""]) {
      const joined = `${prefix}${passport.payloadHash}${parent === null ? "root" : prefix + parent}`;
      if (encodeHex(await sha256(encodeUtf8(joined))) === passport.integrityHash) return;
    }
  }
  throw new VerificationError(INTEGRITY_HASH, `${passport.label}: integrity_hash is not the hash of the payload's and the parent's`);
}

function verifyChain(passports: readonly Passport[], ancestry: Ancestry, reporter: Reporter): void {
  const circle = findCircle(ancestry.parents);
  if (circle !== null) reporter.fail(CHAIN, `${passports[circle]?.label} comes from itself`);
  const firstWithId = new Map(passports.toReversed().map((one) => [one.id, one]));
  for (const one of passports) {
    const first = one.id === null ? undefined : firstWithId.get(one.id);
    if (first === undefined || first === one) continue;
    if (first.integrityHash !== one.integrityHash) {
      reporter.fail(CHAIN, `${one.label} is the id of records ${first.position + 1} and ${one.position + 1}`);
    } else if (!sameMembers(first, one)) {
      reporter.fail(CHAIN, `records ${first.position + 1} and ${one.position + 1} differ in members that no hash binds`);
    } else {
      reporter.remark(`${one.label} is in the chain twice.`);
    }
  }
  const roots = passports.filter((one) => one.parentId === null);
  if (roots.length > 1) reporter.remark(`There are ${roots.length} roots, and so several chains.`);
  if (circle === null) reporter.pass(CHAIN, `${passports.length} records, ${tipsOf(ancestry).length} ends, no circle.`);
}

function verifyHead(passports: readonly Passport[], ancestry: Ancestry, head: string | null, reporter: Reporter): void {
  const tips = tipsOf(ancestry).flatMap((at) => passports[at] ?? []);
  if (head === null) {
    reporter.skip("that nothing was cut off at the end: no head is known from elsewhere");
  } else if (tips.some((one) => one.integrityHash === digestOf(head))) {
    reporter.pass(HEAD, `A branch ends in ${head}.`);
  } else {
    reporter.fail(HEAD, `no branch ends in ${head}: it ends in ${tips.map((one) => one.label).join(", ")}`);
  }
}

/** Find the parents of each record: by id and stated hash, by id, or by hash alone. */
function traceAncestry(passports: readonly Passport[]): Ancestry {
  const byId = groupBy(passports, (one) => one.id ?? "");
  const byHash = groupBy(passports, (one) => one.integrityHash ?? "");
  const renamed = new Set<number>();
  const hasParent: boolean[] = [];
  const parents = passports.map((one) => {
    const found = new Set<number>();
    const withHash = (digits: string | null): number | undefined =>
      byHash.get(digits ?? "-")?.find((other) => other !== one)?.position;
    if (one.parentId !== null) {
      const named = byId.get(one.parentId) ?? [];
      const at = (named.find((other) => other.integrityHash === one.parentHash) ?? named[0])?.position;
      const other = at ?? withHash(one.parentHash);
      if (at === undefined && other !== undefined) renamed.add(one.position);
      if (other !== undefined) found.add(other);
    }
    hasParent.push(found.size > 0);
    for (const digits of one.mergedHashes) {
      const at = withHash(digits);
      if (at !== undefined) found.add(at);
    }
    return [...found];
  });
  return { hasParent, parents, renamed };
}

function groupBy(passports: readonly Passport[], nameOf: (one: Passport) => string): Map<string, Passport[]> {
  const groups = new Map<string, Passport[]>();
  for (const one of passports) {
    const group = groups.get(nameOf(one));
    if (group === undefined) groups.set(nameOf(one), [one]);
    else group.push(one);
  }
  return groups;
}

function tipsOf({ parents }: Ancestry): number[] {
  const withChildren = new Set(parents.flat());
  return parents.map((_, at) => at).filter((at) => !withChildren.has(at));
}

/** Return a record that comes from itself, null if there is none. */
function findCircle(parents: readonly (readonly number[])[]): number | null {
  const children = parents.map((): number[] => []);
  parents.forEach((found, at) => found.forEach((parent) => children[parent]?.push(at)));
  const waiting = parents.map((found) => found.length);
  const ready = [...parents.keys()].filter((at) => waiting[at] === 0);
  for (const at of ready) {
    for (const child of children[at] ?? []) {
      waiting[child] = (waiting[child] ?? 0) - 1;
      if (waiting[child] === 0) ready.push(child);
    }
  }
  const done = new Set(ready);
  return [...parents.keys()].find((at) => !done.has(at)) ?? null;
}

function sameMembers(one: Passport, other: Passport): boolean {
  const text = (passport: Passport): string => JSON.stringify(plain(passport.members));
  return text(one) === text(other);
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(plain);
  return value instanceof Map ? [...value].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, plain(one)]) : value;
}
