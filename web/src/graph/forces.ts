// The layout of large graphs by forces (ForceAtlas2), computed in a worker so that the page stays usable.

import type { Position } from "./layers";
import type { Link } from "./model";

/** One message to the worker: the matrices of ForceAtlas2, and the number of iterations. */
export interface ForcesTask {
  nodes: Float32Array;
  edges: Float32Array;
  iterations: number;
}

/** The numbers of a node and of an edge in the matrices of graphology-layout-forceatlas2. */
const NODE = 10;
const EDGE = 3;
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** Return the matrices for things at their positions; a thing without one begins on a spiral. */
export function matricesOf(keys: readonly string[], links: readonly Link[], known: ReadonlyMap<string, Position>): ForcesTask {
  const places = new Map(keys.map((key, place) => [key, place * NODE]));
  const nodes = new Float32Array(keys.length * NODE);
  keys.forEach((key, place) => {
    const radius = 10 * Math.sqrt(place + 0.5);
    const { x, y } = known.get(key) ?? { x: radius * Math.cos(place * GOLDEN_ANGLE), y: radius * Math.sin(place * GOLDEN_ANGLE) };
    nodes.set([x, y, 0, 0, 0, 0, 1, 1, 1, 0], place * NODE);
  });
  const joined = links.filter((link) => places.has(link.later) && places.has(link.earlier));
  const edges = new Float32Array(joined.length * EDGE);
  joined.forEach((link, place) => {
    const ends = [places.get(link.later)!, places.get(link.earlier)!] as const;
    edges.set([...ends, 1], place * EDGE);
    for (const end of ends) nodes[end + 6]! += 1; // its mass
  });
  return { nodes, edges, iterations: keys.length > 2000 ? 150 : 300 };
}

export function positionsIn(nodes: Float32Array, keys: readonly string[]): Map<string, Position> {
  return new Map(keys.map((key, place) => [key, { x: nodes[place * NODE]!, y: nodes[place * NODE + 1]! }]));
}

/** Start the layout; `onMove` gets the positions from time to time. Return a function that stops it. */
export function startForces(
  keys: readonly string[],
  links: readonly Link[],
  known: ReadonlyMap<string, Position>,
  onMove: (positions: Map<string, Position>, isLast: boolean) => void,
): () => void {
  const worker = new Worker(new URL("./forces.worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<{ nodes: Float32Array; isLast: boolean }>) => {
    onMove(positionsIn(data.nodes, keys), data.isLast);
    if (data.isLast) worker.terminate();
  };
  worker.postMessage(matricesOf(keys, links, known));
  return () => worker.terminate();
}
