"""The names of packs and content: `sha256:` and 64 digits, bare digits, `ctx://` before either, or their beginning."""

import re
from collections.abc import Iterable

from a2ap.pack.errors import PackReferenceError

MIN_PREFIX = 4  # digits

_NAME = re.compile(r"sha256:([0-9a-f]{64})")
_REFERENCE = re.compile(r"(?:ctx://)?(sha256:)?([0-9a-fA-F]+)")


def is_content_name(text: str) -> bool:
    """Say whether a text is the name of content as manifests write it: `sha256:` and 64 lower-case digits."""
    return _NAME.fullmatch(text) is not None


def object_path(name: str) -> str:
    """Return the path of content within a `.ctx` store. Raises PackReferenceError."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise PackReferenceError(f"{name[:80]!r} is not the name of content")
    return f"objects/{match[1][:2]}/{match[1][2:]}"


def index_path(name: str) -> str:
    """Return the path at which a `.ctx` store lists a pack. Raises PackReferenceError."""
    if not is_content_name(name):
        raise PackReferenceError(f"{name[:80]!r} is not the name of a pack")
    return f"packs/{name.removeprefix('sha256:')}"


def pack_uri(name: str) -> str:
    """Return the URI of a pack, as upstream's tool prints it."""
    return f"ctx://{name.removeprefix('sha256:')}"


def resolve_reference(text: str, packs: Iterable[str]) -> str:
    """Return the name that a text stands for; first digits, four or more, are those of one of these packs.

    Raises PackReferenceError if it is not a reference, or the digits are those of no pack or of several.
    """
    match = _REFERENCE.fullmatch(text)
    if match is None:
        raise PackReferenceError(f"{text[:80]!r} is no reference: sha256: or ctx:// and digits, or their beginning")
    digits = match[2].lower()
    if len(digits) == 64:
        return f"sha256:{digits}"
    if match[1] or not MIN_PREFIX <= len(digits) < 64:
        raise PackReferenceError(f"{text[:80]!r} has {len(digits)} digits; a name has 64, and a beginning at least 4")
    found = [name for name in packs if name.startswith(f"sha256:{digits}")]
    if len(found) != 1:
        # Which of several is never guessed: beginnings of four digits are cheap to forge.
        count = f"{len(found)} packs begin" if found else "no pack begins"
        raise PackReferenceError(f"{count} with {digits}")
    return found[0]
