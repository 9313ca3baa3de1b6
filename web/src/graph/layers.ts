// A layered layout in the manner of PROV: time goes from left to right, agents and keys stand above.

import type { Link } from "./model";
import type { Thing } from "./thing";

export interface Position {
  x: number;
  y: number;
}

/** The most things that the layered layout is readable with. */
export const MAX_LAYERED = 120;

/** Return whether a thing stands above the layers. */
export function isAbove(thing: Thing): boolean {
  return thing.shape === "agent" || thing.shape === "key";
}

const ACROSS = 4.5;
const BESIDE = 2.8; // columns of one layer
const COLUMN = 12; // things above each other; a longer layer goes on in another column
const SWEEPS = 6;

/** Return the positions of things; each link leads from right to left, unless the links go round in a circle. */
export function layeredPositions(things: readonly Thing[], links: readonly Link[]): Map<string, Position> {
  const below = things.filter((thing) => !isAbove(thing)).map((thing) => thing.key);
  const known = new Set(things.map((thing) => thing.key));
  const joined = links.filter((link) => known.has(link.later) && known.has(link.earlier));
  const positions = placedInLayers(orderedLayers(below, joined));
  const heights = [...positions.values()].map((position) => position.y);
  const agents = things.filter((thing) => thing.shape === "agent").map((thing) => thing.key);
  const keys = things.filter((thing) => thing.shape === "key").map((thing) => thing.key);
  const row = placeAbove(agents, joined, positions, Math.max(0, ...heights) + 2.5);
  placeAbove(keys, joined, positions, row + 1.6, ACROSS / 3);
  return positions;
}

/** Return things by layer: a thing is to the right of each thing that it rests on; a circle is cut at its last link. */
export function layersOf(keys: readonly string[], links: readonly Link[]): Map<string, number> {
  const known = new Set(keys);
  const earlier = new Map<string, string[]>(keys.map((key) => [key, []]));
  for (const link of links) {
    if (known.has(link.later) && known.has(link.earlier)) earlier.get(link.later)!.push(link.earlier);
  }
  const layers = new Map<string, number>();
  const onWay = new Set<string>();
  const layer = (key: string): number => {
    const found = layers.get(key);
    if (found !== undefined) return found;
    onWay.add(key);
    const below = earlier.get(key)!.filter((other) => !onWay.has(other)).map(layer);
    onWay.delete(key);
    const own = below.length > 0 ? Math.max(...below) + 1 : 0;
    layers.set(key, own);
    return own;
  };
  keys.forEach(layer);
  return layers;
}

function orderedLayers(keys: readonly string[], links: readonly Link[]): string[][] {
  const layers = layersOf(keys, links);
  const rows: string[][] = Array.from({ length: Math.max(0, ...layers.values()) + 1 }, () => []);
  for (const key of keys) rows[layers.get(key)!]!.push(key);
  const near = neighboursIn(new Set(keys), links);
  const places = new Map<string, number>();
  const note = () => rows.forEach((row) => row.forEach((key, place) => places.set(key, place - (row.length - 1) / 2)));
  note();
  // Each thing goes to the middle of its neighbours (Sugiyama's barycentre), from both ends in turn.
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    for (const row of sweep % 2 ? rows.toReversed() : rows) {
      const middles = new Map(row.map((key) => [key, middle(near.get(key)!, places) ?? places.get(key)!]));
      row.sort((a, b) => middles.get(a)! - middles.get(b)!);
      row.forEach((key, place) => places.set(key, place - (row.length - 1) / 2));
    }
  }
  return rows;
}

function neighboursIn(known: ReadonlySet<string>, links: readonly Link[]): Map<string, string[]> {
  const near = new Map<string, string[]>([...known].map((key) => [key, []]));
  for (const { later, earlier } of links) {
    if (!known.has(later) || !known.has(earlier)) continue;
    near.get(later)!.push(earlier);
    near.get(earlier)!.push(later);
  }
  return near;
}

function placedInLayers(rows: readonly string[][]): Map<string, Position> {
  const positions = new Map<string, Position>();
  let x = 0;
  for (const row of rows) {
    const columns = Math.max(1, Math.ceil(row.length / COLUMN));
    const height = Math.ceil(row.length / columns);
    row.forEach((key, place) => {
      const column = Math.floor(place / height);
      const inColumn = Math.min(height, row.length - column * height);
      positions.set(key, { x: x + column * BESIDE, y: (inColumn - 1) / 2 - (place % height) });
    });
    x += ACROSS + (columns - 1) * BESIDE;
  }
  return positions;
}

/**
 * Place things in rows above the others, each over the middle of its neighbours, or to the side of it; return the height
 * of the last row.
 */
function placeAbove(
  keys: readonly string[],
  links: readonly Link[],
  positions: Map<string, Position>,
  y: number,
  aside = 0,
): number {
  const across = new Map([...positions].map(([key, position]) => [key, position.x]));
  const near = neighboursIn(new Set([...across.keys(), ...keys]), links);
  const wanted = new Map(keys.map((key) => [key, (middle(near.get(key)!, across) ?? 0) + aside]));
  const ordered = [...keys].sort((a, b) => wanted.get(a)! - wanted.get(b)! || (a < b ? -1 : 1));
  const ends: number[] = [];
  for (const key of ordered) {
    const free = ends.findIndex((end) => wanted.get(key)! - end >= ACROSS / 2);
    const row = free >= 0 ? free : ends.length < 3 ? ends.length : ends.indexOf(Math.min(...ends));
    const x = Math.max(wanted.get(key)!, (ends[row] ?? -Infinity) + ACROSS / 2);
    ends[row] = x;
    positions.set(key, { x, y: y + row * 1.2 });
  }
  return y + Math.max(0, ends.length - 1) * 1.2;
}

function middle(keys: readonly string[], places: ReadonlyMap<string, number>): number | null {
  const known = keys.flatMap((key) => places.get(key) ?? []);
  return known.length > 0 ? known.reduce((sum, place) => sum + place, 0) / known.length : null;
}
