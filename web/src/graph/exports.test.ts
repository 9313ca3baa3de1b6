import { expect, test } from "vitest";

import { cypherOf, quoted } from "./cypher";
import { GraphModel } from "./model";
import { layeredPositions } from "./layers";
import { svgOf } from "./picture";
import { provJson } from "./prov_json";
import { AROUND_CLAIM, CLAIM, group, SOURCE, thing, WORDS } from "./sample";

const HOSTILE = `</title><script>alert(1)</script> "x" & '; MATCH (n) DETACH DELETE n; // \\u0027 \\\n\u0000 🏛`;

function around(): GraphModel {
  const model = new GraphModel(WORDS);
  model.addNeighbours(AROUND_CLAIM, true);
  const hostile = thing("STATEMENT", "sha256:hostile", 11, { claimText: HOSTILE });
  const retraction = thing("RETRACTION", "sha256:retraction", 12);
  model.addNeighbours({
    asOf: 20,
    of: [CLAIM],
    groups: [
      group(CLAIM, "REVISION_OF", "BACKWARD", [hostile]),
      group(CLAIM, "GENERATED_BY", "FORWARD", [SOURCE]),
      group(CLAIM, "ABOUT", "BACKWARD", [retraction]),
    ],
  });
  return model;
}

function part(model: GraphModel) {
  return [[...model.things.values()], [...model.links.values()]] as const;
}

test("a text becomes one string of Cypher, with nothing in it that ends it", () => {
  expect(quoted("it's \\u0027\n🏛")).toBe("'it\\'s \\\\u0027\\u000A\\uD83C\\uDFDB'");
  const inside = quoted(HOSTILE).slice(1, -1).replaceAll(/\\(?:u[0-9A-F]{4}|['\\])/g, "");
  expect(inside).not.toMatch(/['\\\n]/);
});

test("the script of Cypher has the labels, keys and relationships of the platform's graph", () => {
  const lines = cypherOf(...part(around()), WORDS).trim().split("\n");
  expect(lines).toHaveLength(8 + 7);
  expect(lines).toContain("MERGE (n:Agent {agent_id: 'urn:agent:author'}) SET n.label = 'Author';");
  expect(lines).toContain("MATCH (x:Statement {signed_hash: 'sha256:claim'}), (y:Agent {agent_id: 'urn:agent:author'}) MERGE (x)<-[:GENERATED]-(y);");
  expect(lines).toContain("MATCH (x:Statement {signed_hash: 'sha256:claim'}), (y:Key {key_id: 'urn:agent:author#1'}) SET x.key_id = y.key_id;");
  expect(lines).toContain("MATCH (x:Verification {signed_hash: 'sha256:verdict'}), (y:Statement {signed_hash: 'sha256:claim'}) MERGE (x)-[:VALIDATES]->(y) SET x.binds = true;");
});

test("the picture is XML that shows the words of agents as text alone", () => {
  const model = around();
  const [things, links] = part(model);
  const svg = svgOf({ things, links, positions: layeredPositions(things, links), marked: new Set() }, "Graph & more");
  expect(svg.startsWith("<svg ")).toBe(true);
  expect(svg).not.toContain("<script");
  expect(svg).not.toContain("\u0000");
  expect(svg.match(/<ellipse/g)).toHaveLength(4);
  expect(svg.match(/<rect x/g)).toHaveLength(2);
  expect(svg.match(/<polygon/g)).toHaveLength(2);
  expect(svg).toContain("prov:wasAttributedTo");
  expect(svg).toContain("Graph &#38; more");
});

test("the document of PROV has the records of each class, and relations with their ends", () => {
  const document = provJson(...part(around()), WORDS, "https://node.example/");
  expect(Object.keys(document["entity"]!)).toEqual(
    expect.arrayContaining(["node:statements/sha256:claim", "node:graph?of=passage", "node:sources/sha256:source"]),
  );
  const records = (name: string) => Object.values(document[name] as Record<string, Record<string, unknown>>);
  expect(records("wasAttributedTo")).toEqual([{ "prov:entity": "node:statements/sha256:claim", "prov:agent": "node:agents/urn:agent:author" }]);
  expect(records("used")).toEqual([{ "prov:activity": "node:verifications/sha256:verdict", "prov:entity": "node:statements/sha256:claim" }]);
  expect(records("wasGeneratedBy")).toEqual([{ "prov:entity": "node:statements/sha256:claim", "prov:activity": "a2ap:activity/sha256:source" }]);
  expect(records("wasInvalidatedBy")).toEqual([{ "prov:entity": "node:statements/sha256:claim", "prov:activity": "node:log/12" }]);
  expect(records("wasDerivedFrom")).toContainEqual({
    "prov:generatedEntity": "node:statements/sha256:hostile",
    "prov:usedEntity": "node:statements/sha256:claim",
    "prov:type": { $: "prov:Revision", type: "prov:QUALIFIED_NAME" },
  });
  const claim = (document["entity"] as Record<string, Record<string, unknown>>)["node:statements/sha256:claim"]!;
  expect(claim["sec:verificationMethod"]).toEqual({ $: "node:graph?of=urn%3Aagent%3Aauthor%231", type: "prov:QUALIFIED_NAME" });
  expect(document["activity"]).toHaveProperty("a2ap:activity/sha256:source");
});
