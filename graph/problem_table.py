"""The table of the problem that each error is reported as, the same at every endpoint."""

from a2ap.errors import (
    ContentHashError,
    ContextError,
    DisclosureError,
    FieldError,
    JsonTextError,
    KeyFormatError,
    MessageError,
    RecordTextError,
    SignatureError,
    StatementIdError,
    TypeNameError,
)
from graph.errors import (
    CommitUncertainError,
    ConflictError,
    ContentDamagedError,
    ContentMismatchError,
    ContentNotFoundError,
    EmbeddingError,
    EvidenceError,
    ForbiddenError,
    InputError,
    KeyNotInUseError,
    MisdirectedError,
    NotAcceptableError,
    NotFoundError,
    NotInstalledError,
    NotReadyError,
    NotRegisteredError,
    OwnQueriesBusyError,
    PastNotReadyError,
    QueryTimeoutError,
    QuotaError,
    RedactedError,
    RefusedError,
    SignerError,
    SparqlTimeoutError,
    StorageFullError,
    StoreBusyError,
    StoreUnavailableError,
    TargetError,
    TooLargeError,
    TooManyOpenError,
    TooManyQueriesError,
    TooManySizesError,
    TooManySubscribersError,
    TooManyWaitingError,
    UnauthenticatedError,
    is_full,
)
from graph.problem import Problem
from graph.problem import ProblemKind as Kind

