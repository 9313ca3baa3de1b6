import { expect, test } from "vitest";

import { readDocument, verifyMembers, verifySignature } from "../proof/document";
import { PublicKey } from "../proof/ed25519";
import { concatBytes, decodeBase64, decodeUtf8, encodeUtf8 } from "../proof/encoding";
import { sha256Name } from "../proof/hash";
import { type JsonObject } from "../proof/json";
import { vector } from "../proof/vectors";
import {
  buildDecline,
  buildRegistration,
  buildStatement,
  buildVerdict,
  sign,
  verdictOf,
  verdictProblem,
  type Finding,
  type Signer,
  type Status,
} from "./message";

const VECTORS = vector("desk_messages");
const DID: string = VECTORS.publicKey;
const ID = "urn:uuid:1c9f3a4e-9a55-4d3b-8d52-0d8cb0a6a001";
const TIME = new Date("2026-11-27T09:05:03.987Z");
const QUOTE = "The height limit is 12 m — “for now”, café \u{1f3db}.\n";
const PERSON = { id: DID, type: "prov:Person", name: "Ada Čech", version: "1", publisher: "City of Port Alder" } as const;
const SOFTWARE = { ...PERSON, type: "prov:SoftwareAgent", name: "Desk of Ada" } as const;
const FINDINGS: Finding[] = [
  { criterion: "source-accuracy", status: "PASS", evidence: "The bytes are those of the source.", confidence: 1 },
  { criterion: "logical-consistency", status: "FAIL", evidence: "The minutes say “13 m”.\n\tPage 2.", confidence: 0.85 },
  { criterion: "evidence-sufficiency", status: "INCONCLUSIVE", evidence: "", confidence: 0 },
];

async function signer(): Promise<Signer> {
  const header = Uint8Array.of(0x30, 0x2e, 0x02, 0x01, 0x00, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x04, 0x22, 0x04, 0x20);
  const encoded = concatBytes(header, decodeBase64(VECTORS.seed));
  const key = await crypto.subtle.importKey("pkcs8", encoded, { name: "Ed25519" }, false, ["sign"]);
  return { keyId: `${DID}#1`, sign: async (data) => new Uint8Array(await crypto.subtle.sign("Ed25519", key, data)) };
}

async function built(): Promise<Record<string, JsonObject>> {
  const statement = { id: "urn:uuid:0ddc9b0a-9c1f-5f5a-8a6e-2f5d2f0c7a10", hash: await sha256Name(encodeUtf8("statement")) };
  const request = { id: "urn:uuid:7f1b2f8e-2f0e-4f6b-9a3c-5f1de8f2c001", hash: await sha256Name(encodeUtf8("request")) };
  const key = { keyId: `${DID}#1`, publicKey: DID };
  const common = { id: ID, time: TIME, agent: DID, statement };
  const cited = encodeUtf8(QUOTE);
  const segment = {
    source: "urn:doc:minutes",
    documentHash: await sha256Name(encodeUtf8("minutes")),
    contentHash: await sha256Name(cited),
    quote: QUOTE,
  };
  const evidence = [0, 4096].map((start) => ({ ...segment, start, end: start + cited.length }));
  const claim = "The limit of 12 m holds for cafés \u{1f3db}, and \u2028 stays.";
  return {
    "registration of a person": buildRegistration({ id: ID, time: TIME, agent: PERSON, ...key }),
    "registration with an invitation": buildRegistration({
      id: ID,
      time: TIME,
      agent: SOFTWARE,
      ...key,
      invitation: "an-invitation",
    }),
    "challenge that answers a request": buildVerdict({
      ...common,
      verdict: "CHALLENGED",
      confidence: 0.9,
      findings: FINDINGS,
      reason: "It does not follow.",
      request,
    }),
    "verdict without a request or a reason": buildVerdict({
      ...common,
      verdict: "VALIDATED",
      confidence: 1,
      findings: FINDINGS.slice(0, 1),
      reason: "",
      request: null,
    }),
    decline: buildDecline({ ...common, request, reason: "It is not my field." }),
    statement: await buildStatement({ time: TIME, agent: SOFTWARE, claim, confidence: 0.7, evidence }),
  };
}

test("each message has the bytes, the signature and the name that the Python builder gives it", async () => {
  const messages = await built();
  expect(Object.keys(messages).sort()).toEqual(Object.keys(VECTORS.messages).sort());
  for (const [name, expected] of Object.entries<{ document: string; signedHash: string }>(VECTORS.messages)) {
    const document = await sign(messages[name]!, await signer());
    expect(decodeUtf8(document), name).toBe(expected.document);
    const read = await readDocument(document);
    expect(read.signedHash, name).toBe(expected.signedHash);
    await verifySignature(read, PublicKey.parse(DID));
    await verifyMembers(read);
  }
});

test.each<[string, Status[], string | null]>([
  ["nothing was found", [], null],
  ["everything passes", ["PASS", "PASS", "PASS"], "VALIDATED"],
  ["a criterion fails", ["PASS", "FAIL", "PASS"], "CHALLENGED"],
  ["the evidence is not enough", ["PASS", "PASS", "FAIL"], "INSUFFICIENT_EVIDENCE"],
  ["something is open", ["PASS", "INCONCLUSIVE", "PASS"], "INSUFFICIENT_EVIDENCE"],
])("the verdict follows from the findings if %s", (_, statuses, expected) => {
  const findings = statuses.map((status, at) => ({ ...FINDINGS[at]!, status }));
  expect(verdictOf(findings)).toBe(expected);
});

test("a verdict that a node refuses is told before it is signed", () => {
  const [passes, fails, open] = FINDINGS as [Finding, Finding, Finding];
  expect(verdictProblem("VALIDATED", [passes], "")).toBeNull();
  expect(verdictProblem("VALIDATED", [passes, fails], "")).toContain("logical-consistency fails");
  expect(verdictProblem("VALIDATED", [open], "")).toContain("no criterion passes");
  expect(verdictProblem("CHALLENGED", [fails], "")).toBeNull();
  expect(verdictProblem("CHALLENGED", [{ ...fails, evidence: " " }], " ")).toContain("says why");
  expect(verdictProblem("CHALLENGED", [], "It is wrong.")).toBeNull();
});
