"""What an audit reads of a node, wherever it comes from: the port that `http_node` and `folder_node` fill."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class MissingFileError(Exception):
    """The node does not have what the audit asks for; the message says why, as far as the node does."""


class WithheldError(MissingFileError):
    """The node has it and does not show it to this reader."""


class TooLongError(MissingFileError):
    """The node gives more of it than an auditor takes; the message says what is left out."""


@dataclass(frozen=True, slots=True)
class GivenMessage:
    """What a node gives of a message: its bytes, or the reason why not; `redacted_hash` where it was redacted."""

    document_hash: str
    content: bytes | None
    withheld: str | None = None
    redacted_by: str | None = None
    redacted_hash: str | None = None

    @classmethod
    def from_members(cls, members: dict[str, Any], content: bytes | None) -> "GivenMessage":
        """Read what `POST /messages/fetch` says beside the bytes. Raises ValueError."""
        redacted = members.get("redacted") or {}
        found = cls(members["hash"], content, members.get("withheld"), redacted.get("by"), redacted.get("documentHash"))
        texts = (found.document_hash, found.withheld, found.redacted_by, found.redacted_hash)
        if not all(isinstance(text, (str, type(None))) for text in texts):
            raise ValueError("what is said of a message is not text")
        return found


class NodeFiles(Protocol):
    """A node as its auditor sees it. All methods raise `MissingFileError`, and `AuditError` where nothing answers."""

    @property
    def name(self) -> str:
        """Return the address or the folder, as it is told."""

    async def checkpoint(self) -> str:
        """Return the newest checkpoint, a signed note."""

    async def log_key(self) -> str | None:
        """Return the verifier key that the node itself states; nobody has to believe it."""

    async def tile(self, path: str) -> bytes:
        """Return a tile or an entry bundle by its path below the log."""

    async def messages(self, hashes: Sequence[str]) -> list[GivenMessage]:
        """Return what is given of up to 256 messages, in order."""

    def source(self, document_hash: str) -> AsyncIterator[bytes]:
        """Yield the bytes of a source."""

    def graph_lines(self, size: int) -> AsyncIterator[bytes]:
        """Yield the rows of the graph at a size of the log, as `graph.export.graph_rows` writes them, line by line."""
