import { expect, test } from "vitest";

import { meets } from "./requests";

const REQUEST = {
  signedHash: "sha256:1",
  criteria: ["source-accuracy"],
  logIndex: 1,
  eligibleVerifiers: null,
  agent: { id: "urn:agent:one", name: "One" },
  statement: { signedHash: "sha256:2", claimText: "The limit stays." },
};
const TASK = { cursor: "", criterion: "", requester: "", verifier: "" };

test("an event is shown if it meets the conditions of the list", () => {
  expect(meets(REQUEST, TASK)).toBe(true);
  expect(meets(REQUEST, { ...TASK, requester: "urn:agent:one", verifier: "urn:agent:me" })).toBe(true);
  expect(meets(REQUEST, { ...TASK, requester: "urn:agent:other" })).toBe(false);
  const named = { ...REQUEST, eligibleVerifiers: ["urn:agent:two"] };
  expect(meets(named, { ...TASK, verifier: "urn:agent:two" })).toBe(true);
  expect(meets(named, { ...TASK, verifier: "urn:agent:me" })).toBe(false);
});
