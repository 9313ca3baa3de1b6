import { expect, test } from "vitest";

import { followSuccessions, LogKeys } from "./checkpoint";
import { readPolicyFile } from "./cosignature";
import { readDocument } from "./document";
import { encodeUtf8, type Bytes } from "./encoding";
import { readEntry } from "./entry";
import { readEvidence, type EvidenceSegment } from "./evidence";
import { readLogProof } from "./log_proof";
import { VerifierKey } from "./note";
import { verifyLogProof, verifyReceipt, type Trust } from "./receipt";
import { passes, report } from "./report";
import { verifySegment, verifySource } from "./source";
import { changed, failing, fixture, fixtureText, flipped, otherText } from "./vectors";

const RECEIPT = fixture("receipt.json");
const STATEMENT = fixture("statement.json");
const SOURCE = fixture("source.vtt");

async function trust(): Promise<Trust> {
  const { policy } = await readPolicyFile(fixtureText("witnesses.txt"));
  return { keys: new LogKeys(await VerifierKey.parse(fixtureText("log-key.txt").trim())), witnesses: policy };
}

async function failingOf(receipt: Bytes, document: Bytes | null = STATEMENT): Promise<string | null> {
  return failing(verifyReceipt(receipt, document, await trust()));
}

test("a receipt leads from the document's bytes to the signed checkpoint", async () => {
  const found = await report(async (reporter) => verifyReceipt(RECEIPT, STATEMENT, await trust(), reporter));
  expect(passes(found)).toBe(true);
  expect(found.checks.map((one) => one.check)).toEqual([
    "checkpoint signature",
    "witness cosignatures",
    "inclusion",
    "entry form",
    "receipt members",
    "document hash",
    "document and entry",
  ]);
  const proven = await verifyReceipt(RECEIPT, STATEMENT, await trust());
  expect(proven.path.at(-1)?.node).toEqual(proven.checkpoint.rootHash);
});

const proofLine = (at: number) => (one: any) => {
  const lines = one.proof.split("\n");
  lines[at] = otherText(lines[at], 3);
  one.proof = lines.join("\n");
};

test.each<[string, string, (members: any) => unknown]>([
  ["the entry", "inclusion", (one) => (one.entry = one.entry.replace("test-1", "test-2"))],
  ["space in the entry", "inclusion", (one) => (one.entry = one.entry.replace(",", ", "))],
  ["the first hash", "inclusion", proofLine(2)],
  ["the last hash", "inclusion", proofLine(5)],
  ["the index of the proof", "inclusion", (one) => (one.proof = one.proof.replace("index 8", "index 9"))],
  ["a hash left out", "inclusion", (one) => (one.proof = one.proof.replace(/(index 8\n)[^\n]*\n/, "$1"))],
  ["the checkpoint's origin", "checkpoint signature", (one) => (one.proof = one.proof.replace("a2ap-node", "a2ap-nodf"))],
  ["the checkpoint's size", "checkpoint signature", (one) => (one.proof = one.proof.replace("\n15\n", "\n16\n"))],
  ["the checkpoint's root", "checkpoint signature", proofLine(9)],
  ["the line of the log", "checkpoint signature", (one) => (one.proof = alteredLine(one.proof, "— urn:agent"))],
  ["the line of a witness", "witness cosignatures", (one) => (one.proof = alteredLine(one.proof, "— w2"))],
  ["the receipt's index", "receipt members", (one) => (one.logIndex += 1)],
  ["the receipt's id", "receipt members", (one) => (one.id = otherText(one.id))],
  ["the receipt's type", "receipt members", (one) => (one.type = "Policy")],
  ["the receipt's signed hash", "receipt members", (one) => (one.signedHash = otherText(one.signedHash))],
  ["the receipt's document hash", "receipt members", (one) => (one.documentHash = otherText(one.documentHash))],
  ["the receipt's time", "receipt members", (one) => (one.receivedAt = "2025-10-14T10:30:00Z")],
  ["the header of the proof", "receipt form", (one) => (one.proof = one.proof.replace("v1", "v2"))],
])("a receipt with %s altered fails", async (_, check, change) => {
  expect(await failingOf(changed("receipt.json", change))).toBe(check);
});

test("a receipt of another document fails", async () => {
  expect(await failingOf(RECEIPT, flipped(STATEMENT, STATEMENT.indexOf("4".charCodeAt(0), 300)))).toBe("document hash");
  expect(await failingOf(RECEIPT, fixture("verdict.json"))).toBe("document hash");
  // The same signed part in other bytes.
  expect(await failingOf(RECEIPT, fixture("redacted.json"))).toBe("document hash");
});

