// A Context Pack: the manifest has the hash that names the pack, and every content that it names is there and has its
// hash. A pack is a tar file of a `.ctx` store, or a manifest with its contents as files beside it.

import { decodeUtf8, encodeUtf8, sameBytes, type Bytes } from "./encoding";
import { asVerificationError, FormatError, shown, VerificationError, within } from "./errors";
import { writeSorted } from "./go_json";
import { isHashName, sha256Name } from "./hash";
import { NumberText, parseJson, type RawJson, type RawObject } from "./json";
import { Reporter } from "./report";
import { isTar, readTar } from "./tar";

export const PACK_FORM = "pack form";
export const MANIFEST_FORM = "manifest form";
export const MANIFEST_HASH = "manifest hash";
export const CONTENT = "content";
export const STEP_CONTENT = "step content";
export const SIZE = "size of an input";

const MAX_DEPTH = 128;
const REQUIRED = ["version", "hash", "created", "model", "system_prompt", "prompts", "inputs", "steps", "outputs", "environment"];
const OBJECT = /(?:^|\/)objects\/([0-9a-f]{2})\/([0-9a-f]{62})$/;
const LISTED = /(?:^|\/)packs\/([0-9a-f]{64})$/;

/** A pack before it is verified: `name` is null if nothing but the manifest itself says it. */
export interface Pack {
  readonly name: string | null;
  readonly manifest: Bytes;
  /** The contents by the names under which they are kept. */
  readonly contents: ReadonlyMap<string, Bytes>;
}

/** A content that a manifest names, and its place there. */
interface Reference {
  readonly path: string;
  readonly name: string;
}

/** Return the packs that a tar file of a store lists. */
export function readArchive(data: Bytes): Pack[] {
  const names: string[] = [];
  const contents = new Map<string, Bytes>();
  for (const [path, content] of readTar(data)) {
    const [, head, tail] = OBJECT.exec(path) ?? [];
    if (head !== undefined && tail !== undefined) contents.set(`sha256:${head}${tail}`, content);
    const listed = LISTED.exec(path)?.[1];
    if (listed !== undefined) names.push(`sha256:${listed}`);
  }
  if (names.length === 0) throw new FormatError("the archive lists no pack");
  return names.map((name) => {
    const manifest = contents.get(name);
    if (manifest === undefined) throw new FormatError(`the manifest of ${name} is not in the archive`);
    return { name, manifest, contents: new Map([...contents].filter(([other]) => other !== name)) };
  });
}

/** Return the pack of a manifest and of contents whose names are their hashes. */
export async function packOf(manifest: Bytes, contents: readonly Bytes[], name: string | null = null): Promise<Pack> {
  const named = await Promise.all(contents.map(async (content) => [await sha256Name(content), content] as const));
  return { name, manifest, contents: new Map(named) };
}

/** Say whether a JSON object has the members of a manifest. */
export function isManifest(members: ReadonlyMap<string, unknown>): boolean {
  return ["version", "model", "system_prompt", "steps", "outputs"].every((name) => members.has(name));
}

/** Verify all packs of a tar file. */
export async function verifyArchive(data: Bytes, reporter = new Reporter()): Promise<void> {
  const packs = await reporter.run(
    PACK_FORM,
    () => {
      if (!isTar(data)) throw new FormatError("the file is not a tar file");
      return readArchive(data);
    },
    (found) => `The archive lists ${found.length === 1 ? "1 pack" : `${found.length} packs`}.`,
  );
  for (const pack of packs) await verifyPack(pack, reporter);
}

/** Return the names of the contents that a manifest names; throws "manifest form" if it cannot be read. */
export function namedContents(manifest: Bytes): string[] {
  try {
    return [...new Set(referencesOf(readManifest(manifest)).map((one) => one.name))].filter(isHashName);
  } catch (error) {
    throw asVerificationError(MANIFEST_FORM, error);
  }
}

/** Verify one pack; contents that are `unavailable` are not checked, and not missing either. */
export async function verifyPack(
  pack: Pack,
  reporter = new Reporter(),
  unavailable: ReadonlySet<string> = new Set(),
): Promise<void> {
  const manifest = await reporter.run(
    MANIFEST_FORM,
    () => readManifest(pack.manifest),
    (found) => `The manifest is of version ${textOf(found, "version")}, made ${textOf(found, "created")}.`,
  );
  await verifyName(pack, manifest, reporter);
  const references = await within(MANIFEST_FORM, () => referencesOf(manifest));
  for (const reference of references.filter((one) => !unavailable.has(one.name))) {
    const check = reference.path.startsWith("steps") ? STEP_CONTENT : CONTENT;
    const sentence = `${reference.path} is here, with its hash.`;
    await reporter.attempt(check, () => verifyContent(check, reference, pack.contents), sentence);
  }
  for (const [position, input] of listOf(manifest, "inputs").entries()) {
    const content = pack.contents.get(textOf(input, "content_ref"));
    if (content === undefined) continue;
    await reporter.attempt(SIZE, () => verifySize(input, content, position), `inputs[${position}] has the stated size.`);
  }
  remark(pack, manifest, references, reporter);
  reporter.finish();
}

