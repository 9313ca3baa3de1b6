// Answers of the page's queries for the tests, and the words of their kinds and relations.

import type { GroupAnswer, NeighboursAnswer, NodeAnswer, ThingAnswer } from "./answers";
import { Words, type KindWords, type RelationWords, type Shape } from "./words";

function kind(one: string, shape: Shape, type: string, label: string, key: string, folder: string | null, named = true): KindWords {
  return { one, many: `${one}s`, shape, type, label, key, folder, named };
}

function relation(later: string, name: string, earlier: string, term: string, pattern: string, isInverse = false): RelationWords {
  return { later, relation: name, earlier, term, pattern, isInverse, onward: `${name} of it`, back: `${name} to it` };
}

export const WORDS = new Words(
  {
    STATEMENT: kind("statement", "entity", "a2ap:ProvenanceStatement", "Statement", "signed_hash", "statements"),
    VERIFICATION: kind("verdict", "activity", "a2ap:VerificationResponse", "Verification", "signed_hash", "verifications"),
    AGENT: kind("agent", "agent", "prov:SoftwareAgent", "Agent", "agent_id", "agents"),
    KEY: kind("key", "key", "a2ap:Key", "Key", "key_id", null),
    CHUNK: kind("passage", "entity", "a2ap:Chunk", "Chunk", "chunk_key", null),
    SOURCE: kind("source", "entity", "a2ap:Document", "Document", "document_key", "sources"),
    PACK: kind("pack", "activity", "a2ap:ContextPack", "Pack", "record_hash", "records"),
    RETRACTION: kind("retraction", "activity", "a2ap:Retraction", "Retraction", "signed_hash", null, false),
  },
  [
    relation("VERIFICATION", "GENERATED_BY", "PACK", "prov:wasInformedBy", "(x:Verification)-[:GENERATED_BY]->(:Document)<-[:RECORD_OF]-(y:Pack)"),
    relation("STATEMENT", "GENERATED_BY", "AGENT", "prov:wasAttributedTo", "(x:Statement)<-[:GENERATED]-(y:Agent)"),
    relation("STATEMENT", "GENERATED_BY", "SOURCE", "prov:wasGeneratedBy", "(x:Statement)-[:GENERATED_BY]->(y:Document)"),
    relation("STATEMENT", "CITES", "CHUNK", "prov:wasDerivedFrom", "(x:Statement)-[:CITES]->(y:Chunk)"),
    relation("STATEMENT", "SIGNED_WITH", "KEY", "sec:verificationMethod", "x.key_id"),
    relation("STATEMENT", "REVISION_OF", "STATEMENT", "prov:wasRevisionOf", "(x:Statement)-[:REVISION_OF]->(y:Statement)"),
    relation("CHUNK", "PART_OF", "SOURCE", "prov:wasQuotedFrom", "(x:Chunk)-[:PART_OF]->(y:Document)"),
    relation("PACK", "USED", "SOURCE", "prov:used", "(x:Pack)-[:USED]->(y:Document)"),
    relation("VERIFICATION", "ABOUT", "STATEMENT", "prov:used", "(x:Verification {binds: true})-[:VALIDATES]->(y:Statement)"),
    relation("VERIFICATION", "PERFORMED_BY", "AGENT", "prov:wasAssociatedWith", "(x:Verification {binds: true})-[:PERFORMED_BY]->(y:Agent)"),
    relation("RETRACTION", "ABOUT", "STATEMENT", "prov:wasInvalidatedBy", "x.target_hash", true),
  ],
);

export function thing(kindName: string, name: string, logIndex: number | null = null, node: NodeAnswer | null = null): ThingAnswer {
  return { kind: kindName, name, id: null, logIndex, node };
}

export function group(of: ThingAnswer, name: string, direction: "FORWARD" | "BACKWARD", things: ThingAnswer[], after: string | null = null): GroupAnswer {
  return {
    relation: name,
    direction,
    kind: things[0]!.kind,
    complete: true,
    total: things.length,
    of: { kind: of.kind, name: of.name },
    things: { pageInfo: { hasNextPage: after !== null, endCursor: after }, nodes: things },
  };
}

export const CLAIM = thing("STATEMENT", "sha256:claim", 5, { claimText: "It keeps forty feet.", verified: true });
export const AUTHOR = thing("AGENT", "urn:agent:author", null, { name: "Author" });
export const PASSAGE = thing("CHUNK", "passage", null, {
  text: "forty feet",
  byteStart: 3,
  byteEnd: 13,
  document: { hash: "sha256:source", id: "urn:doc:source" },
});
export const SOURCE = thing("SOURCE", "sha256:source", null, { title: "Minutes" });
export const VERDICT = thing("VERIFICATION", "sha256:verdict", 9, { verdict: "VALIDATED", machine: false, agent: { name: "Verifier" } });
export const KEY = thing("KEY", "urn:agent:author#1");

/** The neighbours of the claim. */
export const AROUND_CLAIM: NeighboursAnswer = {
  asOf: 20,
  of: [CLAIM],
  groups: [
    group(CLAIM, "GENERATED_BY", "FORWARD", [AUTHOR]),
    group(CLAIM, "SIGNED_WITH", "FORWARD", [KEY]),
    group(CLAIM, "CITES", "FORWARD", [PASSAGE]),
    group(CLAIM, "ABOUT", "BACKWARD", [VERDICT], "cursor"),
  ],
};
