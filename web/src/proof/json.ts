// Strict JSON: a text has one reading, the same for everybody, and a bounded cost.
//
// `readJson` is for messages: beside bad syntax it refuses anything but UTF-8 without a byte order mark, doubled
// names, lone surrogates, integers beyond 2^53 - 1, numbers beyond a double, too many bytes and too many levels.
// `parseJson` is for the formats of other programs: numbers keep their text, and `onDouble` is told of doubled names.
// Objects are maps: a plain object of JavaScript has no member __proto__, and lists names that are numbers first.

import { decodeUtf8, hasLoneSurrogate } from "./encoding";
import { FormatError, shown } from "./errors";

/** A number by its text, for formats in which 1.0 is not 1. */
export class NumberText {
  constructor(readonly text: string) {}

  /** Whether it is written without a fraction and an exponent. */
  get isInteger(): boolean {
    return !/[.eE]/.test(this.text);
  }

  get double(): number {
    return Number(this.text);
  }
}

type JsonOf<N> = null | boolean | string | N | JsonOf<N>[] | Map<string, JsonOf<N>>;
export type Json = JsonOf<number>;
export type JsonObject = Map<string, Json>;
export type RawJson = JsonOf<NumberText>;
export type RawObject = Map<string, RawJson>;

/** Return an object with these members. */
export function objectOf(members: Record<string, Json>): JsonObject {
  return new Map(Object.entries(members));
}

export const MAX_BYTES = 1_048_576;
export const MAX_DEPTH = 64;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const SPACE = /[ \t\n\r]*/y;
const ESCAPES: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Read a JSON object of at most `most` bytes. */
export function readJson(data: Uint8Array, most = MAX_BYTES): JsonObject {
  if (data.length > most) throw new FormatError(`the document has ${data.length} bytes, more than ${most}`);
  const value = new Parser<number>(decodeDocument(data), MAX_DEPTH, strictNumber, refuseDouble, true).whole();
  if (!(value instanceof Map)) throw new FormatError("the document is not a JSON object");
  return value;
}

/** Read a JSON value of any kind, numbers by their text; of a doubled name the last member counts. */
export function parseJson(text: string, depth: number, onDouble: (name: string) => void = refuseDouble): RawJson {
  return new Parser<NumberText>(text, depth, (digits) => new NumberText(digits), onDouble, false).whole();
}

/** Read the items of a JSON array, each with its text; a value that is no array is the only item. */
export function parseItems(
  text: string,
  depth: number,
  onDouble: (item: number, name: string) => void,
): { value: RawJson; text: string }[] {
  const items: { value: RawJson; text: string }[] = [];
  const told = (name: string): void => onDouble(items.length, name);
  const parser = new Parser<NumberText>(text, depth, (digits) => new NumberText(digits), told, false);
  parser.eachItem((value, start, end) => items.push({ value, text: text.slice(start, end) }));
  return items;
}

export function decodeDocument(data: Uint8Array): string {
  try {
    return decodeUtf8(data);
  } catch (error) {
    throw error instanceof FormatError ? new FormatError(`the document ${error.message}`) : error;
  }
}

function strictNumber(digits: string): number {
  const number = Number(digits);
  if (!/[.eE]/.test(digits) && (digits.length > 17 || !Number.isSafeInteger(number))) {
    throw new FormatError(`the document has ${digits.slice(0, 24)}, an integer beyond 2^53 - 1`);
  }
  if (!Number.isFinite(number)) {
    throw new FormatError(`the document has ${digits.slice(0, 24)}, a number beyond a double`);
  }
  return number === 0 ? 0 : number; // Minus zero is zero.
}

function refuseDouble(name: string): void {
  throw new FormatError(`the document has the member ${shown(name)} twice in one object`);
}

class Parser<N> {
  private at = 0;

  constructor(
    private readonly text: string,
    private readonly depth: number,
    private readonly number: (digits: string) => N,
    private readonly onDouble: (name: string) => void,
    private readonly wellFormed: boolean,
  ) {}

  whole(): JsonOf<N> {
    const value = this.value(this.depth);
    this.end();
    return value;
  }

  eachItem(take: (value: JsonOf<N>, start: number, end: number) => void): void {
    this.space();
    const one = (): void => {
      this.space();
      const start = this.at;
      take(this.value(this.depth - 1), start, this.at);
    };
    if (this.text[this.at] === "[") this.list("]", one);
    else one();
    this.end();
  }

  private value(levels: number): JsonOf<N> {
    this.space();
    const first = this.text[this.at];
    if (first === '"') return this.string();
    if (first === "{" || first === "[") {
      if (levels === 0) throw new FormatError(`the document is nested more than ${this.depth} levels deep`);
      return first === "{" ? this.object(levels - 1) : this.array(levels - 1);
    }
    for (const [word, value] of [["null", null], ["true", true], ["false", false]] as const) {
      if (this.text.startsWith(word, this.at)) {
        this.at += word.length;
        return value;
      }
    }
    const digits = this.match(NUMBER);
    if (!digits) this.fail("no value");
    return this.number(digits);
  }

  private object(levels: number): Map<string, JsonOf<N>> {
    const members = new Map<string, JsonOf<N>>();
    this.list("}", () => {
      this.space();
      if (this.text[this.at] !== '"') this.fail("no name of a member");
      const name = this.string();
      this.space();
      if (this.text[this.at] !== ":") this.fail("no colon");
      this.at += 1;
      const value = this.value(levels);
      if (members.has(name)) this.onDouble(name);
      members.set(name, value);
    });
    return members;
  }

  private array(levels: number): JsonOf<N>[] {
    const items: JsonOf<N>[] = [];
    this.list("]", () => items.push(this.value(levels)));
    return items;
  }

  private list(closing: string, item: () => void): void {
    this.at += 1;
    this.space();
    if (this.text[this.at] === closing) {
      this.at += 1;
      return;
    }
    for (;;) {
      item();
      this.space();
      const mark = this.text[this.at];
      if (mark !== closing && mark !== ",") this.fail(`no comma and no ${closing}`);
      this.at += 1;
      if (mark === closing) return;
    }
  }

  private string(): string {
    this.at += 1;
    let found = this.match(PLAIN);
    while (this.text[this.at] === "\\") {
      found += this.escape();
      found += this.match(PLAIN);
    }
    if (this.text[this.at] !== '"') this.fail("a text without its end, or with a control character");
    this.at += 1;
    if (this.wellFormed && hasLoneSurrogate(found)) throw new FormatError("the document has a lone surrogate");
    return found;
  }

  private escape(): string {
    const mark = this.text[this.at + 1] ?? "";
    if (mark === "u") {
      const digits = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(digits)) this.fail("no \\u escape");
      this.at += 6;
      return String.fromCharCode(Number.parseInt(digits, 16));
    }
    const character = Object.hasOwn(ESCAPES, mark) ? ESCAPES[mark] : undefined;
    if (character === undefined) this.fail("no escape");
    this.at += 2;
    return character;
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text)?.[0] ?? "";
    this.at += found.length;
    return found;
  }

  private space(): void {
    this.match(SPACE);
  }

  private end(): void {
    this.space();
    if (this.at !== this.text.length) this.fail("more after the value");
  }

  private fail(problem: string): never {
    throw new FormatError(`the document is not JSON: ${problem} at character ${this.at}`);
  }
}
