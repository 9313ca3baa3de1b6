import { expect, test } from "vitest";

import { blake2b256 } from "./blake2b";
import { decodeUtf8, encodeHex, encodeUtf8 } from "./encoding";
import { sha256Name } from "./hash";
import { readJson } from "./json";
import { DOMAINS, packetBytes, verifyHash, verifyPacket, type Domain } from "./packet";
import { report } from "./report";
import { changed, failing, fixture, otherText, vector } from "./vectors";

test("BLAKE2b has the digests of its RFC's definition", () => {
  const { blake2b_256_of_empty } = vector("context_packet_hashes");
  expect(`b2:${encodeHex(blake2b256(new Uint8Array()))}`).toBe(blake2b_256_of_empty);
});

test("every hash of the vectors is that of the packet in its reading", async () => {
  for (const one of vector("context_packet_hashes").vectors) {
    const data = encodeUtf8(one.canonical_jcs);
    expect(`b2:${encodeHex(blake2b256(data))}`, one.packet).toBe(one["blake2b-256"]);
    expect(await sha256Name(data), one.packet).toBe(one["sha-256"]);
    if (one.hash_domain === "minus_reproducibility") continue;
    expect(decodeUtf8(packetBytes(readJson(data), one.hash_domain as Domain)), one.packet).toBe(one.canonical_jcs);
  }
});

test.each(DOMAINS.map((domain) => [domain]))("a hash in the reading %s is recognised", async (domain) => {
  const members = readJson(fixture("packet.json"));
  const stated = `b2:${encodeHex(blake2b256(packetBytes(new Map(members).set("receipts", []), domain)))}`;
  expect(await verifyHash(new Map(members).set("receipts", []), stated)).toEqual({ domain, algorithm: "blake2b-256" });
});

test("a signed and sealed packet holds", async () => {
  const found = await report((reporter) => verifyPacket(fixture("packet.json"), new Map(), reporter));
  expect(found.checks.map((one) => [one.check, one.passed])).toEqual([
    ["packet form", true],
    ["packet signature", true],
    ["packet hash", true],
  ]);
  expect(found.remarks).toEqual([]);
});

const block = (one: any): any => one.ext["a2ap.signature"];

test.each<[string, string, (members: any) => unknown]>([
  ["the purpose", "packet signature", (one) => (one.purpose += ".")],
  ["an item", "packet signature", (one) => (one.items[0].confidence = "low")],
  ["the scope", "packet signature", (one) => (one.scope.boundary_ceiling = "public")],
  ["a new member", "packet signature", (one) => (one.more = 1)],
  ["the signature", "packet signature", (one) => (block(one).value = otherText(block(one).value))],
  ["the key", "packet signature", (one) => (block(one).public_key = "A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=")],
  ["the name of the key", "packet signature", (one) => (block(one).key_id += "x")],
  ["the algorithm", "packet signature", (one) => (block(one).algorithm = "none")],
  ["the hash", "packet hash", (one) => (one.reproducibility.packet_hash = `b2:${"0".repeat(64)}`)],
  ["the algorithm of the hash", "packet signature", (one) => (one.reproducibility.hash_algorithm = "sha-256")],
  ["no signature, under the hash of the signed packet", "packet hash", (one) => delete one.ext["a2ap.signature"]],
  ["another version", "packet form", (one) => (one.spec = "context-packet/0.4")],
  ["no id", "packet form", (one) => delete one.packet_id],
])("a packet with %s altered fails", async (_, check, change) => {
  expect(await failing(verifyPacket(changed("packet.json", change)))).toBe(check);
});

test("receipts come later, and change neither signature nor hash", async () => {
  expect(await failing(verifyPacket(changed("packet.json", (one) => (one.receipts = [{ event: "opened" }]))))).toBeNull();
});
