// The shapes of PROV: an entity is an ellipse, an activity a rectangle, an agent a house. A key is a diamond.
// Each is given as a signed distance for WebGL, in a square from -size to size, and as an element of SVG.

import type { SDFShape } from "sigma/rendering";
import type { Shape } from "./words";

/** The colours have a contrast of 3 or more on the light and the dark ground (WCAG 2.2, 1.4.11). */
export const COLOURS: Readonly<Record<Shape, string>> = {
  entity: "#b58900",
  activity: "#5b78e0",
  agent: "#d0651f",
  key: "#7a8a99",
};

const ELLIPSE = `
float sdf_prov_entity(vec2 uv, float size) {
  vec2 r = vec2(size, size * 0.64);
  float k0 = length(uv / r);
  float k1 = length(uv / (r * r));
  return k1 > 0.0 ? k0 * (k0 - 1.0) / k1 : -r.y;
}`;

const RECTANGLE = `
float sdf_prov_activity(vec2 uv, float size) {
  vec2 d = abs(uv) - vec2(size * 0.95, size * 0.6);
  return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0);
}`;

const HOUSE = `
float sdf_prov_agent(vec2 uv, float size) {
  vec2 p = vec2(abs(uv.x), uv.y) / size;
  float walls = max(p.x - 0.8, -p.y - 0.75);
  float roof = dot(p - vec2(0.0, 1.0), normalize(vec2(0.9, 1.0)));
  return max(walls, roof) * size;
}`;

const DIAMOND = `
float sdf_prov_key(vec2 uv, float size) {
  vec2 p = abs(uv);
  return (p.x + p.y - size) * 0.70710678;
}`;

function shape(name: string, glsl: string, inradiusFactor: number): SDFShape {
  return { name, glsl, uniforms: [], inradiusFactor };
}

export const NODE_SHAPES: SDFShape[] = [
  shape("prov_entity", ELLIPSE, 0.64),
  shape("prov_activity", RECTANGLE, 0.6),
  shape("prov_agent", HOUSE, 0.6),
  shape("prov_key", DIAMOND, 0.7),
];

/** Return the element of SVG of a shape of this half width around a point. */
export function shapeElement(shape: Shape, x: number, y: number, size: number, attributes: string): string {
  const at = (dx: number, dy: number) => `${round(x + dx * size)},${round(y + dy * size)}`;
  switch (shape) {
    case "entity":
      return `<ellipse cx="${round(x)}" cy="${round(y)}" rx="${round(size)}" ry="${round(size * 0.64)}" ${attributes}/>`;
    case "activity":
      return `<rect x="${round(x - size * 0.95)}" y="${round(y - size * 0.6)}" width="${round(size * 1.9)}" height="${round(size * 1.2)}" ${attributes}/>`;
    case "agent":
      return `<polygon points="${[at(0, -1), at(0.8, -0.28), at(0.8, 0.75), at(-0.8, 0.75), at(-0.8, -0.28)].join(" ")}" ${attributes}/>`;
    case "key":
      return `<polygon points="${[at(0, -1), at(1, 0), at(0, 1), at(-1, 0)].join(" ")}" ${attributes}/>`;
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
