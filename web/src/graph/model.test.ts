import { describe, expect, test } from "vitest";

import { GraphModel } from "./model";
import { AROUND_CLAIM, AUTHOR, CLAIM, group, PASSAGE, SOURCE, thing, VERDICT, WORDS } from "./sample";
import { shortText } from "./thing";

function around(): GraphModel {
  const model = new GraphModel(WORDS);
  model.addNeighbours(AROUND_CLAIM, true);
  return model;
}

const ALL = { hiddenKinds: new Set<string>(), logSize: Infinity };

describe("the loaded graph", () => {
  test("has each thing and each link once", () => {
    const model = around();
    model.addNeighbours(AROUND_CLAIM);
    model.addNeighbours({ asOf: 20, of: [VERDICT], groups: [group(VERDICT, "ABOUT", "FORWARD", [CLAIM])] });
    expect(model.things.size).toBe(5);
    expect(model.links.size).toBe(4);
    expect([...model.roots]).toEqual(["STATEMENT sha256:claim"]);
    expect(model.linksAt("VERIFICATION sha256:verdict").map((link) => [link.later, link.earlier])).toEqual([
      ["VERIFICATION sha256:verdict", "STATEMENT sha256:claim"],
    ]);
  });

  test("names and links bytes that are a record as that record", () => {
    const model = around();
    const pack = { ...thing("SOURCE", "sha256:0123456789abcdef", null), id: "urn:doc:pack" };
    model.addNeighbours({ asOf: 20, of: [{ ...pack, node: { title: null, recordKind: "Pack" } }], groups: [] });
    const found = model.things.get("SOURCE sha256:0123456789abcdef");
    expect([found?.label, found?.address]).toEqual(["Pack 0123456789ab…", "records/sha256:0123456789abcdef"]);
  });

  test("knows which groups go on, until their last page is loaded", () => {
    const model = around();
    expect(model.restsOf("STATEMENT sha256:claim")).toEqual([
      { relation: "ABOUT", direction: "BACKWARD", kind: "VERIFICATION", after: "cursor", total: 1 },
    ]);
    const next = group(CLAIM, "ABOUT", "BACKWARD", [thing("VERIFICATION", "sha256:other", 10)]);
    model.addNeighbours({ asOf: 20, of: [CLAIM], groups: [next] });
    expect(model.restsOf("STATEMENT sha256:claim")).toEqual([]);
    expect(model.things.size).toBe(6);
  });

  test("hides kinds, and things that came later", () => {
    const model = around();
    expect(model.visible(ALL).size).toBe(5);
    expect(model.visible({ ...ALL, hiddenKinds: new Set(["CHUNK", "KEY"]) }).size).toBe(3);
    expect(model.visible({ ...ALL, logSize: 9 }).has("VERIFICATION sha256:verdict")).toBe(false);
    expect(model.visible({ ...ALL, logSize: 5 }).size).toBe(0);
    expect(model.logIndices()).toEqual([5, 9]);
  });

  test("lets bytes, agents and keys come with the first thing that they are joined to", () => {
    const model = around();
    model.addNeighbours({ asOf: 20, of: [PASSAGE], groups: [group(PASSAGE, "PART_OF", "FORWARD", [SOURCE])] });
    model.addNeighbours({ asOf: 20, of: [VERDICT], groups: [group(VERDICT, "PERFORMED_BY", "FORWARD", [AUTHOR])] });
    const places = model.firstPlaces();
    expect(places.get("SOURCE sha256:source")).toBe(5);
    expect(places.get("AGENT urn:agent:author")).toBe(5);
    expect(model.visible({ ...ALL, logSize: 6 }).has("SOURCE sha256:source")).toBe(true);
  });

  test("joins what rests on a thing to the thing that it rests on", () => {
    const model = around();
    const pack = thing("PACK", "sha256:pack", 7, { model: "none", created: null });
    const item = ({ kind, name, id, logIndex }: typeof pack, relation: string, parent: string) => ({
      kind,
      name,
      relation,
      parent,
      thing: { kind, name, id, logIndex, globalId: name },
    });
    const verdict = thing("VERIFICATION", "sha256:informed", 12);
    model.addNeighbours({ asOf: 20, of: [SOURCE], groups: [] });
    const keys = model.addImpact([
      item(pack, "USED", "sha256:source"),
      item(verdict, "GENERATED_BY", "sha256:pack"),
      item(CLAIM, "JUDGED_BY", "sha256:verdict"),
    ]);
    expect(keys).toEqual(["PACK sha256:pack", "VERIFICATION sha256:informed", "STATEMENT sha256:claim"]);
    expect([...model.links.keys()]).toEqual(
      expect.arrayContaining([
        "PACK sha256:pack USED SOURCE sha256:source",
        "VERIFICATION sha256:informed GENERATED_BY PACK sha256:pack",
        "VERIFICATION sha256:verdict ABOUT STATEMENT sha256:claim",
      ]),
    );
  });

  test("takes the words that name a thing when they come", () => {
    const model = around();
    const pack = thing("PACK", "sha256:0123456789abcdef", 7);
    model.addImpact([{ kind: "PACK", name: pack.name, relation: "USED", parent: "sha256:source", thing: { ...pack, globalId: "x" } }]);
    expect(model.things.get(`PACK ${pack.name}`)!.label).toBe("Pack 0123456789ab…");
    model.name({ ...pack, node: { model: "none", created: null } });
    expect(model.things.get(`PACK ${pack.name}`)!.label).toBe("Run of none");
  });

  test("has the things on paths, whichever way their steps go", () => {
    const model = new GraphModel(WORDS);
    const steps = [
      { relation: "GENERATED_BY", direction: "BACKWARD" as const, to: CLAIM },
      { relation: "CITES", direction: "FORWARD" as const, to: PASSAGE },
    ];
    model.addPaths({ asOf: 20, complete: true, length: 2, total: 1, paths: [{ start: AUTHOR, steps }] });
    expect([...model.roots]).toEqual(["AGENT urn:agent:author", "CHUNK passage"]);
    expect([...model.links.values()].map((link) => link.words.term)).toEqual(["prov:wasAttributedTo", "prov:wasDerivedFrom"]);
  });
});

describe("a thing", () => {
  test("is named by its words, and has the address of its page", () => {
    const model = around();
    const shown = [...model.things.values()].map(({ label, address }) => [label, address]);
    expect(shown).toEqual([
      ["It keeps forty feet.", "statements/sha256:claim"],
      ["Author", "agents/urn:agent:author"],
      ["urn:agent:author#1", "agents/urn:agent:author"],
      ["forty feet", "sources/sha256:source?at=3#bytes-3-13"],
      ["Validated by Verifier", "verifications/sha256:verdict"],
    ]);
  });

  test("shows hidden and reordering characters by their codes", () => {
    const model = new GraphModel(WORDS);
    const hostile = thing("STATEMENT", "sha256:x", 1, { claimText: "\u202egnp.exe\u0000 🏛" });
    model.addNeighbours({ asOf: 20, of: [hostile], groups: [] });
    expect(model.things.get("STATEMENT sha256:x")!.label).toBe("[U+202E]gnp.exe[U+0000] 🏛");
    expect(shortText("a\n b  🏛🏛🏛🏛", 6)).toBe("a b 🏛…");
  });

  test("without words is named by its kind and hash", () => {
    const model = new GraphModel(WORDS);
    model.addNeighbours({ asOf: 20, of: [thing("PACK", "sha256:0123456789abcdef", 1)], groups: [] });
    expect([...model.things.values()][0]!.label).toBe("Pack 0123456789ab…");
  });
});
