"""Problems: the form in which every endpoint reports an error (RFC 9457), without internals."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

MEDIA_TYPE = "application/problem+json"

_RETRY_AFTER = {429: 60, 503: 1, 507: 60}
"""Seconds after which the same request may be tried again, by status."""


class ProblemKind(StrEnum):
    """The kind of a problem for the sender of a submission: each value names the type of the schema that reports it."""

    INVALID = "InvalidDocument"
    UNVERIFIED = "VerificationFailed"
    UNKNOWN = "NotKnown"
    CONFLICT = "Conflict"
    FORBIDDEN = "NotAllowed"
    TOO_LARGE = "TooLarge"
    LATER = "TryLater"
    ERASED = "Erased"


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as it is reported: its `code`, the finding (`detail`), the member at fault (`path`).

    `kind` is None if the sender of a submission can do nothing about it. `seconds` is the time until the same request
    may be tried again, if known; `others` are further members of the problem over HTTP.
    """

    status: int
    code: str
    title: str
    detail: str
    path: str = ""
    kind: ProblemKind | None = None
    seconds: int | None = None
    others: tuple[tuple[str, Any], ...] = ()

    @property
    def type(self) -> str:
        """Return the name of the problem among all problems (RFC 9457)."""
        return "urn:a2ap:problem:" + self.code.lower().replace("_", "-")

    @property
    def is_fault(self) -> bool:
        """Return whether this node is at fault, and not only unavailable for now."""
        return self.status == 500

    @property
    def retry_after(self) -> int | None:
        """Return the seconds after which the same request may be tried again; None if that changes nothing."""
        return _RETRY_AFTER.get(self.status) if self.seconds is None else self.seconds

    @property
    def members(self) -> dict[str, Any]:
        """Return the problem as RFC 9457 writes it, with `code`, `path` and `retryAfter` beside its own members."""
        members = {
            "type": self.type,
            "title": self.title,
            "status": self.status,
            "detail": self.detail,
            "code": self.code,
        }
        if self.path:
            members["path"] = self.path
        members |= dict(self.others)
        return members | ({} if self.retry_after is None else {"retryAfter": self.retry_after})

    @property
    def content(self) -> bytes:
        """Return the problem as the body of a response."""
        return json.dumps(self.members, ensure_ascii=False).encode("utf-8", "replace")
