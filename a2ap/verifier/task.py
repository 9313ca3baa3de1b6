"""The work of a worker: leased requests, and the terms on which it takes them."""

from dataclasses import dataclass
from typing import Any

from a2ap.verifier.errors import VerifierError

LEASE_SECONDS, MOST = 300, 10
"""The time of a lease and the number of leases at once, unless they are stated."""


@dataclass(frozen=True, slots=True)
class Terms:
    """How a worker leases: up to `most` requests at once, for `seconds` each; it waits up to `wait` seconds for one.

    With `review` each verdict waits for approval before it is signed. A single run asks a platform that does not answer
    up to `attempts` times.
    """

    seconds: int = LEASE_SECONDS
    most: int = MOST
    wait: float = 30.0
    review: bool = False
    attempts: int = 1


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
