"""Texts that law may take away: signed as a salted digest, given in clear beside it (docs/how-to/retraction.md).

In the signed part the text is `{"digest": "sha256:…"}`, the SHA-256 of the RFC 8785 bytes of [salt, value].
The unsigned `disclosures` member of the document maps it to `{"salt": base64, "value": text}`. Taking a
disclosure away leaves the signature whole, and the salt keeps a short text from being guessed.
"""

import base64
import binascii
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

from a2ap.canonical import canonicalize, sha256_digest
from a2ap.errors import DisclosureError, FieldError
from a2ap.fields import member_path, read_hash, shown

MIN_SALT_BYTES = 16
MAX_SALT_BYTES = 64


@dataclass(frozen=True, slots=True)
class Redactable:
    """A text that may have been taken away (`text` is `None` then); one signed in clear has no `digest`."""

    text: str | None
    digest: str | None = None


@dataclass(frozen=True, slots=True)
class Disclosure:
    """A text to be signed as a digest: `salt` is base64."""

    digest: str
    salt: str
    text: str

    @property
    def reference(self) -> dict[str, str]:
        """Return the member that takes the place of the text in the signed part."""
        return {"digest": self.digest}

    @property
    def entry(self) -> dict[str, str]:
        """Return the member under the digest in `disclosures`."""
        return {"salt": self.salt, "value": self.text}


def make_disclosure(text: str, salt: bytes) -> Disclosure:
    """Return the disclosure of a text under a salt of 16 to 64 random bytes, a fresh one for each text."""
    if not MIN_SALT_BYTES <= len(salt) <= MAX_SALT_BYTES:
        raise ValueError(f"a salt has {MIN_SALT_BYTES} to {MAX_SALT_BYTES} bytes, not {len(salt)}")
    encoded = base64.b64encode(salt).decode("ascii")
    return Disclosure(_digest(encoded, text), encoded, text)


def resolve(value: Any, disclosures: Mapping[str, str], path: str) -> Redactable:
    """Read a redactable member: a text, or the digest of one that `disclosures` has or no longer has."""
    if type(value) is str:
        return Redactable(value)
    if type(value) is dict and value.keys() == {"digest"}:
        digest = read_hash(value, "digest", path)
        return Redactable(disclosures.get(digest), digest)
    raise FieldError(path, f"is {shown(value)}, neither a text nor a digest of one")


def read_disclosures(document: Mapping[str, Any]) -> dict[str, str]:
    """Return the text under each digest; raises `DisclosureError` unless every digest is that of its text."""
    if "disclosures" not in document:
        return {}
    disclosures = document["disclosures"]
    if type(disclosures) is not dict:
        raise FieldError("disclosures", f"is {shown(disclosures)}, not an object")
    return {digest: _read_entry(digest, entry) for digest, entry in disclosures.items()}


def without_disclosures(document: Mapping[str, Any], digests: Collection[str]) -> dict[str, Any]:
    """Return a document without the disclosures under these digests, of which each must be there.

    Signature and proofs hold as before. Raises `DisclosureError`.
    """
    disclosures = document.get("disclosures", {})
    for digest in digests:
        if digest not in disclosures:
            raise DisclosureError(member_path("disclosures", digest[:80]), "is not there")
    kept = {digest: entry for digest, entry in disclosures.items() if digest not in digests}
    others = {name: value for name, value in document.items() if name != "disclosures"}
    return {**others, "disclosures": kept} if kept else others


def check_all_named(disclosures: Mapping[str, str], fields: tuple[Redactable | None, ...]) -> None:
    """Raise `DisclosureError` if a disclosure belongs to no field: such a text is not signed."""
    if disclosures:
        named = {field.digest for field in fields if field is not None}
        for digest in disclosures:
            if digest not in named:
                raise DisclosureError(f"disclosures.{digest}", "is the digest of no member of the document")


def _read_entry(digest: str, entry: Any) -> str:
    path = member_path("disclosures", digest[:80])
    if type(entry) is not dict or entry.keys() != {"salt", "value"}:
        raise DisclosureError(path, "is not an object with salt and value alone")
    salt, text = entry["salt"], entry["value"]
    if type(text) is not str:
        raise DisclosureError(f"{path}.value", f"is {shown(text)}, not a text")
    if type(salt) is not str or not is_salt(salt):
        raise DisclosureError(f"{path}.salt", f"is not {MIN_SALT_BYTES} to {MAX_SALT_BYTES} bytes in base64")
    if _digest(salt, text) != digest:
        raise DisclosureError(path, "is not the digest of its salt and value")
    return text


def is_salt(salt: str) -> bool:
    """Say whether a text is a salt: 16 to 64 bytes in padded standard base64."""
    try:
        return MIN_SALT_BYTES <= len(base64.b64decode(salt, validate=True)) <= MAX_SALT_BYTES
    except (binascii.Error, ValueError):
        return False


def _digest(salt: str, text: str) -> str:
    return sha256_digest(canonicalize([salt, text]))
