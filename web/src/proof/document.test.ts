import { expect, test } from "vitest";

import { provenBytes, readProofs, verifyProof } from "./data_integrity";
import { ownKey, readDocument, registeredKey, verifyDocument } from "./document";
import { PublicKey } from "./ed25519";
import { decodeUtf8, encodeBase58, encodeHex, encodeUtf8, type Bytes } from "./encoding";
import { readJson } from "./json";
import { report } from "./report";
import { changed, failing, fixture, flipped, otherText, vector } from "./vectors";

const STATEMENT = fixture("statement.json");

/** The statement's key is the one that the key registration registers. */
const statementKey = async (): Promise<PublicKey> => registeredKey(await readDocument(fixture("key-registration.json")));

async function failingOf(data: Bytes): Promise<string | null> {
  return failing(verifyDocument(data, await statementKey()));
}

test("a signed statement with a proof and a disclosure holds", async () => {
  const found = await report(async (reporter) => verifyDocument(STATEMENT, await statementKey(), reporter));
  expect(found.checks.map((one) => one.check)).toEqual([
    "document form",
    "document signature",
    "document proof",
    "claim content hash",
  ]);
  expect(found.checks.every((one) => one.passed)).toBe(true);
});

test.each<[string, string, (members: any) => unknown]>([
  ["the claim", "document signature", (one) => (one.claim.text += ".")],
  ["the confidence", "document signature", (one) => (one.claim.confidence = 0.93)],
  ["the agent", "document signature", (one) => (one.agent.name += "x")],
  ["the time", "document signature", (one) => (one.generatedAtTime = "2025-10-14T10:30:01Z")],
  ["the id", "document signature", (one) => (one["@id"] = one["@id"].replace(/.$/, "0").replace(/.{2}$/, "ab"))],
  ["the evidence", "document signature", (one) => (one.evidence[0].byteRange.end += 1)],
  ["the context", "document form", (one) => (one["@context"] += "x")],
  ["a new member", "document signature", (one) => (one.more = 1)],
  ["the signature", "document signature", (one) => (one.signature.value = otherText(one.signature.value))],
  ["the algorithm", "document form", (one) => (one.signature.algorithm = "none")],
  ["a member of the signature", "document form", (one) => (one.signature.more = 1)],
  ["the key's name, which the proof covers", "document proof", (one) => (one.signature.publicKey += "x")],
  ["the signature's spelling", "document form", (one) => (one.signature.value = one.signature.value.replace("==", ""))],
  ["the proof", "document proof", (one) => (one.proof.proofValue = swapped(one.proof.proofValue))],
  ["the time of the proof", "document proof", (one) => (one.proof.created = "2025-10-14T10:30:01Z")],
  ["the purpose of the proof", "document form", (one) => (one.proof.proofPurpose = "authentication")],
  ["the context of the proof", "document form", (one) => (one.proof["@context"] = "https://example.org")],
  ["a disclosed text", "disclosures", (one) => (firstOf(one.disclosures).value += ".")],
  ["a disclosed salt", "disclosures", (one) => (firstOf(one.disclosures).salt = "AAAAAAAAAAAAAAAAAAAAAA==")],
])("a statement with %s altered fails", async (_, check, change) => {
  expect(await failingOf(changed("statement.json", change))).toBe(check);
});

test("a statement with any byte of its text altered fails, or reads the same", async () => {
  const known = ["document form", "document signature", "document proof", "claim content hash", "disclosures"];
  const { signedHash } = await readDocument(STATEMENT);
  for (let place = 0; place < STATEMENT.length; place += 7) {
    const altered = flipped(STATEMENT, place);
    const check = await failingOf(altered);
    // Space between members and the escape of a character are no part of the signed bytes.
    if (check === null) expect((await readDocument(altered)).signedHash).toBe(signedHash);
    else expect(known).toContain(check);
  }
});

test("taking a disclosure away leaves signature and proof whole", async () => {
  expect(await failingOf(fixture("redacted.json"))).toBeNull();
});

test("a statement fails without its key, and under another", async () => {
  expect(await failing(verifyDocument(STATEMENT))).toBe("document signature");
  const other = registeredKey(await readDocument(fixture("registration.json")));
  expect(await failing(verifyDocument(STATEMENT, other))).toBe("document signature");
});

test("a registration proves possession of the key that it registers", async () => {
  expect(await failing(verifyDocument(fixture("registration.json")))).toBeNull();
  const altered = changed("registration.json", (one) => (one.recoveryKeyHash = `sha256:${"0".repeat(64)}`));
  expect(await failing(verifyDocument(altered))).toBe("document signature");
});

test("a key registration is signed by the new key as well", async () => {
  const first = registeredKey(await readDocument(fixture("registration.json")));
  expect(await failing(verifyDocument(fixture("key-registration.json"), first))).toBeNull();
  const altered = changed("key-registration.json", (one) => (one.replaces = []));
  expect(await failing(verifyDocument(altered, first))).toBe("document signature");
  const unproven = changed("key-registration.json", (one) => (one.possession.value = otherText(one.possession.value)));
  expect(await failing(verifyDocument(unproven, first))).toBe("document signature");
});

test("the messages that another library proved hold, and their proofs cover the whole document", async () => {
  for (const message of Object.values<any>(vector("data_integrity_messages"))) {
    if (message?.proof === undefined) continue;
    const data = encodeUtf8(JSON.stringify(message));
    const members = readJson(data);
    const [proof] = readProofs(members);
    expect(await failing(verifyProof(members, proof!, proof!.ownKey))).toBeNull();
    message.signature.value = otherText(message.signature.value);
    expect(await failing(verifyProof(readJson(encodeUtf8(JSON.stringify(message))), proof!, proof!.ownKey))).toBe("document proof");
  }
});

test("the W3C's vector of eddsa-jcs-2022 holds with every hash between", async () => {
  const one = vector("eddsa_jcs_2022");
  const members = readJson(encodeUtf8(JSON.stringify(one.signed)));
  const [proof] = readProofs(members);
  const hashes = encodeHex(await provenBytes(members, proof!.options));
  expect(hashes.slice(64)).toBe(one.documentHash);
  expect(await failing(verifyProof(members, proof!, PublicKey.fromDidKey(`did:key:${one.keyPair.publicKeyMultibase}`)))).toBeNull();
});

test("an agent whose id is a key needs nobody to vouch for it", async () => {
  const { didKey } = await statementKey();
  const data = changed("statement.json", (one) => {
    one.agent["@id"] = didKey;
    one.signature.publicKey = `${didKey}#key-1`;
    delete one.proof;
  });
  expect(ownKey(await readDocument(data))?.didKey).toBe(didKey);
  expect(await failing(verifyDocument(data))).toBe("document signature");
});

test("a sentence of a check names the key", async () => {
  const found = await report(async (reporter) => verifyDocument(STATEMENT, await statementKey(), reporter));
  expect(found.checks[1]?.sentence).toContain("did:key:z6Mk");
  expect(decodeUtf8(STATEMENT)).toContain("urn:agent:test-1#key-2");
});

function firstOf(members: Record<string, any>): any {
  return Object.values(members)[0];
}

function swapped(text: string): string {
  const value = new Uint8Array(64).fill(7);
  return text.startsWith("z") ? `z${encodeBase58(value)}` : text;
}
