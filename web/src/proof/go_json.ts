// JSON as Go's `encoding/json` writes a map, on which the hash of a Context Pack depends. It is not RFC 8785.

import { FormatError } from "./errors";
import { NumberText, type RawJson } from "./json";

const ESCAPED = /[<>&\u2028\u2029]/g;

/** Write a value compactly, the members of every object in the order of their names' UTF-8 bytes. */
export function writeSorted(value: RawJson): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return writeText(value);
  if (value instanceof NumberText) return writeNumber(value);
  if (Array.isArray(value)) return `[${value.map(writeSorted).join(",")}]`;
  const names = [...value.keys()].sort(byCodePoints);
  return `{${names.map((name) => `${writeText(name)}:${writeSorted(value.get(name) ?? null)}`).join(",")}}`;
}

function writeText(text: string): string {
  // Go writes U+FFFD for every half of a surrogate pair.
  const clean = text.replace(/\p{Surrogate}/gu, "\ufffd");
  const escape = (mark: string): string => `\\u${mark.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(clean).replace(ESCAPED, escape);
}

function writeNumber({ double, text }: NumberText): string {
  if (!Number.isFinite(double)) throw new FormatError(`${text.slice(0, 24)} is larger than a double can be`);
  return Object.is(double, -0) ? "-0" : String(double);
}

/** UTF-8 bytes sort as code points do. */
function byCodePoints(one: string, other: string): number {
  const [mine, theirs] = [Array.from(one), Array.from(other)];
  const at = mine.findIndex((character, place) => character !== theirs[place]);
  if (at < 0) return mine.length - theirs.length;
  return (mine[at]?.codePointAt(0) ?? 0) - (theirs[at]?.codePointAt(0) ?? -1);
}
