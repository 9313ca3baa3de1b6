// The bytes of a source: they are the cited ones, and the quoted words stand in the cited range.

import { encodeUtf8, type Bytes } from "./encoding";
import { FormatError, VerificationError } from "./errors";
import { type EvidenceSegment } from "./evidence";
import { sha256Name } from "./hash";
import { Reporter } from "./report";

export const SOURCE_HASH = "source hash";
export const CITED_BYTES = "cited bytes";
export const QUOTE = "quote";

/** Throw "source hash" unless these are the bytes that this hash names. */
export async function verifySourceHash(content: Bytes, documentHash: string): Promise<void> {
  const found = await sha256Name(content);
  if (found !== documentHash) {
    throw new VerificationError(SOURCE_HASH, `the bytes have the hash ${found}, and cited is ${documentHash}`);
  }
}

/** Return the cited bytes of a source; throws "cited bytes" unless they are there and have their hash. */
export async function verifyCitedBytes(content: Bytes, segment: EvidenceSegment, place: string): Promise<Bytes> {
  const { start, end } = segment.byteRange;
  if (end > content.length) {
    throw new VerificationError(CITED_BYTES, `${place} cites bytes ${start} to ${end} of a source of ${content.length}`);
  }
  await verifyPassage(content.subarray(start, end), segment, place);
  return content.subarray(start, end);
}

/** Throw "cited bytes" unless a passage has the content hash of its segment, if that states one. */
export async function verifyPassage(passage: Bytes, segment: EvidenceSegment, place: string): Promise<void> {
  const found = await sha256Name(passage);
  if (segment.contentHash !== null && segment.contentHash !== found) {
    const words = `the bytes that ${place} cites have the hash ${found}, not ${segment.contentHash}`;
    throw new VerificationError(CITED_BYTES, words);
  }
}

/** Throw "quote" unless the quoted words occur in the cited bytes. */
export function verifyQuote(passage: Bytes, quote: string, place: string): void {
  // Three dots at the end mark an omission (A2AP §2.1).
  const words = quote.replace(/(?:\.\.\.|…)$/, "");
  if (words === "") throw new VerificationError(QUOTE, `${place}.quoteText quotes nothing`);
  if (!includes(passage, encodeUtf8(words))) {
    throw new VerificationError(QUOTE, `${place}.quoteText does not occur in the cited bytes`);
  }
}

/** Verify the bytes of a source against one segment of evidence that cites them. */
export async function verifySource(
  content: Bytes,
  segment: EvidenceSegment,
  place = "evidence[0]",
  reporter = new Reporter(),
): Promise<void> {
  await reporter.run(
    SOURCE_HASH,
    () => {
      if (segment.documentHash === null) throw new FormatError(`${place} has no documentHash, so that any bytes would do`);
      return verifySourceHash(content, segment.documentHash);
    },
    `The ${content.length} bytes of the source have the hash that ${place} cites.`,
  );
  await verifySegment(content, segment, place, reporter);
}

/** Verify range, content hash and quote of a segment in a source whose hash was verified. */
export async function verifySegment(
  content: Bytes,
  segment: EvidenceSegment,
  place: string,
  reporter: Reporter,
): Promise<void> {
  const { start, end } = segment.byteRange;
  const passage = await reporter.run(
    CITED_BYTES,
    () => verifyCitedBytes(content, segment, place),
    `${place} is bytes ${start} to ${end} of the source that it names.`,
  );
  if (segment.contentHash === null) reporter.skip(`that ${place} is meant as those bytes: it has no contentHash`);
  const { quote } = segment;
  if (quote === null) return;
  if (showsOtherText(content)) {
    reporter.skip(`the quote of ${place}: the source is HTML or PDF, which shows another text than its bytes`);
    return;
  }
  await reporter.run(
    QUOTE,
    () => verifyQuote(passage, quote, place),
    `The words that ${place} quotes occur in the cited bytes.`,
  );
}

function showsOtherText(content: Bytes): boolean {
  // Markers of the two formats within the first kibibyte; a wrong guess leaves a check out and says so.
  const head = new TextDecoder("latin1").decode(content.subarray(0, 1024)).toLowerCase();
  return head.startsWith("%pdf-") || head.includes("<!doctype html") || head.includes("<html");
}

function includes(content: Bytes, sought: Bytes): boolean {
  for (let at = content.indexOf(sought[0] ?? 0); at >= 0; at = content.indexOf(sought[0] ?? 0, at + 1)) {
    if (sought.every((byte, offset) => content[at + offset] === byte)) return true;
  }
  return false;
}

