import { expect, test } from "vitest";

import { isTrustedAt, readKeyHistory, speaksAt, type KeyEvent } from "./key_history";
import { operatorOf, originOf, scopeAgent, scopeKey } from "./scoping";

const NODE = "urn:agent:a2ap-node:0123456789abcdef";
const added = (logIndex: number, keyId: string, signedBy = keyId, replaces: string[] = []): KeyEvent => ({
  kind: "added",
  logIndex,
  agent: "a",
  keyId,
  signedBy,
  authority: "key",
  replaces,
});
const revoked = (logIndex: number, keyId: string, signedBy: string, since = logIndex): KeyEvent => ({
  kind: "revoked",
  logIndex,
  agent: "a",
  keyId,
  signedBy,
  authority: signedBy === "recovery" ? "recovery" : "key",
  reason: "keyCompromise",
  notTrustedSince: since,
});

test("a key speaks after its registration and until it is replaced", () => {
  const { keys } = readKeyHistory([added(1, "k1"), added(5, "k2", "k1", ["k1"])]);
  expect([1, 2, 5, 6].map((place) => speaksAt(keys.get("k1")!, place))).toEqual([false, true, true, false]);
  expect(isTrustedAt(keys.get("k1")!, 9)).toBe(true);
});

test("a revocation by an ordinary key takes effect at its own place", () => {
  const { keys } = readKeyHistory([added(1, "k1"), revoked(4, "k1", "k1", 2)]);
  expect(keys.get("k1")!.notTrustedSince).toBe(4);
});

test("the recovery key reaches into the past, and undoes what the stolen key registered", () => {
  const { keys } = readKeyHistory([added(1, "k1"), added(5, "k2", "k1", ["k1"]), revoked(8, "k1", "recovery", 3)]);
  expect(keys.get("k1")).toMatchObject({ notTrustedSince: 3, retiredAt: null });
  expect(keys.get("k2")).toMatchObject({ notTrustedSince: 5, reason: "registeredByUntrustedKey" });
});

test("a revocation by a key that is not trusted is void", () => {
  const { keys } = readKeyHistory([added(1, "k1"), added(2, "k2", "k1"), revoked(4, "k1", "recovery", 3), revoked(5, "k2", "k1")]);
  expect(keys.get("k2")!.notTrustedSince).toBeNull();
});

test("names of another node's agents are scoped, and those that certify themselves are not", () => {
  expect(scopeAgent("urn:agent:x", NODE, null)).toBe(`urn:agent:x@${NODE}`);
  expect(scopeAgent(`urn:agent:x@${NODE}`, "urn:o", NODE)).toBe("urn:agent:x");
  expect(scopeAgent("did:key:z6Mk", NODE, null)).toBe("did:key:z6Mk");
  expect(scopeKey("urn:agent:x#key-1", "urn:agent:x", NODE, "home")).toBe(`urn:agent:x@${NODE}#key-1`);
  expect(originOf(`urn:agent:x@${NODE}`)).toBe(NODE);
  expect(operatorOf(`urn:agent:x@${NODE}`)).toBe(`${NODE}@${NODE}`);
});