# The first row whose class the error is of. Status and title are HTTP's, the code is GraphQL's `extensions.code`, and
# the kind is the type that a mutation answers with; an error without one is an error of the operation there.
ERRORS: tuple[tuple[type[Exception], int, str, str, Kind | None], ...] = (
    (JsonTextError, 400, "INVALID_JSON", "The document is not strict JSON", Kind.INVALID),
    (ContextError, 400, "INVALID_CONTEXT", "The JSON-LD context is not one of this protocol", Kind.INVALID),
    (TypeNameError, 400, "WRONG_TYPE", "The document is not a message of this type", Kind.INVALID),
    (StatementIdError, 400, "INVALID_ID", "The statement's id is not one that its author may give it", Kind.INVALID),
    (FieldError, 400, "INVALID_FIELD", "A member of the document is missing or wrong", Kind.INVALID),
    (ContentHashError, 422, "INVALID_CONTENT_HASH", "The content hash is not of claim and evidence", Kind.UNVERIFIED),
    (DisclosureError, 422, "INVALID_DISCLOSURE", "A disclosed text is not the one that was signed", Kind.UNVERIFIED),
    (MessageError, 400, "INVALID_MESSAGE", "The document is not a message", Kind.INVALID),
    (SignatureError, 422, "INVALID_SIGNATURE", "The signature does not hold", Kind.UNVERIFIED),
    (RecordTextError, 400, "INVALID_RECORD", "The bytes are no record of that format", Kind.INVALID),
    (KeyFormatError, 400, "INVALID_KEY", "A key is not an Ed25519 key", Kind.INVALID),
    (NotRegisteredError, 403, "NOT_REGISTERED", "An agent, key or source is not registered", Kind.UNKNOWN),
    (KeyNotInUseError, 403, "KEY_NOT_IN_USE", "The key was replaced or revoked", Kind.CONFLICT),
    (ConflictError, 409, "CONFLICT", "The state of this node does not allow it", Kind.CONFLICT),
    (TargetError, 404, "UNKNOWN_TARGET", "The target of the message is not here", Kind.UNKNOWN),
    (EvidenceError, 422, "EVIDENCE_REFUSED", "The source does not bear out the citation", Kind.UNVERIFIED),
    (RedactedError, 410, "REDACTED", "It was erased", Kind.ERASED),
    (ForbiddenError, 403, "FORBIDDEN", "That is not allowed", Kind.FORBIDDEN),
    (TooManyOpenError, 429, "TOO_MANY", "As many requests are open as one agent may have", Kind.LATER),
    (QuotaError, 429, "QUOTA", "As much was handed in as is taken within a day", Kind.LATER),
    (RefusedError, 422, "REFUSED", "The message cannot be accepted", Kind.UNVERIFIED),
    (NotFoundError, 404, "NOT_FOUND", "Nothing of that name is here", Kind.UNKNOWN),
    (ContentNotFoundError, 404, "NOT_FOUND", "Nothing of that name is here", Kind.UNKNOWN),
    (ContentDamagedError, 500, "DAMAGED", "Content stored in this node is damaged", None),
    (ContentMismatchError, 422, "HASH_MISMATCH", "The bytes do not have that hash", Kind.UNVERIFIED),
    (TooLargeError, 413, "TOO_LARGE", "Larger than allowed", Kind.TOO_LARGE),
    (SparqlTimeoutError, 422, "TIMEOUT", "The query took longer than it may", None),
    (NotInstalledError, 501, "NOT_INSTALLED", "An optional part of this node is not installed", None),
    (NotAcceptableError, 406, "NOT_ACCEPTABLE", "There is no such form of it", None),
    (InputError, 400, "INVALID_INPUT", "An argument cannot be used", Kind.INVALID),
    (TooManySubscribersError, 429, "TOO_MANY", "As many subscribe as can be served", Kind.LATER),
    (TooManyWaitingError, 429, "TOO_MANY", "As many wait as can be served", Kind.LATER),
    (TooManySizesError, 429, "TOO_MANY", "As many sizes of the log as one reader may ask about", Kind.LATER),
    (TooManyQueriesError, 429, "TOO_MANY", "As many queries wait as one reader may have", Kind.LATER),
    (OwnQueriesBusyError, 503, "UNAVAILABLE", "As many queries of readers run as can be served", Kind.LATER),
    (UnauthenticatedError, 401, "UNAUTHENTICATED", "The token is not known", Kind.FORBIDDEN),
    (StorageFullError, 507, "STORAGE_FULL", "This node has no space left to write it", Kind.LATER),
    (MisdirectedError, 421, "MISDIRECTED", "The request is for another host", None),
    (QueryTimeoutError, 503, "TIMEOUT", "It took longer than it may", Kind.LATER),
    (StoreUnavailableError, 503, "UNAVAILABLE", "The graph database does not answer", Kind.LATER),
    (StoreBusyError, 503, "UNAVAILABLE", "Too many writers at once; try again", Kind.LATER),
    (CommitUncertainError, 503, "UNAVAILABLE", "Nobody knows whether this was written; send it again", Kind.LATER),
    (SignerError, 503, "UNAVAILABLE", "The node's key does not sign", Kind.LATER),
    (EmbeddingError, 503, "UNAVAILABLE", "The model for search by meaning does not answer", Kind.LATER),
    (PastNotReadyError, 503, "NOT_READY", "How it was at that size of the log is being found; ask again", Kind.LATER),
    (NotReadyError, 503, "UNAVAILABLE", "The node cannot answer for its log", Kind.LATER),
)
_UNEXPECTED = (500, "INTERNAL", "Something failed in this node")


def problem_of(error: Exception) -> Problem:
    """Return the problem that callers see for an error: the whole finding, and nothing of an internal failure."""
    if is_full(error):
        error = StorageFullError(str(error))
    for told, status, code, title, kind in ERRORS:
        if isinstance(error, told):
            # An optional part that is not installed is told: it is no failure inside.
            detail = str(error) if status < 500 or status == 501 else title
            path = getattr(error, "path", "") or ""
            if isinstance(error, QuotaError):
                reached = (("quota", error.quota), ("limit", error.limit))
                return Problem(status, code, title, detail, path, kind, error.retry_after, reached)
            return Problem(status, code, title, detail, path, kind)
    status, code, title = _UNEXPECTED
    return Problem(status, code, title, "see the log of the server")
