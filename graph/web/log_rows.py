"""Log entries as rows of a table: the type of the message in words, and the page of its content."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from a2ap.messages.envelope import MessageType
from graph.web.address import address_of

_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")

_FOLDERS: Mapping[str, str] = {
    MessageType.STATEMENT: "statements",
    MessageType.VERIFICATION_RESPONSE: "verifications",
}


def type_words(name: str) -> str:
    """Return the type of a message in words: "ProvenanceStatement" is "Provenance statement"."""
    return _CAPITAL.sub(" ", name).capitalize()


TYPES: Mapping[str, str] = {kind.value: type_words(kind.value) for kind in MessageType}
"""The types of messages, in words."""


def content_address(entry: Mapping[str, Any]) -> str | None:
    """Return the address of the page that shows the content of an entry's message, None if no page does."""
    if entry["type"] == MessageType.AGENT_REGISTRATION:
        return address_of("agents", entry["agent"])
    folder = _FOLDERS.get(entry["type"])
    return None if folder is None else address_of(folder, entry["signedHash"])


def entry_rows(entries: Iterable[Mapping[str, Any]], agents: Mapping[str, Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return log entries with the words of their types, the addresses of their contents and their agents."""
    return [
        {
            **entry,
            "words": type_words(entry["type"]),
            "content": content_address(entry),
            "agent": agents.get(entry["agent"], {"id": entry["agent"], "name": None}),
        }
        for entry in entries
    ]
