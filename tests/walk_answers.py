"""What an answer says: all of it as text, the planted words in it, and the text without what must differ on two nodes.

Rules:

- What is packed (zip, gzip, Parquet) or in base64 is unpacked and decoded before anything is looked for.
- A word is found as itself, backwards, in hex, and in base64 wherever it stands; a hash in hex.
- Two answers are alike where these are the only differences: names that follow from hashes are the same thing's
  (`Names.places`), hashes of anything else, signatures, the sizes of what is packed, and the order of what comes in
  the order of hashes (`walk_orders`).
"""

import base64
import gzip
import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Mapping

import httpx
import pyarrow.parquet
from walk_orders import Order

_WITH_HASHES = ("content-length", "etag", "a2ap-root-hash", "repr-digest", "content-digest")
"""Headers that follow from hashes in the body, or from the size of what is packed."""


def texts_of(answer: httpx.Response) -> Iterator[str]:
    """Yield an answer as texts: its head, and its body with what is packed or encoded in it unpacked and decoded."""
    yield f"{answer.status_code} {answer.request.method}"
    for name, value in sorted(answer.headers.items()):
        yield f"{name}: {value}"
    yield from map(decoded, _unpacked(answer.content))


def _unpacked(content: bytes) -> Iterator[str]:
    if content[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(content)) as opened:
            for name in sorted(opened.namelist()):
                yield f"== {name}"
                yield from _unpacked(opened.read(name))
    elif content[:4] == b"PAR1":
        yield "\n".join(map(repr, pyarrow.parquet.read_table(io.BytesIO(content)).to_pylist()))
    elif content[:2] == b"\x1f\x8b":
        yield from _unpacked(gzip.decompress(content))
    else:
        yield content.decode("utf-8", "replace")


_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])(?![0-9a-f]{24,}(?![A-Za-z0-9+/_-]))[A-Za-z0-9+/_-]{24,}={0,2}")


def decoded(text: str) -> str:
    """Return a text with what is base64 of text in it decoded, as often as it was encoded."""
    return _BASE64.sub(_decoded, text)


def _decoded(found: re.Match[str]) -> str:
    text = found[0]
    try:
        plain = base64.b64decode(text.replace("-", "+").replace("_", "/").rstrip("=") + "==").decode()
    except ValueError:
        return text
    return f"<{decoded(plain)}>" if plain.isprintable() or "\n" in plain else text


_FORMS = [
    re.compile(f"{start}(?=({rest}))")
    for start, rest in {
        "zq": "[a-p]{16}",
        "enF": "[A-Za-z0-9+/_-]{15}",
        "px": "[A-Za-z0-9+/_-]{16}",
        "6c": "[A-Za-z0-9+/_-]{16}",
    }.items()
]
_HASH_ITSELF = re.compile(r"(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])")
_HEX = re.compile("7[aA]71(?=([0-9a-fA-F]{32}))")
"""How any planted word may stand in a text (`planted_world.Words`): itself, and base64 in each place; and in hex."""


class Finder:
    """Finds planted words in answers, in any form."""

    def __init__(self, words: Iterable[str]) -> None:
        self._word_of = {form: word for word in words for form in forms_of(word)}
        assert all(self._forms_in(form) for form in self._word_of)

    def found_in(self, content: bytes, texts: Iterable[str]) -> set[str]:
        """Return the words that stand in an answer, whose texts were read already."""
        found = {form for text in (*texts, content.decode("latin-1")) for form in self._forms_in(text)}
        return {self._word_of[form] for form in found & self._word_of.keys()}

    def _forms_in(self, text: str) -> set[str]:
        # Looked for one by one the forms would take minutes, and all in one pattern half a minute.
        found = {form[0] + form[1] for pattern in _FORMS for form in pattern.finditer(text)}
        found |= {(form[0] + form[1])[::-1] for form in _FORMS[0].finditer(text[::-1])}
        found |= set(_HASH_ITSELF.findall(text))
        return found | {(form[0] + form[1]).lower() for form in _HEX.finditer(text)}


def forms_of(word: str) -> list[str]:
    """Return the forms in which a word may stand in a text: itself, backwards, hex, and base64 in each place."""
    if not word.startswith("zq"):
        return [word]
    plain = word.encode()
    # The characters at both ends of base64 depend on what stands beside the word.
    encoded = [base64.b64encode(b"\0" * before + plain).decode()[(0, 2, 3)[before] :][:18] for before in range(3)]
    return [word, word[::-1], plain.hex(), *encoded]


_HASH = re.compile(r"(?:(?:sha256|b2):)?(?<![0-9a-f])[0-9a-f]{16,64}(?![0-9a-f])|urn:uuid:[0-9a-f-]{36}")
_SIGNATURE = re.compile(r"\bz[1-9A-HJ-NP-Za-km-z]{80,}|(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{86,92}={0,2}")
_DIGEST = re.compile(r"(?:(?<![A-Za-z0-9+/_-])|(?<=\\n))[A-Za-z0-9+/_-]{43}(?![A-Za-z0-9+/_-])=?")
_NUMBERED = re.compile(r"_:([a-z]+)[0-9]+\b")
_SHORT_HASH = re.compile(r"(?<![0-9a-f])[0-9a-f]{12}(?=…)|(?<=a2ap-)[0-9a-f]{12}\b")  # as pages show and cite one
_PSEUDONYM = re.compile(r"\bp-[a-z2-7]{26}\b")
_CURSOR = re.compile(r'<\[1,".*?\]>')
_PLACE = re.compile(r"<[^<>\[\]]+>")
_SIZE = re.compile(r'"bytes": \d+')
_NO_TEXT = "\N{REPLACEMENT CHARACTER}"


def alike(answer: httpx.Response, places: Mapping[str, str], order: Order) -> str:
    """Return an answer as text, without what must differ on two nodes whose closed bytes differ."""
    heads = [f"{name}: {value}" for name, value in sorted(answer.headers.items()) if name not in _WITH_HASHES]
    head = alike_text("\n".join([str(answer.status_code), *heads]), places)
    return "\n".join([head, *_alike_bodies(answer, places, order)])


def _alike_bodies(answer: httpx.Response, places: Mapping[str, str], order: Order) -> Iterator[str]:
    is_packed = answer.content[:2] == b"PK"
    for text in _unpacked(answer.content):
        if _NO_TEXT in text:  # a tile of hashes
            yield f"{len(answer.content)} bytes"
        else:
            yield order(_SIZE.sub('"bytes": 0', text) if is_packed else text, lambda one: alike_text(one, places))


def alike_text(text: str, places: Mapping[str, str]) -> str:
    """Return a text without hashes, signatures and digests, with names by the places of what they name."""
    text = _NUMBERED.sub(r"_:\1", text.replace("ni:\\-", "ni:-"))  # PROV-N has a backslash before a hyphen
    if len(text) < _SHORTEST:
        return text

    def named(found: re.Match[str]) -> str:
        name = found[0]
        return places.get(name) or (name if name.startswith("urn:uuid:") else "<hash>")

    text = _SHORT_HASH.sub("<hash>", text)
    text = _PSEUDONYM.sub("<pseudonym>", _SIGNATURE.sub("<signature>", decoded(text)))
    text = _DIGEST.sub(named, _HASH.sub(named, text))
    return _CURSOR.sub(lambda cursor: _PLACE.sub("<>", cursor[0]), text)


_SHORTEST = 16  # characters of anything that follows from a hash
