"""The platform's exceptions, one tree.

GraphError
  StoreError                   the graph database did not do what was asked
    StoreUnavailableError      it cannot be started, reached or logged in to
      StoreSilentError         it is there, and answers nothing
    StoreBusyError             writers kept colliding until the retries were used up
    CommitUncertainError       the connection broke while a commit was being answered: it may have happened
    QueryError                 a named query failed
      ConstraintError          it would have broken a unique constraint
      QueryTimeoutError        it took longer than it may
        OperationTimeoutError  the operation that it was part of did, or whoever asked has gone
  ContentError                 the content store did not do what was asked
    ContentNotFoundError       no content with that hash is held
    NoSuchUploadError          the bucket does not know an upload in parts (graph.content.s3_service)
    ContentMismatchError       bytes do not have the hash that they were announced with
      ContentDamagedError      what is kept is not what was kept
  StorageFullError             there is no space left for what is to be written
  RefusedError                 a well-formed message that cannot be accepted; nothing was changed
    NotRegisteredError         the agent, the key or the source that it names is not registered
    KeyNotInUseError           the key that signed it was replaced or revoked
    ConflictError              the same id stands for other bytes, or what it says was said already
    TargetError                what it points at is not here, or is not what the message says it is
    EvidenceError              the held source does not say what is cited
    ForbiddenError             this caller, or this agent, may not do that
    RedactedError              it was erased, and is not given or taken again
    TooManyOpenError           its agent has as many requests open as one may have
    QuotaError                 as much as is taken of its agent, operator or address within a day was handed in
  NotFoundError                nothing of that name is here
  InputError                   an argument of a question cannot be used
    TooLargeError              a request, or the answer to it, would be larger than allowed
    NotAcceptableError         an answer is asked for in a form that there is none of
    CypherTextError            a query of a reader's or a model's own is not one that may run
    SparqlTextError            a SPARQL query is not one that may run
    SparqlTimeoutError         a SPARQL query took longer than it may, and was ended
  TooManySubscribersError      no further subscription can be served now
  TooManyWaitingError          no further lease request of this agent can wait now
  TooManySizesError            this reader has asked about as many sizes of the log as one may for now
  UnauthenticatedError         a token that nobody was given
  MisdirectedError             a request for a name that this node is not known by
  NotReadyError                the node runs and cannot answer for its log
    LogMismatchError           the graph is not what the log has signed; `log_index` is the first entry that differs
    PastNotReadyError          the graph or the scores of an earlier size of the log are still being made
  NotInstalledError            what is asked for needs an optional extra of this package that is not installed
  NodeError                    the graph belongs to another node
  EmbeddingError               the model that knows what texts mean does not say it
  SignerError                  the command that keeps a key does not sign with it
  RebuildError                 log entries and stored bytes do not make a graph
  PeerError                    what a peer has cannot be taken now (graph.federation.errors)
    PeerAnswerError            the peer does not answer, or not in the form of this API
    PeerFaultError             what the peer gives is not what it signed, or contradicts it
    PeerQuotaError             the peer has given as much as was agreed
  ManifestError                an export is not what its manifest says, or nobody signed that
  AuditError                   what is to be audited does not answer, or not in a form that can be read
  MirrorError                  a mirror, or what it mirrors, is not what it has to be (graph.mirror.errors)
    UnreachableDatabaseError   its database does not answer, or ended the connection

Bad arguments are programming errors and stay ValueError, TypeError and LookupError. What only says within the platform
that something is done again is in no tree, and nobody outside is told of it: UnreadError (graph.evidence.reader),
SetAsideError (graph.log.call), StaleLogError (graph.log.ledger).
"""

import errno

_NO_SPACE = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


class GraphError(Exception):
    """Base of everything that the platform raises on bad input or a failing service."""


class StoreError(GraphError):
    """The graph database did not do what was asked."""


class StoreUnavailableError(StoreError):
    """The graph database cannot be started, reached or logged in to."""


class StoreSilentError(StoreUnavailableError):
    """The graph database takes connections and answers nothing; trying again at once is of no use."""


class StoreBusyError(StoreError):
    """Writers kept colliding until the retries were used up; nothing was written."""


class CommitUncertainError(StoreError):
    """The connection broke while a commit was being answered: what was written may be there or not."""


class QueryError(StoreError):
    """A named query failed in the database; nothing of its transaction was written."""


class ConstraintError(QueryError):
    """A query would have broken a unique constraint, and kept doing so when tried again."""


