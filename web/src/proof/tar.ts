// Reading a tar file (POSIX ustar): the regular files in it, by their paths.

import { type Bytes } from "./encoding";
import { FormatError } from "./errors";

const BLOCK = 512;

/** Say whether bytes are a tar file: its first header says `ustar`. */
export function isTar(data: Uint8Array): boolean {
  return data.length >= BLOCK && textAt(data, 257, 5) === "ustar";
}

/** Return the files of an archive; links, folders and other entries are left out. */
export function readTar(data: Bytes): Map<string, Bytes> {
  const files = new Map<string, Bytes>();
  for (let at = 0; at + BLOCK <= data.length && data[at] !== 0; ) {
    const header = data.subarray(at, at + BLOCK);
    const digits = textAt(header, 124, 12).trim();
    if (!/^[0-7]+$/.test(digits)) throw new FormatError(`the archive has a header without a size at byte ${at}`);
    const size = Number.parseInt(digits, 8);
    if (at + BLOCK + size > data.length) throw new FormatError("the archive ends within a file");
    const prefix = textAt(header, 345, 155);
    const path = (prefix === "" ? "" : `${prefix}/`) + textAt(header, 0, 100);
    const kind = header[156];
    if (kind === 0 || kind === 0x30) {
      if (files.has(path)) throw new FormatError(`the archive has ${path} twice`);
      files.set(path, data.subarray(at + BLOCK, at + BLOCK + size));
    }
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return files;
}

function textAt(data: Uint8Array, at: number, length: number): string {
  const field = data.subarray(at, at + length);
  const end = field.indexOf(0);
  return new TextDecoder().decode(end < 0 ? field : field.subarray(0, end));
}
