"""Problems: what any door says of an error (RFC 9457), and nothing of what is inside."""

import json
from dataclasses import dataclass
from typing import Any

MEDIA_TYPE = "application/problem+json"


@dataclass(frozen=True, slots=True)
class Problem:
    """An error as it is told: the kind (`code`), what was found (`detail`), the member at fault (`path`)."""

    status: int
    code: str
    title: str
    detail: str
    path: str = ""

    @property
    def members(self) -> dict[str, Any]:
        """Return the problem as RFC 9457 writes it, with `code` and `path` beside its own members."""
        kind = "urn:a2ap:problem:" + self.code.lower().replace("_", "-")
        members = {"type": kind, "title": self.title, "status": self.status, "detail": self.detail, "code": self.code}
        return members | ({"path": self.path} if self.path else {})

    @property
    def content(self) -> bytes:
        """Return the problem as the body of an answer."""
        return json.dumps(self.members, ensure_ascii=False).encode("utf-8", "replace")
