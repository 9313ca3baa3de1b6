"""The JSON of a bundle: strict readers of its members, and errors that name the place of a fault."""

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any

from a2ap.errors import A2APError, BundleError

MEDIA_TYPE = "application/vnd.a2ap.bundle+json;version=0.1"

_FAMILY = "application/vnd.a2ap.bundle"


def is_bundle(data: bytes) -> bool:
    """Say whether a file calls itself a bundle."""
    try:
        document = json.loads(data)
    except (ValueError, RecursionError):
        return False
    return isinstance(document, dict) and str(document.get("mediaType", "")).startswith(_FAMILY)


class Place:
    """Adds a place to every protocol error that is raised within it."""

    def __init__(self, where: str) -> None:
        self._where = where

    def __enter__(self) -> None:
        """Do nothing."""

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        """Raise `BundleError` with the place for an `A2APError`; other errors pass unchanged."""
        if isinstance(error, A2APError):
            raise BundleError(f"{self._where}: {error}") from error


def read_bundle(data: bytes) -> dict[str, Any]:
    """Return the JSON of a bundle; raises `BundleError` if the bytes are not a bundle."""
    try:
        document = json.loads(data, object_pairs_hook=_without_duplicates, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise BundleError(f"the bundle is not JSON: {error}") from error
    if not isinstance(document, dict):
        raise BundleError("the bundle is not a JSON object")
    if document.get("mediaType") != MEDIA_TYPE:
        raise BundleError(f"mediaType is {str(document.get('mediaType'))[:100]!r}, not {MEDIA_TYPE}")
    return document


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    members = dict(pairs)
    if len(members) != len(pairs):
        raise ValueError("a member is there twice")
    return members


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def read_text(members: Mapping[str, Any], name: str) -> str:
    """Return a member that is text."""
    value = members.get(name)
    if not isinstance(value, str):
        raise BundleError(f"{name} is missing or no text")
    return value


def read_texts(members: Mapping[str, Any], name: str) -> list[str]:
    """Return a member that is a list of texts."""
    value = members.get(name)
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise BundleError(f"{name} is no list of texts")
    return value


def read_objects(members: Mapping[str, Any], name: str) -> list[dict[str, Any]]:
    """Return a member that is a list of objects."""
    value = members.get(name)
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise BundleError(f"{name} is no list of objects")
    return value


def read_base64(text: Any, where: str) -> bytes:
    """Return the bytes of a text in base64; raises `BundleError` that names it as `where`."""
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError, TypeError) as error:
        raise BundleError(f"{where} is not base64") from error
