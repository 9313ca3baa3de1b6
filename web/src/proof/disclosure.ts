// Texts that law may take away: signed as a salted digest, given in clear beside it.

import { canonicalize } from "./canonical";
import { decodeBase64 } from "./encoding";
import { VerificationError } from "./errors";
import { sha256Name } from "./hash";
import { type JsonObject } from "./json";
import { readObject, readText } from "./members";

export const DISCLOSURES = "disclosures";

/** Return the text under each digest in `disclosures`; throws "disclosures" unless each is that of its text. */
export async function readDisclosures(members: JsonObject): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  if (!members.has("disclosures")) return found;
  const disclosures = readObject(members, "disclosures");
  for (const digest of disclosures.keys()) {
    const place = `disclosures.${digest.slice(0, 80)}`;
    const entry = readObject(disclosures, digest, "disclosures");
    const [salt, text] = [readText(entry, "salt", place), readText(entry, "value", place)];
    const size = decodeBase64(salt).length;
    if (entry.size !== 2 || size < 16 || size > 64) {
      throw new VerificationError(DISCLOSURES, `${place} is not a salt of 16 to 64 bytes and a value alone`);
    }
    if ((await sha256Name(canonicalize([salt, text]))) !== digest) {
      throw new VerificationError(DISCLOSURES, `${place} is not the digest of its salt and value`);
    }
    found.set(digest, text);
  }
  return found;
}
