"""The platform's exceptions, one tree.

GraphError
  StoreError                   the graph database did not carry out a request
    StoreUnavailableError      it cannot be started, reached or logged in to
      StoreSilentError         it accepts connections and does not answer
    StoreBusyError             writers kept colliding until the retries were used up
    CommitUncertainError       the connection broke while a commit was being answered: it may have happened
    QueryError                 a named query failed
      ConstraintError          it would have broken a unique constraint
      QueryTimeoutError        it exceeded its time limit
        OperationTimeoutError  its whole operation exceeded the limit, or the caller has gone
  ContentError                 the content store did not carry out a request
    ContentNotFoundError       no content with that hash is held
    NoSuchUploadError          the bucket does not know an upload in parts (graph.content.s3_service)
    ContentMismatchError       bytes do not have the hash that they were announced with
      ContentDamagedError      stored bytes have changed
  StorageFullError             there is no space left for a write
  RefusedError                 a well-formed message that cannot be accepted; nothing was changed
    NotRegisteredError         the agent, the key or the source that it names is not registered
    KeyNotInUseError           the key that signed it was replaced or revoked
    ConflictError              its id stands for other bytes, or the same was stated already
    TargetError                its target is not stored here, or is not as the message says
    EvidenceError              the held source does not contain the cited text
    ForbiddenError             this caller, or this agent, may not do that
    RedactedError              the document was erased, and is neither given nor taken again
    TooManyOpenError           its agent has reached the limit of open requests
    QuotaError                 the daily limit of its agent, operator or address is reached
  NotFoundError                nothing has that name
  InputError                   an argument of a request cannot be used
    TooLargeError              a request, or its response, would be larger than allowed
    NotAcceptableError         a response is requested in a form that does not exist
    CypherTextError            a Cypher query of a reader or a model may not run
    SparqlTextError            a SPARQL query may not run
    SparqlTimeoutError         a SPARQL query exceeded its time limit, and was ended
  TooManySubscribersError      no further subscription can be served now
  TooManyWaitingError          no further lease request of this agent can wait now
  TooManyQueriesError          too many queries of this reader wait already
  OwnQueriesBusyError          the limit of running queries of readers is reached
  TooManySizesError            this reader has reached the limit of past log sizes for now
  UnauthenticatedError         the token is unknown
  MisdirectedError             the request names a host that is not this node
  NotReadyError                the node runs and cannot answer for its log
    LogMismatchError           the graph differs from the signed log; `log_index` is the first entry that differs
    PastNotReadyError          the graph or the scores of an earlier size of the log are still being made
  NotInstalledError            the request needs an optional extra of this package that is not installed
  NodeError                    the graph belongs to another node
  EmbeddingError               the embedding model gives no usable vectors
  SignerError                  the command that keeps a key does not sign with it
  RebuildError                 log entries and stored bytes do not make a graph
  PeerError                    a peer's messages cannot be taken now (graph.federation.errors)
    PeerAnswerError            the peer does not answer, or not in the form of this API
    PeerFaultError             the peer gives other data than it signed, or contradicts it
    PeerQuotaError             the peer has given as much as was agreed
  ManifestError                an export does not match its manifest, or its signature is missing or wrong
  AuditError                   the audited node does not answer, or not in a form that can be read
  MirrorError                  a mirror, or its source, is not as it must be (graph.mirror.errors)
    UnreachableDatabaseError   its database does not answer, or ended the connection

Bad arguments are programming errors and stay ValueError, TypeError and LookupError. Errors that only trigger a retry
within the platform are in no tree, and are never reported outside: UnreadError (graph.evidence.reader), SetAsideError
(graph.submission.call), StaleLogError (graph.submission.ledger).
"""

import errno

_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class GraphError(Exception):
    """Base of all exceptions that the platform raises on bad input or a failing service."""


class StoreError(GraphError):
    """The graph database did not carry out a request."""


class StoreUnavailableError(StoreError):
    """The graph database cannot be started, reached or logged in to."""


class StoreSilentError(StoreUnavailableError):
    """The graph database accepts connections and does not answer; trying again at once is of no use."""


class StoreBusyError(StoreError):
    """Writers kept colliding until the retries were used up; nothing was written."""


class CommitUncertainError(StoreError):
    """The connection broke while a commit was being answered: the transaction may have been written or not."""


class QueryError(StoreError):
    """A named query failed in the database; nothing of its transaction was written."""


class ConstraintError(QueryError):
    """A query would have broken a unique constraint, and kept doing so when tried again."""