test("a receipt without a key of the log fails", async () => {
  expect(await failing(verifyReceipt(RECEIPT, STATEMENT, { keys: null }))).toBe("checkpoint signature");
});

test("an earlier key of the log is enough with the note that hands it over", async () => {
  const old = await VerifierKey.parse(fixtureText("old-log-key.txt").trim());
  const keys = await followSuccessions(old, [fixtureText("succession.txt")]);
  expect(await failing(verifyReceipt(RECEIPT, STATEMENT, { keys }))).toBeNull();
  expect(await failing(verifyReceipt(RECEIPT, STATEMENT, { keys: new LogKeys(old) }))).toBe("checkpoint signature");
});

test("a proof in a file of its own is verified with the entry", async () => {
  const { entry } = JSON.parse(fixtureText("receipt.json")) as { entry: string };
  const proof = readLogProof(fixtureText("statement.tlog-proof"));
  expect(await failing(verifyLogProof(entry, proof, await trust()))).toBeNull();
  expect(await failing(verifyLogProof(`${entry} `, proof, await trust()))).toBe("inclusion");
});

test.each<[string, (members: any) => unknown]>([
  ["an unknown member", (one) => (one.z = 1)],
  ["another version", (one) => (one.v = 3)],
  ["a missing member", (one) => delete one.agent],
  ["originReceivedAt alone", (one) => (one.originReceivedAt = "2025-10-14T10:30:00Z")],
  ["a proof for a peer's entry", (one) => Object.assign(one, { originIndex: 1, v: 2 })],
  ["a time in another form", (one) => (one.receivedAt = "2025-10-14T11:00:00.50Z")],
  ["a time that there is not", (one) => (one.receivedAt = "2025-02-30T11:00:00Z")],
])("an entry with %s is refused", (_, change) => {
  const entry = JSON.parse(JSON.parse(fixtureText("receipt.json")).entry);
  change(entry);
  const sorted = Object.fromEntries(Object.entries(entry).sort(([a], [b]) => (a < b ? -1 : 1)));
  expect(() => readEntry(JSON.stringify(sorted))).toThrow();
});

test("the source's bytes are the cited ones, and the quotes stand in them", async () => {
  for (const segment of await evidence()) {
    const found = await report((reporter) => verifySource(SOURCE, segment, "evidence[0]", reporter));
    expect(found.checks.map((one) => one.check)).toEqual(["source hash", "cited bytes", "quote"]);
    expect(passes(found)).toBe(true);
  }
});

test.each<[string, string, (segment: EvidenceSegment) => Partial<EvidenceSegment>]>([
  ["the source's hash", "source hash", (one) => ({ documentHash: otherText(one.documentHash ?? "") })],
  ["no hash of the source", "source hash", () => ({ documentHash: null })],
  ["the content hash", "cited bytes", (one) => ({ contentHash: otherText(one.contentHash ?? "") })],
  ["the start", "cited bytes", (one) => ({ byteRange: { ...one.byteRange, start: one.byteRange.start + 1 } })],
  ["an end beyond the source", "cited bytes", (one) => ({ byteRange: { ...one.byteRange, end: 1000 } })],
  ["the quote", "quote", () => ({ quote: "The map raises the height limit." })],
  ["no words", "quote", () => ({ quote: "..." })],
])("evidence with %s fails", async (_, check, change) => {
  const [segment] = await evidence();
  expect(await failing(verifySource(SOURCE, { ...segment!, ...change(segment!) }))).toBe(check);
});

test("a source with any byte altered fails", async () => {
  const [segment] = await evidence();
  for (const place of [0, 50, SOURCE.length - 1]) {
    expect(await failing(verifySource(flipped(SOURCE, place), segment!))).toBe("source hash");
  }
});

test("a quote of HTML is not compared, and the report says so", async () => {
  const page = encodeUtf8("<!doctype html><p>one</p>");
  const [segment] = await evidence();
  const cited = { ...segment!, contentHash: null, byteRange: { start: 0, end: 5 } };
  const found = await report((reporter) => verifySegment(page, cited, "evidence[0]", reporter));
  expect(found.checks.map((one) => one.check)).toEqual(["cited bytes"]);
  expect(found.notChecked.join()).toContain("HTML or PDF");
});

async function evidence(): Promise<EvidenceSegment[]> {
  return readEvidence((await readDocument(STATEMENT)).members);
}

function alteredLine(proof: string, start: string): string {
  return proof
    .split("\n")
    .map((line) => (line.startsWith(start) ? otherText(line, line.length - 20) : line))
    .join("\n");
}
