// The loaded part of the graph as a script of Cypher, with the labels and keys of the platform's own graph.

import type { Link } from "./model";
import type { Thing } from "./thing";
import type { Words } from "./words";

export function cypherOf(things: readonly Thing[], links: readonly Link[], words: Words): string {
  const byKey = new Map(things.map((thing) => [thing.key, thing]));
  const lines = things.map((thing) => `MERGE (n:${pattern(thing, words)}) SET n.label = ${quoted(thing.label)};`);
  for (const link of links) {
    const [later, earlier] = [byKey.get(link.later), byKey.get(link.earlier)];
    if (later && earlier) lines.push(...joining(link, later, earlier, words));
  }
  return `${lines.join("\n")}\n`;
}

function joining(link: Link, later: Thing, earlier: Thing, words: Words): string[] {
  const found = `MATCH (x:${pattern(later, words)}), (y:${pattern(earlier, words)})`;
  const stated = link.words.pattern;
  if (!stated) return [];
  if (!stated.startsWith("(")) return [`${found} SET ${stated} = y.${words.kind(earlier.kind).key};`];
  const ends = stated.replace(/\((x|y):[^)]*\)/gu, "($1)");
  const binds = stated.includes("{binds: true}") ? " SET x.binds = true" : "";
  return [`${found} MERGE ${ends}${binds};`];
}

function pattern(thing: Thing, words: Words): string {
  const { label, key } = words.kind(thing.kind);
  return `${label} {${key}: ${quoted(thing.name)}}`;
}

/** Return a text as a string of Cypher; characters beyond ASCII letters and signs are written by their codes. */
export function quoted(text: string): string {
  const inside = text.replace(/[\\'\u0000-\u001f\u007f-\u{10ffff}]/gu, (found) => {
    if (found === "\\" || found === "'") return `\\${found}`;
    return [...Array(found.length).keys()]
      .map((place) => `\\u${found.charCodeAt(place).toString(16).toUpperCase().padStart(4, "0")}`)
      .join("");
  });
  return `'${inside}'`;
}
