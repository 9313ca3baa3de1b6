import { expect, test } from "vitest";

import { followSuccessions, LogKeys, openCheckpoint, readCheckpoint } from "./checkpoint";
import { readPolicyFile, verifyWitnesses } from "./cosignature";
import { openNote, readNote, VerifierKey } from "./note";
import { failing, fixtureText, otherText, vector } from "./vectors";

const C2SP = vector("c2sp_log");
const NOTE = fixtureText("checkpoint.txt");
const keyOf = async (name: string): Promise<VerifierKey> => VerifierKey.parse(fixtureText(name).trim());
const policyOf = async () => (await readPolicyFile(fixtureText("witnesses.txt"))).policy;

/** Return the note with the base64 of its signature line number `at` altered. */
function alteredLine(note: string, at: number): string {
  const lines = note.split("\n");
  const place = lines.indexOf("") + 1 + at;
  lines[place] = otherText(lines[place] ?? "", (lines[place] ?? "").length - 30);
  return lines.join("\n");
}

test("the notes of C2SP and of Go open under their keys", async () => {
  for (const one of [C2SP.signed_note, C2SP.go_note]) {
    const key = await VerifierKey.parse(one.vkey);
    expect(await openNote("note", one.note, key)).toBe(readNote(one.note).text);
  }
});

test("a public checkpoint that four witnesses cosigned opens, and each cosignature holds", async () => {
  const { note, log_key, witness_keys } = C2SP.cosigned;
  const witnesses = await Promise.all(witness_keys.map((text: string) => VerifierKey.parse(text)));
  expect(await failing(verifyWitnesses(note, { quorum: 4, witnesses }))).toBeNull();
  // The log's own key is of a type that is not read here.
  expect(await failing(VerifierKey.parse(log_key).catch(() => null))).toBeNull();
  for (let at = 1; at <= 4; at += 1) {
    const check = await failing(verifyWitnesses(alteredLine(note, at), { quorum: 1, witnesses }));
    expect(check === null || check === "witness cosignatures").toBe(true);
  }
});

test("a checkpoint opens under the log's key", async () => {
  const checkpoint = await openCheckpoint(NOTE, new LogKeys(await keyOf("log-key.txt")));
  expect(checkpoint.origin).toBe("urn:agent:a2ap-node:0123456789abcdef");
  expect(checkpoint.treeSize).toBe(15n);
});

test.each([
  ["the origin", (note: string) => note.replace("a2ap-node", "a2ap-nodf")],
  ["the size", (note: string) => note.replace("\n15\n", "\n16\n")],
  ["the root", (note: string) => note.replace(/\n15\n(.)/, (_, first) => `\n15\n${first === "A" ? "B" : "A"}`)],
  ["the signature", (note: string) => alteredLine(note, 0)],
  ["an extension line", (note: string) => note.replace("\n\n", "\nmore\n\n")],
  ["no signature lines", (note: string) => note.slice(0, note.indexOf("\n\n") + 1)],
])("a checkpoint with %s altered fails", async (_, alter) => {
  expect(alter(NOTE)).not.toBe(NOTE);
  expect(await failing(openCheckpoint(alter(NOTE), new LogKeys(await keyOf("log-key.txt"))))).toBe("checkpoint signature");
});

test("a checkpoint fails under another key", async () => {
  const key = await keyOf("old-log-key.txt");
  expect(await failing(openCheckpoint(NOTE, new LogKeys(key)))).toBe("checkpoint signature");
});

test("an earlier key leads to the key of the checkpoint, and an altered note does not", async () => {
  const old = await keyOf("old-log-key.txt");
  const note = fixtureText("succession.txt");
  expect(await failing(openCheckpoint(NOTE, await followSuccessions(old, [note])))).toBeNull();
  expect(await failing(followSuccessions(old, [note, note]))).toBe("log key");
  expect(await failing(followSuccessions(old, [alteredLine(note, 0)]))).toBe("log key");
  expect(await failing(followSuccessions(old, [note.replace("\n3\n", "\n4\n")]))).toBe("log key");
  const size = (await readCheckpoint(readNote(NOTE).text)).treeSize;
  expect((await followSuccessions(old, [note])).at(size).text).toBe(fixtureText("log-key.txt").trim());
  expect((await followSuccessions(old, [note])).at(3n).text).toBe(old.text);
});

test("both witnesses must have cosigned, and a false line spoils the checkpoint", async () => {
  const policy = await policyOf();
  expect((await verifyWitnesses(NOTE, policy)).map((one) => one.time)).toEqual([1760440000n, 1760440001n]);
  expect(await failing(verifyWitnesses(alteredLine(NOTE, 1), policy))).toBe("witness cosignatures");
  expect(await failing(verifyWitnesses(alteredLine(NOTE, 2), { ...policy, quorum: 1 }))).toBe("witness cosignatures");
  const without = NOTE.split("\n").filter((line) => !line.startsWith("— w2")).join("\n");
  expect(await failing(verifyWitnesses(without, policy))).toBe("witness cosignatures");
  expect(await failing(verifyWitnesses(without, { ...policy, quorum: 1 }))).toBeNull();
});

test("a verifier key has the id of its name and key", async () => {
  const text = fixtureText("log-key.txt").trim();
  await expect(VerifierKey.parse(text.replace(/\+([0-9a-f]{8})\+/, "+00000000+"))).rejects.toThrow("has not the id");
  await expect(VerifierKey.parse(text.replace("node", "nodf"))).rejects.toThrow("has not the id");
});
