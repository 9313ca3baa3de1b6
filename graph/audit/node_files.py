"""The port through which an audit reads a node; `http_node` and `folder_node` implement it."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class MissingFileError(Exception):
    """The node does not have the requested file; the message gives the reason, as far as the node states it."""


class WithheldError(MissingFileError):
    """The node has the file and does not show it to this reader."""


class TooLongError(MissingFileError):
    """The node gives a longer file than an auditor takes; the message names the file that is left out."""


@dataclass(frozen=True, slots=True)
class GivenMessage:
    """A message as a node gives it: its bytes, or the reason for their absence; `redacted_hash` if it was redacted."""

    document_hash: str
    content: bytes | None
    withheld: str | None = None
    redacted_by: str | None = None
    redacted_hash: str | None = None

    @classmethod
    def from_members(cls, members: dict[str, Any], content: bytes | None) -> "GivenMessage":
        """Read the members that `POST /messages/fetch` gives beside the bytes. Raises ValueError."""
        redacted = members.get("redacted") or {}
        found = cls(members["hash"], content, members.get("withheld"), redacted.get("by"), redacted.get("documentHash"))
        texts = (found.document_hash, found.withheld, found.redacted_by, found.redacted_hash)
        if not all(isinstance(text, (str, type(None))) for text in texts):
            raise ValueError("a member that describes a message is not text")
        return found


class NodeFiles(Protocol):
    """A node as its auditor sees it. All methods raise `MissingFileError`, and `AuditError` without an answer."""

    @property
    def name(self) -> str:
        """Return the address or the folder, as given."""

    async def checkpoint(self) -> str:
        """Return the newest checkpoint, a signed note."""

    async def log_key(self) -> str | None:
        """Return the verifier key that the node itself states; the auditor need not trust it."""

    async def tile(self, path: str) -> bytes:
        """Return a tile or an entry bundle by its path below the log."""

    async def messages(self, hashes: Sequence[str]) -> list[GivenMessage]:
        """Return up to 256 messages as the node gives them, in order."""

    def source(self, document_hash: str) -> AsyncIterator[bytes]:
        """Yield the bytes of a source."""

    def graph_lines(self, size: int) -> AsyncIterator[bytes]:
        """Yield the rows of the graph at a size of the log, as `graph.export.graph_rows` writes them, line by line."""
