import { expect, test } from "vitest";

import { decodeHex, decodeUtf8, encodeHex, encodeUtf8 } from "./encoding";
import { PublicKey } from "./ed25519";
import { sha256Hex } from "./hash";
import { parseJson, type RawObject } from "./json";
import { verifyPassports } from "./passport";
import { payloadBytes, type Profile } from "./passport_forms";
import { report } from "./report";
import { changed, failing, fixture, otherText, rawText, rawVector, vector } from "./vectors";

const CHAIN = "chain.passports.json";
const KEY = PublicKey.parse("A6EHv/POEL4dcN0Y50vAmWfk1jCbpQ1fHdyGZBJVMbg=");

test("every payload of the vectors has its bytes under every profile, or is refused", async () => {
  for (const one of vector("passport_payloads")) {
    const payload = parseJson(one.raw_json, 100, () => {}); // Of a doubled name the last member counts.
    for (const form of one.forms as { profiles: Profile[]; utf8_hex: string; sha256: string }[]) {
      for (const profile of form.profiles) {
        const bytes = payloadBytes(profile, payload);
        expect(decodeUtf8(bytes), `${one.name} ${profile}`).toBe(decodeUtf8(decodeHex(form.utf8_hex)));
        expect(encodeHex(bytes)).toBe(form.utf8_hex);
        expect(await sha256Hex(bytes)).toBe(form.sha256);
      }
    }
    for (const profile of one.refused as Profile[]) {
      expect(() => payloadBytes(profile, payload), `${one.name} ${profile}`).toThrow();
    }
  }
});

// Rewritten members that no hash binds are no fault that can be found; the report names them as not checked.
const EXPECTED: Record<string, boolean> = { "v2.0_reordered": true, "v2.0_id_rewritten": false, "v1.0_literal_replacer_nested": false };

test.each((rawVector("passport_chains") as RawObject[]).map((one) => [one.get("name") as string, one] as const))(
  "the chain %s is found as a right verifier finds it",
  async (name, one) => {
    const stated = one.get("expected");
    const expected = EXPECTED[name] ?? (stated === true || stated === "unbound" || stated === "policy" || stated === "ambiguous");
    const data = encodeUtf8(rawText(one.get("passports") ?? null));
    const found = await report((reporter) => verifyPassports(data, new Map(), null, reporter));
    expect(found.checks.every((each) => each.passed), JSON.stringify(found.checks.filter((each) => !each.passed))).toBe(expected);
    if (stated === "unbound") expect(found.notChecked.join()).toContain("agent, time, type");
  },
);

test.each((rawVector("passport_signatures") as RawObject[]).map((one) => [one.get("name") as string, one] as const))(
  "the signature %s holds if its library says so and the key is the known one",
  async (name, one) => {
    const good = ["v1.0_signed_float_1_0", "v2.0_signed_unicode", "v1.0_signed_but_integrity_wrong"];
    const data = encodeUtf8(rawText(one.get("passport") ?? null));
    const found = await report((reporter) => verifyPassports(data, new Map([["test-key-1", KEY]]), null, reporter));
    const signature = found.checks.filter((each) => each.check === "record signature");
    expect(signature.map((each) => each.passed)).toEqual([good.includes(name)]);
  },
);

const known = async () => {
  const { didKey } = await keyOfChain();
  return new Map([["urn:agent:r#key-1", PublicKey.parse(didKey)]]);
};

async function keyOfChain(): Promise<PublicKey> {
  const [first] = JSON.parse(decodeUtf8(fixture(CHAIN)));
  return PublicKey.parse(first.signature.public_key);
}

async function failingOf(data: Uint8Array<ArrayBuffer>, head: string | null = null): Promise<string | null> {
  return failing(verifyPassports(data, await known(), head));
}

test("a chain of signed records with a fork holds, and so does one record", async () => {
  expect(await failingOf(fixture(CHAIN))).toBeNull();
  expect(await failingOf(fixture("one.passport.json"))).toBeNull();
});

