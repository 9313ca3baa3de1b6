import { expect, test } from "vitest";

import { matricesOf, positionsIn } from "./forces";
import { layeredPositions, layersOf } from "./layers";
import { GraphModel, type Link } from "./model";
import { AROUND_CLAIM, group, PASSAGE, SOURCE, WORDS } from "./sample";

function link(later: string, earlier: string): Link {
  return { key: `${later} ${earlier}`, later, earlier, words: WORDS.relation("STATEMENT", "REVISION_OF", "STATEMENT") };
}

test("a thing stands to the right of everything that it rests on", () => {
  const layers = layersOf(["c", "b", "a", "alone"], [link("b", "a"), link("c", "b"), link("c", "a")]);
  expect(Object.fromEntries(layers)).toEqual({ a: 0, b: 1, c: 2, alone: 0 });
});

test("a circle of links is cut and not followed for ever", () => {
  const layers = layersOf(["a", "b", "c"], [link("a", "b"), link("b", "c"), link("c", "a")]);
  expect([...layers.values()].sort()).toEqual([0, 1, 2]);
});

test("time goes from left to right, and agents and keys stand above in places of their own", () => {
  const model = new GraphModel(WORDS);
  model.addNeighbours(AROUND_CLAIM, true);
  model.addNeighbours({ asOf: 20, of: [PASSAGE], groups: [group(PASSAGE, "PART_OF", "FORWARD", [SOURCE])] });
  const positions = layeredPositions([...model.things.values()], [...model.links.values()]);
  const x = (key: string) => positions.get(key)!.x;
  expect(x("SOURCE sha256:source")).toBeLessThan(x("CHUNK passage"));
  expect(x("CHUNK passage")).toBeLessThan(x("STATEMENT sha256:claim"));
  expect(x("STATEMENT sha256:claim")).toBeLessThan(x("VERIFICATION sha256:verdict"));
  expect(positions.get("AGENT urn:agent:author")!.y).toBeGreaterThan(positions.get("STATEMENT sha256:claim")!.y);
  expect(new Set([...positions.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(model.things.size);
});

test("no two of many things have one place", () => {
  const keys = Array.from({ length: 100 }, (_, number) => `s${number}`);
  const things = keys.map((key) => ({ key, kind: "STATEMENT", name: key, id: null, logIndex: 1, label: key, shape: "entity" as const, address: null, named: true, verified: null }));
  const positions = layeredPositions(things, keys.slice(1).map((key) => link(key, "s0")));
  expect(new Set([...positions.values()].map(({ x, y }) => `${x} ${y}`)).size).toBe(100);
});

test("the matrices of the forces have the mass of each thing and the places of its links", () => {
  const { nodes, edges } = matricesOf(["a", "b", "c"], [link("b", "a"), link("c", "a"), link("c", "hidden")], new Map([["b", { x: 7, y: 8 }]]));
  expect([...edges]).toEqual([10, 0, 1, 20, 0, 1]);
  expect([nodes[6], nodes[16], nodes[26]]).toEqual([3, 2, 2]);
  expect(positionsIn(nodes, ["a", "b", "c"]).get("b")).toEqual({ x: 7, y: 8 });
});
