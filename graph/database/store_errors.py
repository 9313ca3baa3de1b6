"""The mapping from the driver's errors to ours, and the number of attempts for each."""

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
    GraphError,
    QueryError,
    QueryTimeoutError,
    StorageFullError,
    StoreBusyError,
    StoreSilentError,
    StoreUnavailableError,
)

# As the engines pass on the words of the operating system.
_FULL = ("No space left on device", "Disk quota exceeded", "File too large")


def store_error(error: DriverError | Neo4jError, what: str) -> GraphError:
    """Return our error for one of the driver's; the name of the query or the database begins its message."""
    if any(reason in str(error) for reason in _FULL):
        return StorageFullError(f"{what}: the graph database has no space left: {_first_line(str(error))}")
    if isinstance(error, IncompleteCommit):
        return CommitUncertainError("the connection broke while a commit was being answered")
    if isinstance(error, AuthError):
        return StoreUnavailableError(f"the graph database refused the login: {error.message}")
    if isinstance(error, (ServiceUnavailable, SessionExpired, ConfigurationError)):
        return StoreUnavailableError(f"the graph database does not answer: {_first_line(str(error))}")
    if isinstance(error, DriverError):
        return QueryError(f"{what}: {error}")
    if isinstance(error, DriverConstraintError):
        return ConstraintError(f"{what}: {error.message}")
    if error.is_retryable():
        return StoreBusyError(f"{what}: {error.message}")
    if "TransactionTimedOut" in error.code:
        return QueryTimeoutError(f"{what} took longer than it may: {error.message}")
    return QueryError(f"{what}: {error.message}")


def attempts_for(error: GraphError) -> int:
    """Return the total number of attempts for this error.

    A unique constraint gets a few: on the embedded engine, of two concurrent MERGE of one new key one fails with that
    error, and finds the node on the next attempt.
    """
    if isinstance(error, StoreSilentError):
        return 1
    if isinstance(error, ConstraintError):
        return 5
    return 12 if isinstance(error, (StoreBusyError, StoreUnavailableError)) else 1


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0]
