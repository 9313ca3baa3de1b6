// The kind of a file, recognised by its content and never by its name.

import { isMessage } from "./document";
import { decodeUtf8, type Bytes } from "./encoding";
import { FormatError } from "./errors";
import { parseJson, type RawJson } from "./json";
import { HEADER } from "./log_proof";
import { readNote } from "./note";
import { isManifest } from "./pack";
import { SPEC } from "./packet";
import { isTar } from "./tar";

export const KINDS = {
  bundle: "a bundle",
  receipt: "a receipt",
  proof: "a proof of the log",
  checkpoint: "a checkpoint",
  succession: "a note that hands a log over to its next key",
  entry: "an entry of a log",
  "log key": "a key of a log",
  policy: "a policy of witnesses",
  message: "a signed message",
  passport: "a Context Passport",
  "passport chain": "a chain of Context Passports",
  packet: "a Context Packet",
  pack: "a Context Pack",
  manifest: "the manifest of a Context Pack",
  "other bytes": "bytes of another kind, such as a source",
} as const;
export type Kind = keyof typeof KINDS;

const LOG_KEY = /^[^+\s]+\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+\s*$/;
const POLICY = /^quorum[ \t]/m;
const MAX_DEPTH = 128;

/** Return the kind of a file; a file that is damaged may be taken for another, and fails there. */
export function kindOf(data: Bytes): Kind {
  if (isTar(data)) return "pack";
  const text = textOf(data);
  if (text === null) return "other bytes";
  const first = text.trimStart()[0];
  if (first === "{" || first === "[") return kindOfJson(text);
  if (text.startsWith(`${HEADER}\n`)) return "proof";
  if (LOG_KEY.test(text)) return "log key";
  if (POLICY.test(text) && /^(?:log|witness|group|quorum)[ \t]/m.test(text) && !text.includes("\n\n— ")) return "policy";
  return kindOfNote(text);
}

function kindOfJson(text: string): Kind {
  let value: RawJson;
  try {
    value = parseJson(text, MAX_DEPTH, () => {}); // Doubled names are for the verification to report.
  } catch (error) {
    if (error instanceof FormatError) return kindOfDamaged(text);
    throw error;
  }
  if (Array.isArray(value)) return value.length > 0 && value.every(isPassport) ? "passport chain" : "other bytes";
  if (!(value instanceof Map)) return "other bytes";
  const mediaType = value.get("mediaType");
  if (typeof mediaType === "string" && mediaType.startsWith("application/vnd.a2ap.bundle")) return "bundle";
  if (["entry", "proof", "signedHash"].every((name) => typeof value.get(name) === "string")) return "receipt";
  if (["documentHash", "signedHash", "origin"].every((name) => typeof value.get(name) === "string")) return "entry";
  const type = value.get("@type");
  if (typeof type === "string" && isMessage(new Map([["@type", type]]))) return "message";
  const spec = value.get("spec");
  if (typeof spec === "string" && spec.startsWith(SPEC.slice(0, SPEC.indexOf("/") + 1))) return "packet";
  if (isPassport(value)) return "passport";
  return isManifest(value) ? "manifest" : "other bytes";
}

/** Guess the kind of JSON that cannot be read, so that its verification says what is wrong. */
function kindOfDamaged(text: string): Kind {
  if (text.includes('"application/vnd.a2ap.bundle')) return "bundle";
  if (text.includes('"c2sp.org/tlog-proof')) return "receipt";
  if (text.includes('"a2ap:')) return "message";
  if (text.includes('"context-packet/')) return "packet";
  return text.includes('"integrity_hash"') ? "passport" : "other bytes";
}

function kindOfNote(text: string): Kind {
  try {
    const lines = readNote(text).text.split("\n");
    if (lines[0] === "a2ap.log-key/v1") return "succession";
    return lines.length >= 4 && /^[0-9]+$/.test(lines[1] ?? "") ? "checkpoint" : "other bytes";
  } catch (error) {
    if (error instanceof FormatError) return "other bytes";
    throw error;
  }
}

function isPassport(value: RawJson): boolean {
  return value instanceof Map && value.get("integrity") instanceof Map && value.has("schema_version");
}

function textOf(data: Bytes): string | null {
  try {
    return decodeUtf8(data);
  } catch (error) {
    if (error instanceof FormatError) return null;
    throw error;
  }
}
