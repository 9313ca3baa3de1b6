// Members of a JSON object, read strictly: a fault names the member.

import { FormatError, shown } from "./errors";
import { type Json, type JsonObject } from "./json";

export function readText(members: JsonObject, name: string, place = ""): string {
  const value = members.get(name);
  if (typeof value !== "string") throw fault(members, name, place, "a text");
  return value;
}

export function readOptionalText(members: JsonObject, name: string, place = ""): string | null {
  return members.has(name) ? readText(members, name, place) : null;
}

export function readObject(members: JsonObject, name: string, place = ""): JsonObject {
  const value = members.get(name);
  if (!(value instanceof Map)) throw fault(members, name, place, "an object");
  return value;
}

export function readTexts(members: JsonObject, name: string, place = ""): string[] {
  const values = members.get(name);
  if (!Array.isArray(values)) throw fault(members, name, place, "a list of texts");
  return values.map((value) => {
    if (typeof value !== "string") throw fault(members, name, place, "a list of texts");
    return value;
  });
}

export function readObjects(members: JsonObject, name: string, place = ""): JsonObject[] {
  const values = members.get(name);
  if (!Array.isArray(values)) throw fault(members, name, place, "a list of objects");
  return values.map((value) => {
    if (!(value instanceof Map)) throw fault(members, name, place, "a list of objects");
    return value;
  });
}

/** Read an integer from 0 to `most`. */
export function readCount(members: JsonObject, name: string, place = "", most = Number.MAX_SAFE_INTEGER): number {
  const value = members.get(name);
  if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > most) {
    throw fault(members, name, place, `an integer from 0 to ${most}`);
  }
  return value as number;
}

export function without(members: JsonObject, ...names: readonly string[]): JsonObject {
  return new Map([...members].filter(([name]) => !names.includes(name)));
}

export function pathOf(place: string, name: string): string {
  return place === "" ? name : `${place}.${name}`;
}

function fault(members: JsonObject, name: string, place: string, expected: string): FormatError {
  const path = pathOf(place, name);
  const value: Json | undefined = members.get(name);
  if (value === undefined) return new FormatError(`${path} is missing`);
  const found = typeof value === "string" ? shown(value) : value instanceof Map ? "an object" : JSON.stringify(value);
  return new FormatError(`${path} is ${found.slice(0, 80)}, not ${expected}`);
}
