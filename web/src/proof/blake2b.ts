// BLAKE2b with 32 bytes of digest and without a key (RFC 7693), which WebCrypto does not have.

import { type Bytes } from "./encoding";

const DIGEST_BYTES = 32;
const BLOCK_BYTES = 128;
const MASK = 2n ** 64n - 1n;

const IV = [
  0x6a09e667f3bcc908n,
  0xbb67ae8584caa73bn,
  0x3c6ef372fe94f82bn,
  0xa54ff53a5f1d36f1n,
  0x510e527fade682d1n,
  0x9b05688c2b3e6c1fn,
  0x1f83d9abfb41bd6bn,
  0x5be0cd19137e2179n,
];

// RFC 7693 §2.7; a round takes the row of its number modulo ten.
const SIGMA = [
  "0123456789abcdef",
  "ea489fd61c02b753",
  "b8c052fdae367194",
  "7931dcbe265a40f8",
  "905724afe1bc683d",
  "2c6a0b834d75fe19",
  "c51fed4a0763928b",
  "db7ec13950f4862a",
  "6fe9b308c2d714a5",
  "a2847615fb9e3cd0",
].map((row) => Array.from(row, (digit) => Number.parseInt(digit, 16)));

/** Return the 32 bytes of the digest. */
export function blake2b256(data: Uint8Array): Bytes {
  const state = [...IV];
  // The parameter block: digest length, no key, fanout and depth of 1.
  state[0] = (state[0] ?? 0n) ^ 0x01010000n ^ BigInt(DIGEST_BYTES);
  const blocks = Math.max(1, Math.ceil(data.length / BLOCK_BYTES));
  for (let at = 0; at < blocks; at += 1) {
    const block = new Uint8Array(BLOCK_BYTES);
    block.set(data.subarray(at * BLOCK_BYTES, (at + 1) * BLOCK_BYTES));
    const isLast = at === blocks - 1;
    compress(state, new DataView(block.buffer), isLast ? data.length : (at + 1) * BLOCK_BYTES, isLast);
  }
  const digest = new DataView(new ArrayBuffer(64));
  state.forEach((word, place) => digest.setBigUint64(8 * place, word, true));
  return new Uint8Array(digest.buffer.slice(0, DIGEST_BYTES));
}

function compress(state: bigint[], block: DataView, counted: number, isLast: boolean): void {
  const words = Array.from({ length: 16 }, (_, place) => block.getBigUint64(8 * place, true));
  const v = [...state, ...IV];
  v[12] = (v[12] ?? 0n) ^ BigInt(counted);
  if (isLast) v[14] = (v[14] ?? 0n) ^ MASK;
  for (let round = 0; round < 12; round += 1) {
    const row = SIGMA[round % 10] ?? [];
    const m = row.map((place) => words[place] ?? 0n);
    for (let column = 0; column < 4; column += 1) {
      mix(v, column, 4 + column, 8 + column, 12 + column, m[2 * column] ?? 0n, m[2 * column + 1] ?? 0n);
    }
    for (let diagonal = 0; diagonal < 4; diagonal += 1) {
      const [b, c, d] = [4 + ((diagonal + 1) % 4), 8 + ((diagonal + 2) % 4), 12 + ((diagonal + 3) % 4)];
      mix(v, diagonal, b, c, d, m[8 + 2 * diagonal] ?? 0n, m[9 + 2 * diagonal] ?? 0n);
    }
  }
  for (let place = 0; place < 8; place += 1) {
    state[place] = (state[place] ?? 0n) ^ (v[place] ?? 0n) ^ (v[place + 8] ?? 0n);
  }
}

/** RFC 7693 §3.1. */
function mix(v: bigint[], a: number, b: number, c: number, d: number, x: bigint, y: bigint): void {
  const at = (place: number): bigint => v[place] ?? 0n;
  v[a] = (at(a) + at(b) + x) & MASK;
  v[d] = rotate(at(d) ^ at(a), 32n);
  v[c] = (at(c) + at(d)) & MASK;
  v[b] = rotate(at(b) ^ at(c), 24n);
  v[a] = (at(a) + at(b) + y) & MASK;
  v[d] = rotate(at(d) ^ at(a), 16n);
  v[c] = (at(c) + at(d)) & MASK;
  v[b] = rotate(at(b) ^ at(c), 63n);
}

function rotate(word: bigint, bits: bigint): bigint {
  return ((word >> bits) | (word << (64n - bits))) & MASK;
}
