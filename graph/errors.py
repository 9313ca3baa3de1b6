"""The platform's exceptions, one tree.

GraphError
  StoreError                   the graph database did not do what was asked
    StoreUnavailableError      it cannot be started, reached or logged in to
    StoreBusyError             writers kept colliding until the retries were used up
    CommitUncertainError       the connection broke while a commit was being answered: it may have happened
    QueryError                 a named query failed
      ConstraintError          it would have broken a unique constraint
  ContentError                 the content store did not do what was asked
    ContentNotFoundError       no content with that hash is held
    ContentMismatchError       bytes do not have the hash that they were announced with

Bad arguments are programming errors and stay ValueError, TypeError and LookupError.
"""


class GraphError(Exception):
    """Base of everything that the platform raises on bad input or a failing service."""


class StoreError(GraphError):
    """The graph database did not do what was asked."""


class StoreUnavailableError(StoreError):
    """The graph database cannot be started, reached or logged in to."""


class StoreBusyError(StoreError):
    """Writers kept colliding until the retries were used up; nothing was written."""


class CommitUncertainError(StoreError):
    """The connection broke while a commit was being answered: what was written may be there or not."""


class QueryError(StoreError):
    """A named query failed in the database; nothing of its transaction was written."""


class ConstraintError(QueryError):
    """A query would have broken a unique constraint, and kept doing so when tried again."""


class ContentError(GraphError):
    """The content store did not do what was asked."""


class ContentNotFoundError(ContentError):
    """No content with that hash is held."""


class ContentMismatchError(ContentError):
    """Bytes do not have the hash that they were announced with."""