class QueryTimeoutError(QueryError):
    """A query took longer than it may; nothing of its transaction was written."""


class OperationTimeoutError(QueryTimeoutError):
    """A whole operation took longer than it may, or whoever asked has gone; its queries were ended."""


class ContentError(GraphError):
    """The content store did not do what was asked."""


class ContentNotFoundError(ContentError):
    """No content with that hash is held."""


class ContentMismatchError(ContentError):
    """Bytes do not have the hash that they were announced with."""


class ContentDamagedError(ContentMismatchError):
    """Bytes that were kept here are not what they were: nothing that is asked for or handed in is wrong."""


class StorageFullError(GraphError):
    """There is no space left for what is to be written; nothing of it counts."""


def is_full(error: BaseException) -> bool:
    """Say whether the system refused a write for want of space: on the disk, in a quota, or for one file."""
    return isinstance(error, OSError) and error.errno in _NO_SPACE


class RefusedError(GraphError):
    """A well-formed message that cannot be accepted; `path` is the member at fault, where there is one."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.path = path


class NotRegisteredError(RefusedError):
    """The agent, the key or the source that the message names is not registered."""


class KeyNotInUseError(RefusedError):
    """The key that signed the message was replaced or revoked before."""


class ConflictError(RefusedError):
    """The same id already stands for other bytes, or what the message says was said already."""


class TargetError(RefusedError):
    """What the message points at is not here, or is not what the message says it is."""


class EvidenceError(RefusedError):
    """The held source does not say what the statement cites."""


class ForbiddenError(RefusedError):
    """This caller, or this agent, may not do that."""


class RedactedError(RefusedError):
    """What is asked for, or handed in, was erased under law; the message names the redaction."""


class TooManyOpenError(RefusedError):
    """The agent has as many verification requests open as one may have."""


class QuotaError(RefusedError):
    """As much was handed in as the admission policy takes within a day; `quota` names the limit that is reached.

    The same may be taken after `retry_after` seconds.
    """

    def __init__(self, message: str, *, quota: str, limit: int, retry_after: int) -> None:
        super().__init__(message)
        self.quota = quota
        self.limit = limit
        self.retry_after = retry_after


class NotFoundError(GraphError):
    """Nothing of that name is here."""


class InputError(GraphError):
    """An argument of a question cannot be used; `path` names it, where there is one."""

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(message)
        self.path = path


class TooLargeError(InputError):
    """A request, or the answer to it, would be larger than allowed."""


class NotAcceptableError(InputError):
    """An answer is asked for in a form that there is none of."""


class CypherTextError(InputError):
    """A query that a reader or a model wrote is not one that may run; the message says what in it, and where."""


class SparqlTextError(InputError):
    """A SPARQL query is not one that may run; the message says what in it."""


class SparqlTimeoutError(InputError):
    """A SPARQL query took longer than it may, and was ended."""


class TooManySubscribersError(GraphError):
    """No further subscription can be served now."""


class TooManyWaitingError(GraphError):
    """No further lease request of this agent can wait now."""


class TooManyQueriesError(GraphError):
    """Too many queries of this reader wait already."""


class OwnQueriesBusyError(GraphError):
    """As many queries of readers run as can be served; no place came free in time."""


class TooManySizesError(GraphError):
    """As many graphs of the past were made for this reader as one may have made within a minute."""


class UnauthenticatedError(GraphError):
    """A token that nobody was given."""


class MisdirectedError(GraphError):
    """A request names a host that this node is not known by."""


class NotReadyError(GraphError):
    """The node runs and cannot answer for its log."""


class LogMismatchError(NotReadyError):
    """Graph or kept log are not what was signed; `log_index` is the first entry at fault, if known."""

    def __init__(self, message: str, log_index: int | None = None) -> None:
        super().__init__(message)
        self.log_index = log_index


class PastNotReadyError(NotReadyError):
    """The graph or the scores of an earlier size of the log are still being made; who asks again finds more of them."""


class NotInstalledError(GraphError):
    """What is asked for needs an optional extra of this package; the message names it."""


class NodeError(GraphError):
    """The graph belongs to another node."""


class EmbeddingError(GraphError):
    """The model that knows what texts mean does not say it."""


class SignerError(GraphError):
    """The command that keeps a key does not sign with it."""


class RebuildError(GraphError):
    """Log entries and stored bytes do not make a graph."""


class ManifestError(GraphError):
    """An export is not what its manifest says, or the manifest is not signed by the node that it names."""


class AuditError(GraphError):
    """What is to be audited does not answer, or not in a form that can be read."""
