// The loaded part of the graph as PROV-JSON (W3C submission of 24 April 2013). Names are addresses of this node's pages.

import type { Link } from "./model";
import type { Thing } from "./thing";
import type { Words } from "./words";

type Attributes = Record<string, unknown>;
type Records = Record<string, Attributes>;
export type ProvDocument = Record<string, Record<string, string> | Records>;

/** The relations of PROV-JSON by their terms: its name there, the ends, and the subtype. */
const RELATIONS: Readonly<Record<string, { name: string; ends: [string, string]; type?: string }>> = {
  "prov:wasAttributedTo": { name: "wasAttributedTo", ends: ["prov:entity", "prov:agent"] },
  "prov:wasAssociatedWith": { name: "wasAssociatedWith", ends: ["prov:activity", "prov:agent"] },
  "prov:actedOnBehalfOf": { name: "actedOnBehalfOf", ends: ["prov:delegate", "prov:responsible"] },
  "prov:wasDerivedFrom": { name: "wasDerivedFrom", ends: ["prov:generatedEntity", "prov:usedEntity"] },
  "prov:wasQuotedFrom": { name: "wasDerivedFrom", ends: ["prov:generatedEntity", "prov:usedEntity"], type: "prov:Quotation" },
  "prov:wasRevisionOf": { name: "wasDerivedFrom", ends: ["prov:generatedEntity", "prov:usedEntity"], type: "prov:Revision" },
  "prov:used": { name: "used", ends: ["prov:activity", "prov:entity"] },
  "prov:wasGeneratedBy": { name: "wasGeneratedBy", ends: ["prov:entity", "prov:activity"] },
  "prov:wasInformedBy": { name: "wasInformedBy", ends: ["prov:informed", "prov:informant"] },
  "prov:wasInvalidatedBy": { name: "wasInvalidatedBy", ends: ["prov:entity", "prov:activity"] },
};
const CLASSES = { entity: "entity", key: "entity", activity: "activity", agent: "agent" } as const;

/** Return the document; `base` is the address of the node, to which the names are relative. */
export function provJson(things: readonly Thing[], links: readonly Link[], words: Words, base: string): ProvDocument {
  const document: Record<string, Records> = {};
  const byKey = new Map(things.map((thing) => [thing.key, thing]));
  for (const thing of things) {
    const records = (document[CLASSES[thing.shape]] ??= {});
    records[nameOf(thing)] = {
      "prov:label": thing.label,
      "prov:type": qualified(words.kind(thing.kind).type),
      ...(thing.logIndex === null ? {} : { "a2ap:logIndex": thing.logIndex }),
    };
  }
  let count = 0;
  for (const link of links) {
    const [later, earlier] = [byKey.get(link.later), byKey.get(link.earlier)];
    if (!later || !earlier) continue;
    const [subject, object] = link.words.isInverse ? [earlier, later] : [later, earlier];
    const relation = RELATIONS[link.words.term];
    if (!relation) {
      addAttribute(document[CLASSES[subject.shape]]![nameOf(subject)]!, link.words.term, qualified(nameOf(object)));
      continue;
    }
    count += 1;
    (document[relation.name] ??= {})[`_:r${count}`] = {
      [relation.ends[0]]: endOf(subject, relation.ends[0], document),
      [relation.ends[1]]: endOf(object, relation.ends[1], document),
      ...(relation.type ? { "prov:type": qualified(relation.type) } : {}),
    };
  }
  const prefix = { node: base, a2ap: "https://williams-librarian.njit.edu/a2ap/v0.1#", sec: "https://w3id.org/security#" };
  return { prefix, ...document };
}

/** Return the name of a thing at an end of a relation: of the bytes of a record, that of its activity. */
function endOf(thing: Thing, end: string, document: Record<string, Records>): string {
  const isActivity = ["prov:activity", "prov:informed", "prov:informant"].includes(end);
  if (!isActivity || thing.shape === "activity") return nameOf(thing);
  const name = `a2ap:activity/${thing.name}`;
  (document["activity"] ??= {})[name] ??= { "prov:label": `Run or event of ${thing.label}` };
  return name;
}

function nameOf(thing: Thing): string {
  return `node:${thing.address && thing.kind !== "KEY" && thing.kind !== "CHUNK" ? thing.address : `graph?of=${encodeURIComponent(thing.name)}`}`;
}

function qualified(name: string): Attributes {
  return { $: name, type: "prov:QUALIFIED_NAME" };
}

function addAttribute(record: Attributes, name: string, value: Attributes): void {
  const known = record[name];
  record[name] = known === undefined ? value : [known, value].flat();
}
