// The forms in which payloads of Context Passports are hashed: seven that are in use, of which no two agree on every
// payload (docs/reference/passports.md, "Hash profiles").
//
// They tell 1.0 from 1, write integers of any length and take lone surrogates, so values are read with their numbers'
// texts. A form that refuses a value throws a FormatError.

import { canonicalize, sortedNames } from "./canonical";
import { encodeUtf8, hasLoneSurrogate, type Bytes } from "./encoding";
import { FormatError } from "./errors";
import { NumberText, type RawJson, type RawObject } from "./json";

export type Profile = "v1-literal" | "v1-python" | "v1-typescript" | "v1-darkmatter" | "v2" | "v2-python" | "v2-typescript";

const PROTO = "__proto__";
const MAX_PATHS = 100;
const MAX_INDEX = 2 ** 32 - 2;
const OF_DOUBLES: readonly Profile[] = ["v1-darkmatter", "v1-literal", "v1-typescript", "v2-typescript"];

/** How one program writes JSON. */
interface Form {
  readonly text: (text: string) => string;
  readonly number: (number: NumberText) => string;
  readonly names: (members: RawObject) => string[];
}

const FORMS: Readonly<Record<Exclude<Profile, "v2" | "v1-literal">, Form>> = {
  "v1-python": { text: asciiText, number: pythonNumber, names: inCodePoints },
  "v1-typescript": { text: JSON.stringify, number: (one) => scriptNumber(one), names: inScriptOrder },
  "v1-darkmatter": { text: JSON.stringify, number: darkmatterNumber, names: sortedNames },
  "v2-python": { text: wellFormedText, number: foldedNumber, names: inCodePoints },
  "v2-typescript": { text: JSON.stringify, number: finiteNumber, names: inScriptOrder },
};

/** Return the bytes of a payload that are hashed under a profile. */
export function payloadBytes(profile: Profile, payload: RawJson): Bytes {
  if (profile === "v2") return canonicalize(payload);
  return encodeUtf8(profile === "v1-literal" ? writeLiteral(payload) : write(payload, FORMS[profile]));
}

/** Return paths in a payload that may change without changing its hash under a profile, 100 at most. */
export function uncoveredPaths(profile: Profile, payload: RawJson, path = "payload"): string[] {
  const allowed = new Set(topNames(payload));
  const found: string[] = [];
  const look = (value: RawJson, place: string, isTop: boolean): void => {
    if (found.length >= MAX_PATHS) return;
    if (Array.isArray(value)) value.forEach((item, at) => look(item, `${place}[${at}]`, false));
    else if (value instanceof Map) {
      for (const [name, member] of value) {
        const inner = `${place}.${name}`.slice(0, 400);
        if (leavesOut(profile, name, allowed, isTop)) found.push(inner);
        else look(member, inner, false);
      }
    } else if (value instanceof NumberText && OF_DOUBLES.includes(profile) && isRounded(value)) found.push(place);
  };
  look(payload, path, true);
  return found.slice(0, MAX_PATHS);
}

function leavesOut(profile: Profile, name: string, allowed: ReadonlySet<string>, isTop: boolean): boolean {
  if (profile === "v1-literal") return !isTop && !allowed.has(name);
  return name === PROTO && (profile === "v1-typescript" || profile === "v2-typescript");
}

/** Say whether ECMAScript writes a number as a neighbour of it, or as null. */
function isRounded(number: NumberText): boolean {
  return number.isInteger ? !Number.isSafeInteger(number.double) : !Number.isFinite(number.double);
}

