import { expect, test } from "vitest";

import { decodeBase64, decodeHex, decodeUtf8, encodeUtf8, type Bytes } from "./encoding";
import { writeSorted } from "./go_json";
import { sha256Name } from "./hash";
import { parseJson } from "./json";
import { packOf, verifyArchive, verifyPack } from "./pack";
import { report } from "./report";
import { changed, failing, fixture, fixtureText, flipped, vector } from "./vectors";

const MANIFEST = fixture("manifest.json");
const CONTENTS = Object.values(JSON.parse(fixtureText("pack-content.json")) as Record<string, string>).map(decodeBase64);

async function failingOf(manifest: Bytes, contents: readonly Bytes[] = CONTENTS, name: string | null = null) {
  return failing(verifyPack(await packOf(manifest, contents, name)));
}

test("every pack of upstream's tool holds, and its manifest is written the same here", async () => {
  for (const one of vector("context_packs")) {
    if (one.manifest_utf8_hex === undefined || one.manifest_utf8_hex === null) continue;
    const manifest = decodeHex(one.manifest_utf8_hex);
    const contents = Object.values<string>(one.blobs).map(decodeHex);
    const pack = await packOf(manifest, contents, one.pack_hash);
    const found = await report((reporter) => verifyPack(pack, reporter));
    expect(found.checks.filter((each) => !each.passed), one.name).toEqual([]);
    expect(writeSorted(parseJson(decodeUtf8(manifest), 128)), one.name).toBe(decodeUtf8(manifest));
    expect(await failing(verifyPack({ ...pack, name: `sha256:${"0".repeat(64)}` })), one.name).toBe("manifest hash");
  }
});

test("a pack as a tar file holds", async () => {
  const found = await report((reporter) => verifyArchive(fixture("pack.tar"), reporter));
  expect(found.checks.every((one) => one.passed)).toBe(true);
  expect(found.checks.map((one) => one.check)).toContain("step content");
  expect(found.remarks).toEqual([]);
});

test("a manifest with its contents as files holds", async () => {
  expect(await failingOf(MANIFEST)).toBeNull();
  expect(await failingOf(MANIFEST, CONTENTS, await sha256Name(MANIFEST))).toBeNull();
});

test.each<[string, (members: any) => unknown]>([
  ["the model", (one) => (one.model.identifier = "gpt-5")],
  ["a parameter", (one) => (one.model.parameters.temperature = 1)],
  ["the time", (one) => (one.created = "2026-01-15T10:30:00Z")],
  ["a step", (one) => (one.steps[0].tool = "write_file")],
  ["the order of steps", (one) => one.steps.reverse()],
  ["the environment", (one) => (one.environment.os = "darwin")],
  ["the parent", (one) => (one.parent = `sha256:${"0".repeat(64)}`)],
])("a manifest with %s altered is another pack", async (_, change) => {
  const manifest = changed("manifest.json", change);
  expect(await failingOf(manifest, CONTENTS, await sha256Name(MANIFEST))).toBe("manifest hash");
});

test.each<[string, string, (members: any) => unknown]>([
  ["the prompt of the system", "content", (one) => (one.system_prompt = `sha256:${"0".repeat(64)}`)],
  ["a prompt", "content", (one) => (one.prompts[0].content_ref = `sha256:${"0".repeat(64)}`)],
  ["an input", "content", (one) => (one.inputs[0].content_ref = `sha256:${"0".repeat(64)}`)],
  ["an output", "content", (one) => (one.outputs[0].content_ref = "sha256:0")],
  ["a step's output", "step content", (one) => (one.steps[1].output_ref = `sha256:${"0".repeat(64)}`)],
  ["the size of an input", "size of an input", (one) => (one.inputs[0].size += 1)],
  ["a missing member", "manifest form", (one) => delete one.steps],
  ["steps that are none", "manifest form", (one) => (one.steps = {})],
  ["a hash of another", "manifest hash", (one) => (one.hash = `sha256:${"0".repeat(64)}`)],
])("a manifest with %s altered fails", async (_, check, change) => {
  expect(await failingOf(changed("manifest.json", change))).toBe(check);
});

test("a content with any byte altered, or gone, fails", async () => {
  const { system_prompt, steps } = JSON.parse(decodeUtf8(MANIFEST));
  for (let at = 0; at < CONTENTS.length; at += 1) {
    const altered = CONTENTS.map((one, place) => (place === at ? flipped(one) : one));
    const name = await sha256Name(CONTENTS[at]!);
    const isOfStep = steps.some((one: any) => one.output_ref === name);
    expect(["content", "step content"]).toContain(await failingOf(MANIFEST, altered));
    if (name === system_prompt) expect(await failingOf(MANIFEST, altered)).toBe("content");
    expect(isOfStep || name !== "").toBe(true);
  }
  expect(await failingOf(MANIFEST, [])).toBe("content");
});

test("an archive with any byte of an object altered fails", async () => {
  const archive = fixture("pack.tar");
  const text = new TextDecoder("latin1").decode(archive);
  expect(await failing(verifyArchive(flipped(archive, text.indexOf("You are helpful."))))).toBe("content");
  expect(await failing(verifyArchive(flipped(archive, text.indexOf("It greets."))))).toBe("step content");
  expect(["manifest form", "manifest hash"]).toContain(
    await failing(verifyArchive(flipped(archive, text.indexOf("gpt-4")))),
  );
  expect(await failing(verifyArchive(archive.slice(0, 1000)))).toBe("pack form");
  expect(await failing(verifyArchive(encodeUtf8("no archive")))).toBe("pack form");
});

test("a populated hash names the bytes without it", async () => {
  const name = await sha256Name(MANIFEST);
  const manifest = encodeUtf8(decodeUtf8(MANIFEST).replace('"hash":""', `"hash":"${name}"`));
  expect(await failingOf(manifest, CONTENTS, name)).toBeNull();
});

test("contents that the manifest does not name are remarked on", async () => {
  const pack = await packOf(MANIFEST, [...CONTENTS, encodeUtf8("more")]);
  const found = await report((reporter) => verifyPack(pack, reporter));
  expect(found.remarks).toEqual(["1 contents are here that the manifest does not name."]);
});
