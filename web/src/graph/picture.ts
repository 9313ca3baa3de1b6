// The graph as a picture in SVG, from the same positions as on the screen.

import type { Position } from "./layers";
import type { Link } from "./model";
import { COLOURS, shapeElement } from "./shapes";
import { shortText, type Thing } from "./thing";

export interface Part {
  things: readonly Thing[];
  links: readonly Link[];
  positions: ReadonlyMap<string, Position>;
  marked: ReadonlySet<string>;
}

const SIZE = 10; // half the width of a shape
const MARGIN = 60;
const LABEL = 36; // characters
const LABELLED = 200; // above this number of things there are only shapes

/** Return an SVG document of a part of the graph, `width` units wide. */
export function svgOf({ things, links, positions, marked }: Part, title: string, width = 1600): string {
  const placed = things.filter((thing) => positions.has(thing.key));
  const project = projection(placed.map((thing) => positions.get(thing.key)!), width);
  const ends = new Set(placed.map((thing) => thing.key));
  const drawn = links.filter((link) => ends.has(link.later) && ends.has(link.earlier));
  const isLabelled = placed.length <= LABELLED;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${project.height}" viewBox="0 0 ${width} ${project.height}" font-family="sans-serif" font-size="11">`,
    `<title>${escape(title)}</title>`,
    `<rect width="100%" height="100%" fill="#ffffff"/>`,
    `<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="#6b7280"/></marker></defs>`,
    ...drawn.map((link) => arrow(project.of(positions.get(link.later)!), project.of(positions.get(link.earlier)!), link.words.term, isLabelled)),
    ...placed.map((thing) => node(thing, project.of(positions.get(thing.key)!), marked.has(thing.key), isLabelled)),
    "</svg>",
  ].join("\n");
}

function projection(points: readonly Position[], width: number) {
  const [left, right] = [Math.min(...points.map((p) => p.x)), Math.max(...points.map((p) => p.x))];
  const [low, high] = [Math.min(...points.map((p) => p.y)), Math.max(...points.map((p) => p.y))];
  const scale = (width - 4 * MARGIN) / Math.max(right - left, (high - low) * 1.2, 1);
  const height = Math.ceil((high - low) * scale + 2 * MARGIN) || 2 * MARGIN;
  return { height, of: (point: Position) => ({ x: MARGIN + (point.x - left) * scale, y: MARGIN + (high - point.y) * scale }) };
}

function arrow(from: Position, to: Position, term: string, isLabelled: boolean): string {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const end = { x: to.x - ((to.x - from.x) / length) * SIZE, y: to.y - ((to.y - from.y) / length) * SIZE };
  const line = `<line x1="${at(from.x)}" y1="${at(from.y)}" x2="${at(end.x)}" y2="${at(end.y)}" stroke="#6b7280" marker-end="url(#arrow)"><title>${escape(term)}</title></line>`;
  if (!isLabelled) return line;
  return `${line}<text x="${at((from.x + end.x) / 2)}" y="${at((from.y + end.y) / 2 - 3)}" text-anchor="middle" font-size="8" fill="#57606a">${escape(term)}</text>`;
}

function node(thing: Thing, { x, y }: Position, isMarked: boolean, isLabelled: boolean): string {
  const stroke = isMarked ? `stroke="#a40e26" stroke-width="3"` : `stroke="#3a4149"`;
  const drawn = shapeElement(thing.shape, x, y, SIZE, `fill="${COLOURS[thing.shape]}" ${stroke}`);
  const label = isLabelled ? `<text x="${at(x + SIZE + 4)}" y="${at(y + 4)}" fill="#1b1f24">${escape(shortText(thing.label, LABEL))}</text>` : "";
  return `<g><title>${escape(thing.label)}</title>${drawn}${label}</g>`;
}

function at(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Return a text as XML has it; characters that XML 1.0 refuses are left out. */
export function escape(text: string): string {
  return text
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "")
    .replace(/[&<>"]/gu, (found) => `&#${found.codePointAt(0)};`);
}
