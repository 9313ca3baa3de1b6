import { expect, test } from "vitest";

import { PublicKey } from "../proof/ed25519";
import { decodeBase64, encodeUtf8 } from "../proof/encoding";
import { vector } from "../proof/vectors";
import { agentOfKeyFile, makeIdentity, openKeyFile, passphraseProblem, signerOf } from "./key";

const ABOUT = { type: "prov:Person", name: "Ada", publisher: "City" } as const;
const SECRET = "correct horse battery";
const DATA = encodeUtf8("signed by the desk");

test("a key that is made signs and cannot be read", async () => {
  const identity = await makeIdentity(ABOUT, SECRET, 100_000);
  expect(identity.key.extractable).toBe(false);
  expect(identity.key.usages).toEqual(["sign"]);
  await expect(crypto.subtle.exportKey("pkcs8", identity.key)).rejects.toThrow();
  const signature = await signerOf(identity).sign(DATA);
  expect(await PublicKey.parse(identity.publicKey).hasSigned(DATA, signature)).toBe(true);
  expect(identity.agent).toEqual({ id: identity.publicKey, version: "1", ...ABOUT });
  expect(identity.keyId).toBe(`${identity.publicKey}#1`);
});

test("the file of a key opens with its passphrase alone, and holds the same key", async () => {
  const identity = await makeIdentity(ABOUT, SECRET, 100_000);
  expect(agentOfKeyFile(identity.file)).toBe(identity.publicKey);
  const opened = await openKeyFile(encodeUtf8(identity.file), SECRET);
  expect(opened.publicKey).toBe(identity.publicKey);
  expect(opened.file).toBe(identity.file);
  expect(opened.key.extractable).toBe(false);
  const signature = await signerOf(opened).sign(DATA);
  expect(await PublicKey.parse(identity.publicKey).hasSigned(DATA, signature)).toBe(true);
  await expect(openKeyFile(encodeUtf8(identity.file), "another passphrase")).rejects.toThrow("does not open");
});

test("no two files of a key are the same, and none has the seed in clear", async () => {
  const one = await makeIdentity(ABOUT, SECRET, 100_000);
  const members = JSON.parse(one.file);
  expect(Object.keys(members).sort()).toEqual(["agent", "encryptedSeed", "keyId", "publicKey"]);
  expect(decodeBase64(members.encryptedSeed.data).length).toBe(48);
  const changed = { ...members, publicKey: (await makeIdentity(ABOUT, SECRET, 100_000)).publicKey };
  await expect(openKeyFile(encodeUtf8(JSON.stringify(changed)), SECRET)).rejects.toThrow("does not open");
});

test("a key file of the command line opens, and is encrypted for the browser", async () => {
  const { seed, publicKey } = vector("desk_messages");
  const file = JSON.stringify({ agent: "urn:agent:clerk", keyId: "urn:agent:clerk#1", seed, publicKey });
  const opened = await openKeyFile(encodeUtf8(file), SECRET);
  expect(opened.keyId).toBe("urn:agent:clerk#1");
  expect(opened.file).not.toContain(seed);
  expect(agentOfKeyFile(opened.file)).toBe("urn:agent:clerk");
  const other = JSON.stringify({ ...JSON.parse(file), publicKey: (await makeIdentity(ABOUT, SECRET, 100_000)).publicKey });
  await expect(openKeyFile(encodeUtf8(other), SECRET)).rejects.toThrow("not the one of the seed");
});

test("a passphrase is long enough and stated twice", () => {
  expect(passphraseProblem("short", "short")).toContain("fewer than");
  expect(passphraseProblem(SECRET, `${SECRET}!`)).toContain("differ");
  expect(passphraseProblem(SECRET, SECRET)).toBeNull();
});
