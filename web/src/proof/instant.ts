// Instants as messages write them (RFC 3339 with a zone, upper case), compared to the microsecond.

import { FormatError, shown } from "./errors";

const INSTANT = /^([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(?:\.([0-9]{1,9}))?(Z|[+-][0-9]{2}:[0-9]{2})$/;

/** Return an instant as whole microseconds since 1970; digits after the sixth are dropped. */
export function readInstant(text: string, place: string): bigint {
  const [, clock, fraction = "", zone] = INSTANT.exec(text) ?? [];
  const seconds = Date.parse(`${clock}${zone}`);
  // Date.parse takes the 30th of February for a day in March.
  if (Number.isNaN(seconds) || new Date(`${clock}Z`).toISOString().slice(0, 19) !== clock) {
    throw new FormatError(`${place} is ${shown(text)}, not a time like 2025-10-14T10:30:00Z`);
  }
  return BigInt(seconds) * 1000n + BigInt(fraction.slice(0, 6).padEnd(6, "0"));
}

export function checkInstant(text: string, place: string): void {
  readInstant(text, place);
}

/** Return an instant in the form in which the log writes it: UTC, `Z`, a fraction only if there is one. */
export function utcForm(text: string): string {
  const micros = readInstant(text, "the time");
  const fraction = (((micros % 1_000_000n) + 1_000_000n) % 1_000_000n).toString().padStart(6, "0").replace(/0+$/, "");
  const whole = new Date(Number((micros - (((micros % 1_000_000n) + 1_000_000n) % 1_000_000n)) / 1000n));
  return `${whole.toISOString().slice(0, 19)}${fraction && `.${fraction}`}Z`;
}