function write(value: RawJson, form: Form): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") return form.text(value);
  if (value instanceof NumberText) return form.number(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item, form)).join(",")}]`;
  const members = form.names(value).map((name) => `${form.text(name)}:${write(value.get(name) ?? null, form)}`);
  return `{${members.join(",")}}`;
}

/**
 * Write the formula of §03 taken at its word: `JSON.stringify(payload, Object.keys(payload).sort())`.
 *
 * The second argument is an allow-list, and it holds at every level.
 */
function writeLiteral(payload: RawJson): string {
  if (payload === null) throw new FormatError("the payload has no form v1-literal: Object.keys(null) is an error");
  const allowed = topNames(payload).sort();
  const place = new Map(allowed.map((name, at) => [name, at]));
  const literal = (value: RawJson): string => {
    if (Array.isArray(value)) return `[${value.map(literal).join(",")}]`;
    if (!(value instanceof Map)) return write(value, FORMS["v1-typescript"]);
    // Members are got, not listed: every object inherits __proto__, and its own is null.
    const names = [...new Set([...value.keys(), PROTO])].filter((name) => place.has(name));
    names.sort((one, other) => (place.get(one) ?? 0) - (place.get(other) ?? 0));
    const members = names.map((name) => {
      const member = value.get(name);
      return member === undefined ? '"__proto__":{"__proto__":null}' : `${JSON.stringify(name)}:${literal(member)}`;
    });
    return `{${members.join(",")}}`;
  };
  return literal(payload);
}

function topNames(payload: RawJson): string[] {
  if (payload instanceof Map) return [...payload.keys()];
  return Array.isArray(payload) ? payload.map((_, at) => String(at)) : [];
}

function scriptNumber({ double }: NumberText): string {
  return Number.isFinite(double) ? String(double === 0 ? 0 : double) : "null";
}

function finiteNumber(number: NumberText): string {
  if (!Number.isFinite(number.double)) throw new FormatError("the payload has an infinite number");
  return scriptNumber(number);
}

function darkmatterNumber(number: NumberText): string {
  const text = finiteNumber(number);
  if (number.isInteger || Number.isInteger(number.double)) return text;
  const precise = number.double.toPrecision(17);
  return precise.includes("e") ? precise : precise.replace(/0+$/, "");
}

/** Write a number as Python's encoder does: 1.0 stays 1.0, and an integer has all its digits. */
function pythonNumber(number: NumberText): string {
  if (number.isInteger) return BigInt(number.text).toString();
  const { double } = number;
  if (!Number.isFinite(double)) return double > 0 ? "Infinity" : "-Infinity";
  const [mantissa = "", power = "0"] = double.toExponential().split("e");
  const exponent = Number(power);
  if (exponent >= -4 && exponent < 16) {
    const plain = Object.is(double, -0) ? "-0" : String(double);
    return plain.includes(".") ? plain : `${plain}.0`;
  }
  return `${mantissa}e${exponent < 0 ? "-" : "+"}${String(Math.abs(exponent)).padStart(2, "0")}`;
}


/** Write a number as version 2.0.0 of the Python library does: a fraction that is an integer becomes one. */
function foldedNumber(number: NumberText): string {
  if (number.isInteger) return pythonNumber(number);
  if (!Number.isFinite(number.double)) throw new FormatError("the payload has an infinite number");
  return Number.isInteger(number.double) ? BigInt(number.double).toString() : pythonNumber(number);
}

function asciiText(text: string): string {
  const escape = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return JSON.stringify(text).replace(/[^ -~]/g, escape);
}

function wellFormedText(text: string): string {
  if (hasLoneSurrogate(text)) throw new FormatError("the payload has a lone surrogate");
  return JSON.stringify(text);
}

function inCodePoints(members: RawObject): string[] {
  const points = (text: string): number[] => Array.from(text, (character) => character.codePointAt(0) ?? 0);
  return [...members.keys()].sort((one, other) => comparePoints(points(one), points(other)));
}

function comparePoints(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((point, place) => point !== other[place]);
  return at < 0 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1);
}

/** Return the names as an object lists its members that were added in UTF-16 order: array indexes first. */
function inScriptOrder(members: RawObject): string[] {
  const isIndex = (name: string): boolean => /^(?:0|[1-9][0-9]{0,9})$/.test(name) && Number(name) <= MAX_INDEX;
  const names = sortedNames(members).filter((name) => name !== PROTO);
  const indexes = names.filter(isIndex).sort((one, other) => Number(one) - Number(other));
  return [...indexes, ...names.filter((name) => !isIndex(name))];
}
