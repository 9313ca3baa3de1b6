// The one question about a point of edwards25519 that WebCrypto does not answer: is it of the prime-order group?
//
// Public data alone is computed with here, so that the time it takes may depend on it (RFC 8032 §5.1).

import { encodeHex } from "./encoding";

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;
const D = mod(-121665n * power(121666n, P - 2n));
const SQRT_MINUS_ONE = power(2n, (P - 1n) / 4n);

/** Extended homogeneous coordinates: x = X/Z, y = Y/Z, T = XY/Z (RFC 8032 §5.1.4). */
type Point = readonly [X: bigint, Y: bigint, Z: bigint, T: bigint];

/** Say whether 32 bytes are the usual encoding of a point of prime order; the identity is none. */
export function isPrimeOrderPoint(data: Uint8Array): boolean {
  const point = decodePoint(data);
  return point !== null && !isIdentity(point) && isIdentity(multiply(ORDER, point));
}

function decodePoint(data: Uint8Array): Point | null {
  const number = BigInt(`0x${encodeHex(data.slice().reverse())}`);
  const sign = number >> 255n;
  const y = number & (2n ** 255n - 1n);
  if (y >= P) return null;
  // RFC 8032 §5.1.3: x² = (y² - 1) / (dy² + 1)
  const u = mod(y * y - 1n);
  const v = mod(D * y * y + 1n);
  let x = mod(u * v ** 3n * power(mod(u * v ** 7n), (P - 5n) / 8n));
  if (mod(v * x * x) === mod(-u)) x = mod(x * SQRT_MINUS_ONE);
  if (mod(v * x * x) !== u || (x === 0n && sign === 1n)) return null;
  if ((x & 1n) !== sign) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

function multiply(factor: bigint, point: Point): Point {
  let found: Point = [0n, 1n, 1n, 0n];
  let doubled = point;
  for (let rest = factor; rest > 0n; rest >>= 1n) {
    if (rest & 1n) found = add(found, doubled);
    doubled = add(doubled, doubled);
  }
  return found;
}

function add([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * t1 * D * t2);
  const d = mod(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function isIdentity([x, y, z]: Point): boolean {
  return x === 0n && y === z;
}

function power(base: bigint, exponent: bigint): bigint {
  let found = 1n;
  let square = mod(base);
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) found = mod(found * square);
    square = mod(square * square);
  }
  return found;
}

function mod(number: bigint): bigint {
  const rest = number % P;
  return rest < 0n ? rest + P : rest;
}