function readManifest(data: Bytes): RawObject {
  const manifest = parseJson(decodeUtf8(data), MAX_DEPTH);
  if (!(manifest instanceof Map)) throw new FormatError("the manifest is not an object");
  const missing = REQUIRED.find((name) => !manifest.has(name));
  if (missing !== undefined) throw new FormatError(`the manifest has no ${missing}`);
  return manifest;
}

async function verifyName(pack: Pack, manifest: RawObject, reporter: Reporter): Promise<void> {
  const [own, stated] = [await sha256Name(pack.manifest), textOf(manifest, "hash")];
  // "Once calculated, the manifest is stored with the hash field populated": then the name is that of other bytes.
  const emptied = await sha256Name(encodeUtf8(writeSorted(new Map(manifest).set("hash", ""))));
  const name = pack.name ?? (stated === "" ? own : stated);
  await reporter.run(
    MANIFEST_HASH,
    () => {
      if (own !== name && !(stated !== "" && emptied === name)) {
        throw new VerificationError(MANIFEST_HASH, `the manifest kept as ${name} is ${own}`);
      }
      if (stated !== "" && stated !== name && stated !== emptied) {
        throw new VerificationError(MANIFEST_HASH, `hash is ${shown(stated)}, which is not this pack's`);
      }
    },
    `The manifest has the hash that names the pack, ${name}.`,
  );
  if (pack.name === null) reporter.skip(`that this is the pack you mean: compare its name, ${name}`);
}

function referencesOf(manifest: RawObject): Reference[] {
  const listed = (part: string, member: string): Reference[] =>
    listOf(manifest, part).map((one, at) => ({ path: `${part}[${at}].${member}`, name: textOf(one, member) }));
  return [
    { path: "system_prompt", name: textOf(manifest, "system_prompt") },
    ...listed("prompts", "content_ref"),
    ...listed("inputs", "content_ref"),
    // A step that produced nothing names no content.
    ...listed("steps", "output_ref").filter((one) => one.name !== ""),
    ...listed("outputs", "content_ref"),
  ];
}

async function verifyContent(check: string, { path, name }: Reference, contents: Pack["contents"]): Promise<void> {
  if (!isHashName(name)) throw new VerificationError(check, `${path} is ${shown(name)}, not sha256: and 64 digits`);
  const content = contents.get(name);
  if (content === undefined) throw new VerificationError(check, `${path}: ${name} is not here`);
  const found = await sha256Name(content);
  if (found !== name) throw new VerificationError(check, `${path}: the content kept as ${name} is ${found}`);
}

function verifySize(input: RawObject, content: Bytes, position: number): void {
  const size = input.get("size");
  if (!(size instanceof NumberText) || !size.isInteger || size.double !== content.length) {
    throw new VerificationError(SIZE, `inputs[${position}].size is another than the ${content.length} bytes of the content`);
  }
}

function remark(pack: Pack, manifest: RawObject, references: readonly Reference[], reporter: Reporter): void {
  if (!sameBytes(encodeUtf8(writeSorted(manifest)), pack.manifest)) {
    reporter.remark("The manifest is not written in its canonical form.");
  }
  listOf(manifest, "steps").forEach((step, position) => {
    const index = step.get("index");
    if (!(index instanceof NumberText) || index.double !== position) {
      reporter.remark(`The index of step ${position} of the list is another.`);
    }
  });
  const named = new Set(references.map((one) => one.name));
  const extra = [...pack.contents.keys()].filter((name) => !named.has(name)).length;
  if (extra > 0) reporter.remark(`${extra} contents are here that the manifest does not name.`);
}

function listOf(members: RawObject, name: string): RawObject[] {
  const value = members.get(name) ?? null;
  // Go writes null for a list that nobody made.
  if (value === null) return [];
  if (!Array.isArray(value)) throw new FormatError(`${name} is not a list`);
  return value.map((one: RawJson, at) => {
    if (!(one instanceof Map)) throw new FormatError(`${name}[${at}] is not an object`);
    return one;
  });
}

function textOf(members: RawObject, name: string): string {
  const value = members.get(name) ?? "";
  if (typeof value !== "string") throw new FormatError(`${name} is not a text`);
  return value;
}
