// The sources of a bundle: they are those that the statement cites, and have the cited bytes at the cited place.
//
// Of a source that is too long for a bundle, the bundle has the cited passages. Their hashes prove the cited bytes and
// not their place, for which the whole source is needed.

import { decodeBase64, type Bytes } from "./encoding";
import { FormatError, placed, VerificationError } from "./errors";
import { readByteRange, type ByteRange, type EvidenceSegment } from "./evidence";
import { type JsonObject } from "./json";
import { readObjects, readText } from "./members";
import { type Reporter } from "./report";
import { CITED_BYTES, SOURCE_HASH, verifyPassage, verifySegment, verifySourceHash } from "./source";

/** A source as a bundle has it: its bytes, or the reason for their absence and the cited passages. */
interface Source {
  readonly content: Bytes | null;
  readonly reason: string;
  readonly passages: ReadonlyMap<string, Bytes>;
}

const ABSENT: Source = { content: null, reason: "the bundle has not its bytes", passages: new Map() };

/** Verify the sources of a bundle, and return the bytes of those that it has whole, by their hash. */
export async function verifySources(
  bundle: JsonObject,
  evidence: readonly EvidenceSegment[],
  reporter: Reporter,
): Promise<ReadonlyMap<string, Bytes>> {
  const sources = await reporter.run(
    SOURCE_HASH,
    async () => {
      const found = await readSources(bundle);
      checkCited(found, evidence);
      return found;
    },
    (found) => `${found.size === 1 ? "1 source is" : `${found.size} sources are`} cited by the statement, with the cited hash.`,
  );
  for (const [position, segment] of evidence.entries()) {
    await verifyEvidence(segment, `evidence[${position}]`, sources.get(segment.documentHash ?? "") ?? ABSENT, reporter);
  }
  return new Map([...sources].flatMap(([name, { content }]) => (content === null ? [] : [[name, content]])));
}

async function verifyEvidence(
  segment: EvidenceSegment,
  place: string,
  source: Source,
  reporter: Reporter,
): Promise<void> {
  const passage = source.passages.get(nameOf(segment.byteRange));
  if (source.content !== null) {
    await verifySegment(source.content, segment, place, reporter);
  } else if (passage === undefined || segment.contentHash === null) {
    reporter.skip(`that ${place} contains the words that it quotes: ${source.reason}`);
  } else {
    const sentence = `${place} is meant as the ${passage.length} bytes in the bundle.`;
    await reporter.run(CITED_BYTES, () => verifyPassage(passage, segment, place), sentence);
    reporter.skip(`that ${place} stands in the source it names: ${source.reason}`);
  }
}

async function readSources(bundle: JsonObject): Promise<Map<string, Source>> {
  const found = new Map<string, Source>();
  for (const [position, item] of readObjects(bundle, "sources").entries()) {
    await placed(`sources[${position}]`, async () => {
      const name = readText(item, "documentHash");
      if (found.has(name)) throw new FormatError(`${name} is there twice`);
      found.set(name, await readSource(item, name));
    });
  }
  return found;
}

async function readSource(item: JsonObject, name: string): Promise<Source> {
  const hasPassages = (item.get("passages") ?? null) !== null;
  if ((item.get("content") ?? null) === null) {
    return { content: null, reason: readText(item, "withheld"), passages: hasPassages ? await readPassages(item) : new Map() };
  }
  const content = decodeBase64(readText(item, "content"));
  await verifySourceHash(content, name);
  if (hasPassages) throw new FormatError("it has its bytes and passages as well");
  return { content, reason: "", passages: new Map() };
}

async function readPassages(item: JsonObject): Promise<Map<string, Bytes>> {
  const passages = new Map<string, Bytes>();
  for (const [position, passage] of readObjects(item, "passages").entries()) {
    await placed(`passages[${position}]`, () => {
      const range = readByteRange(passage, "the byte range");
      const content = decodeBase64(readText(passage, "content"));
      if (content.length !== range.end - range.start) {
        throw new VerificationError(CITED_BYTES, `bytes ${nameOf(range)} of a source are not ${content.length}`);
      }
      if (passages.has(nameOf(range))) throw new FormatError(`bytes ${nameOf(range)} are there twice`);
      passages.set(nameOf(range), content);
    });
  }
  return passages;
}

/** Check that a bundle has no source and no passage that the statement does not cite. */
function checkCited(sources: ReadonlyMap<string, Source>, evidence: readonly EvidenceSegment[]): void {
  for (const [name, { content, passages }] of sources) {
    const cited = evidence.filter((one) => one.documentHash === name).map((one) => nameOf(one.byteRange));
    if (cited.length === 0 && (content !== null || passages.size > 0)) {
      throw new VerificationError(SOURCE_HASH, `the statement does not cite ${name}`);
    }
    for (const range of passages.keys()) {
      if (!cited.includes(range)) throw new VerificationError(SOURCE_HASH, `the statement does not cite bytes ${range} of ${name}`);
    }
  }
}

function nameOf({ start, end }: ByteRange): string {
  return `${start} to ${end}`;
}