class QueryTimeoutError(QueryError):
    """A query exceeded its time limit; nothing of its transaction was written."""


class OperationTimeoutError(QueryTimeoutError):
    """A whole operation exceeded its time limit, or the caller has gone; its queries were ended."""


class ContentError(GraphError):
    """The content store did not carry out a request."""


class ContentNotFoundError(ContentError):
    """No content with that hash is held."""


class ContentMismatchError(ContentError):
    """Bytes do not have the hash that they were announced with."""


class ContentDamagedError(ContentMismatchError):
    """Bytes that are stored here have changed: neither the request nor a submission is at fault."""


class StorageFullError(GraphError):
    """There is no space left for a write; no part of it counts."""


def is_full(error: BaseException) -> bool:
    """Return whether the system refused a write for want of space: on the disk, in a quota, or for one file."""
    return isinstance(error, OSError) and error.errno in _NO_SPACE


class RefusedError(GraphError):
    """A well-formed message that cannot be accepted; `path` is the member at fault, if there is one."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.path = path


class NotRegisteredError(RefusedError):
    """The agent, the key or the source that the message names is not registered."""


class KeyNotInUseError(RefusedError):
    """The key that signed the message was replaced or revoked before."""


class ConflictError(RefusedError):
    """The message's id already stands for other bytes, or the same was stated already."""


class TargetError(RefusedError):
    """The target of the message is not stored here, or is not as the message says."""


class EvidenceError(RefusedError):
    """The held source does not contain the text that the statement cites."""


class ForbiddenError(RefusedError):
    """This caller, or this agent, may not do that."""


class RedactedError(RefusedError):
    """The requested or submitted document was erased under law; the message names the redaction."""


class TooManyOpenError(RefusedError):
    """The agent has reached the limit of open verification requests."""


class QuotaError(RefusedError):
    """The admission policy's limit of submissions within a day is reached; `quota` names the limit.

    The same may be taken after `retry_after` seconds.
    """

    def __init__(self, message: str, *, quota: str, limit: int, retry_after: int) -> None:
        super().__init__(message)
        self.quota = quota
        self.limit = limit
        self.retry_after = retry_after


class NotFoundError(GraphError):
    """Nothing has that name."""


class InputError(GraphError):
    """An argument of a request cannot be used; `path` names it, if there is one."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.path = path


class TooLargeError(InputError):
    """A request, or its response, would be larger than allowed."""


class NotAcceptableError(InputError):
    """A response is requested in a form that does not exist."""


class CypherTextError(InputError):
    """A Cypher query of a reader or a model may not run; the message names the reason and the place."""


class SparqlTextError(InputError):
    """A SPARQL query may not run; the message names the reason."""


class SparqlTimeoutError(InputError):
    """A SPARQL query exceeded its time limit, and was ended."""


class TooManySubscribersError(GraphError):
    """No further subscription can be served now."""


class TooManyWaitingError(GraphError):
    """No further lease request of this agent can wait now."""


class TooManyQueriesError(GraphError):
    """Too many queries of this reader wait already."""


class OwnQueriesBusyError(GraphError):
    """The limit of running queries of readers is reached; no place came free in time."""


class TooManySizesError(GraphError):
    """The limit of past graphs that one reader may have made within a minute is reached."""


class UnauthenticatedError(GraphError):
    """The token is unknown."""


class MisdirectedError(GraphError):
    """The request names a host that is not this node."""


class NotReadyError(GraphError):
    """The node runs and cannot answer for its log."""


class LogMismatchError(NotReadyError):
    """The graph or the stored log differs from the signed log; `log_index` is the first entry at fault, if known."""

    def __init__(self, message: str, log_index: int | None = None) -> None:
        super().__init__(message)
        self.log_index = log_index


class PastNotReadyError(NotReadyError):
    """The graph or the scores of an earlier size of the log are still being made; a later request finds more."""


class NotInstalledError(GraphError):
    """The request needs an optional extra of this package; the message names it."""


class NodeError(GraphError):
    """The graph belongs to another node."""


class EmbeddingError(GraphError):
    """The embedding model gives no usable vectors."""


class SignerError(GraphError):
    """The command that keeps a key does not sign with it."""


class RebuildError(GraphError):
    """Log entries and stored bytes do not make a graph."""


class ManifestError(GraphError):
    """An export does not match its manifest, or the manifest is not signed by the node that it names."""


class AuditError(GraphError):
    """The audited node does not answer, or not in a form that can be read."""
