// The part of the graph that the page has loaded: things, links, and groups of neighbours that are not loaded yet.

import type { Direction, GroupAnswer, ImpactItem, NeighboursAnswer, PathAnswer, ThingAnswer } from "./answers";
import { keyOf, thingOf, type Thing } from "./thing";
import type { RelationWords, Words } from "./words";

export interface Link {
  key: string;
  later: string;
  earlier: string;
  words: RelationWords;
}

/** Neighbours of a thing that are not loaded: those of one group after a cursor. */
export interface Rest {
  relation: string;
  direction: Direction;
  kind: string;
  after: string;
  total: number | null;
}

export interface Filter {
  hiddenKinds: ReadonlySet<string>;
  /** The log size of which the graph is shown: later things are hidden. */
  logSize: number;
}

export class GraphModel {
  readonly things = new Map<string, Thing>();
  readonly links = new Map<string, Link>();
  /** The things that the page is about. */
  readonly roots = new Set<string>();
  readonly expanded = new Set<string>();
  private readonly rests = new Map<string, Map<string, Rest>>();
  private readonly linksOf = new Map<string, Set<string>>();

  constructor(readonly words: Words) {}

  addNeighbours(answer: NeighboursAnswer, asRoots = false): void {
    for (const one of answer.of) {
      const thing = this.add(one);
      this.expanded.add(thing.key);
      if (asRoots) this.roots.add(thing.key);
    }
    for (const group of answer.groups) this.addGroup(group);
  }

  addPaths(answer: PathAnswer): void {
    for (const path of answer.paths) {
      let near = this.add(path.start);
      this.roots.add(near.key);
      for (const step of path.steps) {
        const far = this.add(step.to);
        this.join(near, step.relation, far, step.direction);
        near = far;
      }
      this.roots.add(near.key);
    }
  }

  /** Add things that rest on others; return their keys. Those that were not loaded have no words yet. */
  addImpact(items: readonly ImpactItem[]): string[] {
    return items.map((item) => {
      const thing = this.add({ ...item.thing, node: null });
      for (const parent of this.parentsOf(item.kind, item.relation, item.parent)) {
        // The score of a statement rests on the verdicts about it.
        if (item.relation === "JUDGED_BY") this.join(parent, "ABOUT", thing, "FORWARD");
        else this.join(thing, item.relation, parent, "FORWARD");
      }
      return thing.key;
    });
  }

  /** Give a thing the words that name it. */
  name(answer: ThingAnswer): void {
    const thing = thingOf(answer, this.words);
    if (this.things.has(thing.key)) this.things.set(thing.key, thing);
  }

  restsOf(key: string): Rest[] {
    return [...(this.rests.get(key)?.values() ?? [])];
  }

  linksAt(key: string): Link[] {
    return [...(this.linksOf.get(key) ?? [])].map((link) => this.links.get(link)!);
  }

  /** Return the keys of the things that a filter leaves. */
  visible(filter: Filter): Set<string> {
    const places = this.firstPlaces();
    const left = new Set<string>();
    for (const [key, thing] of this.things) {
      if (!filter.hiddenKinds.has(thing.kind) && places.get(key)! < filter.logSize) left.add(key);
    }
    return left;
  }

  /** Return the log indices of things, in order: the steps of the time slider. */
  logIndices(): number[] {
    const indices = [...this.things.values()].flatMap((thing) => (thing.logIndex === null ? [] : [thing.logIndex]));
    return [...new Set(indices)].sort((a, b) => a - b);
  }

  /** Return the log index at which each thing came: bytes, agents and keys come with the first thing joined to them. */
  firstPlaces(): Map<string, number> {
    const places = new Map<string, number>();
    for (const [key, thing] of this.things) places.set(key, thing.logIndex ?? Infinity);
    let waiting = [...this.things.keys()].filter((key) => places.get(key)! < Infinity);
    while (waiting.length > 0) {
      const next = new Set<string>();
      for (const key of waiting) {
        for (const link of this.linksAt(key)) {
          const other = link.later === key ? link.earlier : link.later;
          if (this.things.get(other)!.logIndex === null && places.get(other)! > places.get(key)!) {
            places.set(other, places.get(key)!);
            next.add(other);
          }
        }
      }
      waiting = [...next];
    }
    for (const [key, place] of places) if (place === Infinity) places.set(key, -1);
    return places;
  }

  private add(answer: ThingAnswer): Thing {
    const thing = thingOf(answer, this.words);
    const known = this.things.get(thing.key);
    if (known) return known;
    this.things.set(thing.key, thing);
    return thing;
  }

  private addGroup(group: GroupAnswer): void {
    const near = this.things.get(keyOf(group.of.kind, group.of.name));
    if (!near) return;
    for (const one of group.things.nodes) this.join(near, group.relation, this.add(one), group.direction);
    const rests = this.rests.get(near.key) ?? new Map<string, Rest>();
    const name = `${group.relation} ${group.direction} ${group.kind}`;
    const { hasNextPage, endCursor } = group.things.pageInfo;
    if (hasNextPage && endCursor) {
      const { relation, direction, kind, total } = group;
      rests.set(name, { relation, direction, kind, total, after: endCursor });
    } else rests.delete(name);
    this.rests.set(near.key, rests);
  }

  private join(near: Thing, relation: string, far: Thing, direction: Direction): void {
    const [later, earlier] = direction === "FORWARD" ? [near, far] : [far, near];
    const key = `${later.key} ${relation} ${earlier.key}`;
    if (this.links.has(key)) return;
    const words = this.words.relation(later.kind, relation, earlier.kind);
    this.links.set(key, { key, later: later.key, earlier: earlier.key, words });
    for (const end of [later.key, earlier.key]) {
      const links = this.linksOf.get(end) ?? new Set<string>();
      this.linksOf.set(end, links.add(key));
    }
  }

  /** Return the loaded things of a name that a thing of this kind can rest on by this relation. */
  private parentsOf(kind: string, relation: string, name: string): Thing[] {
    const later = kind === "VOUCHED_FOR" ? "AGENT" : kind;
    const kinds = relation === "JUDGED_BY" ? ["VERIFICATION"] : this.words.earlierKinds(later, relation);
    return kinds.flatMap((one) => this.things.get(keyOf(one, name)) ?? []).slice(0, 1);
  }
}
