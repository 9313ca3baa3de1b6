// Verifies a record of the node in the reader's browser: the hash of its bytes, then its own hashes and signatures.

import { decodeUtf8, encodeUtf8, concatBytes, type Bytes } from "../proof/encoding";
import { VerificationError } from "../proof/errors";
import { sha256Name } from "../proof/hash";
import { namedContents, verifyPack } from "../proof/pack";
import { verifyPacket } from "../proof/packet";
import { verifyPassports } from "../proof/passport";
import { report, type Report, type Reporter } from "../proof/report";

export const RECORD_HASH = "hash of the bytes";

export type Kind = "passport" | "pack" | "packet";

/** The files of a record by their names, which are their hashes; `missing` could not be had, and say why. */
export interface Files {
  readonly kind: Kind;
  readonly record: string;
  readonly files: ReadonlyMap<string, Bytes>;
  readonly missing: ReadonlyMap<string, string>;
}

/** Fetches the bytes at an address from the root of the node; throws an error that says why it cannot. */
export type Fetch = (address: string) => Promise<Bytes>;

/**
 * Fetch a record and all that is verified with it: the records of a passport's chain, or the contents of a pack.
 *
 * Only the record itself must be there.
 */
export async function fetchFiles(kind: Kind, record: string, chain: readonly string[], fetchBytes: Fetch): Promise<Files> {
  const files = new Map([[record, await fetchBytes(`${kind}s/${record}`)]]);
  const missing = new Map<string, string>();
  const others = kind === "pack" ? contentsOf(files.get(record)!) : chain;
  for (const name of others) {
    if (files.has(name) || missing.has(name)) continue;
    try {
      files.set(name, await fetchBytes(kind === "pack" ? `packs/${record}/content/${name}` : `${kind}s/${name}`));
    } catch (error) {
      missing.set(name, error instanceof Error ? error.message : String(error));
    }
  }
  return { kind, record, files, missing };
}

/** Verify the files of a record; a check that fails is part of the report. */
export async function verifyFiles(found: Files, chain: readonly string[] = []): Promise<Report> {
  return report(async (reporter) => {
    for (const [name, why] of found.missing) reporter.skip(`${name}, since this browser has not its bytes: ${why}`);
    const record = found.files.get(found.record)!;
    if (found.kind === "packet") {
      await verifyNames(found, reporter);
      await verifyPacket(record, new Map(), reporter);
    } else if (found.kind === "passport") {
      await verifyNames(found, reporter);
      await verifyPassports(asArray(inOrder(found, chain)), new Map(), null, reporter);
    } else {
      const contents = new Map([...found.files].filter(([name]) => name !== found.record));
      await verifyPack({ name: found.record, manifest: record, contents }, reporter, new Set(found.missing.keys()));
    }
  });
}

/** Return a copy of the files with one bit of one byte of the record changed, and the place of the byte. */
export function sabotage(found: Files): [Files, number] {
  const copy = found.files.get(found.record)!.slice();
  const place = placeOfWord(copy);
  copy[place] = (copy[place] ?? 0) ^ 1;
  return [{ ...found, files: new Map(found.files).set(found.record, copy) }, place];
}

/** Return the places of the files in a chain, as far as they are here; the record alone if no chain is given. */
function inOrder(found: Files, chain: readonly string[]): Bytes[] {
  const names = chain.includes(found.record) ? chain : [found.record, ...chain];
  return names.flatMap((name) => found.files.get(name) ?? []);
}

async function verifyNames(found: Files, reporter: Reporter): Promise<void> {
  const others: string[] = [];
  for (const [name, content] of found.files) {
    const own = await sha256Name(content);
    if (own !== name) reporter.fail(RECORD_HASH, `the bytes of ${name} have the SHA-256 ${own}`);
    else others.push(name);
  }
  if (others.length !== found.files.size) return;
  const words = others.length === 1 ? `The bytes have the SHA-256 ${others[0]}, by which the node names them.` : `The bytes of each of the ${others.length} records have the SHA-256 by which the node names them.`;
  reporter.pass(RECORD_HASH, words);
}

function contentsOf(manifest: Bytes): readonly string[] {
  try {
    return namedContents(manifest);
  } catch (error) {
    // The verification names the fault of the manifest.
    if (error instanceof VerificationError) return [];
    throw error;
  }
}

function asArray(records: readonly Bytes[]): Bytes {
  const parts = records.flatMap((record, at) => (at === 0 ? [record] : [encodeUtf8(","), record]));
  return concatBytes(encodeUtf8("["), ...parts, encodeUtf8("]"));
}

/** Return the place of a letter within the payload, items or content, so that the copy stays JSON if it can. */
function placeOfWord(data: Bytes): number {
  let text: string;
  try {
    text = decodeUtf8(data);
  } catch {
    return Math.floor(data.length / 2);
  }
  const start = Math.max(0, ...["\"payload\"", "\"items\"", "\"steps\""].map((name) => text.indexOf(name)));
  const found = /[a-y]{3}"/.exec(text.slice(start + 12));
  const at = found === null ? Math.floor(text.length / 2) : start + 12 + found.index;
  return encodeUtf8(text.slice(0, at)).length;
}
