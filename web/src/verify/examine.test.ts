import { expect, test } from "vitest";

import { fails, passes } from "../proof/report";
import { fixture, fixtureText, flipped } from "../proof/vectors";
import { decodeBase64, encodeUtf8 } from "../proof/encoding";
import { examine, type GivenFile } from "./examine";
import { sabotage } from "./sabotage";

const file = (name: string): GivenFile => ({ name, data: fixture(name) });
const TRUSTED = [file("log-key.txt"), file("witnesses.txt")];

async function results(files: readonly GivenFile[], logKeys = ""): Promise<[string, boolean, string | undefined][]> {
  const reports = await examine(files, logKeys);
  return reports.map((one) => [one.name, passes(one.report), one.report.checks.find((each) => !each.passed)?.check]);
}

test("a document, its receipt, the source's bytes and the registration of its key are verified together", async () => {
  const files = [...["statement.json", "receipt.json", "source.vtt", "key-registration.json", "registration.json"].map(file), ...TRUSTED];
  expect(await results(files)).toEqual([
    ["statement.json", true, undefined],
    ["receipt.json", true, undefined],
    ["source.vtt", true, undefined],
    ["key-registration.json", true, undefined],
    ["registration.json", true, undefined],
  ]);
  const [statement, receipt, source] = await examine(files);
  expect(statement?.with).toEqual(["key-registration.json"]);
  expect(receipt?.with).toEqual(["statement.json"]);
  expect(receipt?.path.length).toBe(4);
  expect(source?.with).toEqual(["statement.json"]);
});

test("a typed key is as good as a file of it", async () => {
  expect(await results([file("bundle.json")], fixtureText("old-log-key.txt"))).toEqual([["bundle.json", true, undefined]]);
  expect(await results([file("bundle.json")])).toEqual([["bundle.json", false, "checkpoint signature"]]);
  expect((await results([file("bundle.json")], "no key"))[0]).toEqual(["the typed key", false, "log key"]);
});

test("an old key of the log leads to the new one by its note", async () => {
  const files = ["receipt.json", "old-log-key.txt"].map(file);
  expect(await results(files)).toEqual([["receipt.json", false, "checkpoint signature"]]);
  expect(await results([...files, file("succession.txt")])).toEqual([["receipt.json", true, undefined]]);
});

test("a proof in its own file is verified with the entry", async () => {
  const entry = { name: "entry.json", data: encodeUtf8(JSON.parse(fixtureText("receipt.json")).entry) };
  const files = [file("statement.tlog-proof"), ...TRUSTED];
  expect(await results([...files, entry])).toEqual([["statement.tlog-proof", true, undefined]]);
  expect(await results(files)).toEqual([["statement.tlog-proof", false, "inclusion"]]);
});

test("a manifest is verified with its contents as files", async () => {
  const contents = Object.values(JSON.parse(fixtureText("pack-content.json")) as Record<string, string>);
  const files = contents.map((text, at) => ({ name: `content-${at}`, data: decodeBase64(text) }));
  expect(await results([file("manifest.json"), ...files])).toEqual([["manifest.json", true, undefined]]);
  expect(await results([file("manifest.json"), ...files.slice(1)])).toHaveLength(1);
  expect((await results([file("manifest.json"), ...files.slice(1)]))[0]?.[1]).toBe(false);
});

test.each([["one.passport.json"], ["chain.passports.json"], ["packet.json"], ["pack.tar"], ["checkpoint.txt"]])(
  "%s is verified alone",
  async (name) => {
    expect(await results([file(name), ...TRUSTED])).toEqual([[name, true, undefined]]);
  },
);

test.each([
  ["a receipt without a key of the log", ["receipt.json", "statement.json", "key-registration.json"], "receipt.json", "checkpoint signature", "the key of the log"],
  ["a checkpoint without a key of the log", ["checkpoint.txt"], "checkpoint.txt", "checkpoint signature", "the key of the log"],
  ["a bundle without a key of the log", ["bundle.json"], "bundle.json", "checkpoint signature", "the key of the log"],
  ["a document alone", ["statement.json"], "statement.json", "document signature", "the key urn:agent:"],
  ["a proof without its entry", ["statement.tlog-proof", "log-key.txt", "witnesses.txt"], "statement.tlog-proof", "inclusion", "the file with the entry"],
  ["a source alone", ["source.vtt"], "source.vtt", "kind of file", "the document that cites these"],
])("%s is not checked: it neither holds nor fails", async (_, names, subject, check, missing) => {
  const found = (await examine(names.map(file))).find((one) => one.name === subject)!.report;
  expect([passes(found), fails(found)]).toEqual([false, false]);
  const open = found.checks.filter((one) => one.isOpen);
  expect(open.map((one) => one.check)).toEqual([check]);
  expect(open[0]!.sentence).toContain(missing);
  expect(open[0]!.sentence).toContain("is missing");
});

test("a signature by another key than the given one fails", async () => {
  const [receipt, statement] = await examine([file("receipt.json"), file("statement.json"), file("old-log-key.txt")]);
  expect([fails(receipt!.report), fails(statement!.report)]).toEqual([true, false]);
});

test("an altered source fails, and bytes that nothing names do not hold", async () => {
  const altered = { name: "source.vtt", data: flipped(fixture("source.vtt")) };
  expect((await results([file("statement.json"), file("key-registration.json"), altered]))[2]).toEqual([
    "source.vtt",
    false,
    "source hash",
  ]);
  expect(await results([file("source.vtt")])).toEqual([["source.vtt", false, "kind of file"]]);
});

test.each([
  ["bundle.json", "bundle.json"],
  ["receipt.json", "receipt.json"],
  ["receipt.json", "statement.json"],
  ["source.vtt", "source.vtt"],
  ["pack.tar", "pack.tar"],
  ["packet.json", "packet.json"],
  ["chain.passports.json", "chain.passports.json"],
])("the report on %s fails with one byte of a copy of %s changed", async (subject, altered) => {
  const names = ["statement.json", "receipt.json", "source.vtt", "key-registration.json", "bundle.json"];
  const others = ["pack.tar", "packet.json", "chain.passports.json", "old-log-key.txt", "succession.txt", "witnesses.txt"];
  const files = [...names, ...others].map(file);
  for (let round = 0; round < 3; round += 1) {
    const found = await sabotage(files, subject, altered, "", round);
    expect(found?.report.report.checks.some((one) => !one.passed)).toBe(true);
  }
});

test("damaged files are reported on, and never an error of the page", async () => {
  const names = [
    ...["statement.json", "receipt.json", "source.vtt", "key-registration.json", "bundle.json", "statement.tlog-proof"],
    ...["chain.passports.json", "packet.json", "pack.tar", "manifest.json", "checkpoint.txt", "witnesses.txt"],
    ...["log-key.txt", "succession.txt"],
  ];
  const files = names.map(file);
  for (let round = 0; round < 60; round += 1) {
    const at = round % files.length;
    const { name, data } = files[at]!;
    const place = (round * 7919 + 13) % data.length;
    const altered = round % 3 === 0 ? data.slice(0, place) : flipped(data, place, 1 << round % 8);
    await examine(files.map((one, other) => (other === at ? { name, data: altered } : one)));
  }
});
