"""The reasons for which a peer's entries and documents are not taken."""

from graph.errors import GraphError


class PeerError(GraphError):
    """A peer's entries or documents cannot be taken now; nothing unchecked was taken."""


class PeerAnswerError(PeerError):
    """A peer does not answer, or not in the form of this API; it may do so later."""


class PeerStatusError(PeerAnswerError):
    """A peer answers with an HTTP `status` that refuses the request."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class PeerFaultError(PeerError):
    """A peer gives data that its log has not signed, or that contradicts its log.

    `contradiction` holds two checkpoints that cannot both be true, and the hashes that prove it.
    """

    def __init__(self, message: str, contradiction: tuple[tuple[str, str], tuple[bytes, ...]] | None = None) -> None:
        super().__init__(message)
        self.contradiction = contradiction


class PeerQuotaError(PeerError):
    """A peer has given as much as was agreed; the rest is taken later."""
