import { expect, test } from "vitest";

import { verifyBundle } from "./bundle";
import { LogKeys } from "./checkpoint";
import { readPolicyFile } from "./cosignature";
import { type Bytes } from "./encoding";
import { VerifierKey } from "./note";
import { type Trust } from "./receipt";
import { passes, report } from "./report";
import { changed, failing, fixture, fixtureText, otherText } from "./vectors";

async function trust(key = "old-log-key.txt"): Promise<Trust> {
  const { policy } = await readPolicyFile(fixtureText("witnesses.txt"));
  return { keys: new LogKeys(await VerifierKey.parse(fixtureText(key).trim())), witnesses: policy };
}

async function failingOf(data: Bytes): Promise<string | null> {
  return failing(verifyBundle(data, await trust()));
}

test.each([["bundle.json"], ["bundle-passages.json"], ["bundle-redacted.json"]])("%s holds", async (name) => {
  const found = await report(async (reporter) => verifyBundle(fixture(name), await trust(), reporter));
  expect(found.checks.filter((one) => !one.passed)).toEqual([]);
  expect(passes(found)).toBe(true);
});

test("a bundle holds under the newest key of its log as well", async () => {
  expect(await failing(verifyBundle(fixture("bundle.json"), await trust("log-key.txt")))).toBeNull();
});

test("the report says which checks were done and which parts are open", async () => {
  const found = await report(async (reporter) => verifyBundle(fixture("bundle.json"), await trust(), reporter));
  expect(found.checks.map((one) => one.check)).toEqual([
    "bundle form",
    "log key",
    "checkpoint signature",
    "witness cosignatures",
    "inclusion",
    "document hash",
    "document signature",
    "source hash",
    "cited bytes",
    "quote",
    "cited bytes",
    "quote",
  ]);
  expect(found.notChecked.join("\n")).toContain("the score 0.9000 by posterior");
  expect(found.remarks).toEqual([]);
});

test("a redacted statement and a withheld verdict are named", async () => {
  const found = await report(async (reporter) => verifyBundle(fixture("bundle-redacted.json"), await trust(), reporter));
  expect(found.checks.map((one) => one.check)).toContain("redaction");
  expect(found.notChecked.join("\n")).toContain("a VerificationResponse: its class is above yours");
});

const STATEMENT = 8;

/** Change the document of an entry, with the entry as it is. */
const inDocument = (at: number, from: string | RegExp, to: string) => (one: any) => {
  one.entries[at].document = btoa(atob(one.entries[at].document).replace(from, to));
};

test.each<[string, string, (members: any) => unknown]>([
  ["mediaType", "bundle form", (one) => (one.mediaType += "x")],
  ["statement", "bundle form", (one) => (one.statement = otherText(one.statement))],
  ["statement, naming a verdict", "bundle form", (one) => (one.statement = JSON.parse(one.entries[9].entry).signedHash)],
  ["the checkpoint's root", "checkpoint signature", (one) => (one.checkpoint = otherText(one.checkpoint, 45))],
  ["the log's line", "checkpoint signature", (one) => (one.checkpoint = alteredLine(one.checkpoint, "— urn"))],
  ["a witness's line", "witness cosignatures", (one) => (one.checkpoint = alteredLine(one.checkpoint, "— w1"))],
  ["no witness", "witness cosignatures", (one) => (one.checkpoint = one.checkpoint.replace(/— w2[^\n]*\n/, ""))],
  ["the note of the new key", "log key", (one) => (one.logKeySuccessions[0] = alteredLine(one.logKeySuccessions[0], "— urn"))],
  ["no note of the new key", "checkpoint signature", (one) => (one.logKeySuccessions = [])],
  ["logIndex", "inclusion", (one) => (one.entries[3].logIndex = 4)],
  ["an entry", "inclusion", (one) => (one.entries[3].entry = one.entries[3].entry.replace("test", "tess"))],
  ["a hash of a path", "inclusion", (one) => (one.entries[3].hashes[1] = otherText(one.entries[3].hashes[1], 5))],
  ["a hash left out", "inclusion", (one) => one.entries[3].hashes.pop()],
  ["the order of entries", "inclusion", (one) => one.entries.reverse()],
  ["an entry twice", "inclusion", (one) => one.entries.splice(3, 0, one.entries[3])],
  ["a document", "document hash", inDocument(STATEMENT, "forty", "fifty")],
  ["space in a document", "document hash", inDocument(STATEMENT, "\n", "\n ")],
  ["another's document", "document hash", (one) => (one.entries[3].document = one.entries[4].document)],
  ["no document and no reason", "document hash", (one) => (one.entries[3].document = null)],
  ["a false mark of redaction", "redaction", (one) => (one.entries[STATEMENT].redacted = { by: "x" })],
  ["a disclosure under a mark", "disclosures", marked("outdoor", "indoor")],
  ["the signed part under a mark", "document and entry", marked("forty", "fifty")],
  ["a signature under a mark", "document signature", marked(/"value": "\S(\S{85}==)"/, '"value": "A$1"')],
  ["no registration of the author", "key in use", (one) => one.entries.splice(1, 1)],
  ["no registration of the statement's key", "key in use", (one) => one.entries.splice(7, 1)],
  ["the source's bytes", "source hash", (one) => (one.sources[0].content = otherText(one.sources[0].content, 100))],
  ["the source's name", "source hash", (one) => (one.sources[0].documentHash = otherText(one.sources[0].documentHash))],
  ["another source", "source hash", (one) => one.sources.push(EMPTY_SOURCE)],
  ["a source twice", "source hash", (one) => one.sources.push(one.sources[0])],
])("a bundle with %s altered fails", async (_, check, change) => {
  expect(await failingOf(changed("bundle.json", change))).toBe(check);
});

test.each<[string, string, (members: any) => unknown]>([
  ["a byte of a passage", "cited bytes", (one) => (one.sources[0].passages[0].content = otherText(one.sources[0].passages[0].content, 8))],
  ["a passage cut short", "cited bytes", (one) => (one.sources[0].passages[0].content = "AAAA")],
  ["a place that is not cited", "source hash", (one) => ((one.sources[0].passages[0].start += 1), (one.sources[0].passages[0].end += 1))],
  ["a passage twice", "source hash", (one) => one.sources[0].passages.push(one.sources[0].passages[0])],
])("a bundle of passages with %s fails", async (_, check, change) => {
  expect(await failingOf(changed("bundle-passages.json", change))).toBe(check);
});

test("a redacted document that no redaction produced fails", async () => {
  const other = changed("bundle-redacted.json", (one) => {
    one.entries = one.entries.filter((each: any) => !each.entry.includes('"type":"Redaction"'));
  });
  expect(await failingOf(other)).toBe("redaction");
});

test("a bundle fails without a key of the log, and under another", async () => {
  expect(await failing(verifyBundle(fixture("bundle.json"), { keys: null }))).toBe("checkpoint signature");
  const other = await VerifierKey.parse("PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW");
  expect(await failing(verifyBundle(fixture("bundle.json"), { keys: new LogKeys(other) }))).toBe("checkpoint signature");
});

const EMPTY_SOURCE = {
  documentHash: "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  content: "",
};

function marked(from: string | RegExp, to: string): (members: any) => void {
  return (one) => {
    inDocument(STATEMENT, from, to)(one);
    one.entries[STATEMENT].redacted = { by: "x" };
  };
}

function alteredLine(note: string, start: string): string {
  return note
    .split("\n")
    .map((line) => (line.startsWith(start) ? otherText(line, line.length - 20) : line))
    .join("\n");
}
