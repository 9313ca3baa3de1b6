"""Which of our errors stands for which of the driver's, and which are worth another attempt."""

from __future__ import annotations

from neo4j.exceptions import (
    AuthError,
    ConfigurationError,
    DriverError,
    IncompleteCommit,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)
from neo4j.exceptions import ConstraintError as DriverConstraintError

from graph.errors import (
    CommitUncertainError,
    ConstraintError,
    QueryError,
    StoreBusyError,
    StoreError,
    StoreUnavailableError,
)

# The embedded engine says so under a code that the driver does not know.
_COLLISIONS = ("ConcurrentModification", "NeedRetry")


def store_error(error: DriverError | Neo4jError, what: str) -> StoreError:
    """Return our error for one of the driver's; `what` names the query or the database."""
    if isinstance(error, IncompleteCommit):
        return CommitUncertainError("the connection broke while a commit was being answered")
    if isinstance(error, AuthError):
        return StoreUnavailableError(f"the graph database refused the login: {error.message}")
    if isinstance(error, (ServiceUnavailable, SessionExpired, ConfigurationError)):
        return StoreUnavailableError(f"the graph database does not answer: {error}")
    if isinstance(error, DriverConstraintError):
        return ConstraintError(f"{what}: {error.message}")
    if isinstance(error, Neo4jError) and (error.is_retryable() or _is_collision(error)):
        return StoreBusyError(f"{what}: {error.message}")
    return QueryError(f"{what}: {error.message if isinstance(error, Neo4jError) else error}")


def is_worth_retrying(error: StoreError) -> bool:
    """Say whether another attempt can succeed.

    A unique constraint is worth it because on the embedded engine the loser of two who MERGE one new key
    gets that error, and finds the node when it tries again.
    """
    return isinstance(error, (StoreBusyError, StoreUnavailableError, ConstraintError))


def _is_collision(error: Neo4jError) -> bool:
    return any(word in text for word in _COLLISIONS for text in (error.code or "", error.message or ""))
