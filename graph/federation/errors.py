"""Why what a peer has is not taken."""

from graph.errors import GraphError


class PeerError(GraphError):
    """What a peer has cannot be taken now; nothing that is not checked was taken."""


class PeerAnswerError(PeerError):
    """A peer does not answer, or not in the form of this API; it may do so later."""


class PeerStatusError(PeerAnswerError):
    """A peer answers with an HTTP `status` that says that it does not give what was asked for."""

    def __init__(self, message: str, status: int) -> None:
        super().__init__(message)
        self.status = status


class PeerFaultError(PeerError):
    """What a peer gives is not what its log has signed, or contradicts it.

    `contradiction` holds two checkpoints that cannot both be true, and the hashes that show it.
    """

    def __init__(self, message: str, contradiction: tuple[tuple[str, str], tuple[bytes, ...]] | None = None) -> None:
        super().__init__(message)
        self.contradiction = contradiction


class PeerQuotaError(PeerError):
    """A peer has given as much as was agreed; the rest is taken later."""
