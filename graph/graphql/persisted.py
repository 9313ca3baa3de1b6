"""Persisted operations, identified by the SHA-256 of their text: registered by clients, or an operator's allow-list.

Clients of Apollo's automatic persisted queries send a hash alone, learn that it is unknown, and send hash and text
once. If the operator names a folder or file of operations, only these are run, for every client.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from graphql import GraphQLError

from graph.settings import SettingsError

MAX_KEPT = 1_000
MAX_KEPT_LENGTH = 20_000
"""The maximum length of a stored text in characters; a longer text is run each time it is sent."""

_VARIABLE = "A2AP_GRAPHQL_QUERIES"


class PersistedQueries:
    """Texts by their hash: registered by clients, in order of last use, or the only ones allowed."""

    def __init__(self, allowed: Mapping[str, str] | None = None) -> None:
        self._allowed = allowed
        self._kept: OrderedDict[str, str] = OrderedDict()

    def text_of(self, query: str | None, extensions: Mapping[str, Any] | None) -> str | None:
        """Return the text to run; raise `GraphQLError` if it is not known or not allowed."""
        stated = _stated_hash(extensions)
        if query is not None and stated is not None and stated != _hash(query):
            raise _error("the query is not the one of its sha256Hash", "PERSISTED_QUERY_MISMATCH")
        if self._allowed is not None:
            return self._allowed_text(query, stated)
        if query is not None or stated is None:
            return query
        if stated not in self._kept:
            # The words that clients of this protocol look for.
            raise _error("PersistedQueryNotFound", "PERSISTED_QUERY_NOT_FOUND")
        self._kept.move_to_end(stated)
        return self._kept[stated]

    def keep(self, text: str, extensions: Mapping[str, Any] | None) -> None:
        """Store the text of a valid operation that came with its hash."""
        stated = _stated_hash(extensions)
        if stated is None or self._allowed is not None or len(text) > MAX_KEPT_LENGTH:
            return
        self._kept[stated] = text
        self._kept.move_to_end(stated)
        while len(self._kept) > MAX_KEPT:
            self._kept.popitem(last=False)

    def _allowed_text(self, query: str | None, stated: str | None) -> str | None:
        assert self._allowed is not None
        if query is None and stated is None:
            return None
        name = stated if query is None else _hash(query.strip())
        if name is None or name not in self._allowed:
            raise _error("this node runs only the operations that its operator has listed", "NOT_LISTED")
        return self._allowed[name]


def read_queries(path: Path) -> dict[str, str]:
    """Return the operations of a folder of `.graphql` files, or of a manifest in JSON, by the hashes of their texts.

    A manifest is `{hash: text, …}`, or Apollo's, whose `operations` have a `body`. Raises SettingsError.
    """
    try:
        texts = dict(_texts(path))
    except (OSError, ValueError) as error:
        raise SettingsError(f"{_VARIABLE}: {path} cannot be read: {error}") from error
    if not texts:
        raise SettingsError(f"{_VARIABLE}: {path} has no operations")
    return {_hash(form): text for text in texts.values() for form in (text, text.strip())}


def _texts(path: Path) -> Iterator[tuple[str, str]]:
    if path.is_dir():
        for file in sorted(path.glob("*.graphql")):
            yield file.name, file.read_text(encoding="utf-8")
        return
    manifest = json.loads(path.read_text(encoding="utf-8"))
    operations = manifest.get("operations") if isinstance(manifest, dict) else None
    if isinstance(operations, list):
        manifest = {str(place): one["body"] for place, one in enumerate(operations) if "body" in one}
    if not isinstance(manifest, dict) or not all(isinstance(text, str) for text in manifest.values()):
        raise ValueError("it is not an object of texts")
    yield from manifest.items()


def _stated_hash(extensions: Mapping[str, Any] | None) -> str | None:
    stated = (extensions or {}).get("persistedQuery")
    if stated is None:
        return None
    hash_ = stated.get("sha256Hash") if isinstance(stated, dict) else None
    if not isinstance(hash_, str) or stated.get("version", 1) != 1:
        raise _error("persistedQuery has no sha256Hash of version 1", "PERSISTED_QUERY_NOT_SUPPORTED")
    return hash_.lower()


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _error(message: str, code: str) -> GraphQLError:
    return GraphQLError(message, extensions={"code": code})