test.each<[string, string, (members: any) => unknown]>([
  ["the payload", "payload hash", (all) => (all[1].payload.output += "x")],
  ["a number of the payload", "payload hash", (all) => (all[2].payload.output = 0.2)],
  ["payload_hash", "payload hash", (all) => (all[1].integrity.payload_hash = `sha256:${"0".repeat(64)}`)],
  ["integrity_hash", "record signature", (all) => (all[3].integrity.integrity_hash = `sha256:${"0".repeat(64)}`)],
  ["parent_hash", "record signature", (all) => (all[3].integrity.parent_hash = `sha256:${"0".repeat(64)}`)],
  ["parent_id", "record signature", (all) => (all[3].parent_id = all[2].id)],
  ["the agent", "record signature", (all) => (all[1].created_by.agent_name = "x")],
  ["the time", "record signature", (all) => (all[1].event.timestamp = "2026-01-01T00:00:00Z")],
  ["the signature", "record signature", (all) => (all[1].signature.signature = otherText(all[1].signature.signature))],
  ["the key it carries", "record signature", (all) => (all[1].signature.public_key = KEY.base64)],
  ["the algorithm", "record signature", (all) => (all[1].signature.algorithm = "es256")],
  ["another version", "record form", (all) => (all[1].schema_version = "3.0")],
  ["no id", "record form", (all) => delete all[1].id],
])("a chain with %s altered fails", async (_, check, change) => {
  expect(await failingOf(changed(CHAIN, change))).toBe(check);
});

const unsigned = (change: (all: any) => unknown) => (all: any) => {
  for (const one of all) delete one.signature;
  return change(all);
};

test.each<[string, string, (members: any) => unknown]>([
  ["integrity_hash", "integrity hash", (all) => (all[3].integrity.integrity_hash = `sha256:${"0".repeat(64)}`)],
  ["parent_hash", "parent hash", (all) => (all[3].integrity.parent_hash = `sha256:${"0".repeat(64)}`)],
  ["a root's parent_hash", "parent hash", (all) => (all[0].integrity.parent_hash = `sha256:${"0".repeat(64)}`)],
  ["another parent", "parent hash", (all) => (all[3].parent_id = all[2].id)],
  ["a parent that is gone", "parent", (all) => all.shift()],
  ["an id rewritten", "parent", (all) => (all[0].id = "ctx_1_000000000000")],
  ["a record twice, once altered", "chain", (all) => all.push({ ...all[3], trace_id: "trc_x" })],
  ["two records of one id", "chain", (all) => (all[3].id = all[2].id)],
  ["no records", "chain", (all) => (all.length = 0)],
])("an unsigned chain with %s fails", async (_, check, change) => {
  expect(await failingOf(changed(CHAIN, unsigned(() => null)))).toBeNull();
  expect(await failingOf(changed(CHAIN, unsigned(change)))).toBe(check);
});

test("a name that stands twice in a record fails", async () => {
  const text = decodeUtf8(fixture("one.passport.json")).replace('"branch_key"', '"branch_key":"x","branch_key"');
  expect(await failingOf(encodeUtf8(text))).toBe("record form");
});

test("an end that was cut off shows against a known head", async () => {
  const records = JSON.parse(decodeUtf8(fixture(CHAIN)));
  const head = records.at(-1).integrity.integrity_hash;
  expect(await failingOf(fixture(CHAIN), head)).toBeNull();
  expect(await failingOf(changed(CHAIN, (all) => all.pop()), head)).toBe("head");
});

test("a key that is not known is remarked on, and the members stay unbound", async () => {
  const found = await report((reporter) => verifyPassports(fixture("one.passport.json"), new Map(), null, reporter));
  expect(found.remarks.join()).toContain("its key is not known here");
  expect(found.notChecked.join()).toContain("which no hash binds");
});
