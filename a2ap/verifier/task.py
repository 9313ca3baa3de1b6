"""The work of a worker: leased requests, and the terms on which it takes them."""

from dataclasses import dataclass
from typing import Any

from a2ap.verifier.errors import VerifierError


@dataclass(frozen=True, slots=True)
class Terms:
    """How a worker leases: up to `most` requests at once, for `seconds` each; it waits up to `wait` seconds for one.

    With `review` each verdict waits for approval before it is signed.
    """

    seconds: int = 300
    most: int = 10
    wait: float = 30.0
    review: bool = False


@dataclass(frozen=True, slots=True)
class Task:
    """A leased request."""

    lease_id: str
    request_id: str
    request_hash: str
    criteria: tuple[str, ...]
    requester: str
    statement_id: str
    statement_hash: str

    @classmethod
    def of(cls, lease: dict[str, Any]) -> "Task":
        """Return the task of a lease as the platform returns it. Raises VerifierError."""
        try:
            request, statement = lease["request"], lease["statement"]
            return cls(
                lease["lease"],
                request["id"],
                request["hash"],
                tuple(request["criteria"]),
                request["requestingAgent"],
                statement["id"],
                statement["hash"],
            )
        except (LookupError, TypeError) as error:
            raise VerifierError(f"the platform gave a lease that cannot be read: {error}") from error
